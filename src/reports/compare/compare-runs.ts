/** Runs of one benchmark against one another, pair by pair: differences, flips, slices, drift. */

import { diagnoseRecords } from "#diagnosis";
import { interventionName, present, type ScoringMode, unknownHash } from "#domain";
import {
	benjaminiHochberg,
	type Comparison,
	type FormatHealth,
	formatHealth,
	holm,
	isShownIn,
	type Scorer,
	type ScorerWords,
	scorers,
	sliceNames,
	slices,
	summarise,
	wordsOf,
} from "#scoring";
import { asComparison, compareOn, corrected } from "../comparisons.ts";
import type { Measured, ReportRun, RunComparison } from "../report-data.ts";
import { labelsOf } from "../run-labels.ts";
import { scoredBy } from "../scored-by.ts";
import { type Expected, expectedItems, measuredOf, short, shortened } from "../summaries.ts";
import { answers } from "../views/view-items.ts";
import { healthCautions } from "../wording.ts";
import { type Drift, driftOf, isDrift } from "./drift.ts";
import { type DiagnoseSome, type Flips, flipsOf } from "./flips.ts";
import { mustCompare, mustSlice, scorersCalled } from "./refusals.ts";

export interface RunsComparison {
	version: 1;
	benchmark: { name: string; hash: string };
	runs: ComparedRun[];
	/** Every two runs, in the order given; of a drift the later one first. */
	pairs: ComparedPair[];
	/** Of all pairs; p-values by Benjamini-Hochberg over all of them. */
	slices: (MetricComparison & { slice: string; value: string })[];
	/** Tests of whole runs that Holm's correction is over. */
	tests: number;
	/** What a reader must know before believing a difference, one sentence each. */
	cautions: string[];
}

export interface ComparedRun {
	/** A, B, …: what tables call it. */
	letter: string;
	id: string;
	label: string;
	at: string;
	repeats: number;
	tasks: number;
	/** How its answers are scored; the same of all that are compared. */
	scoring: ScoringMode | null;
	/** Over all its tasks, whether or not the others have them. */
	accuracy: Measured;
	/** Whether its replies could be read and its attempts could end. */
	health: FormatHealth;
	/** By name, of a re-run with a part of the world changed: its scores are no scores of the agent. */
	intervention: string | null;
	/** Scorers beside the registered ones; absent where there are none. */
	addedScorers?: ScorerWords[];
}

export interface ComparedPair {
	a: string;
	b: string;
	/** Tasks that only one of them planned: in no figure. */
	onlyIn: [number, number];
	metrics: MetricComparison[];
	/** Tasks that one run answered right and the other did not; of runs that answer nothing, by hits per step. */
	flips: Flips;
	/** Of one agent, model and setting at two dates; null of others. */
	drift: Drift | null;
}

/** The difference A − B of two runs on one metric, with everything that it leaves out. */
export interface MetricComparison extends RunComparison {
	metric: string;
	means: Comparison["means"];
	unit: Comparison["unit"];
	method: Comparison["method"];
	/** Tasks planned by both without a score in `a` and in `b`, by reason. */
	unpaired: Comparison["unpaired"];
	/** Why there is no value, interval or test. */
	reason?: string;
}

export interface CompareOptions {
	/** Score names beside accuracy, f1, hps and scorers that were added. */
	metrics?: readonly string[] | undefined;
	/** Slices or tags; without any, all slices. */
	by?: readonly string[] | undefined;
	/** Of the records that show a flip; by default with the run's own evidence. */
	diagnosed?: DiagnoseSome | undefined;
}

/**
 * Compares two or more runs of one benchmark. Refuses (exit 2) runs of different benchmarks or versions of one, a run
 * with itself, and unknown metrics or slices.
 */
export async function compareReport(
	runs: readonly ReportRun[],
	{ metrics = [], by = sliceNames, diagnosed = diagnoseEach }: CompareOptions = {},
): Promise<RunsComparison> {
	mustCompare(runs);
	const added = [...new Map(runs.flatMap((run) => run.scorers ?? []).map((one) => [one.name, one])).values()];
	const always = [...scorers, ...added].filter((scorer) => isShownIn(scorer, "compare"));
	const chosen = [...new Set([...always, ...scorersCalled(metrics, added)])];
	const label = labelsOf(runs);
	const items = new Map(runs.map((run) => [run.manifest.id, expectedItems(run)]));
	mustSlice([...items.values()].flat(), by);
	const couples = couplesOf(runs);
	const compared = couples.map(({ a, b }) => {
		const [left, right] = [rankedOf(a, items), rankedOf(b, items)];
		const own = chosen.filter(({ needs }) => a.answers || b.answers || !needs.includes("answer"));
		return { a, b, left, right, scorers: own };
	});
	const asked = compared.reduce((sum, couple) => sum + couple.scorers.length, 0);
	const whole = corrected(
		compared.flatMap(({ left, right, scorers: own }) =>
			own.map((metric) => metricComparison(left, right, { metric, tests: asked })),
		),
		holm,
	);
	const sliced = compared.flatMap(({ a, left, right }) =>
		by.flatMap((slice) => sliceComparisons(left, right, { slice, metric: headlineOf(a) })),
	);
	const pairs: ComparedPair[] = [];
	for (const { a, b, left, right } of compared) {
		const of = ({ a: first, b: second }: { a: string; b: string }) => first === left.id && second === right.id;
		const own = whole.filter(of);
		pairs.push({
			...{ a: left.id, b: right.id, onlyIn: onlyIn(left.items, right.items), metrics: own },
			flips: await flipsOf(
				{ run: a.run, items: left.items },
				{ run: b.run, items: right.items },
				{ metric: headlineOf(a), diagnosed },
			),
			drift: isDrift(a.run, b.run)
				? driftOf({ later: a.run, earlier: b.run, accuracy: own.find(({ metric }) => metric === headlineOf(a)) })
				: null,
		});
	}
	const { name, hash } = runs[0]?.manifest.benchmark ?? { name: "", hash: "" };
	const shown = runs.map((run, place) =>
		comparedRun(run, { place, label: label(run), items: items.get(run.manifest.id) ?? [] }),
	);
	return {
		version: 1,
		benchmark: { name: short(name), hash },
		runs: shown,
		pairs,
		slices: corrected(sliced, benjaminiHochberg),
		tests: whole.filter(({ p }) => p !== null).length,
		cautions: [...healthCautions(shown), ...cautionsOf(runs)],
	};
}

const diagnoseEach: DiagnoseSome = async (run, records) =>
	(await diagnoseRecords(run, { of: records })).map(({ diagnosis }) => diagnosis);

interface Side {
	run: ReportRun;
	answers: boolean;
}

/** Every two runs; the same agent at two dates the later first, so that a difference says what changed since. */
function couplesOf(runs: readonly ReportRun[]): { a: Side; b: Side }[] {
	const sides = runs.map((run) => ({ run, answers: answers(run) }));
	return sides.flatMap((a, place) =>
		sides.slice(place + 1).map((b) => {
			const later = isDrift(a.run, b.run) && b.run.manifest.at > a.run.manifest.at;
			return later ? { a: b, b: a } : { a, b };
		}),
	);
}

/** What flips and slices are told by. */
const headlineOf = ({ answers }: Side) => (answers ? "accuracy" : "hps");

const rankedOf = ({ run }: Side, items: ReadonlyMap<string, Expected[]>) => ({
	id: run.manifest.id,
	items: items.get(run.manifest.id) ?? [],
});
type Ranked = ReturnType<typeof rankedOf>;

function metricComparison(
	a: Ranked,
	b: Ranked,
	options: { metric: string | Scorer; tests?: number },
): MetricComparison {
	const found = compareOn(a, b, options);
	const { metric, means, unit, method, unpaired, reason } = found;
	return {
		...asComparison(a, b, found),
		...{ metric, means, unit, method },
		unpaired: [shortened(unpaired[0]), shortened(unpaired[1])],
		...(reason === undefined ? {} : { reason }),
	};
}

function sliceComparisons(
	a: Ranked,
	b: Ranked,
	{ slice, metric }: { slice: string; metric: string },
): RunsComparison["slices"] {
	const others = new Map(slices(b.items, slice).map(({ name, items }) => [name, items]));
	return slices(a.items, slice).flatMap(({ name, items }) => {
		const found = metricComparison({ ...a, items }, { ...b, items: others.get(name) ?? [] }, { metric });
		return found.expected === 0 ? [] : [{ ...found, slice, value: short(name) }];
	});
}

function onlyIn(a: readonly Expected[], b: readonly Expected[]): [number, number] {
	const [left, right] = [a, b].map((items) => new Set(items.map(({ task }) => task.id)));
	const beyond = (mine: Set<string> | undefined, theirs: Set<string> | undefined) =>
		[...(mine ?? [])].filter((id) => !theirs?.has(id)).length;
	return [beyond(left, right), beyond(right, left)];
}

function comparedRun(
	run: ReportRun,
	{ place, label, items }: { place: number; label: string; items: readonly Expected[] },
): ComparedRun {
	const { manifest } = run;
	return {
		letter: String.fromCharCode(65 + place),
		id: manifest.id,
		label,
		...{ at: manifest.at, repeats: manifest.repeats, tasks: manifest.tasks.length, scoring: scoredBy(run) },
		accuracy: measuredOf(summarise(items, { metric: "accuracy" })),
		health: formatHealth(run.records.map(({ trajectory }) => trajectory)),
		intervention: interventionOf(manifest),
		...(run.scorers?.length ? { addedScorers: run.scorers.map(wordsOf) } : {}),
	};
}

const interventionOf = ({ intervention }: ReportRun["manifest"]) =>
	intervention ? interventionName(intervention.what) : null;

/** Whether a difference may be that of what was searched. */
function searchedElsewhere(manifests: readonly ReportRun["manifest"][]): string[] {
	const searched = new Set(manifests.map(({ knowledge }) => knowledge.hash));
	if (searched.has(unknownHash))
		return ["What some of these runs searched is not known, since they were made elsewhere: a difference may be its."];
	return searched.size > 1 ? ["These runs searched different knowledge bases: a difference may be theirs."] : [];
}

function cautionsOf(runs: readonly ReportRun[]): string[] {
	const manifests = runs.map(({ manifest }) => manifest);
	const changed = manifests.filter(({ intervention }) => intervention).length;
	return present([
		changed > 0 &&
			`${changed === runs.length ? "All" : changed} of these ${runs.length} runs are re-runs with a part of the world changed (interventions): a difference that involves one says what that part costs, not which agent is better.`,
		...searchedElsewhere(manifests),
		new Set(manifests.map(({ repeats }) => repeats)).size > 1 &&
			"These runs answered each task a different number of times; repeats are averaged first.",
		new Set(manifests.map(({ tasks }) => [...tasks].sort().join("\n"))).size > 1 &&
			"These runs planned different tasks; two runs are compared on the tasks that both planned.",
	]);
}
