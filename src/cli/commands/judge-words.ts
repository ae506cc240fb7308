import { counted, ownField } from "#domain";
import type { Rubric, VerdictSummary } from "#scoring";
import { type Money, usageLine } from "#workbench";

type Interval = VerdictSummary["value"];

/** What a judge made of a run, for a terminal. */
export function inWords(told: VerdictSummary, { rubric, money }: { rubric: Rubric; money: Money }): string {
	return [
		...headline(told, rubric),
		...repeats(told),
		...Object.entries(told.grades).flatMap(([grade, { verdicts, share }]) =>
			verdicts === 0 ? [] : [`${grade}: ${withInterval(share)}, ${counted(verdicts, "verdict")}`],
		),
		...Object.entries(told.scores).map(([name, score]) => {
			const scale = ownField(rubric.scores, name);
			return `${name}${scale ? ` (${scale.least} to ${scale.most})` : ""}: ${withInterval(score)}`;
		}),
		...Object.entries(told.labels).map(
			([label, { verdicts, share }]) =>
				`${label}: ${withInterval(share)}, n ${share.n}, ${counted(verdicts, "verdict")}`,
		),
		...support(told),
		...problems(told),
		...spent(told, money),
	].join("\n");
}

function headline({ value, expected, scored, judge, rubric: name }: VerdictSummary, rubric: Rubric): string[] {
	const by = `${scored} of ${counted(expected, "answer")}, judged by ${judge} (${name})`;
	return rubric.headline === undefined ? [by] : [`${rubric.headline} ${withInterval(value)}: ${by}`];
}

function repeats({ byRun, spread, majority, flips, position, grades }: VerdictSummary): string[] {
	const runs = byRun.filter((value) => value !== null);
	const deviation = spread === null ? "" : `; standard deviation ${spread.toFixed(3)}`;
	const vote = Object.keys(grades).length > 0 ? `; by majority ${share(majority.value)}` : "";
	return [
		...(runs.length > 0 ? [`by run of the judge: ${runs.map(share).join(", ")}${deviation}${vote}`] : []),
		...(flips.value === null ? [] : [`pairs of its runs that differ over one answer: ${withInterval(flips)}`]),
		...(position.value === null
			? []
			: [`higher by ${withInterval(position)} where the reference comes first (${position.method})`]),
	];
}

function support({ supported, passedAndSupported, relevant }: VerdictSummary): string[] {
	if (supported === null) return [];
	return [
		`fully supported by what was found: ${share(supported)}, and right: ${share(passedAndSupported)}; of what was found, ${share(relevant)} bears on the question`,
	];
}

function problems({ unscored, failures, unparsed }: VerdictSummary): string[] {
	return [
		...(Object.keys(unscored).length > 0 ? [`not scored: ${listed(unscored)}`] : []),
		...(Object.keys(failures).length > 0 ? [`runs of the judge that failed: ${listed(failures)}`] : []),
		...(unparsed.verdicts > 0
			? [`unparsed replies: ${unparsed.verdicts} of ${unparsed.of}, ${share(unparsed.share)}`]
			: []),
	];
}

function spent({ usage, latency, sameModel, judge, prompt }: VerdictSummary, money: Money): string[] {
	const wait =
		latency.p50 === null || latency.p95 === null
			? ""
			: `half of the verdicts within ${seconds(latency.p50)}, 95 % within ${seconds(latency.p95)}`;
	const used = [`the judge used ${counted(usage.calls, "call")}`, usageLine(usage, money), wait].filter(Boolean);
	return [
		judge === "rule" ? "the judge is a rule, no model: it compares words, numbers and dates" : used.join(", "),
		`prompt ${prompt.slice(0, 12)}`,
		...(sameModel ? ["the judge is the model that it judges: this is no independent measure"] : []),
	];
}

const share = (value: number | null) => (value === null ? "unknown" : value.toFixed(3));
const withInterval = ({ value, low, high }: Pick<Interval, "value" | "low" | "high">) =>
	`${share(value)}${low === null || high === null ? "" : ` (95 % interval ${share(low)} to ${share(high)})`}`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
const listed = (counts: Record<string, number>) =>
	Object.entries(counts)
		.map(([reason, count]) => `${count} ${reason}`)
		.join(", ");
