import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { counted, exitCodes, HopscopeError, type LabelledItem, noUsage, usageError, type Verdict } from "#domain";
import { openRun } from "#runs";
import {
	askCount,
	askLabelled,
	calibrate,
	type JudgeSeen,
	judgesIn,
	preference,
	type Reading,
	type Rubric,
	rubrics,
	runAnswers,
	runReadings,
	stampOf,
} from "#scoring";
import { isSpent } from "./ask-within-budget.ts";
import { openJudge, rubricCalled } from "./judge-chosen.ts";
import { givenLabels, readLabelFiles } from "./label-file.ts";
import { locate } from "./locate.ts";
import { type ModelOptions, type Models, openModels } from "./models.ts";
import { benchmarkOfRun } from "./open.ts";
import { usageLine } from "./usage-line.ts";
import { readVerdicts } from "./verdict-file.ts";
import type { LabelFormat } from "./words.ts";
import type { Bench } from "./work.ts";

export interface CalibrateOptions extends ModelOptions {
	/** Of a run: files of labels; those that were given in the studio where none is named. */
	labels?: string[] | undefined;
	/** Of a run: whose verdicts. */
	judge?: string | undefined;
	rubric?: string | undefined;
	seed?: number | undefined;
	/** A second judge: of the run's verdicts, or a model to ask about a file. */
	against?: string | undefined;
	/** Of a file: its form. */
	format?: LabelFormat | undefined;
	/** Of a file: the judge to ask. */
	model?: string | undefined;
	/** Of a file: how often each item is asked about, in each order. */
	times?: number | undefined;
	concurrency?: number | undefined;
	maxCalls?: number | undefined;
	maxCost?: number | undefined;
	/** Disjoint subsets that the figures are compared over, and the share of the questions in each. */
	subsets?: number | undefined;
	subsetShare?: number | undefined;
}

/** What calibration told; `silent` where the judge said nothing that could be compared. */
export interface Calibrated {
	report: ReturnType<typeof calibrate>;
	silent: boolean;
}

const fileEnding = /\.(jsonl?|csv|tsv)$/i;

/** Compares a judge with people: its recorded verdicts of a run, or what it says now of a file of labelled answers. */
export async function calibrateJudge(what: string, options: CalibrateOptions, bench: Bench): Promise<Calibrated> {
	const { format = "hopscope", subsets = 5, subsetShare = 0.1, seed = 0 } = options;
	const isFile = (await stat(what).catch(() => undefined))?.isFile() === true;
	if (!isFile && (format !== "hopscope" || fileEnding.test(what)))
		throw usageError("no-file", `there is no file ${what}`, "Check the name.", { facts: { file: what } });
	const judged = isFile ? await askedJudges(what, options, bench) : await recordedJudges(what, options, bench);
	const { items, rubric, judge, against } = judged;
	const report = calibrate(items, {
		rubric,
		judge,
		against,
		seed,
		subsets: { count: subsets, share: subsetShare },
	});
	const said = judge.readings.some(({ judgement }) => judgement.is === "judged");
	const silent = report.dimensions.length === 0 && !(report.labels && said);
	if (silent && report.judge.readings === 0)
		throw new HopscopeError(
			"no-verdicts",
			`${what}: the judge said nothing of these items`,
			"Judge them first, or name another judge.",
			{ exitCode: exitCodes.failed },
		);
	return { report, silent };
}

/** A judge with what it said of the items. */
interface ReadJudge {
	model: string;
	prompt: string;
	readings: Reading[];
}

/** The recorded verdicts of a run as readings of its answers, with the labels that people gave them. */
async function recordedJudges(
	name: string,
	options: CalibrateOptions,
	{ workspace, say }: Bench,
): Promise<{ items: LabelledItem[]; rubric: Rubric; judge: ReadJudge; against: ReadJudge | undefined }> {
	const dir = await locate(workspace, "runs", name);
	const run = await openRun(dir);
	for (const warning of run.warnings) say(warning);
	const { tasks } = await benchmarkOfRun(workspace, run.manifest);
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
	const { answers } = givenLabels(dir);
	const files = options.labels ?? (existsSync(answers) ? [answers] : []);
	const labelled = files.length > 0 ? await readLabelFiles(files, { say }) : [];
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
	if (only) throw usageError("which-judge", `more than one judge judged ${name}`, `Name one: ${listed(fitting)}.`);
	const judged = wanted === undefined ? `nobody judged ${name}` : `${wanted} did not judge ${name}`;
	throw usageError(
		"no-verdicts",
		all.length === 0 ? `nobody judged ${name} by a rubric as it reads today` : `${judged} so`,
		all.length > 0 ? `There is: ${listed(all)}.` : `Judge it first: hopscope judge ${name} --model MODEL.`,
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
		throw usageError(
			"labels-of-another-run",
			`none of the ${counted(labelled.length, "labelled item")} is an answer of ${name}`,
			"Labels belong to one run's answers, drawn from it with hopscope judge sample.",
		);
	say(`${counted(others, "labelled item")} of other answers than ${name}'s, left out`);
}

/** Asks one judge, or two, about the items of a file of labels. */
async function askedJudges(
	file: string,
	options: CalibrateOptions,
	bench: Bench,
): Promise<{ items: LabelledItem[]; rubric: Rubric; judge: ReadJudge; against: ReadJudge | undefined }> {
	const items = await readLabelFiles([file], { format: options.format ?? "hopscope", say: bench.say });
	const rubric = rubricCalled(options.rubric ?? rubricFor(items), { ...rubrics, [preference.name]: preference });
	const { configuration, models } = await openModels(bench, options);
	const how = { options, rubric, models };
	const judge = await ask(items, options.model ?? configuration.judge, how, bench);
	const against = options.against === undefined ? undefined : await ask(items, options.against, how, bench);
	return { items, rubric, judge, against };
}

/** What the labels are of: two answers, a grade, or the scores or labels of a rubric. */
function rubricFor(items: readonly LabelledItem[]): string {
	const labels = items.flatMap((item) => item.labels.map(({ label }) => label));
	if (labels.some(({ is }) => is === "preference") || items.some(({ other }) => other !== undefined))
		return preference.name;
	const scores = new Set(labels.flatMap((label) => (label.is === "score" ? [label.name] : [])));
	const names = new Set(labels.flatMap((label) => (label.is === "labels" ? label.labels : [])));
	const fitting = Object.values(rubrics).find(
		(rubric) =>
			Object.keys(rubric.scores).some((name) => scores.has(name)) ||
			Object.keys(rubric.labels).some((name) => names.has(name)),
	);
	return fitting?.name ?? "tracer";
}

async function ask(
	items: LabelledItem[],
	name: string | undefined,
	{ options, rubric, models }: { options: CalibrateOptions; rubric: Rubric; models: Models },
	bench: Bench,
): Promise<ReadJudge> {
	const { signal } = bench;
	const { times = 2, seed = 0, concurrency = 8, maxCalls, maxCost } = options;
	const { judge, money } = openJudge(name, { rubric, models, signal, needsPrice: options.maxCost !== undefined });
	const progress = bench.progress(`${judge.id} · ${rubric.name}`);
	const total = askCount(items, times);
	let done = 0;
	let used = noUsage;
	const told = await askLabelled(items, judge, {
		...{ rubric, times, seed, concurrency, signal },
		onReading(_, all) {
			done += 1;
			used = all;
			progress.update(done, total, [usageLine(used, money), models.pace()].filter(Boolean).join(", "));
		},
		until: isSpent({ maxCalls, maxCost }, () => ({ used, done })),
	}).finally(() => progress.end());
	const again = "responses are cached, and the same command resumes";
	if (told.refused !== undefined) bench.say(`stopped, since ${judge.id} answers no call: ${told.refused}; ${again}`);
	else if (done < total) bench.say(`the budget is spent after ${done} of ${total} verdicts; ${again}`);
	if (told.usage.calls > 0) bench.say([`${judge.id}:`, usageLine(told.usage, money)].join(" "));
	return { model: judge.id, prompt: judge.prompt(rubric), readings: told.readings };
}
