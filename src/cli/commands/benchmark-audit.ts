import type { Command } from "commander";
import { counted, exitCodes, plainLine } from "#domain";
import { recipes } from "#recipes";
import type { AuditOptions, BenchmarkAudit } from "#workbench";
import { type CommonOptions, type Context, sayNext, withWorkspace } from "../context.ts";
import { withModels } from "../models.ts";
import { inPercent, textTable } from "../text-table.ts";
import { watch } from "../watch.ts";

interface Options extends CommonOptions, AuditOptions {
	trusted?: boolean;
}

/** `hopscope benchmark audit BENCH…`: any recipe's checks on any benchmark's items. */
export function addBenchmarkAudit(benchmark: Command, context: Context, exit: (code: number) => void): void {
	withModels(withWorkspace(benchmark.command("audit")))
		.description("Let the checks of any recipe look at the tasks of any benchmark: what each would have dropped")
		.argument("<benchmarks...>", "their names in the workspace, or their folders")
		.option("--rules", "every rule by itself, with its default settings (the default where no recipe is named)")
		.option("--recipe <names...>", `every check of these recipes: ${Object.keys(recipes).join(", ")}, or all`)
		.option("--trusted", "these are questions that people trust: what is dropped is dropped wrongly")
		.option("-m, --model <model>", "asked by the checks that need one; without it they are skipped")
		.option("-n, --knowledge <name>", "the knowledge base of the evidence (default: the one each names)")
		.addHelpText(
			"after",
			`
Nothing is dropped. A skipped check (no model, no image, no evidence) is not passed; one that is not applicable found
nothing to look at, such as no image or a single hop. Shares come with 95 % intervals that take tasks as independent. With
--trusted this calibrates the rules: how many good questions each would cost.

Examples:
  $ hopscope benchmark audit atlas morehopqa
  $ hopscope benchmark audit hotpotqa --trusted --rules
  $ hopscope benchmark audit mine --recipe all --model openai:NAME`,
		)
		.action(async (names: string[], options: Options) => {
			const { output } = context;
			const reports = await watch(context, options, (bench) => bench.audit(names, options));
			if (reports.some(({ report }) => report.rows.some(({ faults }) => faults > 0))) exit(exitCodes.someFailed);
			if (options.json) return output.write(JSON.stringify({ trusted: options.trusted === true, reports }));
			output.write(auditText(reports, { ...options, width: output.columns }));
			sayNext(context, `benchmark check ${names[0]}`, options);
		});
}

function auditText(
	reports: readonly BenchmarkAudit[],
	{ trusted, width }: Pick<Options, "trusted"> & { width: number | undefined },
): string {
	const [first] = reports;
	if (!first) return "";
	const heads = reports.map(({ benchmark, report }) => `${plainLine(benchmark, 24)} (${report.items})`);
	const cells = (at: number) =>
		reports.map(({ report }) => {
			const row = report.rows[at];
			if (!row) return "–";
			if (!row.share) return row.looked === 0 ? "not applicable" : row.faults > 0 ? "faults" : "skipped";
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
	const rowsOfAll = reports.flatMap(({ report }) => report.rows);
	const lacking = new Set(rowsOfAll.flatMap((row) => row.lacking ?? []));
	const nothing = new Set(rowsOfAll.flatMap((row) => row.nothing ?? []));
	return [
		...textTable([[trusted ? "wrongly dropped, %" : "would be dropped, %", ...heads], ...rows, ...survival], { width }),
		...(examples.length > 0 ? ["", "One of each:", ...examples] : []),
		...(lacking.size > 0 ? ["", `Skipped, and so not passed: ${[...lacking].join("; ")}.`] : []),
		...(nothing.size > 0 ? ["", `Not applicable to some or all: ${[...nothing].join("; ")}.`] : []),
		"",
		`${counted(first.report.rows.length, "check")}; a recipe's own items have passed its checks, other sets follow other aims.`,
	].join("\n");
}
