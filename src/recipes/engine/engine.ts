import { addUsage, clip, HopscopeError, noUsage, type Reason, type Usage } from "#domain";
import { type ChatModel, ModelError } from "#models";
import { type Appender, canonicalJson, sha256 } from "#store";
import { seeded } from "../seeded.ts";
import { type Bounds, createAsking } from "./asking.ts";
import { emptyFunnel, type FunnelRow } from "./funnel.ts";
import type { Journal } from "./journal.ts";
import { graphProblem, idOf, readOutcomes, wordsOf } from "./outcomes.ts";
import {
	type AcrossStage,
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
	/** Counts a piece that a source gave or that came to the end, and that it was refused there. */
	count(stage: StageAbout, piece: Piece, refused?: Why): void;
	/** Counts a drop that a combinator decided. */
	drop(stage: string, dropped: unknown, why: Why): void;
	/** Counts an item that a check is not for. */
	aside(check: StageAbout): void;
	/** Begins nothing more: what is under way ends at its next step. */
	end(): void;
	funnel(): FunnelRow[];
	/** Tells the progress now. */
	tell(): void;
}

export interface EngineOptions extends Bounds {
	recipe: { name: string; version: string };
	stages: readonly StageAbout[];
	seed: number;
	/** Models by role. */
	models: Readonly<Record<string, ChatModel>>;
	/** Hashes of what the recipe reads: a stage may look there for more than its input holds. */
	inputs: Readonly<Record<string, string>>;
	journal: Journal;
	/** Where drops and faults are written down; not needed to resume. */
	drops: Appender;
	faults: Appender;
	/** Where images of items are kept. */
	keepImage: StageContext["keepImage"];
	mostUnits?: number | undefined;
	onProgress?: ((progress: { funnel: readonly FunnelRow[]; usage: Usage }) => void) | undefined;
}

interface Why {
	reason: Reason;
	detail?: string | undefined;
}

/** So many faults of a model in a row are the server's, not the items'. */
const mostFaults = 10;
/** Lines of the log of drops that may wait to be written. */
const mostWaiting = 1000;
/** Milliseconds between two tellings of progress. */
const telling = 100;

export function createEngine(options: EngineOptions): Engine {
	const { recipe, seed, models, inputs, journal, drops, faults, signal, together = 8 } = options;
	const rows = emptyFunnel(options.stages);
	const rowOf = (name: string): FunnelRow => {
		const row = rows.get(name);
		if (!row) throw new RangeError(`the recipe ${recipe.name} has no stage called "${name}"`);
		return row;
	};
	let usage = noUsage;
	let inARow = 0;
	let waiting = 0;
	let written: Promise<void> = Promise.resolve();
	let told = 0;
	/** Why nothing more is begun. */
	let ended: { because: unknown } | undefined;
	/** Inputs under way, so that the same one is not asked for twice at once. */
	const underWay = new Map<string, Promise<unknown>>();

	function mustGoOn(): void {
		signal?.throwIfAborted();
		if (ended) throw ended.because;
	}
	const { maxCalls, maxCost } = options;
	const asking = createAsking({ models, together, signal, mustGoOn, maxCalls, maxCost });

	/** What a stage may use; `asked` tells afterwards whether it asked what it had not said. */
	function contextOf(stage: StageAbout): { context: StageContext; undeclared(): boolean; used(): Usage } {
		let undeclared = false;
		let took = noUsage;
		const row = rowOf(stage.name);
		const context: StageContext = {
			recipe,
			signal,
			keepImage: options.keepImage,
			has: (role) => role in models,
			random: (...parts) => seeded(seed, stage.name, ...parts),
			async ask(role, prompt, values, asked) {
				const said = stage.calls?.some((call) => call.role === role && (call.prompt ?? prompt.hash) === prompt.hash);
				if (!said) undeclared = true;
				const answer = await asking.ask(role, { prompt, values, options: asked }, (used) => {
					took = addUsage(took, used);
					row.usage = addUsage(row.usage, used);
					usage = addUsage(usage, used);
				});
				inARow = 0;
				return answer;
			},
		};
		return { context, undeclared: () => undeclared, used: () => took };
	}

	function keyOf(stage: StageAbout, input: unknown): string | undefined {
		if (!stage.calls || stage.calls.length === 0) return undefined;
		const { name, version, params = null } = stage;
		const asked = stage.calls.map(({ role, prompt }) => [role, models[role]?.id ?? null, prompt ?? null]);
		return sha256(canonicalJson([recipe.name, name, version, seed, inputs, params, asked, input]));
	}

	/** The stage's outcomes for the input: kept, or made and kept; undefined where it failed. */
	async function outcomesOf<In, Out>(stage: Stage<In, Out>, input: In): Promise<Outcome<Out>[] | undefined> {
		const key = keyOf(stage, input);
		try {
			if (key === undefined) return await stage.run(input, contextOf(stage).context);
			return await oneAtATime(key, async () => {
				const kept = await journal.get(key);
				const outcomes = readOutcomes(stage, kept?.outcomes);
				if (!outcomes) return makeAndKeep(stage, input, key);
				rowOf(stage.name).reused += 1;
				if (kept?.usage) askedFor(stage, kept.usage, outcomes);
				return outcomes;
			});
		} catch (error) {
			await quarantine(stage, input, error);
			return undefined;
		}
	}

	/** The same input that comes twice waits for the first, and finds what that kept. */
	async function oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
		const before = underWay.get(key);
		const working = before ? before.then(work, work) : work();
		underWay.set(key, working);
		try {
			return await working;
		} finally {
			if (underWay.get(key) === working) underWay.delete(key);
		}
	}

	async function makeAndKeep<In, Out>(stage: Stage<In, Out>, input: In, key: string): Promise<Outcome<Out>[]> {
		const { context, undeclared, used } = contextOf(stage);
		// as it will be read again, so that what is resumed is what was made
		const made = JSON.parse(JSON.stringify(await stage.run(input, context))) as unknown[];
		const outcomes = readOutcomes(stage, made);
		if (!outcomes) throw new StageFault(`${stage.name} gave something of another shape than it says`);
		const usage = used();
		if (!undeclared()) await journal.put(key, { stage: stage.name, input: idOf(input) }, { outcomes: made, usage });
		askedFor(stage, usage, outcomes);
		return outcomes;
	}

	/** Counts what asking took; an input that nobody could or had to be asked about says nothing of that. */
	function askedFor(stage: StageAbout, usage: Usage, outcomes: readonly Outcome<unknown>[]): void {
		const [first] = outcomes;
		const { verdict } = (first?.is === "piece" ? first.piece : {}) as { verdict?: string };
		if (verdict === "not-applicable" || verdict === "skipped") return;
		const row = rowOf(stage.name);
		const { inputs, usage: before } = row.asked ?? { inputs: 0, usage: noUsage };
		row.asked = { inputs: inputs + 1, usage: addUsage(before, usage) };
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

	function dropped(stage: string, id: string, why: Why, piece: unknown): void {
		const row = rowOf(stage);
		row.dropped[why.reason] = (row.dropped[why.reason] ?? 0) + 1;
		const question = wordsOf(piece);
		const { reason, detail } = why;
		waiting += 1;
		written = drops
			.append({
				stage,
				id,
				reason,
				...(detail ? { detail } : {}),
				...(question ? { question: clip(question, 500) } : {}),
			})
			.then(
				() => {
					waiting -= 1;
				},
				(error: unknown) => {
					ended ??= { because: error };
				},
			);
	}

	/** What goes on, with what is dropped counted; an item with a broken graph goes nowhere. */
	function passed<Out>(stage: StageAbout, input: unknown, outcomes: readonly Outcome<Out>[]): Out[] {
		const row = rowOf(stage.name);
		const pieces: Out[] = [];
		for (const outcome of outcomes) {
			if (outcome.is === "drop") {
				dropped(stage.name, outcome.id ?? idOf(input), outcome, input);
				continue;
			}
			const { piece } = outcome;
			const broken = graphProblem(stage, piece);
			if (broken) dropped(stage.name, idOf(piece), { reason: "broken_graph", detail: broken }, piece);
			else pieces.push(piece);
		}
		if (!isCheck(stage)) row.out += pieces.length;
		return pieces;
	}

	function verdictCounted(stage: StageAbout, piece: unknown): void {
		const row = rowOf(stage.name);
		const { verdict } = piece as { verdict?: string };
		if (verdict === "pass") row.out += 1;
		else if (verdict === "skipped") row.skipped += 1;
		else if (verdict === "not-applicable") row.notApplicable += 1;
		else row.failed += 1;
	}

	function tell(): void {
		told = performance.now();
		options.onProgress?.({ funnel: [...rows.values()], usage });
	}
	const tellNowAndThen = () => {
		if (options.onProgress && performance.now() - told >= telling) tell();
	};

	return {
		together,
		mostUnits: options.mostUnits ?? Number.POSITIVE_INFINITY,
		signal,
		async perform(stage, input) {
			mustGoOn();
			try {
				const outcomes = await outcomesOf(stage, input);
				const row = rowOf(stage.name);
				// counted when it is known what became of it: what a stop cut off is no part of the funnel
				row.in += 1;
				const pieces = outcomes ? passed(stage, input, outcomes) : [];
				if (isCheck(stage)) for (const piece of pieces.slice(0, 1)) verdictCounted(stage, piece);
				else if (outcomes?.length === 0) row.empty += 1;
				else if (outcomes) row.spread += outcomes.length - 1;
				if (waiting > mostWaiting) await written;
				tellNowAndThen();
				return pieces;
			} catch (error) {
				ended ??= { because: error };
				throw error;
			}
		},
		async performAcross(stage, inputs) {
			mustGoOn();
			const row = rowOf(stage.name);
			const outcomes = await stage.run(inputs, contextOf(stage).context);
			row.in += inputs.length;
			row.spread += Math.max(0, outcomes.length - inputs.length);
			row.empty += Math.max(0, inputs.length - outcomes.length);
			const pieces = passed(stage, undefined, outcomes);
			tellNowAndThen();
			return pieces;
		},
		count(stage, piece, refused) {
			const row = rowOf(stage.name);
			row.in += 1;
			if (refused) dropped(stage.name, piece.id, refused, piece);
			else row.out += 1;
		},
		aside(check) {
			const row = rowOf(check.name);
			row.in += 1;
			row.notApplicable += 1;
		},
		drop: (stage, piece, why) => dropped(stage, idOf(piece), why, piece),
		end() {
			ended ??= { because: new RunEnded() };
		},
		funnel: () => [...rows.values()],
		tell,
	};
}

/** Thrown where a piece is given up because enough was made; no verdict and no fault. */
class RunEnded extends Error {
	override name = "RunEnded";
}

const isCheck = ({ kind }: StageAbout) => kind === "check" || kind === "probe";
