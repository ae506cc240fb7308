/** The sentences beside tables: how intervals were made, what tests carry, what was not scored. */
import type { BenchmarkReport, Ending, Measured, MetricName, RunComparison, RunReport } from "./report-data.ts";
import { endingNames, headingOf, metricOf, plural } from "./wording.ts";

const testNames: Record<RunComparison["test"], string> = {
	mcnemar: "exact McNemar",
	"sign-flip": "sign flips over clusters of tasks",
	none: "none",
};

/** How the runs are ordered, which tests their ranks rest on, and what a range of ranks means. */
export function aboutOrder({ comparisons }: Pick<BenchmarkReport, "comparisons">): string {
	const tests = testsOf(comparisons);
	const tested = comparisons.filter(({ p }) => p !== null).length;
	return [
		"Ordered by worst-case accuracy (everything unscored counted as wrong), then by the lower end of its interval.",
		`A run ranks above another where their paired difference on the same tasks is significant at 5 %${tests && ` (${tests})`}, corrected by Holm for ${plural(tested, "pair")}, and where what was not scored could not reverse it.`,
		"A range of ranks: no significant difference, which does not say that they are equal.",
		"Whether intervals overlap decides nothing.",
	].join(" ");
}

/** The tests that were made: "exact McNemar; sign flips over groups of tasks". */
export function testsOf(comparisons: readonly RunComparison[]): string {
	const made = new Set(comparisons.flatMap(({ test }) => (test === "none" ? [] : [testNames[test]])));
	return [...made].join("; ");
}

export const aboutComparisons =
	"Difference A − B of accuracy, in points, paired by task, with its 95 % interval. Detectable: the smallest true difference that such a sample finds with 80 % power. A difference that is not significant is not shown to be nothing.";

/** What may be said of differences between slices. */
export function aboutSlices(benchmark: BenchmarkReport): string {
	const start = "n is the number of expected answers, and before a stroke of those scored.";
	const tested = benchmark.sliceComparisons.filter(({ p }) => p !== null).length;
	if (tested === 0)
		return `${start} Slices are for looking, not for testing: among many, some differ by chance, so no difference between slices or runs is claimed here. A report of two runs tests them slice by slice.`;
	return `${start} Differences between the two runs are paired by task and tested (${testsOf(benchmark.sliceComparisons)}); an asterisk marks those significant at 5 % after Benjamini and Hochberg's correction for all ${tested} slices. Between slices no difference is claimed.`;
}

/**
 * What was not scored, with the reasons; metrics that miss the same are named together, and so are runs. Empty where
 * nothing is missing.
 */
export function aboutMissing(
	runs: readonly RunReport[],
	metrics: readonly MetricName[],
	nameOf: (run: RunReport) => string,
): string {
	const runsByWords = new Map<string, string[]>();
	for (const run of runs) {
		const byWords = new Map<string, string[]>();
		for (const name of metrics) {
			const words = missingWords(metricOf(run, name));
			if (words !== "") byWords.set(words, [...(byWords.get(words) ?? []), headingOf(name, runs)]);
		}
		const all = byWords.size === 1 && [...byWords.values()].every(({ length }) => length === metrics.length);
		for (const [words, names] of byWords) {
			const said = all ? words : `${words} of ${names.join(", ")}`;
			runsByWords.set(said, [...(runsByWords.get(said) ?? []), nameOf(run)]);
		}
	}
	const sentences = [...runsByWords].map(([words, names]) => `${names.join(", ")}: ${words}`);
	return sentences.length === 0 ? "" : `Not scored: ${sentences.join("; ")}.`;
}

/** "3 of 150 (2 error, 1 missing)"; empty where all was scored. */
export function missingWords({ expected, scored, missing }: Pick<Measured, "expected" | "scored" | "missing">): string {
	if (scored >= expected) return "";
	const named = Object.entries(missing).map(
		([reason, count]) => [Object.hasOwn(endingNames, reason) ? endingNames[reason as Ending] : reason, count] as const,
	);
	const reasons = named.map(([reason, count]) => (named.length === 1 ? reason : `${count} ${reason}`));
	return `${expected - scored} of ${expected} (${reasons.join(", ")})`;
}

export const methodNames: Record<Measured["method"], string> = {
	wilson: "Wilson",
	"clustered-wilson": "clustered Wilson",
	t: "t",
	"clustered-t": "clustered t",
	"cluster-bootstrap": "bootstrap over clusters",
	"clustered-delta": "clustered delta method",
	jackknife: "jackknife over clusters",
	delta: "delta method",
	none: "none",
};

/** How a number's interval was made and what it takes as independent; why there is none, or none with a width. */
export function aboutInterval({ value, low, method, groups, n, reason }: Measured, over = "task"): string {
	if (value === null || low === null) return reason ?? "";
	const independent = groups < n ? `${plural(groups, "cluster")} of ${plural(n, over)}` : plural(n, over);
	return `95 % interval: ${methodNames[method]} over ${independent}${reason === undefined ? "" : `; ${reason}`}`;
}

/** What the intervals of a table are: where they stand, their methods by metric, and their unit. */
export function aboutIntervals(runs: readonly RunReport[], metrics: readonly MetricName[]): string {
	const byMethod = new Map<string, Set<string>>();
	let flat = false;
	for (const name of metrics)
		for (const run of runs) {
			const { low, method, reason } = metricOf(run, name);
			if (low === null) continue;
			const headings = byMethod.get(methodNames[method]) ?? new Set();
			byMethod.set(methodNames[method], headings.add(headingOf(name, runs)));
			flat ||= reason !== undefined;
		}
	const methods = [...byMethod].map(([method, headings]) => `${method} (${[...headings].join(", ")})`);
	const sentences = [
		"In brackets or below a number: its 95 % interval; where not everything was scored, after “in” the bounds that the rest could make of it.",
		...(methods.length > 0 ? [`Method: ${methods.join("; ")}. Unit: ${independentUnits(runs)}.`] : []),
		...(flat ? ["An interval without width: the values showed no spread, so its true width is unknown."] : []),
		"No number is shown with more digits than its interval supports.",
	];
	return sentences.join(" ");
}

/** What accuracy's intervals rest on (of an agent that only searches, those of its steps), as a range where it differs between runs. */
function independentUnits(runs: readonly RunReport[]): string {
	const range = (counts: number[], noun: string) => {
		const [least, most] = [Math.min(...counts), Math.max(...counts)];
		return least === most ? plural(most, noun) : `${least} to ${plural(most, noun)}`;
	};
	const accuracies = runs.map((run) => run.metrics[run.answers ? "accuracy" : "steps"]);
	const tasks = range(
		accuracies.map(({ n }) => n),
		"task",
	);
	if (accuracies.every(({ groups, n }) => groups === n)) return tasks;
	const groups = range(
		accuracies.map((accuracy) => accuracy.groups),
		"cluster",
	);
	return `${groups} of tasks that share an image, a document or a nested question series, ${tasks} in all`;
}

/** What a judge's numbers are, and what keeps them from being trusted. */
export function aboutJudges(runs: readonly RunReport[]): string {
	const judges = runs.flatMap((run) => run.judges);
	const outdated = runs.reduce((sum, run) => sum + run.outdatedVerdicts, 0);
	const rules = judges.some(({ byRule }) => byRule);
	const same = judges.some(({ sameModel }) => sameModel);
	return [
		"What judges say stands beside the accuracy and does not replace it. A reply that no one could read is no score: it is counted as unparseable and widens the bounds.",
		"Flips: pairs of a judge's runs over one answer that differ. Order: what showing the reference first adds. Without people's labels of the same answers nothing corrects a judge: it is marked as uncorrected; with them, the share right is corrected; an answer that was not given needs no correction and counts in it.",
		...(rules ? ["The judge called rule asks no model: it compares words, numbers and dates."] : []),
		...(same ? ["A judge that is the model it judges is no independent measure."] : []),
		...(outdated > 0 ? [`${plural(outdated, "verdict")} by earlier words of a rubric left out.`] : []),
	].join(" ");
}
