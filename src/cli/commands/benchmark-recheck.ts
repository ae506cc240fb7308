import type { Command } from "commander";
import { counted, exitCodes, plainLine } from "#domain";
import type { AnswersReport } from "#recipes";
import type { NextVersion, RecheckOptions } from "#workbench";
import { type CommonOptions, type Context, dayFrom, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { withModels } from "../models.ts";
import { watch } from "../watch.ts";

const mostTold = 10;

/** `hopscope benchmark recheck BENCH`: which answers still hold. */
export function addBenchmarkRecheck(benchmark: Command, context: Context, exit: (code: number) => void): void {
	withModels(withWorkspace(benchmark.command("recheck")))
		.description("Look again at answers that were found right on a day (asOf), against the knowledge of today")
		.argument("<benchmark>", "its name in the workspace, or its folder")
		.option("-n, --knowledge <name>", "the knowledge base of today (default: the one it names)")
		.option("--encyclopedia <name>", "ask local (the knowledge base's graph), wikimedia, or recorded:FOLDER as well")
		.option("--contact <mail>", "who asks, for wikimedia: a mail address or an https page")
		.option("-m, --model <model>", "reads the evidence where rules cannot be sure")
		.option("--judge <model>", "tells another answer from other words (default: the same model)")
		.option("--search <n>", "passages found for the question that a model reads too", wholeNumber(0, 50), 5)
		.option("--undated", "look at answers without a day too: what holds gets one")
		.option("--day <YYYY-MM-DD>", "the day of looking (default: today)", dayFrom)
		.option("--looks <file>", "write what was seen, hop by hop, as JSON lines")
		.option("--to <name>", "write the next version: new days, answers of today, what no longer holds left out")
		.option("--force", "replace the benchmark that has that name")
		.addHelpText(
			"after",
			`
Hop by hop: arithmetic is done again; an encyclopedia is asked for the hop's relation; evidence that is what it was holds,
changed evidence must state the answer. Without a model, what rules cannot tell stays open and keeps its day.
Exit 1: an answer changed or its evidence is gone and --to was not given, or something could not be asked.

Examples:
  $ hopscope benchmark recheck mine
  $ hopscope benchmark recheck mine --knowledge wiki-2027 --model openai:NAME --looks looks.jsonl
  $ hopscope benchmark recheck mine --encyclopedia local --day 2027-01-01 --to mine-2027`,
		)
		.action(async (name: string, options: RecheckOptions & CommonOptions) => {
			const { output } = context;
			const looked = await watch(context, options, (bench) => bench.recheck(name, options));
			const { benchmark, report, written } = looked;
			if (options.json) output.write(JSON.stringify({ benchmark, ...report, ...written }));
			else output.write([...reportLines(benchmark, report), ...writtenLines(written)].join("\n"));
			sayNext(context, written ? `benchmark check ${written.to}` : `benchmark recheck ${name} --to NAME`, options);
			const { changed, gone } = report.counts;
			if (report.waiting.length > 0 || (!written && changed + gone > 0)) exit(exitCodes.failed);
		});
}

function reportLines(name: string, { day, tasks, dated, counts, looks, waiting }: AnswersReport): string[] {
	const { holds, changed, gone, open } = counts;
	const worst = looks.filter(({ is }) => is === "changed" || is === "gone");
	const undated = tasks - dated;
	return [
		`${name} on ${day}: ${counted(looks.length, "answer")} looked at: ${holds} hold, ${changed} changed, ${gone} without evidence, ${open} open`,
		...(undated > 0 && looks.length + waiting.length < tasks
			? [`${undated} of ${counted(tasks, "task")} say no day and were not looked at; --undated looks at them too`]
			: []),
		...worst
			.slice(0, mostTold)
			.flatMap(({ task, asOf, is, now, hops }) => [
				plainLine(
					`  ${task} (${asOf ?? "no day"}) ${is}${is === "changed" ? `; now ${now?.value ?? "not known"}` : ""}`,
					200,
				),
				...hops
					.filter((hop) => hop.is !== "holds")
					.map((hop) => plainLine(`    ${hop.hop} ${hop.is}: ${hop.says}`, 200)),
			]),
		...(worst.length > mostTold ? [`  and ${worst.length - mostTold} more (--looks FILE writes all)`] : []),
		...(waiting.length > 0
			? [`${counted(waiting.length, "task")} could not be looked at: ${plainLine(waiting[0]?.message ?? "", 200)}`]
			: []),
	];
}

function writtenLines(written: NextVersion | undefined): string[] {
	if (!written) return [];
	const { to, version, renewed, changed, removed, kept } = written;
	return [
		`${to}, version ${version}: ${renewed} with the new day, ${changed} with another answer, ${kept} as they were, ${removed.length} left out`,
	];
}
