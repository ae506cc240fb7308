import {
	addUsage,
	grouped,
	noUsage,
	ownField,
	type RunManifest,
	type RunRecord,
	type Task,
	tally,
	type Usage,
	type Verdict,
} from "#domain";
import { clusterOf } from "../items-by-task.ts";
import { type Interval, interval } from "../statistics/interval.ts";
import { type Latency, latencyOf } from "../statistics/latency.ts";
import { mean, sampleVariance } from "../statistics/moments.ts";
import { type PositionEffect, positionEffect } from "./position-effect.ts";
import type { Judged, Rubric } from "./rubric.ts";
import { brokenBy, keyOf, stampOf, verdictsOf } from "./verdicts-of.ts";
import { type Vote, type VotedRecord, votesOn } from "./votes.ts";

type Grade = NonNullable<Judged["grade"]>;
const grades: readonly Grade[] = ["right", "partly-right", "wrong"];

/** What several runs of one judge say of a run's records by one rubric. Intervals are over tasks, and their clusters. */
export interface VerdictSummary {
	judge: string;
	rubric: string;
	prompt: string;
	seed: number;
	/** Runs of the judge asked for. */
	times: number;
	/** The rubric's value: mean over tasks, runs of the judge and repeats averaged before. */
	value: Interval;
	/** Share of records graded right, averaged likewise; no value where the rubric does not grade. */
	passAt1: Interval;
	/** The value by each run of the judge alone, null where it scored nothing, and their standard deviation. */
	byRun: (number | null)[];
	spread: number | null;
	/** Share right with one vote a record: that of most runs; a tie does not pass. */
	majority: Interval;
	/** Of rubrics that grade: verdicts and share of each grade. */
	grades: Partial<Record<Grade, { verdicts: number; share: Interval }>>;
	/** Mean of each score on its own scale. */
	scores: Record<string, Interval>;
	/** Share of records with each label. */
	labels: Record<string, { verdicts: number; share: Interval }>;
	/** Mean share of answers that the evidence fully supports, and that are right too, where evidence was shown. */
	supported: number | null;
	passedAndSupported: number | null;
	/** Mean share of the evidence shown that bears on the question. */
	relevant: number | null;
	/** Records expected, and those of them with at least one verdict. */
	expected: number;
	scored: number;
	/** Records without a verdict, by reason. */
	unscored: Record<string, number>;
	/** Runs of the judge that failed, by reason. */
	failures: Record<string, number>;
	/** Replies in no usable form even after repair, of all runs that the model answered. */
	unparsed: { verdicts: number; of: number; share: number | null };
	/** Test-retest: share of pairs of runs over one answer that differ in their grade, labels, or value without a grade. */
	flips: Interval;
	position: PositionEffect;
	/** The judge is the model that it judges. */
	sameModel: boolean;
	/** What these verdicts used. */
	usage: Usage;
	/** Milliseconds a verdict that a model was asked for. */
	latency: Latency;
}

/** Sums up the verdicts of one judge by one rubric. What was expected and not scored is counted, and lowers no score. */
export function summariseVerdicts(
	{
		manifest,
		records,
		tasks,
	}: { manifest: Pick<RunManifest, "tasks" | "repeats">; records: RunRecord[]; tasks: Task[] },
	{
		verdicts,
		judge,
		rubric,
		seed,
		times,
	}: { verdicts: readonly Verdict[]; judge: string; rubric: Rubric; seed: number; times: number },
): VerdictSummary {
	const stamp = stampOf({ judge, rubric, seed });
	const own = new Map(verdictsOf(verdicts, stamp).map((verdict) => [keyOf(verdict), verdict]));
	const voted = records.map((record) => votesOn(record, { own, times, broken: brokenBy(record) }));
	const judged = voted.filter(({ votes }) => votes.length > 0);
	const clusters = new Map(tasks.map((task) => [task.id, clusterOf(task)]));
	const over = (amountOf: (one: VotedRecord) => number | undefined, options: { share?: boolean } = {}) =>
		overTasks(judged, { clusters, amountOf, ...options });
	const share = (holds: (vote: Vote) => boolean) => ({
		verdicts: judged.reduce((sum, { votes }) => sum + votes.filter(holds).length, 0),
		share: over(({ votes }) => mean(votes.map((vote) => Number(holds(vote))))),
	});
	const graded = judged.some(({ votes }) => votes.some(({ grade }) => grade !== null));
	const runs = Array.from({ length: times }, (_, run) => run);
	const byRun = runs.map((run) =>
		meanOrNull(judged.flatMap(({ votes }) => votes.flatMap((vote) => (vote.run === run ? (vote.value ?? []) : [])))),
	);
	const expected = manifest.tasks.length * manifest.repeats;
	const unscored = tally(voted.flatMap((one) => one.unscored ?? []));
	if (expected > records.length) unscored["not answered"] = expected - records.length;
	const all = [...own.values()].filter(({ run }) => run < times);
	const answered = all.filter(({ usage }) => usage.calls > 0);
	const unparsed = all.filter(
		({ judgement }) => judgement.is === "unscored" && judgement.because === "unparsed",
	).length;
	return {
		...{ judge, rubric: rubric.name, prompt: stamp.prompt, seed, times },
		value: over(({ votes }) => meanOf(votes.flatMap(({ value }) => value ?? []))),
		passAt1: over(({ votes }) =>
			meanOf(votes.flatMap(({ grade }) => (grade === null ? [] : Number(grade === "right")))),
		),
		...{ byRun, spread: deviation(byRun.filter((value) => value !== null)) },
		majority: over(({ votes }) => {
			const passes = votes.filter(({ grade }) => grade === "right").length;
			return votes.some(({ grade }) => grade !== null) ? Number(passes * 2 > votes.length) : undefined;
		}),
		grades: graded ? Object.fromEntries(grades.map((grade) => [grade, share((vote) => vote.grade === grade)])) : {},
		scores: Object.fromEntries(
			Object.keys(rubric.scores).map((name) => [
				name,
				over(({ votes }) => meanOf(votes.flatMap(({ scores }) => ownField(scores, name) ?? [])), { share: false }),
			]),
		),
		labels: Object.fromEntries(
			Object.keys(rubric.labels).map((label) => [label, share(({ labels }) => labels.includes(label))]),
		),
		...supportOf(judged),
		...{ expected, scored: judged.length, unscored, failures: failuresOf(voted) },
		unparsed: {
			...{ verdicts: unparsed, of: answered.length },
			share: answered.length === 0 ? null : unparsed / answered.length,
		},
		flips: over(flipsIn),
		position: positionEffect(positioned(judged, { own, clusters })),
		sameModel: all.some(({ sameModel }) => sameModel),
		usage: all.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
		latency: latencyOf(answered.map(({ ms }) => ms)),
	};
}

/** Mean over tasks, a task's repeats averaged before, of shares unless said; records that `amountOf` says nothing of are left out. */
function overTasks(
	judged: VotedRecord[],
	{
		clusters,
		amountOf,
		share = true,
	}: { clusters: Map<string, string>; amountOf(one: VotedRecord): number | undefined; share?: boolean },
): Interval {
	const amounts = judged.flatMap((one) => {
		const value = amountOf(one);
		return value === undefined ? [] : [{ task: one.record.task, value }];
	});
	const byTask = grouped(amounts, ({ task }) => task);
	return interval(
		[...byTask.values()].map((repeats) => mean(repeats.map(({ value }) => value))),
		{ clusters: [...byTask.keys()].map((task) => clusters.get(task) ?? `task ${task}`), share },
	);
}

/** Share of the pairs of an answer's runs that differ; undefined of fewer than two runs. */
function flipsIn({ votes }: VotedRecord): number | undefined {
	const said = votes.map(({ grade, labels, value }) => JSON.stringify([grade ?? value, labels]));
	const pairs = (said.length * (said.length - 1)) / 2;
	if (pairs === 0) return undefined;
	const same = Object.values(tally(said)).reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
	return 1 - same / pairs;
}

/** Values that a model gave, with the order that it was shown. */
function positioned(
	judged: VotedRecord[],
	{ own, clusters }: { own: ReadonlyMap<string, Verdict>; clusters: ReadonlyMap<string, string> },
) {
	return judged.flatMap(({ record, votes }) => {
		const { task, repeat } = record;
		return votes.flatMap(({ value, shown, run }) => {
			const asked = (own.get(keyOf({ ...record, run }))?.usage.calls ?? 0) > 0;
			if (value === null || !asked) return [];
			return { item: JSON.stringify([task, repeat]), cluster: clusters.get(task) ?? task, first: shown.first, value };
		});
	});
}

function supportOf(judged: VotedRecord[]) {
	const asked = judged.flatMap(({ votes }) => votes.filter(({ support }) => support !== null && support !== undefined));
	return {
		supported: meanOrNull(asked.map(({ support }) => Number(support === "full"))),
		passedAndSupported: meanOrNull(asked.map(({ support, grade }) => Number(support === "full" && grade === "right"))),
		relevant: meanOrNull(asked.map(({ relevant = [], shown }) => relevant.length / shown.evidence.length)),
	};
}

function failuresOf(voted: VotedRecord[]): Record<string, number> {
	const sum = { "no usable reply": 0, "the model failed": 0 };
	for (const { failed } of voted) {
		sum["no usable reply"] += failed.unparsed;
		sum["the model failed"] += failed.model;
	}
	return Object.fromEntries(Object.entries(sum).filter(([, count]) => count > 0));
}

const meanOf = (values: number[]) => (values.length === 0 ? undefined : mean(values));
const meanOrNull = (values: number[]) => meanOf(values) ?? null;

function deviation(values: number[]): number | null {
	const variance = sampleVariance(values);
	return variance === null ? null : Math.sqrt(variance);
}
