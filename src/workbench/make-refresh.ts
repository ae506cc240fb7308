import { existsSync } from "node:fs";
import { join } from "node:path";
import { openBenchmark } from "#benchmarks";
import { type Item, usageError } from "#domain";
import { buildItems, mustBeCast, openBuild, paramsOf, readStamps, refreshBenchmark as refreshItems } from "#recipes";
import { locate } from "./locate.ts";
import { type MakeOptions, recipeCalled } from "./make.ts";
import { castOf, idOf, openCast } from "./make-cast.ts";
import { fromTables } from "./make-from-tables.ts";
import { openInputs } from "./make-inputs.ts";
import { settingsFrom } from "./make-settings.ts";
import { openModels } from "./models.ts";
import type { Bench } from "./work.ts";

export interface RefreshOptions extends MakeOptions {
	/** The benchmark to bring up to date. */
	refresh: string;
	/** Day of the release; today when absent. */
	date?: string | undefined;
}

/** Brings a benchmark that the recipe made up to date with its knowledge base. */
export async function refreshBenchmark(recipeName: string, given: RefreshOptions, bench: Bench) {
	const { workspace, signal } = bench;
	const recipe = await recipeCalled(recipeName);
	const { options, tables = [] } = await fromTables(given, bench);
	const benchmark = await openBenchmark(await locate(workspace, "benchmarks", options.refresh));
	const before = benchmark.manifest.name;
	const place = workspace.build(before);
	const earlier = await openBuild(place).catch(() => undefined);
	const stamps = await readStamps(benchmark.dir);
	if (!stamps || benchmark.manifest.recipe?.name !== recipe.name)
		throw usageError(
			"cannot-refresh",
			stamps
				? `${before} was made by ${benchmark.manifest.recipe?.name ?? "no recipe"}, not by ${recipe.name}`
				: `${before} does not say with which evidence it was made (evidence.jsonl is missing)`,
			"Only benchmarks of hopscope make can be brought up to date; make it anew.",
		);
	const date = options.date ?? new Date().toISOString().slice(0, 10);
	const name =
		options.name && options.name !== before ? options.name : `${before.replace(/-\d{4}-\d{2}-\d{2}$/, "")}-${date}`;
	if (!options.force && existsSync(join(workspace.benchmark(name), "benchmark.json")))
		throw usageError("benchmark-exists", `a benchmark is called ${name} already`, "Choose another --name, or --force.");
	const params = paramsOf(recipe, {
		...(earlier?.manifest.params as object | undefined),
		...settingsFrom(options.set ?? []),
	});
	const { models } = await openModels(bench, options);
	// who played a role before plays it again, unless told otherwise
	const roles = Object.entries(earlier?.manifest.models ?? {}).map(([role, model]) => `${role}=${model}`);
	const role = options.model === undefined ? [...roles, ...(options.role ?? [])] : (options.role ?? []);
	const cast = castOf(recipe, { model: options.model, role }, bench);
	mustBeCast(
		recipe,
		Object.fromEntries(Object.entries(cast).map(([part, model]) => [part, { id: idOf(model, bench) }])),
	);
	const opened = await openInputs(workspace, recipe, {
		...options,
		knowledge: options.knowledge ?? benchmark.manifest.knowledge,
	});
	const progress = bench.progress(name);
	try {
		const items: Item[] = [];
		if (earlier) for await (const item of buildItems(place)) items.push(item);
		const refreshed = await refreshItems(
			{ benchmark, stamps, corpusStamps: await readStamps(place), items, recipe, inputs: opened.inputs },
			{
				build: workspace.build(name),
				dir: workspace.benchmark(name),
				name,
				date,
				params,
				signal,
				seed: earlier?.manifest.seed ?? options.seed ?? 1,
				inputHashes: opened.hashes,
				items: options.items,
				together: options.concurrency ?? 8,
				maxCalls: options.maxCalls,
				maxCost: options.maxCost,
				models: openCast(cast, (model) => models.open(model, { needsPrice: options.maxCost !== undefined })),
				onProgress: ({ accepted }) => progress.update(accepted, Math.max(accepted, benchmark.tasks.length), ""),
			},
		);
		progress.end();
		const { kept, changed, added, removed, waiting, evidence } = refreshed;
		const { release, tasks } = refreshed.manifest;
		return {
			...{ benchmark: name, before, tasks, release, evidence, kept: kept.length, changed, added, removed, waiting },
			...(tables.length > 0 ? { tables } : {}),
		};
	} finally {
		progress.end();
		await opened.close();
	}
}
