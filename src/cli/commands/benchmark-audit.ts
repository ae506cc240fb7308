import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { BenchmarkManifest, counted, exitCodes, HopscopeError, plainLine, Task } from "#domain";
import type { ChatModel } from "#models";
import { type AuditGroup, type AuditReport, auditTasks, checksOf, paramsOf, recipes, rules } from "#recipes";
import { openWorkspace, readJson, readJsonl, type Workspace } from "#store";
import {
	type Bench,
	castOf,
	locate,
	type ModelOptions,
	type OpenedInputs,
	openCast,
	openInputs,
	openModels,
} from "#workbench";
import { benchOf } from "../bench.ts";
import { type CommonOptions, type Context, withWorkspace } from "../context.ts";
import { withModels } from "../models.ts";
import { inPercent, textTable } from "../text-table.ts";

interface AuditOptions extends CommonOptions, ModelOptions {
	recipe?: string[];
	rules?: boolean;
	trusted?: boolean;
	model?: string;
	knowledge?: string;
}

const ruleGroup = "rules";

/** `hopscope benchmark audit BENCH…`: any recipe's checks on any benchmark's items. */
export function addBenchmarkAudit(benchmark: Command, context: Context, exit: (code: number) => void): void {
	const { output, signal } = context;
	withModels(withWorkspace(benchmark.command("audit")))
		.description("Let the checks of any recipe look at the tasks of any benchmark: what each would have dropped")
		.argument("<benchmarks...>", "their names in the workspace, or their folders")
		.option("--rules", "every rule by itself, with its default settings (the default where no recipe is named)")
		.option("--recipe <names...>", `every check of these recipes: ${Object.keys(recipes).join(", ")}, or all`)
		.option("--trusted", "these are questions that people trust: what is dropped is dropped wrongly")
		.option("-m, --model <model>", "asked by the checks that need one; without it they are skipped")
		.option("-k, --knowledge <name>", "the knowledge base of the evidence (default: the one each names)")
		.addHelpText(
			"after",
			`
Nothing is dropped. A skipped check is not passed. Shares come with 95 % intervals that take tasks as independent. With
--trusted this calibrates the rules: how many good questions each would cost.

Examples:
  $ hopscope benchmark audit atlas morehopqa
  $ hopscope benchmark audit hotpotqa --trusted --rules
  $ hopscope benchmark audit mine --recipe all --model openai:NAME`,
		)
		.action(async (names: string[], options: AuditOptions) => {
			const workspace = openWorkspace(options.workspace);
			const reports: { benchmark: string; report: AuditReport }[] = [];
			for (const name of names) {
				const dir = await locate(workspace, "benchmarks", name);
				const manifest = await readJson(join(dir, "benchmark.json"), BenchmarkManifest);
				const opened = await openedFor(workspace, manifest.knowledge, options);
				const work = await mkdtemp(join(tmpdir(), "hopscope-audit-"));
				try {
					const { groups, models } = await groupsOf(opened, options, benchOf(context, options));
					const report = await auditTasks(readJsonl(join(dir, "tasks.jsonl"), Task), groups, {
						...{ models, dir: work, signal },
						onProgress: (items) => {
							if (items % 100 === 0) output.overwrite?.(`${name}: ${items} of ${manifest.tasks}`);
						},
					});
					reports.push({ benchmark: manifest.name, report });
				} finally {
					output.overwrite?.("");
					opened?.close();
					await rm(work, { recursive: true, force: true });
				}
			}
			if (reports.some(({ report }) => report.rows.some(({ faults }) => faults > 0))) exit(exitCodes.failed);
			if (options.json) return output.write(JSON.stringify({ trusted: options.trusted === true, reports }));
			output.write(auditText(reports, options));
		});
}

/** The knowledge base that recipes' checks search; rules need none. */
async function openedFor(
	workspace: Workspace,
	named: string,
	{ recipe, knowledge }: AuditOptions,
): Promise<OpenedInputs | undefined> {
	if (!recipe) return undefined;
	return openInputs(workspace, { name: "audit", needs: [] }, { knowledge: knowledge ?? named });
}

async function groupsOf(
	opened: OpenedInputs | undefined,
	options: AuditOptions,
	bench: Bench,
): Promise<{ groups: AuditGroup[]; models: Record<string, ChatModel> }> {
	const groups: AuditGroup[] = [];
	if (options.rules || !options.recipe) groups.push({ name: ruleGroup, checks: Object.values(rules) });
	if (!options.recipe || !opened) return { groups, models: {} };
	const { models: opening } = await openModels(bench, options);
	const models: Record<string, ChatModel> = {};
	for (const name of options.recipe.includes("all") ? Object.keys(recipes) : options.recipe) {
		const load = Object.hasOwn(recipes, name) ? recipes[name] : undefined;
		if (!load)
			throw new HopscopeError(
				"unknown-recipe",
				`no recipe is called "${name}"`,
				`There is: ${Object.keys(recipes).join(", ")}, all.`,
				{ exitCode: exitCodes.usage },
			);
		const recipe = await load();
		const checks = checksOf(recipe.build(paramsOf(recipe, {}), opened.inputs));
		// roles of one name play different parts in different recipes
		const cast = openCast(castOf(recipe, { model: options.model }, bench), (model) => opening.open(model));
		for (const [role, model] of Object.entries(cast)) models[role] ??= model;
		if (checks.length > 0) groups.push({ name, checks });
	}
	return { groups, models };
}

function auditText(
	reports: readonly { benchmark: string; report: AuditReport }[],
	{ trusted }: Pick<AuditOptions, "trusted">,
): string {
	const [first] = reports;
	if (!first) return "";
	const heads = reports.map(({ benchmark, report }) => `${plainLine(benchmark, 24)} (${report.items})`);
	const cells = (at: number) =>
		reports.map(({ report }) => {
			const row = report.rows[at];
			if (!row) return "–";
			if (!row.share) return row.looked === 0 ? "not for it" : row.faults > 0 ? "faults" : "skipped";
			return `${row.failed}: ${inPercent(row.share)}`;
		});
	const rows = first.report.rows.map(({ group, check }, at) => [`${group}: ${check}`, ...cells(at)]);
	const survival = first.report.survival.map(({ group }, at) => [
		`${group}: through all`,
		...reports.map(({ report }) => {
			const one = report.survival[at];
			return one?.share ? `${one.survived}: ${inPercent(one.share)}` : "–";
		}),
	]);
	const examples = reports.flatMap(({ benchmark, report }) =>
		report.rows
			.filter(({ failed }) => failed > 0)
			.map(({ check, examples: [example] }) =>
				plainLine(`  ${benchmark}, ${check}: ${example?.task}: ${example?.detail ?? example?.reason}`, 140),
			),
	);
	const lacking = new Set(first.report.rows.flatMap((row) => row.lacking ?? []));
	return [
		...textTable([[trusted ? "wrongly dropped, %" : "would be dropped, %", ...heads], ...rows, ...survival]),
		...(examples.length > 0 ? ["", "One of each:", ...examples] : []),
		...(lacking.size > 0 ? ["", `Skipped, and so not passed: ${[...lacking].join("; ")}.`] : []),
		"",
		`${counted(first.report.rows.length, "check")}; a recipe's own items have passed its checks, other sets follow other aims.`,
	].join("\n");
}
