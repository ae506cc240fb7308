import { existsSync } from "node:fs";
import type { Command } from "commander";
import { openBenchmark } from "#benchmarks";
import { exitCodes, HopscopeError, type Task } from "#domain";
import { openRun, scoreRecords } from "#runs";
import { drawAnswers, isJudged, type RunAnswer, rubrics, shownOf, sliceNames } from "#scoring";
import { openWorkspace } from "#store";
import { type CommonOptions, type Context, counted, locate, wholeNumber, withWorkspace } from "../context.ts";
import { writeLabelFile } from "../label-file.ts";
import { lazyKnowledge } from "../open.ts";
import { rubricCalled } from "./judge-chosen.ts";

interface SampleOptions extends CommonOptions {
	stratify: string;
	size: number;
	seed: number;
	rubric: string;
	out: string;
	force?: boolean;
}

/** `hopscope judge sample RUN`: answers for people to label, without a system's name, verdict or score. */
export function addJudgeSample(judge: Command, { output }: Context): void {
	withWorkspace(judge.command("sample"))
		.description("Draw answers of a run for people to label: stratified, blind, for a spreadsheet or a program")
		.argument("<run>", "a run: its name in the workspace or its folder")
		.requiredOption("-o, --out <file>", ".csv for spreadsheets, else JSON lines")
		.option(
			"--stratify <properties>",
			`in proportion by outcome, ${sliceNames.join(", ")} or a tag, separated by commas`,
			"outcome,hops",
		)
		.option("--size <n>", "how many answers", wholeNumber(1, 1_000_000), 100)
		.option("--seed <n>", "chooses them", wholeNumber(0, 2 ** 31), 0)
		.option("--rubric <name>", `what they are to be labelled by: ${Object.keys(rubrics).join(", ")}`, "vistahop")
		.option("--force", "write over a file that is there: labels in it are lost")
		.addHelpText(
			"after",
			`
Every stratum is drawn from in proportion to its size, at least once; each item keeps how many answers it stands for. The
same seed draws the same answers. Copy the file for each labeller; blanks are fine. What comes back is read by
hopscope judge calibrate RUN --labels FILE…

Examples:
  $ hopscope judge sample atlas-tagged-20261121-143012-ab12 --size 100 --out labels.csv
  $ hopscope judge sample RUN --stratify outcome,hops,language --rubric tracer --out labels.jsonl`,
		)
		.action(async (name: string, options: SampleOptions) => {
			const { size, seed, out } = options;
			const rubric = rubricCalled(options.rubric, rubrics);
			if (existsSync(out) && !options.force)
				throw new HopscopeError("there-already", `${out} is there already`, "Name another file, or add --force.", {
					exitCode: exitCodes.usage,
					facts: { file: out },
				});
			const workspace = openWorkspace(options.workspace);
			const run = await openRun(await locate(workspace, "runs", name));
			for (const warning of run.warnings) output.say(warning);
			const { folder, name: benchmarkName } = run.manifest.benchmark;
			const benchmark = await openBenchmark(await locate(workspace, "benchmarks", benchmarkName, { first: folder }));
			const tasks = new Map(benchmark.tasks.map((task) => [task.id, task]));
			const key = ({ task, repeat }: { task: string; repeat: number }) => JSON.stringify([task, repeat]);
			const rows = new Map(scoreRecords(run, benchmark).map((row) => [key(row), row]));
			const answers: RunAnswer[] = run.records.filter(isJudged).flatMap((record) => {
				const task = tasks.get(record.task);
				return task ? [{ record, task, row: rows.get(key(record)) }] : [];
			});
			if (Object.keys(rubric.labels).length > 0) {
				const { knowledge: used } = run.manifest;
				const knowledge = lazyKnowledge(() => locate(workspace, "knowledge", used.name, { first: used.folder }));
				try {
					for (const answer of answers)
						answer.shown = (
							await shownOf(answer, { rubric, seed, run: 0, evidence: (id) => knowledge.evidence(id) })
						).shown;
				} finally {
					knowledge.close();
				}
			}
			const by = options.stratify.split(",").flatMap((one) => one.trim() || []);
			for (const property of by) mustBeKnown(property, benchmark.tasks);
			const drawn = drawAnswers(run.manifest.id, answers, { by, size, seed, rubric });
			if (drawn.items.length === 0)
				throw new HopscopeError("nothing-to-label", `${name} holds no answer to label`, "Draw from another run.");
			await writeLabelFile(out, drawn);
			const { from, items } = drawn.sheet.drawn;
			const strata = new Set(drawn.items.map(({ stratum }) => stratum)).size;
			if (options.json) output.write(JSON.stringify({ run: run.manifest.id, file: out, strata, ...drawn.sheet.drawn }));
			else {
				output.write(`${counted(items, "answer")} of ${from}, from ${strata} strata, for labelling: ${out}`);
				output.say(`then: hopscope judge calibrate ${run.manifest.id} --labels ${out}`);
			}
		});
}

/** A misspelt property would draw from one stratum without a word. */
function mustBeKnown(property: string, tasks: readonly Task[]): void {
	const known = ["outcome", ...sliceNames];
	const tags = new Set(tasks.flatMap((task) => Object.keys(task.tags)));
	if (known.includes(property) || tags.has(property.replace(/^tag:/, ""))) return;
	throw new HopscopeError(
		"unknown-property",
		`no task has the tag "${property}"`,
		`Stratify by: ${[...new Set([...known, ...tags])].slice(0, 30).join(", ")}.`,
		{ exitCode: exitCodes.usage },
	);
}
