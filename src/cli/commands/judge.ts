import { openBenchmark } from "#benchmarks";
import { addUsage, exitCodes, noUsage } from "#domain";
import { lockRun, openRun } from "#runs";
import { judgeRecords, outstandingVerdicts, type Rubric, rubrics, ruleId, summariseVerdicts } from "#scoring";
import { openAppender, openWorkspace } from "#store";
import { readConfiguration } from "../configuration.ts";
import {
	type AddCommand,
	type CommonOptions,
	counted,
	locate,
	numberFrom,
	wholeNumber,
	withWorkspace,
} from "../context.ts";
import { createModels, type ModelOptions, withModels } from "../models.ts";
import { lazyKnowledge } from "../open.ts";
import { createProgress } from "../progress.ts";
import { usageLine } from "../run-agent.ts";
import { readVerdicts, verdictsFile } from "../verdict-file.ts";
import { addJudgeCalibrate } from "./judge-calibrate.ts";
import { openJudge, rubricCalled } from "./judge-chosen.ts";
import { addJudgeSample } from "./judge-sample.ts";
import { inWords } from "./judge-words.ts";

interface JudgeOptions extends CommonOptions, ModelOptions {
	model?: string;
	rubric: string;
	times?: number;
	seed: number;
	concurrency: number;
	maxCalls?: number;
	maxCost?: number;
	allowSameModel?: boolean;
}

/** `hopscope judge RUN`, and what goes with it: answers drawn for people, and how far the judge agrees with them. */
export const addJudge: AddCommand = (program, context, exit) => {
	const judge = addJudgeRun(program, context, exit).enablePositionalOptions();
	addJudgeSample(judge, context);
	addJudgeCalibrate(judge, context, exit);
	return judge;
};

const addJudgeRun: AddCommand = (program, { output, signal }, exit) =>
	withModels(withWorkspace(program.command("judge")))
		.description("Let a judge grade a run's answers by a published rubric, or name what went wrong in its steps")
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
		.option("--max-calls <n>", "begin no verdict after so many model calls of this sitting", wholeNumber(1, 1e9))
		.option("--max-cost <money>", "begin no verdict after so much money of this sitting", numberFrom(0, 1e9))
		.option("--allow-same-model", "let a model judge its own answers; the verdicts are marked")
		.addHelpText(
			"after",
			`
Rubrics:
${Object.values(rubrics).map(described).join("\n")}

The judge sees question, gold answer, the answer and, by rubric, the texts that were found or the steps beside the gold
chain, in random order, and not whose they are. "rule" is no model: it compares words, numbers and dates, offline.
Verdicts go to verdicts.jsonl in the run's folder; the same command again asks only for what is missing. An answer that
the judge failed on is not scored, and counted as such.

Examples:
  $ hopscope judge atlas-tagged-20261121-143012-ab12 --model openai:NAME
  $ hopscope judge atlas-tagged-20261121-143012-ab12 -m openai:NAME@http://127.0.0.1:8000/v1 --times 1 --json
  $ hopscope judge atlas-tagged-20261121-143012-ab12 --model rule --rubric tracer`,
		)
		.action(async (name: string, options: JudgeOptions) => {
			const { seed, concurrency, maxCalls = Infinity, maxCost = Infinity, allowSameModel = false } = options;
			const rubric = rubricCalled(options.rubric, rubrics);
			const workspace = openWorkspace(options.workspace);
			const configuration = await readConfiguration(workspace);
			const models = createModels(workspace, { configuration, options, say: output.say });
			const { judge, money } = openJudge(options.model ?? configuration.judge, {
				...{ rubric, models, signal },
				needsPrice: options.maxCost !== undefined,
			});
			// a rule says the same each time
			const { times = judge.id === ruleId ? 1 : rubric.times } = options;
			const dir = await locate(workspace, "runs", name);
			const unlock = await lockRun(dir);
			const run = await openRun(dir).catch(async (error: unknown) => {
				await unlock();
				throw error;
			});
			for (const warning of run.warnings) output.say(warning);
			const { manifest, records } = run;
			const knowledge = lazyKnowledge(() =>
				locate(workspace, "knowledge", manifest.knowledge.name, { first: manifest.knowledge.folder }),
			);
			try {
				const { folder, name: benchmarkName } = manifest.benchmark;
				const { tasks } = await openBenchmark(await locate(workspace, "benchmarks", benchmarkName, { first: folder }));
				const verdicts = await readVerdicts(dir, output.say);
				const left = outstandingVerdicts(records, { judge, rubric, times, seed, known: verdicts }).length;
				const progress = createProgress(output, `${manifest.id} · ${rubric.name}`);
				const appender = await openAppender(verdictsFile(dir));
				let done = 0;
				let used = noUsage;
				const failures: string[] = [];
				const isSpent = () => used.calls - (used.kept ?? 0) >= maxCalls || (used.cost ?? 0) >= maxCost;
				let refused: string | undefined;
				try {
					({ refused } = await judgeRecords(
						{ manifest, records, tasks },
						{
							...{ judge, rubric, times, seed, known: [...verdicts], concurrency, allowSameModel, signal },
							until: isSpent,
							evidence: (id) => knowledge.evidence(id),
							async keep(verdict) {
								await appender.append(verdict);
								verdicts.push(verdict);
								done += 1;
								used = addUsage(used, verdict.usage);
								const { judgement } = verdict;
								if (judgement.is === "unscored" && judgement.because === "model") failures.push(judgement.reason);
								const failed = failures.length > 0 ? counted(failures.length, "error") : "";
								const told = [failed, usageLine(used, money), models.pace()].filter(Boolean).join(", ");
								progress.update(done, left, told);
							},
						},
					));
				} catch (error) {
					if (signal?.aborted) output.say("interrupted; the same command goes on");
					throw error;
				} finally {
					progress.end();
					await appender.close();
				}
				const again = "the same command goes on";
				if (refused !== undefined) output.say(`stopped, since the judge answers no call: ${refused}; ${again}`);
				else if (failures.length > 0)
					output.say(`${counted(failures.length, "verdict")} failed, the last with: ${failures.at(-1)}; ${again}`);
				else if (done < left && isSpent()) output.say(`the budget is spent; with a larger one ${again}`);
				const told = summariseVerdicts(
					{ manifest, records, tasks },
					{ verdicts, judge: judge.id, rubric, seed, times },
				);
				output.write(options.json ? JSON.stringify({ run: manifest.id, ...told }) : inWords(told, { rubric, money }));
				const hasFailed = Object.keys(told.unscored).some((reason) => !reason.startsWith("inapplicable"));
				if (refused !== undefined || (told.scored === 0 && hasFailed)) exit(exitCodes.failed);
			} finally {
				knowledge.close();
				await unlock();
			}
		});

const described = ({ name, describe, source, times, rule }: Rubric) =>
	`  ${name}  ${describe}. ${counted(times, "run")}${rule ? "" : "; needs a model"}.\n      ${source}`;
