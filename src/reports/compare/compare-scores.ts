/** Runs against one another by the scores of their answers alone, pair by pair. */
import { present, unknownHash } from "#domain";
import { type Comparison, holm, type ScoredItem, type Scorer } from "#scoring";
import { asComparison, compareOn, corrected } from "../comparisons.ts";
import type { ReportRun, RunComparison } from "../report-data.ts";
import { shortened } from "../summaries.ts";
import { matchedNotes } from "../wording.ts";
import { isDrift } from "./drift.ts";

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

/** A run as it is compared: every planned answer with its scores. */
export interface ScoredSide extends Pick<ReportRun, "manifest"> {
	id: string;
	items: readonly ScoredItem[];
	/** False of an agent that only searches. */
	answers: boolean;
}

/** Two runs, the later first where they are one agent at two dates. */
export interface Couple<Side extends ScoredSide> {
	a: Side;
	b: Side;
	/** What flips and slices are told by: accuracy, of runs that answer nothing hits per step. */
	headline: string;
	metrics: MetricComparison[];
	/** Tasks that only one of them planned: in no figure. */
	onlyIn: [number, number];
}

/** Compares every two runs, in the order given; p-values by Holm over all pairs and scores together. */
export function compareScores<Side extends ScoredSide>(
	sides: readonly Side[],
	scorers: readonly Scorer[],
): { couples: Couple<Side>[]; tests: number } {
	const couples = couplesOf(sides).map(({ a, b }) => ({
		...{ a, b },
		scorers: scorers.filter(({ needs }) => a.answers || b.answers || !needs.includes("answer")),
	}));
	const asked = couples.reduce((sum, couple) => sum + couple.scorers.length, 0);
	const whole = corrected(
		couples.flatMap(({ a, b, scorers: own }) => own.map((metric) => metricComparison(a, b, { metric, tests: asked }))),
		holm,
	);
	return {
		couples: couples.map(({ a, b }) => ({
			...{ a, b },
			headline: a.answers ? "accuracy" : "hps",
			metrics: whole.filter((one) => one.a === a.id && one.b === b.id),
			onlyIn: onlyIn(a.items, b.items),
		})),
		tests: whole.filter(({ p }) => p !== null).length,
	};
}

/** Every two runs; the same agent at two dates the later first, so that a difference says what changed since. */
function couplesOf<Side extends ScoredSide>(sides: readonly Side[]): { a: Side; b: Side }[] {
	return sides.flatMap((a, place) =>
		sides.slice(place + 1).map((b) => {
			const later = isDrift(a, b) && b.manifest.at > a.manifest.at;
			return later ? { a: b, b: a } : { a, b };
		}),
	);
}

/** Two runs on one score, not corrected yet. */
export function metricComparison(
	a: Pick<ScoredSide, "id" | "items">,
	b: Pick<ScoredSide, "id" | "items">,
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

function onlyIn(a: readonly ScoredItem[], b: readonly ScoredItem[]): [number, number] {
	const [left, right] = [a, b].map((items) => new Set(items.map(({ task }) => task.id)));
	const beyond = (mine: Set<string> | undefined, theirs: Set<string> | undefined) =>
		[...(mine ?? [])].filter((id) => !theirs?.has(id)).length;
	return [beyond(left, right), beyond(right, left)];
}

/** Whether a difference may be that of what was searched. */
function searchedElsewhere(manifests: readonly ReportRun["manifest"][]): string[] {
	const searched = new Set(manifests.map(({ knowledge }) => knowledge.hash));
	if (searched.has(unknownHash))
		return ["What some of these runs searched is not known, since they were made elsewhere: a difference may be its."];
	return searched.size > 1 ? ["These runs searched different knowledge bases: a difference may be theirs."] : [];
}

/** What the plans of runs say against believing a difference between them, one sentence each. */
export function comparedCautions(runs: readonly Pick<ReportRun, "manifest">[]): string[] {
	const manifests = runs.map(({ manifest }) => manifest);
	const changed = manifests.filter(({ intervention }) => intervention).length;
	return present([
		changed > 0 &&
			`${changed === runs.length ? "All" : changed} of these ${runs.length} runs are re-runs with a part of the world changed (interventions): a difference that involves one says what that part costs, not which agent is better.`,
		...searchedElsewhere(manifests),
		...matchedNotes(
			manifests.map(({ agent, imported, knowledge }) => ({
				label: agent.name,
				evidence: imported?.evidence ?? knowledge.matched,
			})),
		),
		new Set(manifests.map(({ repeats }) => repeats)).size > 1 &&
			"These runs answered each task a different number of times; repeats are averaged first.",
		new Set(manifests.map(({ tasks }) => [...tasks].sort().join("\n"))).size > 1 &&
			"These runs planned different tasks; two runs are compared on the tasks that both planned.",
	]);
}
