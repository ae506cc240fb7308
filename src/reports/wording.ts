/** The words of the views: what each name in the data is called for people, and what each number is. */
import { ownField, type StopReason } from "#domain";
import { type FormatHealth, isIllFormed, isShownIn, noValue, type ScorerWords, scorerOf, scorers } from "#scoring";
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
	ungraded: "not graded",
	"unparsed-judge": "judge unparseable",
	missing: "missing",
};

/** How an attempt ended, in words that need no explanation. */
export const stopWords: Record<StopReason, { plainly: string; meaning: string }> = {
	answered: { plainly: "ended by itself", meaning: "It gave its answer, or declined to." },
	"turn-limit": {
		plainly: "stopped by the limit on turns",
		meaning: "It had taken as many turns as it is allowed, and had not answered.",
	},
	"no-call-limit": {
		plainly: "stopped after too many replies without a usable call",
		meaning: "It had sent as many replies in a row without a usable call as it is allowed, and had not answered.",
	},
	"context-limit": {
		plainly: "stopped by the model's context length",
		meaning: "The conversation no longer fitted the model's context.",
	},
	budget: { plainly: "stopped by the run's budget", meaning: "The run's budget was used up." },
	error: { plainly: "ended by an error", meaning: "An error ended it." },
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

/** Runs that may have scores beside the registered ones. */
type WithScorers = readonly Pick<RunReport, "addedScorers">[];

const addedTo = (runs: WithScorers): ScorerWords[] => runs.flatMap(({ addedScorers = [] }) => addedScorers);

/** What a score is called and how its figure is made; undefined where no scorer is called so. */
export const wordsOf = (metric: MetricName, runs: WithScorers = []): ScorerWords | undefined =>
	scorerOf(metric) ?? addedTo(runs).find(({ name }) => name === metric);

/** What heads a score's column. */
export const headingOf = (metric: MetricName, runs: WithScorers = []): string =>
	wordsOf(metric, runs)?.heading ?? metric;

/** The page has the scores of chains before those that accuracy stands for. */
const pageOrder = ["accuracy", "hps", "rollout-deviation", "f1", "em"];

/** The scores that a table shows, in its order. */
export function metricsIn(table: Parameters<typeof isShownIn>[1], runs: WithScorers = []): MetricName[] {
	const added = new Map(addedTo(runs).map((one) => [one.name, one]));
	const names = [...scorers, ...added.values()].filter((one) => isShownIn(one, table)).map(({ name }) => name);
	return table === "page" ? [...pageOrder, ...names.filter((name) => !pageOrder.includes(name))] : names;
}

/** A score as tables of comparisons call it: by its own name where it is in no report's first table. */
export const metricName = (metric: MetricName, runs: WithScorers = []): string =>
	metricsIn("page", runs).includes(metric) ? headingOf(metric, runs) : metric;

export const unitOf = (metric: MetricName, runs: WithScorers = []): Unit =>
	wordsOf(metric, runs)?.aggregation === "mean" ? "plain" : "percent";

/** A run's figure; of a score that its report does not hold, that there is none. */
export const metricOf = ({ metrics }: Pick<RunReport, "metrics">, metric: MetricName): Measured =>
	metrics[metric] ?? unmeasured;

const unmeasured: Measured = {
	...{ value: null, low: null, high: null, n: 0, groups: 0, method: "none", reason: "not measured" },
	...{ expected: 0, scored: 0, missing: {}, bounds: null },
};

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
	if (slice === "topology") return value === noValue ? "no chain" : topologyName(value);
	if (slice === "hops") return /^\d+$/.test(value) ? plural(Number(value), "hop") : "no chain";
	if (value !== noValue) return value;
	return slice === "language" ? "no language given" : "no chain";
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

/** "1", or "2–4" where runs do not differ significantly. */
export function ranksOf(run: Pick<RunReport, "places">): string {
	if (!run.places) return "–";
	const { from, to } = run.places;
	return from === to ? String(from) : `${from}–${to}`;
}

/** A name of the data as words: "retrieval miss". */
export const spelt = (name: string): string => name.replaceAll("-", " ");
