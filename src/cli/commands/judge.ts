import type { Command } from "commander";
import { counted, exitCodes } from "#domain";
import { type Rubric, rubrics } from "#scoring";
import type { JudgeRunOptions } from "#workbench";
import { type AddCommand, type CommonOptions, numberFrom, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { withModels } from "../models.ts";
import { overWorkers, withWorkers } from "../run-options.ts";
import { withTaskChoice } from "../task-choice.ts";
import { watch } from "../watch.ts";
import { addJudgeCalibrate } from "./judge-calibrate.ts";
import { addJudgeSample } from "./judge-sample.ts";
import { inWords } from "./judge-words.ts";

/** `hopscope judge RUN`, and what goes with it: answers drawn for people, and how far the judge agrees with them. */
export const addJudge: AddCommand = (command, context, exit) => {
	const judge = addJudgeRun(command, context, exit).enablePositionalOptions();
	addJudgeSample(judge, context);
	addJudgeCalibrate(judge, context, exit);
	return judge;
};

const addJudgeRun: AddCommand = (command, context, exit) =>
	withTaskChoice(withWorkers(withModels(withWorkspace(command))))
		.argument("<run>", "a run: its name in the workspace or its folder")
		.option(
			"-m, --model <model>",
			'the judge, another model than the run\'s, or "rule" (default: "judge" in hopscope.json)',
		)
		.option("--rubric <name>", `what to judge by: ${Object.keys(rubrics).join(", ")}`, "vistahop")
		.option(
			"--times <n>",
			"runs of the judge over each answer (default: the rubric's, see below; of a rule 1)",
			wholeNumber(1, 100),
		)
		.option("--seed <n>", "orders what the judge is shown", wholeNumber(0, 2 ** 31), 0)
		.option("--concurrency <n>", "calls at the same time", wholeNumber(1, 1024), 8)
		.option("--max-calls <n>", "begin no verdict after so many model calls of this session", wholeNumber(1, 1e9))
		.option("--max-cost <money>", "begin no verdict after so much money of this session", numberFrom(0, 1e9))
		.option("--allow-same-model", "let a model judge its own answers; the verdicts are marked")
		.addHelpText(
			"after",
			`
Rubrics:
${Object.values(rubrics).map(described).join("\n")}

The judge sees question, gold answer, the answer and, by rubric, the texts that were found or the steps beside the gold
chain, in random order, and not whose they are. "rule" is no model: it compares words, numbers and dates, offline.
Verdicts go to verdicts.jsonl in the run's folder; the same command again asks only for what is missing. An answer that
the judge failed on is not scored, and counted as such. With --queue workers ask it: docs/guides/many-machines.md.

Examples:
  $ hopscope judge atlas-tagged-20261121-143012-ab12 --model openai:NAME
  $ hopscope judge atlas-tagged-20261121-143012-ab12 -m openai:NAME@http://127.0.0.1:8000/v1 --times 1 --json
  $ hopscope judge atlas-tagged-20261121-143012-ab12 --model rule --rubric tracer`,
		)
		.action(async (name: string, said: JudgeRunOptions & CommonOptions, command: Command) => {
			const options = overWorkers(said, command);
			const { run, told, rubric, money, failed } = await watch(context, options, (bench) => bench.judge(name, options));
			context.output.write(options.json ? JSON.stringify({ run, ...told }) : inWords(told, { rubric, money }));
			sayNext(context, `judge sample ${run} --out labels.csv`, options);
			if (failed) exit(exitCodes.failed);
		});

const described = ({ name, describe, source, times, rule }: Rubric) =>
	`  ${name}  ${describe}. ${counted(times, "run")}${rule ? "" : "; needs a model"}.\n      ${source}`;
