import { existsSync } from "node:fs";
import { join } from "node:path";
import { openBenchmark } from "#benchmarks";
import { exitCodes, HopscopeError, type Item } from "#domain";
import { buildItems, mustBeCast, openBuild, paramsOf, type Recipe, readStamps, refreshBenchmark } from "#recipes";
import { openWorkspace } from "#store";
import { readConfiguration } from "./configuration.ts";
import { type Context, counted, locate, next } from "./context.ts";
import { castOf, idOf, openCast } from "./make-cast.ts";
import { openInputs } from "./make-inputs.ts";
import type { MakeOptions } from "./make-recipe.ts";
import { settingsFrom } from "./make-settings.ts";
import { createModels } from "./models.ts";
import { createProgress } from "./progress.ts";

interface RefreshOptions extends MakeOptions {
	/** The benchmark to bring up to date. */
	refresh: string;
	/** Day of the release; today when absent. */
	date?: string;
}

/** Brings a benchmark that the recipe made up to date with its knowledge base. Returns the exit code. */
export async function refreshByRecipe(recipe: Recipe, options: RefreshOptions, context: Context): Promise<number> {
	const { output, signal } = context;
	const workspace = openWorkspace(options.workspace);
	const benchmark = await openBenchmark(await locate(workspace, "benchmarks", options.refresh));
	const before = benchmark.manifest.name;
	const place = workspace.build(before);
	const earlier = await openBuild(place).catch(() => undefined);
	const stamps = await readStamps(benchmark.dir);
	if (!stamps || benchmark.manifest.recipe?.name !== recipe.name)
		throw new HopscopeError(
			"cannot-refresh",
			stamps
				? `${before} was made by ${benchmark.manifest.recipe?.name ?? "no recipe"}, not by ${recipe.name}`
				: `${before} does not say with which evidence it was made (evidence.jsonl is missing)`,
			"Only benchmarks of hopscope make can be brought up to date; make it anew.",
			{ exitCode: exitCodes.usage },
		);
	const date = options.date ?? new Date().toISOString().slice(0, 10);
	const name =
		options.name && options.name !== before ? options.name : `${before.replace(/-\d{4}-\d{2}-\d{2}$/, "")}-${date}`;
	if (!options.force && existsSync(join(workspace.benchmark(name), "benchmark.json")))
		throw new HopscopeError(
			"benchmark-exists",
			`a benchmark is called ${name} already`,
			"Choose another --name, or --force.",
			{
				exitCode: exitCodes.usage,
			},
		);
	const params = paramsOf(recipe, {
		...(earlier?.manifest.params as object | undefined),
		...settingsFrom(options.set ?? []),
	});
	const configuration = await readConfiguration(workspace);
	const models = createModels(workspace, { configuration, options, say: output.say });
	// who played a role before plays it again, unless told otherwise
	const roles = Object.entries(earlier?.manifest.models ?? {}).map(([role, model]) => `${role}=${model}`);
	const role = options.model === undefined ? [...roles, ...(options.role ?? [])] : (options.role ?? []);
	const cast = castOf(recipe, { ...options, role, say: output.say });
	mustBeCast(recipe, Object.fromEntries(Object.entries(cast).map(([part, model]) => [part, { id: idOf(model) }])));
	const opened = await openInputs(workspace, recipe, {
		...options,
		knowledge: options.knowledge ?? benchmark.manifest.knowledge,
	});
	const progress = createProgress(output, name);
	try {
		const items: Item[] = [];
		if (earlier) for await (const item of buildItems(place)) items.push(item);
		const refreshed = await refreshBenchmark(
			{ benchmark, stamps, corpusStamps: await readStamps(place), items, recipe, inputs: opened.inputs },
			{
				...{ build: workspace.build(name), dir: workspace.benchmark(name), name, date, params, signal },
				...{ seed: earlier?.manifest.seed ?? options.seed, inputHashes: opened.hashes, items: options.items },
				...{ together: options.concurrency, maxCalls: options.maxCalls, maxCost: options.maxCost },
				models: openCast(cast, (model) => models.open(model, { needsPrice: options.maxCost !== undefined })),
				onProgress: ({ accepted }) => progress.update(accepted, Math.max(accepted, benchmark.tasks.length), ""),
			},
		);
		progress.end();
		const { kept, changed, added, removed, waiting, evidence } = refreshed;
		if (options.json) {
			output.write(
				JSON.stringify({
					benchmark: name,
					release: refreshed.manifest.release,
					evidence,
					kept: kept.length,
					changed,
					added,
					removed,
					waiting,
				}),
			);
			return exitCodes.done;
		}
		output.write(`evidence: ${evidence.same} unchanged, ${evidence.changed} changed, ${evidence.gone} gone`);
		output.write(
			`${name}: ${counted(refreshed.manifest.tasks, "task")}; ${kept.length} kept, ${changed.length} changed, ${added.length} added, ${removed.length} removed, ${waiting.length} waiting`,
		);
		for (const { task, reason, detail } of removed.slice(0, 10))
			output.say(`  removed ${task}: ${reason}${detail ? `, ${detail}` : ""}`);
		output.write(`changes.json names each. Try: ${next(`benchmark diff ${before} ${name}`, options)}`);
		return exitCodes.done;
	} finally {
		progress.end();
		opened.close();
	}
}
