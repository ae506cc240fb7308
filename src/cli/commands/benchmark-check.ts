import { type Command, Option } from "commander";
import { benchmarkChecks, type CheckFigure, type CheckReport, type CheckSummary, severities } from "#benchmarks";
import { counted, exitCodes, plainLine } from "#domain";
import type { CheckOptions as Checking } from "#workbench";
import { type CommonOptions, type Context, numberFrom, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { percent } from "../text-table.ts";
import { watch } from "../watch.ts";

interface CheckOptions extends CommonOptions, Checking {
	failOn: (typeof severities)[number] | "never";
	show: number;
}

/** `hopscope benchmark check NAME`: everything that can be said against a benchmark without a model. */
export function addBenchmarkCheck(benchmark: Command, context: Context, exit: (code: number) => void): void {
	withWorkspace(benchmark.command("check"))
		.description("Look for what makes a benchmark measure something else: faults, leaks, duplicates, contamination")
		.argument("<benchmark>", "its name in the workspace, or its folder")
		.option("-n, --knowledge <name>", "the knowledge base of its evidence (default: the one it names)")
		.option("--run <run>", "a run over it: right answers that took fewer searches than the chain has hops")
		.option("--against <sets...>", "benchmarks, or files of questions, that a model may have seen")
		.option("--only <checks...>", "make these checks alone")
		.addOption(
			new Option("--fail-on <severity>", "exit 1 where something so grave, or graver, was found")
				.choices([...severities, "never"])
				.default("error"),
		)
		.option("--show <n>", "findings told of each kind", wholeNumber(0, 1_000_000), 3)
		.option("--findings <file>", "write every finding as JSON lines")
		.option(
			"--near <share>",
			"word pairs in common from which questions are near duplicates (default: 0.8)",
			numberFrom(0.3, 1),
		)
		.option(
			"--within <k>",
			"results within which a question should find its document (default: 10)",
			wholeNumber(1, 1000),
		)
		.option("--locate <n>", "questions searched for, evenly drawn (default: 500)", wholeNumber(1, 1_000_000))
		.option(
			"--exact <n>",
			"about so many tasks scored against near answers, drawn by their ids (default: 10000)",
			wholeNumber(1, 1_000_000),
		)
		.addHelpText(
			"after",
			`
Checks:
${benchmarkChecks.map(({ name, about }) => `  ${name.padEnd(20)} ${about}`).join("\n")}

A check that lacks what it needs is told as skipped. No model is asked. error: the item is wrong or gives itself away;
warning: to be looked at; note: to be known. How to read them: docs/guides/check-a-benchmark.md

Examples:
  $ hopscope benchmark check atlas
  $ hopscope benchmark check atlas --run atlas-extractive-20261121-143012-ab12 --against hotpot_dev.json
  $ hopscope benchmark check mine --fail-on warning --findings findings.jsonl --json`,
		)
		.action(async (name: string, options: CheckOptions) => {
			const { output } = context;
			const report = await watch(context, options, (bench) => bench.check(name, options));
			output.write(options.json ? JSON.stringify(report) : checkLines(report, { show: options.show }).join("\n"));
			sayNext(context, `benchmark stats ${name}`, options);
			const { failOn } = options;
			const grave = failOn === "never" ? [] : severities.slice(0, severities.indexOf(failOn) + 1);
			if (grave.some((severity) => report.counts[severity] > 0)) exit(exitCodes.failed);
		});
}

/** A report of checks for a person: what was found by check, gravest first, then the numbers, then what was skipped. */
function checkLines(report: CheckReport, { show }: { show: number }): string[] {
	const { benchmark, counts, checks } = report;
	const made = checks.filter(({ skipped }) => skipped === undefined);
	const skipped = checks.filter((check) => check.skipped !== undefined);
	return [
		`${plainLine(benchmark.name)}: ${counted(benchmark.tasks, "task")}, ${counted(counts.error, "error")}, ${counted(counts.warning, "warning")}, ${counted(counts.note, "note")}`,
		...made.flatMap((check) => ["", ...linesOf(check, report, show)]),
		...(skipped.length > 0 ? ["", "skipped"] : []),
		...skipped.map(({ name, skipped: why }) => `  ${name}: ${why}`),
	];
}

function linesOf(check: CheckSummary, report: CheckReport, show: number): string[] {
	const { name, looked, codes, figures, notes } = check;
	return [
		`${name}  ${codes.length === 0 ? "nothing found" : codes.map(({ code, severity, count }) => `${count} × ${code} (${severity})`).join(", ")}; ${looked} looked at`,
		...codes.flatMap(({ code, severity, count }) => {
			const found = report.findings.filter(
				(one) => one.check === name && one.code === code && one.severity === severity,
			);
			const told = found.slice(0, show).map(({ message }) => `    ${plainLine(message, 400)}`);
			return show > 0 && count > show ? [...told, `    and ${count - show} more ${code}`] : told;
		}),
		...figures.map((figure) => `  ${plainLine(figure.name)}: ${figureWords(figure)}`),
		...notes.map((note) => `  (${plainLine(note)})`),
	];
}

function figureWords({ value, of, reason }: CheckFigure): string {
	if (value === null) return `unknown, ${reason ?? "not measured"}`;
	if (of === undefined) return String(value);
	return of === 0 ? "0 of 0" : `${value} of ${of} (${percent(value / of)} %)`;
}
