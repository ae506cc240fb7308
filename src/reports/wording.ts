/** The words of the views: what each name in the data is called for people, and what each number is. */
import { ownField } from "#domain";
import { type FormatHealth, isIllFormed, noValue, scoreNames } from "#scoring";
import { showNumber, supportedDecimals, type Unit } from "./number-format.ts";
import type { Ending, Measured, MetricName, RunReport, SliceName } from "./report-data.ts";

export const endingNames: Record<Ending, string> = {
	right: "right",
	"partly-right": "partly right",
	wrong: "wrong",
	abstained: "abstained",
	"context-limit": "context full",
	budget: "budget hit",
	error: "error",
	"unparsed-judge": "judge unread",
	missing: "missing",
};

/** What stands at the head of a report, in its order: whether replies could be read and attempts could end. */
export const healthWords = {
	parseRate: {
		heading: "Parsed %",
		meaning:
			"Share of the actions asked for (calls, and replies without one that ended an attempt) that could be read.",
	},
	invalidCalls: { heading: "Invalid", meaning: "Calls that could not be carried out as written." },
	nullAnswers: { heading: "No answer", meaning: "Attempts that ended without an answer, and did not decline." },
	limits: { heading: "At limit", meaning: "Of them, those that ended at the protocol's own limit." },
	contextLimits: {
		heading: "Context",
		meaning: "Of them, those whose conversation no longer fitted the model's context. They score 0, as no answer does.",
	},
	providerErrors: { heading: "Provider", meaning: "Attempts that an error of the model's provider ended: not scored." },
	toolErrors: { heading: "Tool", meaning: "Attempts that an error of a tool ended: not scored." },
} as const satisfies Partial<Record<keyof FormatHealth, { heading: string; meaning: string }>>;

/** A caution for each run of which too few actions could be read. */
export const healthCautions = (runs: readonly { label: string; health: FormatHealth }[]): string[] =>
	runs.flatMap(({ label, health }) =>
		isIllFormed(health)
			? [
					`Only ${health.read} of ${health.actions} actions of ${label} could be read: its scores tell of the form before anything else.`,
				]
			: [],
	);

/** A run's health in a sentence, for tables that have no room for it. */
export function healthText(health: FormatHealth): string {
	const { read, actions, records, nullAnswers, limits, contextLimits, providerErrors, toolErrors } = health;
	const rate = actions === 0 ? "no actions asked for" : `${read} of ${plural(actions, "action")} could be read`;
	return `${rate}; of ${plural(records, "attempt")} ${nullAnswers} without an answer (${limits} at a limit, ${contextLimits} with the context full), ${providerErrors} ended by a model's error, ${toolErrors} by a tool's.`;
}

/** What a metric is called, what it measures, and which way is better, where one is. */
interface MetricWords {
	heading: string;
	meaning?: string;
	better?: "higher" | "lower";
}

/** The one table of metrics' words: titles, meanings and directions are taken from here alone. */
const metricWords: Record<string, MetricWords> = {
	accuracy: {
		heading: "Accuracy",
		meaning:
			"Share of answers that are right by the answer's type: text by normalised exact match, numbers within 10 % or the stated range, years within one. Abstaining counts 0.",
		better: "higher",
	},
	hps: {
		heading: "HPS",
		meaning:
			"Hits per step: share of the gold hops whose evidence a retrieval step brought back, each step counting for one hop at most.",
		better: "higher",
	},
	"rollout-deviation": {
		heading: "RD",
		meaning:
			"Rollout deviation: how many retrieval steps more or fewer than the gold chain has, sign dropped. 0 is best.",
		better: "lower",
	},
	f1: {
		heading: "F1",
		meaning: "Overlap of words between the answer and the best accepted answer, averaged over tasks.",
		better: "higher",
	},
	em: {
		heading: "EM",
		meaning:
			"Exact match: share of answers equal to an accepted answer after normalising case, punctuation and articles.",
		better: "higher",
	},
	"delta-step": {
		heading: "Δstep",
		meaning: "The same with its sign: above 0 the agent searched more often than the chain needs, below 0 less often.",
	},
	steps: { heading: "Steps", meaning: "Retrieval steps taken for a task." },
	hit: {
		heading: "Hit",
		meaning: "Share of tasks for which the results of all steps together hold evidence for every hop.",
		better: "higher",
	},
	calls: { heading: "Calls", meaning: "Calls of any tool that were carried out for a task." },
	"calls-written": { heading: "Calls written", meaning: "Calls that the model wrote, carried out or not." },
	"calls-rejected": {
		heading: "Calls rejected",
		meaning:
			"Of those written, the ones that were not carried out: faulty, or beyond what one reply or the task allows.",
	},
	"invalid-calls": {
		heading: "Invalid calls",
		meaning: "Calls that could not be carried out as written, and replies without a proper call.",
	},
	rounds: { heading: "Rounds", meaning: "Replies of the model in the main conversation of a task." },
	utilisation: {
		heading: "Utilisation",
		meaning: "Calls carried out for a task over the calls that the setting allows.",
	},
	"hit@1": { heading: "hit@1", better: "higher" },
	"hit@3": { heading: "hit@3", better: "higher" },
	"hit@5": { heading: "hit@5", better: "higher" },
	judged: { heading: "Judge", better: "higher" },
	"average-k": { heading: "Average k" },
	"search-rounds": { heading: "Search rounds" },
	order: { heading: "Order", better: "higher" },
	"hps-coverage": { heading: "HPS (coverage)", better: "higher" },
	"modality-coverage": { heading: "Modality coverage", better: "higher" },
};

/** A metric's words; of one that has none, its own name. */
export const wordsOf = (metric: string): MetricWords => ownField(metricWords, metric) ?? { heading: metric };

/** The metrics of a report's first table, in its order, and those of what an agent did, whatever came of it. */
export const tableMetrics = ["accuracy", "hps", "rollout-deviation", "f1", "em", "delta-step", "steps", "hit"] as const;
export const behaviourMetrics = [
	"calls",
	"calls-written",
	"calls-rejected",
	"invalid-calls",
	"rounds",
	"utilisation",
] as const;

/** A metric as tables of comparisons call it: by its own name where it is in no report's first table. */
export const metricName = (metric: string): string =>
	(tableMetrics as readonly string[]).includes(metric) ? wordsOf(metric).heading : metric;

export const unitOf = (metric: MetricName): Unit => (scoreNames[metric].share ? "percent" : "plain");

export const sliceWords: Record<SliceName, { heading: string; caption: string }> = {
	topology: { heading: "Topology", caption: "the shape of the gold chain" },
	hops: { heading: "Hops", caption: "hops that need retrieval" },
	language: { heading: "Language", caption: "language of the question" },
	modality: { heading: "Modality", caption: "what a task takes beside text, in its question or its hops" },
	"answer-type": { heading: "Answer type", caption: "type of the accepted answer" },
};

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

export const topologyName = (topology: string): string => ownField(topologies, topology) ?? topology;

export const modalityName = (modality: string): string =>
	modality === "compute" ? "Computed" : modality.charAt(0).toUpperCase() + modality.slice(1);

/** How a slice's value is called. */
export function sliceValueName(slice: SliceName, value: string): string {
	if (slice === "topology") return topologyName(value);
	if (slice === "hops") return /^\d+$/.test(value) ? plural(Number(value), "hop") : "no chain";
	return value === noValue ? "no chain" : value;
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** A share's bounds, "5–100"; undefined where everything was scored. */
export function boundsOf(measured: Measured): string | undefined {
	const { bounds, scored, expected } = measured;
	if (!bounds || scored >= expected) return undefined;
	// as many digits as the number they are the bounds of
	const decimals = supportedDecimals(measured, "percent");
	return `${showNumber(bounds.low, "percent", decimals)}–${showNumber(bounds.high, "percent", decimals)}`;
}

/** "30", or "28–30/30" where some of several numbers rest on fewer than were expected. */
export function countsOf(measured: readonly Pick<Measured, "expected" | "scored">[]): string {
	const range = (counts: number[]) => {
		const [least, most] = [Math.min(...counts), Math.max(...counts)];
		return least === most ? String(most) : `${least}–${most}`;
	};
	if (measured.length === 0) return "0";
	const expected = range(measured.map((one) => one.expected));
	if (measured.every((one) => one.scored >= one.expected)) return expected;
	return `${range(measured.map((one) => one.scored))}/${expected}`;
}

/** "1", or "2–4" where runs were not told apart. */
export function placesOf(run: Pick<RunReport, "places">): string {
	if (!run.places) return "–";
	const { from, to } = run.places;
	return from === to ? String(from) : `${from}–${to}`;
}

/** A name of the data as words: "retrieval miss". */
export const spelt = (name: string): string => name.replaceAll("-", " ");
