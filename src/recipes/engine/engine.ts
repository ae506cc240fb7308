import { addUsage, chainProblems, HopscopeError, Item, type Reason, taskOf, type Usage } from "#domain";
import { askForJson, type ChatModel, ModelError } from "#models";
import { type Appender, canonicalJson, sha256 } from "#store";
import { seeded } from "../seeded.ts";
import { emptyFunnel, type FunnelRow } from "./funnel.ts";
import type { Journal } from "./journal.ts";
import type { Prompt } from "./prompt.ts";
import {
	type AcrossStage,
	type Asked,
	type AskOptions,
	type Outcome,
	type Piece,
	type Stage,
	type StageAbout,
	type StageContext,
	StageFault,
} from "./stage.ts";

/** Carries out stages: keeps outcomes, counts, quarantines faults, and guards the items' graphs. */
export interface Engine {
	/** Inputs worked on at once. */
	together: number;
	/** Units that a source gives at most: a preview reads few. */
	mostUnits: number;
	signal: AbortSignal | undefined;
	perform<In, Out>(stage: Stage<In, Out>, input: In): Promise<Out[]>;
	performAcross<In extends Piece, Out extends Piece>(
		stage: AcrossStage<In, Out>,
		inputs: readonly In[],
	): Promise<Out[]>;
	/** Counts a piece that a source gave. */
	count(stage: StageAbout, piece: Piece): void;
	/** Counts a drop that a combinator decided. */
	drop(stage: string, dropped: unknown, why: { reason: Reason; detail?: string | undefined }): void;
	funnel(): FunnelRow[];
}

export interface EngineOptions {
	recipe: { name: string; version: string };
	stages: readonly StageAbout[];
	seed: number;
	/** Models by role. */
	models: Readonly<Record<string, ChatModel>>;
	journal: Journal;
	/** Where drops and faults are written down; not needed to resume. */
	drops: Appender;
	faults: Appender;
	together?: number;
	mostUnits?: number;
	/** Calls that this process makes at most; then it stops and can be gone on with. */
	maxCalls?: number;
	signal?: AbortSignal | undefined;
	onProgress?: ((progress: { funnel: readonly FunnelRow[]; usage: Usage }) => void) | undefined;
}

/** So many faults of a model in a row are the server's, not the items'. */
const mostFaults = 10;

export function createEngine(options: EngineOptions): Engine {
	const { recipe, seed, models, journal, drops, faults, signal, maxCalls = Number.POSITIVE_INFINITY } = options;
	const rows = emptyFunnel(options.stages);
	const rowOf = (name: string): FunnelRow => {
		const row = rows.get(name);
		if (!row) throw new RangeError(`the recipe ${recipe.name} has no stage called "${name}"`);
		return row;
	};
	let inARow = 0;
	let calls = 0;

	function contextOf({ name }: StageAbout): StageContext {
		return {
			recipe,
			signal,
			has: (role) => role in models,
			random: (...parts) => seeded(seed, name, ...parts),
			ask: (role, prompt, values, asking) => ask(name, role, { prompt, values, asking }),
		};
	}

	async function ask<Value, Name extends string>(
		stage: string,
		role: string,
		about: {
			prompt: Prompt<Value, Name>;
			values: Readonly<Record<Name, string>>;
			asking?: AskOptions | undefined;
		},
	): Promise<Asked<Value>> {
		const { prompt, values, asking: { images = [], sample, temperature = 0 } = {} } = about;
		const model = models[role];
		if (!model) throw new StageFault(`no model is configured for ${role}`);
		if (calls >= maxCalls)
			throw new HopscopeError("budget", `the ${maxCalls} calls of this process are made`, "Run it again to go on.", {
				facts: { calls },
			});
		calls += 1;
		const request = {
			messages: prompt.messages(values, { images }),
			temperature,
			...(sample === undefined ? {} : { sample }),
		};
		const { name, output } = prompt;
		const reply = await askForJson(model, request, { name, schema: output }, signal ? { signal } : {});
		const row = rowOf(stage);
		for (const { usage } of reply.replies) row.usage = addUsage(row.usage, usage);
		if (reply.is === "misfit") throw new StageFault(`${role}, ${name}: ${reply.problem}`);
		return { value: reply.value, model: model.id, prompt: prompt.hash };
	}

	function keyOf(stage: StageAbout, input: unknown): string | undefined {
		if (!stage.calls || stage.calls.length === 0) return undefined;
		const { name, version, params = null } = stage;
		const asked = stage.calls.map(({ role, prompt }) => [role, models[role]?.id ?? null, prompt ?? null]);
		return sha256(canonicalJson([recipe.name, name, version, seed, params, asked, input]));
	}

	/** The stage's outcomes for the input: kept, or made and kept; undefined where it failed. */
	async function outcomesOf<In, Out>(stage: Stage<In, Out>, input: In): Promise<Outcome<Out>[] | undefined> {
		const key = keyOf(stage, input);
		const kept = key === undefined ? undefined : readKept(stage, journal.get(key));
		if (kept) {
			rowOf(stage.name).reused += 1;
			return kept;
		}
		try {
			const made = await stage.run(input, contextOf(stage));
			inARow = 0;
			if (key !== undefined) await journal.put(key, { stage: stage.name, input: idOf(input) }, made);
			return made;
		} catch (error) {
			await quarantine(stage, input, error);
			return undefined;
		}
	}

	async function quarantine(stage: StageAbout, input: unknown, error: unknown): Promise<void> {
		signal?.throwIfAborted();
		if (!(error instanceof StageFault || error instanceof ModelError)) throw error;
		rowOf(stage.name).faults += 1;
		await faults.append({ stage: stage.name, input: idOf(input), error: error.message.slice(0, 2000) });
		if (error instanceof ModelError) inARow += 1;
		if (inARow < mostFaults) return;
		throw new HopscopeError(
			"model-failing",
			`${mostFaults} calls in a row failed, the last one with: ${error.message.slice(0, 500)}`,
			"Mend the model's configuration, then run the same command: what was done is kept.",
			{ cause: error },
		);
	}

	function dropped(stage: string, { id, why }: { id: string; why: { reason: Reason; detail?: string | undefined } }) {
		const row = rowOf(stage);
		row.dropped[why.reason] = (row.dropped[why.reason] ?? 0) + 1;
		void drops.append({ stage, id, ...why }).catch(() => {});
	}

	/** What goes on, with what is dropped counted; an item with a broken graph goes nowhere. */
	function passed<Out>(stage: StageAbout, input: unknown, outcomes: readonly Outcome<Out>[]): Out[] {
		const row = rowOf(stage.name);
		const pieces: Out[] = [];
		for (const outcome of outcomes) {
			if (outcome.is === "drop") {
				dropped(stage.name, { id: outcome.id ?? idOf(input), why: outcome });
				continue;
			}
			const broken = guarded.has(stage.kind) ? graphProblem(outcome.piece) : undefined;
			if (broken) dropped(stage.name, { id: idOf(outcome.piece), why: { reason: "broken_graph", detail: broken } });
			else pieces.push(outcome.piece);
		}
		row.out += pieces.length;
		return pieces;
	}

	const told = () => {
		if (!options.onProgress) return;
		let usage = { ...rows.values().next().value?.usage } as Usage;
		const [, ...others] = rows.values();
		for (const row of others) usage = addUsage(usage, row.usage);
		options.onProgress({ funnel: [...rows.values()], usage });
	};

	return {
		together: options.together ?? 8,
		mostUnits: options.mostUnits ?? Number.POSITIVE_INFINITY,
		signal,
		async perform(stage, input) {
			signal?.throwIfAborted();
			const row = rowOf(stage.name);
			row.in += 1;
			const outcomes = await outcomesOf(stage, input);
			const pieces = outcomes ? passed(stage, input, outcomes) : [];
			if (stage.kind === "check" || stage.kind === "probe") {
				const verdict = (pieces[0] as { verdict?: string } | undefined)?.verdict;
				if (verdict !== "pass") row.out -= pieces.length;
				if (verdict === "skipped") row.skipped += 1;
			}
			told();
			return pieces;
		},
		async performAcross(stage, inputs) {
			const row = rowOf(stage.name);
			row.in += inputs.length;
			const pieces = passed(stage, undefined, await stage.run(inputs, contextOf(stage)));
			told();
			return pieces;
		},
		count(stage) {
			const row = rowOf(stage.name);
			row.in += 1;
			row.out += 1;
		},
		drop: (stage, piece, why) => dropped(stage, { id: idOf(piece), why }),
		funnel: () => [...rows.values()],
	};
}

/** Stages after which the graph of an item may be another. */
const guarded: ReadonlySet<string> = new Set(["compose", "rewrite", "annotate"]);

function graphProblem(piece: unknown): string | undefined {
	const parsed = Item.safeParse(piece);
	return parsed.success ? chainProblems(taskOf(parsed.data))[0]?.message : undefined;
}

/** Kept outcomes, if all of them can still be read. */
function readKept<In, Out>(stage: Stage<In, Out>, kept: readonly unknown[] | undefined): Outcome<Out>[] | undefined {
	if (!kept) return undefined;
	const outcomes: Outcome<Out>[] = [];
	for (const one of kept as (Outcome<unknown> | undefined)[]) {
		if (one?.is === "drop") outcomes.push(one);
		else {
			const piece = stage.output.safeParse(one?.piece);
			if (!piece.success) return undefined;
			outcomes.push({ is: "piece", piece: piece.data });
		}
	}
	return outcomes;
}

function idOf(piece: unknown): string {
	if (typeof piece !== "object" || piece === null) return "";
	if ("id" in piece) return String(piece.id);
	if ("item" in piece) return idOf(piece.item);
	return "";
}
