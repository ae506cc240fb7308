import { type Command, Option } from "commander";
import { exitCodes } from "#domain";
import { rubrics } from "#scoring";
import { type CalibrateOptions, labelFormats } from "#workbench";
import { type CommonOptions, type Context, numberFrom, wholeNumber, withWorkspace } from "../context.ts";
import { withModels } from "../models.ts";
import { watch } from "../watch.ts";
import { calibrationText } from "./judge-calibrate-words.ts";

/** `hopscope judge calibrate WHAT`: how far a judge can be trusted. */
export function addJudgeCalibrate(judge: Command, context: Context, exit: (code: number) => void): void {
	withModels(withWorkspace(judge.command("calibrate")))
		.description("Compare a judge with people: agreement against theirs, repeats, order, length, corrected accuracy")
		.argument("<what>", "a run that was judged, or a file of labelled answers")
		.option(
			"--labels <files...>",
			"a run's labels: files of hopscope judge sample, filled in (default: those given in the studio)",
		)
		.option("--judge <id>", "whose verdicts on the run: a model's id, or rule (default: the only one)")
		.option("--rubric <name>", `by which rubric: ${[...Object.keys(rubrics), "preference"].join(", ")}`)
		.option("--seed <n>", "of the verdicts of a run; else orders what is shown", wholeNumber(0, 2 ** 31))
		.option("--against <judge>", "a second judge: of the run's verdicts, or a model to ask about a file")
		.addOption(new Option("--format <form>", "form of a file").choices(labelFormats).default("hopscope"))
		.option("-m, --model <model>", 'the judge to ask about a file, or "rule" (default: "judge" in hopscope.json)')
		.option("--times <n>", "how often to ask about each item of a file, in each order", wholeNumber(1, 100), 2)
		.option("--concurrency <n>", "calls at the same time", wholeNumber(1, 1024), 8)
		.option("--max-calls <n>", "begin no verdict after so many model calls", wholeNumber(1, 1e9))
		.option("--max-cost <money>", "begin no verdict after so much money", numberFrom(0, 1e9))
		.option("--subsets <n>", "disjoint subsets that the figures are compared over", wholeNumber(1, 1000), 5)
		.option("--subset-share <share>", "of the questions in each subset", numberFrom(0.001, 1), 0.1)
		.addHelpText(
			"after",
			`
A run: its recorded verdicts against people's labels; nobody is asked. A file: the judge is asked now, pairs in both orders;
responses are cached, so the same command again costs nothing. Forms: hopscope (JSON lines or CSV of judge sample), ragchecker
(pairs of answers with two annotators' preferences), r1-searcher (answers with GPT-4o's verdicts: a second judge, no people).

Examples:
  $ hopscope judge calibrate atlas-tagged-20261121-143012-ab12 --labels ann.csv ben.csv
  $ hopscope judge calibrate RUN --judge openai:A --against openai:B --rubric mc-search
  $ hopscope judge calibrate human_labeled_data.json --format ragchecker --model rule`,
		)
		.action(async (what: string, options: CalibrateOptions & CommonOptions) => {
			const { report, silent } = await watch(context, options, (bench) => bench.calibrateJudge(what, options));
			context.output.write(options.json ? JSON.stringify({ what, ...report }) : calibrationText(report));
			if (silent) exit(exitCodes.failed);
		});
}
