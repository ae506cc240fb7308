import { existsSync } from "node:fs";
import { HopscopeError, recordKey, type Task, usageError } from "#domain";
import { openRun, scoreRecords } from "#runs";
import { drawAnswers, isJudged, type RunAnswer, rubrics, shownOf, sliceNames } from "#scoring";
import { rubricCalled } from "./judge-chosen.ts";
import { writeLabelFile } from "./label-file.ts";
import { locate } from "./locate.ts";
import { benchmarkOfRun, knowledgeOfRun } from "./open.ts";
import type { Bench } from "./work.ts";

export interface SampleOptions {
	/** A file to write, .csv or JSON lines. */
	out: string;
	/** Properties in proportion to which answers are drawn, separated by commas. */
	stratify?: string | undefined;
	size?: number | undefined;
	seed?: number | undefined;
	rubric?: string | undefined;
	force?: boolean | undefined;
}

/** Draws answers of a run for people to label, without a system's name, verdict or score, and writes the file. */
export async function sampleAnswers(name: string, options: SampleOptions, bench: Bench) {
	const { out, size = 100, seed = 0, stratify = "outcome,hops" } = options;
	const { workspace, say } = bench;
	const rubric = rubricCalled(options.rubric ?? "vistahop", rubrics);
	if (existsSync(out) && !options.force)
		throw usageError("there-already", `${out} is there already`, "Name another file, or add --force.", {
			facts: { file: out },
		});
	const run = await openRun(await locate(workspace, "runs", name));
	for (const warning of run.warnings) say(warning);
	const benchmark = await benchmarkOfRun(workspace, run.manifest);
	const tasks = new Map(benchmark.tasks.map((task) => [task.id, task]));
	const rows = new Map(scoreRecords(run, benchmark).map((row) => [recordKey(row), row]));
	const answers: RunAnswer[] = run.records.filter(isJudged).flatMap((record) => {
		const task = tasks.get(record.task);
		return task ? [{ record, task, row: rows.get(recordKey(record)) }] : [];
	});
	if (Object.keys(rubric.labels).length > 0) {
		const knowledge = knowledgeOfRun(workspace, run);
		try {
			for (const answer of answers)
				answer.shown = (
					await shownOf(answer, { rubric, seed, run: 0, evidence: (id) => knowledge.evidence(id) })
				).shown;
		} finally {
			await knowledge.close();
		}
	}
	const by = stratify.split(",").flatMap((one) => one.trim() || []);
	for (const property of by) mustBeKnown(property, benchmark.tasks);
	const drawn = drawAnswers(run.manifest.id, answers, { by, size, seed, rubric });
	if (drawn.items.length === 0)
		throw new HopscopeError("nothing-to-label", `${name} holds no answer to label`, "Draw from another run.");
	await writeLabelFile(out, drawn);
	const strata = new Set(drawn.items.map(({ stratum }) => stratum)).size;
	return { run: run.manifest.id, file: out, strata, ...drawn.sheet.drawn };
}

/** A misspelt property would draw from one stratum without a word. */
function mustBeKnown(property: string, tasks: readonly Task[]): void {
	const known = ["outcome", ...sliceNames];
	const tags = new Set(tasks.flatMap((task) => Object.keys(task.tags)));
	if (known.includes(property) || tags.has(property.replace(/^tag:/, ""))) return;
	throw usageError(
		"unknown-property",
		`no task has the tag "${property}"`,
		`Stratify by: ${[...new Set([...known, ...tags])].slice(0, 30).join(", ")}.`,
	);
}
