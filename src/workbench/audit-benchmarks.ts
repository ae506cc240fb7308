import { join } from "node:path";
import { BenchmarkManifest, ownField, Task, unknownName } from "#domain";
import { createGraph } from "#graph";
import type { ChatModel } from "#models";
import { type AuditGroup, type AuditReport, auditTasks, checksOf, paramsOf, recipes, rules } from "#recipes";
import { readJson, readJsonl } from "#store";
import { locate } from "./locate.ts";
import { castOf, openCast } from "./make-cast.ts";
import { type OpenedInputs, openInputs } from "./make-inputs.ts";
import { type ModelOptions, openModels } from "./models.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";
import type { Bench } from "./work.ts";

export interface AuditOptions extends ModelOptions {
	/** Every check of these recipes, or of `all`. */
	recipe?: string[] | undefined;
	/** Every rule by itself, with its default settings; so where no recipe is named. */
	rules?: boolean | undefined;
	/** Asked by the checks that need a model; without it they are skipped. */
	model?: string | undefined;
	/** The knowledge base of the evidence; the one each benchmark names where nothing is said. */
	knowledge?: string | undefined;
}

export interface BenchmarkAudit {
	benchmark: string;
	report: AuditReport;
}

/** Lets rules, and checks of any recipe, look at the tasks of benchmarks: what each would have dropped. */
export async function auditBenchmarks(
	names: readonly string[],
	options: AuditOptions,
	bench: Bench,
): Promise<BenchmarkAudit[]> {
	const audits: BenchmarkAudit[] = [];
	for (const name of names) audits.push(await audited(name, options, bench));
	return audits;
}

async function audited(name: string, options: AuditOptions, bench: Bench): Promise<BenchmarkAudit> {
	const { workspace, signal } = bench;
	const dir = await locate(workspace, "benchmarks", name);
	const manifest = await readJson(join(dir, "benchmark.json"), BenchmarkManifest);
	// recipes' checks search a knowledge base; rules need none
	const opened = options.recipe
		? await openInputs(workspace, { name: "audit", needs: [] }, { knowledge: options.knowledge ?? manifest.knowledge })
		: undefined;
	const progress = bench.progress(name);
	try {
		const { groups, models } = await groupsOf(opened, options, bench);
		const report = await inTemporaryFolder("audit", (work) =>
			auditTasks(readJsonl(join(dir, "tasks.jsonl"), Task), groups, {
				models,
				dir: work,
				signal,
				onProgress: (items) => progress.update(items, manifest.tasks),
			}),
		);
		return { benchmark: manifest.name, report };
	} finally {
		progress.end();
		await opened?.close();
	}
}

async function groupsOf(
	opened: OpenedInputs | undefined,
	options: AuditOptions,
	bench: Bench,
): Promise<{ groups: AuditGroup[]; models: Record<string, ChatModel> }> {
	const groups: AuditGroup[] = [];
	if (options.rules || !options.recipe) groups.push({ name: "rules", checks: Object.values(rules) });
	if (!options.recipe || !opened) return { groups, models: {} };
	const { models: opening } = await openModels(bench, options);
	const models: Record<string, ChatModel> = {};
	// only the sources of recipes walk it, and nothing is made here: without one their checks can look all the same
	const inputs = { ...opened.inputs, graph: opened.inputs.graph ?? createGraph({ entities: [], triples: [] }) };
	for (const name of options.recipe.includes("all") ? Object.keys(recipes) : options.recipe) {
		const load = ownField(recipes, name);
		const names = Object.keys(recipes);
		if (!load)
			throw unknownName("unknown-recipe", `no recipe is called "${name}"`, {
				name,
				names,
				lead: "There is",
				end: ", all",
			});
		const recipe = await load();
		const checks = checksOf(recipe.build(paramsOf(recipe, {}), inputs));
		// roles of one name play different parts in different recipes
		const cast = openCast(castOf(recipe, { model: options.model }, bench), (model) => opening.open(model));
		for (const [role, model] of Object.entries(cast)) models[role] ??= model;
		if (checks.length > 0) groups.push({ name, checks });
	}
	return { groups, models };
}
