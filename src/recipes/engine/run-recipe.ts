import { join } from "node:path";
import { z } from "zod";
import { addUsage, exitCodes, HopscopeError, Item, noUsage, software, type Usage } from "#domain";
import type { ChatModel } from "#models";
import { canonicalJson, lockFolder, openAppender, readJson, sha256, writeJson, writeJsonl, writeWhole } from "#store";
import { createEngine } from "./engine.ts";
import { FunnelRow } from "./funnel.ts";
import { openJournal } from "./journal.ts";
import type { Recipe, RecipeInputs } from "./recipe.ts";

/** `build.json`: everything that the items of a build depend on. */
export const BuildManifest = z.object({
	version: z.literal(1),
	recipe: z.object({ name: z.string(), version: z.string() }),
	params: z.json(),
	seed: z.number().int(),
	/** Model id by role. */
	models: z.record(z.string(), z.string()),
	/** Hashes of what was read: knowledge base, corpus, graph, seed questions. */
	inputs: z.record(z.string(), z.string()),
	/** Over all of the above. */
	fingerprint: z.string(),
	software: z.object({ hopscope: z.string(), node: z.string() }),
});
export type BuildManifest = z.infer<typeof BuildManifest>;

/** `funnel.json`, written at the end of every process that worked on the build. */
export const BuildFunnel = z.object({
	accepted: z.number().int().min(0),
	faults: z.number().int().min(0),
	rows: z.array(FunnelRow),
});
export type BuildFunnel = z.infer<typeof BuildFunnel>;

export interface BuildOptions {
	/** Settings that differ from the recipe's defaults. */
	params?: unknown;
	seed?: number;
	/** Models by role. */
	models: Readonly<Record<string, ChatModel>>;
	/** Hashes of the inputs, for the manifest. */
	inputHashes?: Record<string, string>;
	/** Stops after so many accepted items. */
	items?: number;
	/** Units read at most: for previews. */
	mostUnits?: number;
	together?: number;
	maxCalls?: number;
	signal?: AbortSignal | undefined;
	onProgress?: (progress: { funnel: readonly FunnelRow[]; usage: Usage }) => void;
}

export interface Build {
	dir: string;
	manifest: BuildManifest;
	funnel: BuildFunnel;
	/** Of this process. */
	usage: Usage;
	items: Item[];
}

/**
 * Runs a recipe in the folder `dir`: what was paid for there before, with the same stages, settings, models and inputs,
 * is not asked again. Items come in the order of the sources. Writes `build.json`, `journal.jsonl`, `dropped.jsonl`,
 * `faults.jsonl`, `funnel.json` and, last, `items.jsonl`.
 */
export async function runRecipe<Params>(
	recipe: Recipe<Params>,
	inputs: RecipeInputs,
	dir: string,
	options: BuildOptions,
): Promise<Build> {
	const { seed = 1, models } = options;
	const params = paramsOf(recipe, options.params);
	mustBeCast(recipe, models);
	const flow = recipe.build(params, inputs);
	const unlock = await lockFolder(dir);
	try {
		const manifest = await writeManifest(recipe, dir, { params, seed, models, inputs: options.inputHashes ?? {} });
		await writeWhole(join(dir, "dropped.jsonl"), "");
		await writeWhole(join(dir, "faults.jsonl"), "");
		const journal = await openJournal(join(dir, "journal.jsonl"));
		const drops = await openAppender(join(dir, "dropped.jsonl"), { flush: false });
		const faults = await openAppender(join(dir, "faults.jsonl"));
		const { items: wanted = Number.POSITIVE_INFINITY, together, mostUnits, maxCalls, signal, onProgress } = options;
		const engine = createEngine({
			...{ recipe: manifest.recipe, stages: flow.stages, seed, models, journal, drops, faults, signal, onProgress },
			...(together === undefined ? {} : { together }),
			...(mostUnits === undefined ? {} : { mostUnits }),
			...(maxCalls === undefined ? {} : { maxCalls }),
		});
		const items: Item[] = [];
		const funnelOf = (): BuildFunnel => {
			const rows = engine.funnel();
			return { accepted: items.length, faults: rows.reduce((sum, row) => sum + row.faults, 0), rows };
		};
		try {
			for await (const item of flow.run(nothing(), engine)) {
				items.push(Item.parse(item));
				if (items.length >= wanted) break;
			}
			await writeJsonl(join(dir, "items.jsonl"), items);
		} finally {
			await writeJson(join(dir, "funnel.json"), funnelOf());
			await Promise.all([journal.close(), drops.close(), faults.close()]);
		}
		const funnel = funnelOf();
		const usage = funnel.rows.reduce((sum, row) => addUsage(sum, row.usage), noUsage);
		return { dir, manifest, funnel, usage, items };
	} finally {
		await unlock();
	}
}

/** Settings as the recipe reads them; what it cannot read is the user's mistake (exit 2). */
export function paramsOf<Params>(recipe: Pick<Recipe<Params>, "name" | "params">, given: unknown): Params {
	const parsed = recipe.params.safeParse(given ?? {});
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	throw new HopscopeError(
		"bad-setting",
		`the recipe ${recipe.name} cannot use ${issue?.path.join(".") || "its settings"}: ${issue?.message}`,
		"hopscope make RECIPE --settings lists them.",
		{ exitCode: exitCodes.usage },
	);
}

/** Every part must be played, and nobody may verify his own work where the recipe forbids it (exit 2). */
function mustBeCast(recipe: Pick<Recipe, "name" | "roles">, models: Readonly<Record<string, ChatModel>>): void {
	const refuse = (message: string, remedy: string) =>
		new HopscopeError("bad-cast", message, remedy, { exitCode: exitCodes.usage });
	for (const [role, { does, optional, differsFrom = [] }] of Object.entries(recipe.roles)) {
		const model = models[role];
		if (!model && !optional)
			throw refuse(
				`the recipe ${recipe.name} needs a model as its ${role} (${does})`,
				`Give --model NAME for every role, or --role ${role}=NAME.`,
			);
		for (const other of differsFrom)
			if (model && models[other]?.id === model.id)
				throw refuse(
					`${model.id} would be ${role} and ${other}: nobody may verify his own work`,
					`Give another model: --role ${role}=NAME.`,
				);
	}
}

async function writeManifest(
	recipe: Pick<Recipe, "name" | "version">,
	dir: string,
	about: { params: unknown; seed: number; models: Readonly<Record<string, ChatModel>>; inputs: Record<string, string> },
): Promise<BuildManifest> {
	const { name, version } = recipe;
	const params = z.json().parse(about.params);
	const models = Object.fromEntries(Object.entries(about.models).map(([role, { id }]) => [role, id]));
	const decided = { recipe: { name, version }, params, seed: about.seed, models, inputs: about.inputs };
	const { hopscope, node } = software();
	const manifest: BuildManifest = {
		version: 1,
		...decided,
		fingerprint: sha256(canonicalJson(decided)),
		software: { hopscope, node },
	};
	await writeJson(join(dir, "build.json"), manifest);
	return manifest;
}

/** Opens a build that was run before. */
export async function openBuild(dir: string): Promise<{ manifest: BuildManifest; funnel: BuildFunnel }> {
	const manifest = await readJson(join(dir, "build.json"), BuildManifest);
	const funnel = await readJson(join(dir, "funnel.json"), BuildFunnel);
	return { manifest, funnel };
}

async function* nothing(): AsyncGenerator<void> {}
