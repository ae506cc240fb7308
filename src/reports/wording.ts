/** The words of the views: what each name in the data is called for people, and what each number is. */

import type { Unit } from "./number-format.ts";
import type { Ending, MetricName, RunReport, SliceName } from "./report-data.ts";

export const endingNames: Record<Ending, string> = {
	right: "right",
	"partly-right": "partly right",
	wrong: "wrong",
	abstained: "abstained",
	budget: "budget hit",
	error: "error",
	"unparsed-judge": "judge unread",
	missing: "missing",
};

/** The metrics that the main table shows, in its order. */
export const tableMetrics = [
	"accuracy",
	"em",
	"f1",
	"hps",
	"rollout-deviation",
	"delta-step",
	"steps",
	"hit",
] as const satisfies MetricName[];

export const metricWords: Record<(typeof tableMetrics)[number], { heading: string; unit: Unit; meaning: string }> = {
	accuracy: {
		heading: "Accuracy",
		unit: "percent",
		meaning:
			"Share of answers that are right by the answer's type: text by normalised exact match, numbers within 10 % or the stated range, years within one. Abstaining counts 0.",
	},
	em: {
		heading: "EM",
		unit: "percent",
		meaning:
			"Exact match: share of answers equal to an accepted answer after normalising case, punctuation and articles.",
	},
	f1: {
		heading: "F1",
		unit: "percent",
		meaning: "Overlap of words between the answer and the best accepted answer, averaged over tasks.",
	},
	hps: {
		heading: "HPS",
		unit: "percent",
		meaning:
			"Hits per step: share of the gold hops whose evidence a retrieval step brought back, each step counting for one hop at most.",
	},
	"rollout-deviation": {
		heading: "RD",
		unit: "plain",
		meaning:
			"Rollout deviation: how many retrieval steps more or fewer than the gold chain has, sign dropped. 0 is best.",
	},
	"delta-step": {
		heading: "Δstep",
		unit: "plain",
		meaning: "The same with its sign: above 0 the agent searched more often than the chain needs, below 0 less often.",
	},
	steps: { heading: "Steps", unit: "plain", meaning: "Retrieval steps taken for a task." },
	hit: {
		heading: "Hit",
		unit: "percent",
		meaning: "Share of tasks for which the results of all steps together hold evidence for every hop.",
	},
};

export const sliceWords: Record<SliceName, { heading: string; caption: string }> = {
	topology: { heading: "Topology", caption: "the shape of the gold chain" },
	hops: { heading: "Hops", caption: "hops that need retrieval" },
	language: { heading: "Language", caption: "language of the question" },
	modality: { heading: "Modality", caption: "what a task takes beside text, in its question or its hops" },
	"answer-type": { heading: "Answer type", caption: "type of the accepted answer" },
};

/** Agents that are there to be compared with, and what they show. */
const references: Record<string, string> = {
	"gold-replay": "replays the gold chain: checks the scorer",
	oracle: "is handed the gold evidence",
	"closed-book": "answers without searching",
};

/** What a reference agent shows; undefined for a contender. */
export const referenceOf = (run: RunReport): string | undefined =>
	Object.hasOwn(references, run.agent.name) ? references[run.agent.name] : undefined;

const topologies: Record<string, string> = {
	"image-initiated-chain": "Image-initiated chain",
	"text-initiated-chain": "Text-initiated chain",
	"text-only-chain": "Text-only chain",
	"image-text-fork": "Image–text fork",
	"multi-image-fork": "Multi-image fork",
	"text-fork": "Text fork",
	single: "Single hop",
	other: "Other",
};

export const topologyName = (topology: string): string => topologies[topology] ?? topology;

export const modalityName = (modality: string): string =>
	modality === "compute" ? "Computed" : modality.charAt(0).toUpperCase() + modality.slice(1);

/** How a slice's value is called. */
export function sliceValueName(slice: SliceName, value: string): string {
	if (slice === "topology") return topologyName(value);
	if (slice === "hops") return /^\d+$/.test(value) ? plural(Number(value), "hop") : "no chain";
	return value === "(none)" ? "no chain" : value;
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const aboutOrder =
	"Ordered by the lower end of the accuracy interval. A range of places means that intervals overlap, so no order among these runs is claimed. Overlapping intervals are not a test: comparing two runs takes a paired test on the same tasks.";

export const aboutIntervals =
	"In brackets or below a number: its 95 % interval. No number is shown with more digits than its interval supports.";

/** "1", or "2–4" where intervals overlap. */
export function placesOf(run: Pick<RunReport, "places">): string {
	if (!run.places) return "–";
	const { from, to } = run.places;
	return from === to ? String(from) : `${from}–${to}`;
}
