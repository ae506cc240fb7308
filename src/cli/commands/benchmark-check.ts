import { type Command, Option } from "commander";
import { benchmarkChecks, severities } from "#benchmarks";
import { exitCodes } from "#domain";
import type { CheckOptions as Checking } from "#workbench";
import { checkLines } from "../check-words.ts";
import { type CommonOptions, type Context, numberFrom, sayNext, wholeNumber, withWorkspace } from "../context.ts";
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
