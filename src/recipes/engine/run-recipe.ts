import { rm } from "node:fs/promises";
import { join } from "node:path";
import { addUsage, type Item, noUsage, type Usage } from "#domain";
import type { ChatModel } from "#models";
import { lockFolder, openAppender, writeJson, writeJsonl, writeWhole } from "#store";
import type { Bounds } from "./asking.ts";
import {
	type BuildFunnel,
	type BuildManifest,
	buildItems,
	buildManifest,
	droppedFile,
	faultsFile,
	funnelFile,
	imageKeeper,
	itemsFile,
	writeBuildManifest,
} from "./build-folder.ts";
import { createEmitter, emitting } from "./emit.ts";
import { createEngine, type Engine } from "./engine.ts";
import type { Flow } from "./flow.ts";
import { type FunnelRow, mustBeDistinct } from "./funnel.ts";
import { openJournal } from "./journal.ts";
import { mustBeCast, paramsOf, type Recipe, type RecipeInputs } from "./recipe.ts";

export interface BuildOptions extends Bounds {
	/** Settings that differ from the recipe's defaults. */
	params?: unknown;
	seed?: number;
	/** Models by role. */
	models: Readonly<Record<string, ChatModel>>;
	/** Hashes of the inputs by what they are: with other ones nothing that was kept counts. */
	inputHashes?: Record<string, string>;
	/** Stops after so many accepted items. */
	items?: number | undefined;
	/** Units read at most: for previews. */
	mostUnits?: number | undefined;
	onProgress?: ((progress: { funnel: readonly FunnelRow[]; usage: Usage; accepted: number }) => void) | undefined;
}

/** A build that came to its end; its items stand in the folder. */
export interface BuildEnd {
	dir: string;
	manifest: BuildManifest;
	funnel: BuildFunnel;
	/** Of this process. */
	usage: Usage;
}

export interface Build extends BuildEnd {
	items: Item[];
}

/** As `runBuild`, with the items in memory. */
export async function runRecipe<Params>(
	recipe: Recipe<Params>,
	inputs: RecipeInputs,
	dir: string,
	options: BuildOptions,
): Promise<Build> {
	const end = await runBuild(recipe, inputs, dir, options);
	const items: Item[] = [];
	for await (const item of buildItems(dir)) items.push(item);
	return { ...end, items };
}

/**
 * Runs a recipe in the folder `dir`: what was asked there before, with the same stages, settings, models and inputs,
 * is not asked again. Items come in the order of the sources and go to disk as they come. Writes `build.json`,
 * `journal.jsonl`, `dropped.jsonl`, `faults.jsonl`, `images/`, `funnel.json` and, last and only when it came to its end,
 * `items.jsonl`.
 */
export async function runBuild<Params>(
	recipe: Recipe<Params>,
	inputs: RecipeInputs,
	dir: string,
	options: BuildOptions,
): Promise<BuildEnd> {
	const { seed = 1, models, inputHashes = {} } = options;
	const params = paramsOf(recipe, options.params);
	mustBeCast(recipe, models);
	const flow = recipe.build(params, inputs);
	mustBeDistinct([...flow.stages, emitting], recipe.name);
	const manifest = buildManifest(recipe, { params, seed, models, inputs: inputHashes });
	const unlock = await lockFolder(dir);
	try {
		await rm(itemsFile(dir), { force: true });
		await writeBuildManifest(dir, manifest);
		await writeWhole(droppedFile(dir), "");
		await writeWhole(faultsFile(dir), "");
		const journal = await openJournal(join(dir, "journal.jsonl"));
		const drops = await openAppender(droppedFile(dir), { flush: false });
		const faults = await openAppender(faultsFile(dir));
		let accepted = 0;
		let complete = false;
		const { together, mostUnits, maxCalls, maxCost, signal, onProgress } = options;
		const engine = createEngine({
			recipe: manifest.recipe,
			stages: [...flow.stages, emitting],
			seed,
			models,
			inputs: inputHashes,
			journal,
			drops,
			faults,
			keepImage: imageKeeper(dir),
			together,
			mostUnits,
			maxCalls,
			maxCost,
			signal,
			onProgress: onProgress && ((progress) => onProgress({ ...progress, accepted })),
		});
		const funnel = (): BuildFunnel => {
			const rows = engine.funnel();
			return { accepted, faults: rows.reduce((sum, row) => sum + row.faults, 0), complete, rows };
		};
		try {
			const items = acceptedItems(flow, engine, { inputs, wanted: options.items });
			const counted = counting(items, () => {
				accepted += 1;
			});
			await writeJsonl(itemsFile(dir), counted);
			complete = true;
		} finally {
			engine.tell();
			await writeJson(funnelFile(dir), funnel());
			await Promise.all([journal.close(), drops.close(), faults.close()]);
		}
		const usage = engine.funnel().reduce((sum, row) => addUsage(sum, row.usage), noUsage);
		return { dir, manifest, funnel: funnel(), usage };
	} finally {
		await unlock();
	}
}

/** What comes through to the end, at most as many as wanted. */
async function* acceptedItems(
	flow: Flow<void, Item>,
	engine: Engine,
	{ inputs, wanted = Number.POSITIVE_INFINITY }: { inputs: RecipeInputs; wanted?: number | undefined },
): AsyncGenerator<Item> {
	const emit = createEmitter(engine, (ids) => inputs.knowledge.missing(ids));
	let given = 0;
	if (given >= wanted) return;
	for await (const item of flow.run(nothing(), engine)) {
		const emitted = await emit(item);
		if (!emitted) continue;
		given += 1;
		yield emitted;
		if (given < wanted) continue;
		engine.end();
		return;
	}
}

async function* counting<T>(values: AsyncIterable<T>, onEach: () => void): AsyncGenerator<T> {
	for await (const value of values) {
		onEach();
		yield value;
	}
}

async function* nothing(): AsyncGenerator<void> {}
