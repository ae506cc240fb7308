/** Runs of one benchmark against one another, pair by pair: differences, flips, slices, drift. */

import { diagnoseRecords } from "#diagnosis";
import { interventionName, type ScoringMode } from "#domain";
import {
	benjaminiHochberg,
	type FormatHealth,
	formatHealth,
	isShownIn,
	type ScorerWords,
	scorers,
	sliceNames,
	slices,
	summarise,
	wordsOf,
} from "#scoring";
import { corrected } from "../comparisons.ts";
import type { Measured, ReportRun } from "../report-data.ts";
import { labelsOf } from "../run-labels.ts";
import { scoredBy } from "../scored-by.ts";
import { type Expected, expectedItems, measuredOf, short } from "../summaries.ts";
import { answers } from "../views/view-items.ts";
import { healthCautions } from "../wording.ts";
import {
	comparedCautions,
	compareScores,
	type MetricComparison,
	metricComparison,
	type ScoredSide,
} from "./compare-scores.ts";
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
	const sides = runs.map((run): Side => {
		const of = items.get(run.manifest.id) ?? [];
		return { ...{ id: run.manifest.id, manifest: run.manifest, items: of, run }, answers: answers(run) };
	});
	const { couples, tests } = compareScores(sides, chosen);
	const sliced = couples.flatMap(({ a, b, headline }) =>
		by.flatMap((slice) => sliceComparisons(a, b, { slice, metric: headline })),
	);
	const pairs: ComparedPair[] = [];
	for (const { a, b, headline, metrics: own, onlyIn } of couples)
		pairs.push({
			...{ a: a.id, b: b.id, onlyIn, metrics: own },
			flips: await flipsOf(a, b, { metric: headline, diagnosed }),
			drift: isDrift(a.run, b.run)
				? driftOf({ later: a.run, earlier: b.run, accuracy: own.find(({ metric }) => metric === headline) })
				: null,
		});
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
		tests,
		cautions: [...healthCautions(shown), ...comparedCautions(runs)],
	};
}

const diagnoseEach: DiagnoseSome = async (run, records) =>
	(await diagnoseRecords(run, { of: records })).map(({ diagnosis }) => diagnosis);

interface Side extends ScoredSide {
	run: ReportRun;
	items: readonly Expected[];
}

function sliceComparisons(
	a: Side,
	b: Side,
	{ slice, metric }: { slice: string; metric: string },
): RunsComparison["slices"] {
	const others = new Map(slices(b.items, slice).map(({ name, items }) => [name, items]));
	return slices(a.items, slice).flatMap(({ name, items }) => {
		const found = metricComparison({ ...a, items }, { ...b, items: others.get(name) ?? [] }, { metric });
		return found.expected === 0 ? [] : [{ ...found, slice, value: short(name) }];
	});
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
