import { openBenchmark } from "#benchmarks";
import { exitCodes, HopscopeError, type LabelledItem, type Verdict } from "#domain";
import { openRun } from "#runs";
import { type JudgeSeen, judgesIn, type Reading, type Rubric, runAnswers, runReadings, stampOf } from "#scoring";
import type { Workspace } from "#store";
import { counted, locate } from "../context.ts";
import { readLabelFiles } from "../label-file.ts";
import { readVerdicts } from "../verdict-file.ts";

export interface RunOptions {
	labels?: string[];
	judge?: string;
	rubric?: string;
	seed?: number;
	against?: string;
}

/** A judge with what it said of the items. */
export interface ReadJudge {
	model: string;
	prompt: string;
	readings: Reading[];
}

/** The recorded verdicts of a run as readings of its answers, with the labels that people gave them. */
export async function recordedJudges(
	name: string,
	{ workspace, options, say }: { workspace: Workspace; options: RunOptions; say(warning: string): void },
): Promise<{ items: LabelledItem[]; rubric: Rubric; judge: ReadJudge; against: ReadJudge | undefined }> {
	const dir = await locate(workspace, "runs", name);
	const run = await openRun(dir);
	for (const warning of run.warnings) say(warning);
	const { folder, name: benchmarkName } = run.manifest.benchmark;
	const { tasks } = await openBenchmark(await locate(workspace, "benchmarks", benchmarkName, { first: folder }));
	const { id } = run.manifest;
	const verdicts = await readVerdicts(dir, say);
	const all = judgesIn(verdicts);
	const seen = all.filter(
		({ rubric, seed }) =>
			(options.rubric === undefined || rubric.name === options.rubric) &&
			(options.seed === undefined || seed === options.seed),
	);
	const others = seen.filter(({ judge }) => judge !== options.against);
	const judge = theOnly(others, { wanted: options.judge, name, all });
	const same = seen.filter((one) => one.rubric === judge.rubric && one.seed === judge.seed);
	const against = options.against === undefined ? undefined : theOnly(same, { wanted: options.against, name, all });
	const readingsOf = (one: JudgeSeen): ReadJudge => readJudge(one, { verdicts, id });
	const labelled = options.labels ? await readLabelFiles(options.labels, { say }) : [];
	const items = runAnswers({ ...run, tasks }, labelled);
	tellOfOthers(items, { labelled, name, say });
	return { items, rubric: judge.rubric, judge: readingsOf(judge), against: against && readingsOf(against) };
}

function readJudge(seen: JudgeSeen, { verdicts, id }: { verdicts: Verdict[]; id: string }): ReadJudge {
	const { model, prompt } = stampOf(seen);
	return { model, prompt, readings: runReadings(id, verdicts, seen) };
}

function theOnly(
	seen: readonly JudgeSeen[],
	{ wanted, name, all }: { wanted: string | undefined; name: string; all: readonly JudgeSeen[] },
): JudgeSeen {
	const fitting = wanted === undefined ? seen : seen.filter(({ judge }) => judge === wanted);
	const [only] = fitting;
	if (only && fitting.length === 1) return only;
	const listed = (some: readonly JudgeSeen[]) =>
		some.map(({ judge, rubric, seed }) => `--judge ${judge} --rubric ${rubric.name} --seed ${seed}`).join("; ");
	if (only)
		throw new HopscopeError("which-judge", `more than one judge judged ${name}`, `Name one: ${listed(fitting)}.`, {
			exitCode: exitCodes.usage,
		});
	const judged = wanted === undefined ? `nobody judged ${name}` : `${wanted} did not judge ${name}`;
	throw new HopscopeError(
		"no-verdicts",
		all.length === 0 ? `nobody judged ${name} by a rubric as it reads today` : `${judged} so`,
		all.length > 0 ? `There is: ${listed(all)}.` : `Judge it first: hopscope judge ${name} --model MODEL.`,
		{ exitCode: exitCodes.usage },
	);
}

/** Labels of other answers are told of; where all are, it is an error. */
function tellOfOthers(
	items: readonly LabelledItem[],
	{ labelled, name, say }: { labelled: readonly LabelledItem[]; name: string; say(warning: string): void },
): void {
	const known = new Set(items.map(({ id }) => id));
	const others = labelled.filter(({ id }) => !known.has(id)).length;
	if (others === 0) return;
	if (others === labelled.length)
		throw new HopscopeError(
			"labels-of-another-run",
			`none of the ${counted(labelled.length, "labelled item")} is an answer of ${name}`,
			"Labels belong to one run's answers, drawn from it with hopscope judge sample.",
			{ exitCode: exitCodes.usage },
		);
	say(`${counted(others, "labelled item")} of other answers than ${name}'s, left out`);
}
