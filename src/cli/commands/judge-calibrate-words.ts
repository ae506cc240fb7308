import { counted, plainLine } from "#domain";
import type { Agreement, Calibration, Consistency, DimensionReport, LabelAgreement, LabelReport } from "#scoring";
import { between, figure, inPercent, number, percent, textTable } from "../text-table.ts";

type Interval = Agreement["share"];

/** How far a judge can be trusted, for a terminal. */
export function calibrationText(report: Calibration): string {
	return [
		heading(report).join("\n"),
		...report.dimensions.map((dimension) => dimensionLines(dimension).join("\n")),
		...(report.labels ? [labelReportLines(report.labels).join("\n")] : []),
		...(report.stacked ? [stackedLines(report.stacked).join("\n")] : []),
		...(report.corrected.length > 0 ? [correctedLines(report.corrected).join("\n")] : []),
	]
		.filter((part) => part !== "")
		.join("\n\n");
}

function heading({ judge, against, items, labelled, clusters, raters }: Calibration): string[] {
	const people = raters.filter(({ kind }) => kind === "human");
	const models = raters.filter(({ kind }) => kind === "model");
	const listed = (some: typeof raters) =>
		some
			.slice(0, 8)
			.map(({ rater, items: count }) => `${plainLine(rater, 40)} ${count}`)
			.join(", ") + (some.length > 8 ? ` and ${some.length - 8} more` : "");
	return [
		`judge ${judgeLine(judge)}`,
		...(against ? [`against ${judgeLine(against)}`] : []),
		`${counted(items, "item")} in ${counted(clusters, "cluster")}, ${labelled} labelled by people${people.length > 0 ? ` (${listed(people)})` : ""}`,
		...(models.length > 0 ? [`labels of models, which are second judges and no people: ${listed(models)}`] : []),
		...(people.length === 0
			? ["no person labelled anything here: what follows says whether judges agree, not whether they are right"]
			: []),
	];
}

function judgeLine({ model, rubric, prompt, readings, unparsed, unparsedShare, failed }: Calibration["judge"]): string {
	const others = Object.entries(failed).filter(([because]) => because !== "unparsed");
	return [
		`${plainLine(model, 80)}${model === "rule" ? " (rules over words, no model)" : ""}, rubric ${rubric}, prompt ${prompt.slice(0, 12)}`,
		`${counted(readings, "verdict")}, ${unparsed} unparsed${unparsedShare === null ? "" : ` (${percent(unparsedShare)} %)`}`,
		...others.map(([because, count]) => `${count} ${because}`),
	].join("; ");
}

function dimensionLines(dimension: DimensionReport): string[] {
	const { name, humans, ceiling, alpha, models, against } = dimension;
	const sides = [
		...(humans ? [{ heading: "judge, people", agreement: humans }] : []),
		...(ceiling ? [{ heading: "people, people", agreement: ceiling }] : []),
		...models.slice(0, 3).map(({ rater, agreement }) => ({ heading: `judge, ${plainLine(rater, 16)}`, agreement })),
		...(against ? [{ heading: "judge, judge", agreement: against }] : []),
	];
	return [
		...(sides.length > 0
			? textTable([[name, ...sides.map(({ heading }) => heading)], ...agreementRows(sides)])
			: [name]),
		...(alpha ? [`Krippendorff's alpha over people, ordinal: ${figure(alpha)}`] : []),
		...confusionLines(dimension),
		...tagLines(dimension),
		...probeLines(dimension),
		...consistencyLines(dimension.consistency),
		...labelLines(dimension),
	];
}

const mostModels = 3;

function labelReportLines(report: LabelReport): string[] {
	const { humans, ceiling, models, against, reference, confusion, byLabel, flips, corrected, foreign } = report;
	const sides: [string, LabelAgreement | undefined][] = [
		["judge, people", humans],
		["people, people", ceiling],
		...models
			.slice(0, mostModels)
			.map(({ rater, agreement }): [string, LabelAgreement] => [`judge, ${plainLine(rater, 16)}`, agreement]),
		["judge, judge", against],
	];
	const there = sides.flatMap(([heading, agreement]) => (agreement ? [{ heading, agreement }] : []));
	const foreignNames = Object.keys(foreign);
	return [
		...(there.length > 0
			? textTable([["labels", ...there.map(({ heading }) => heading)], ...nominalRows(there)])
			: ["labels"]),
		...(foreignNames.length > 0
			? [`ratings with labels that the rubric lacks, left out: ${plainLine(foreignNames.join(", "), 200)}`]
			: []),
		...labelConfusionLines(confusion, reference),
		...(byLabel.length > 0
			? textTable([
					["label", "kappa", "sensitivity %", "n", "precision %", "n"],
					...byLabel.map(({ label, kappa, sensitivity, precision }) => [
						...[label, figure(kappa), inPercent(sensitivity), String(sensitivity.n)],
						...[inPercent(precision), String(precision.n)],
					]),
				])
			: []),
		...tagLines(report),
		flipLine(flips),
		...labelLines(report),
		...sharesLines(corrected),
	];
}

/** Columns by number, since names of labels are long. */
function labelConfusionLines(confusion: LabelReport["confusion"], reference: LabelReport["reference"]): string[] {
	if (!confusion) return [];
	const { labels, counts } = confusion;
	return textTable([
		[`${whoseRows[reference]} (rows), judge`, ...labels.map((_, at) => String(at + 1))],
		...labels.map((label, row) => [`${row + 1} ${label}`, ...(counts[row] ?? []).map(String)]),
	]);
}

function sharesLines(corrected: LabelReport["corrected"]): string[] {
	if (corrected.length === 0) return [];
	const several = new Set(corrected.map(({ system }) => system)).size > 1;
	const nameOf = ({ label, system }: LabelReport["corrected"][number]) =>
		several ? `${label}, ${systemName(system)}` : label;
	return [
		"",
		...textTable([
			["share % of answers with label", "judged, labelled", "judge", "Rogan-Gladen", "PPI++"],
			...corrected.map((one) => [nameOf(one), ...shareCells(one)]),
		]),
		...corrected.flatMap((one) => (one.roganGladen?.reason ? [`${nameOf(one)}: ${one.roganGladen.reason}`] : [])),
		...dependenceLines(corrected),
	];
}

function nominalRows(sides: { agreement: LabelAgreement }[]): string[][] {
	const row = (label: string, cell: (agreement: LabelAgreement) => string) => [
		label,
		...sides.map(({ agreement }) => cell(agreement)),
	];
	return [
		row("items, comparisons", ({ items, comparisons }) => `${items}, ${comparisons}`),
		row("same label %", ({ share }) => inPercent(share)),
		row("Cohen's kappa", ({ kappa }) => figure(kappa)),
	];
}

function agreementRows(sides: { agreement: Agreement }[]): string[][] {
	const row = (label: string, cell: (agreement: Agreement) => string) => [
		label,
		...sides.map(({ agreement }) => cell(agreement)),
	];
	return [
		...nominalRows(sides),
		row("kappa, squared weights", ({ weightedKappa }) => figure(weightedKappa)),
		row("Pearson", ({ pearson }) => figure(pearson)),
		row("Spearman", ({ spearman }) => figure(spearman)),
		row("mean bias", ({ bias }) => signed(bias)),
		row("limits of agreement +-", ({ limits }) => number(limits)),
	];
}

function confusionLines({ confusion, reference }: DimensionReport): string[] {
	if (!confusion) return [];
	const { labels, counts } = confusion;
	return [
		...textTable([
			[`${whoseRows[reference]} (rows), judge`, ...labels],
			...labels.map((label, row) => [label, ...(counts[row] ?? []).map(String)]),
		]),
	];
}

const whoseRows = { humans: "people", models: "other model", against: "other judge", none: "" };

const mostTagRows = 30;

function tagLines({ byTag }: Pick<LabelReport, "byTag">): string[] {
	if (byTag.length === 0) return [];
	const rows = byTag
		.slice(0, mostTagRows)
		.map(({ tag, value, items, share, kappa }) => [
			`${plainLine(tag, 20)} ${plainLine(value, 24)}`,
			String(items),
			inPercent(share),
			figure(kappa),
		]);
	const more = byTag.length - rows.length;
	return [
		...textTable([["by property", "items", "same label %", "kappa"], ...rows]),
		...(more > 0 ? [`and ${more} more (--json)`] : []),
	];
}

function probeLines({ flips, position, length }: DimensionReport): string[] {
	const lines = [flipLine(flips)];
	if (position.of === "pairs" && position.flips.value !== null)
		lines.push(
			`answers swapped, the winner changes: ${inPercent(position.flips)} %; towards the first: ${signed(position.towardsFirst)}`,
		);
	if (position.of === "answers" && position.referenceFirst.value !== null)
		lines.push(
			`reference shown first rather than answer: ${signed(position.referenceFirst)} (${position.within ? "within" : "between"} items)`,
		);
	if (length.judge.value !== null)
		lines.push(
			`longer answers, beyond what people say of them: ${figure(length.judge)}${length.humans.value === null ? "" : `; one person beyond another: ${figure(length.humans)}`}`,
		);
	return lines;
}

const flipLine = (flips: Interval) =>
	flips.value === null
		? "asked again: nothing was judged twice in one order"
		: `asked again, it says something else: ${inPercent(flips)} % (${counted(flips.n, "item")})`;

function consistencyLines(consistency: Consistency | undefined): string[] {
	if (!consistency || consistency.subsets.length < 2) return [];
	const sizes = consistency.subsets.map(({ items }) => items);
	const words = {
		share: "same label",
		kappa: "kappa",
		pearson: "Pearson",
		spearman: "Spearman",
		bias: "bias",
		limits: "limits",
	};
	const figures = Object.entries(words).map(([name, word]) => {
		const { mean, variance } = consistency.figures[name as keyof typeof words];
		return `${word} ${number(mean)} (${number(variance, 5)})`;
	});
	return [
		`over ${sizes.length} disjoint subsets of ${Math.min(...sizes)}${Math.max(...sizes) > Math.min(...sizes) ? ` to ${Math.max(...sizes)}` : ""} items, mean (variance): ${figures.join(", ")}`,
	];
}

function labelLines({ humans, labels: { have, needed } }: Pick<LabelReport, "humans" | "labels">): string[] {
	if (!humans) return [];
	const more = needed - have;
	return [
		more > 0
			? `${have} labelled items: for 5 points to either side of the share of same labels, about ${counted(more, "more item")} must be labelled`
			: `${have} labelled items: enough for 5 points to either side of the share of same labels (${needed})`,
	];
}

function stackedLines({ humans, against, consistency }: NonNullable<Calibration["stacked"]>): string[] {
	const sides = [
		...(humans ? [{ heading: "judge, people", agreement: humans }] : []),
		...(against ? [{ heading: "judge, judge", agreement: against }] : []),
	];
	if (sides.length === 0) return [];
	return [
		...textTable([["all scores stacked", ...sides.map(({ heading }) => heading)], ...agreementRows(sides)]),
		...consistencyLines(consistency),
	];
}

function correctedLines(corrected: Calibration["corrected"]): string[] {
	const rows = corrected.map((one) => [systemName(one.system), ...shareCells(one)]);
	const reasons = corrected.flatMap(({ roganGladen, ppi }) =>
		[
			roganGladen?.value === null ? roganGladen.reason : undefined,
			ppi?.value === null ? ppi.reason : undefined,
		].flatMap((reason) => reason ?? []),
	);
	const unanswered = corrected.reduce((sum, one) => sum + one.unanswered, 0);
	return [
		...textTable([["accuracy % of system", "judged, labelled", "judge", "Rogan-Gladen", "PPI++"], ...rows]),
		...new Set(reasons),
		...(unanswered > 0
			? [`${counted(unanswered, "record")} without an answer counted in every column: nothing to correct there`]
			: []),
		...dependenceLines(corrected),
	];
}

const systemName = (system: string) => plainLine(system === "" ? "(unnamed)" : system, 28);

const shareCells = ({ judged, labelled, uncorrected, roganGladen, ppi }: Calibration["corrected"][number]) => [
	`${judged}, ${labelled}`,
	inPercent(uncorrected),
	roganGladen ? inPercent(roganGladen) : "judge, uncorrected",
	ppi ? inPercent(ppi) : "judge, uncorrected",
];

const dependenceLines = (corrected: Calibration["corrected"]) =>
	corrected.some(({ labelled, clusters, judged }) => labelled > 0 && clusters < judged)
		? [
				"both corrections take answers as independent: where answers of one cluster fare alike, the true intervals are wider",
			]
		: [];

const plus = (value: number) => `${value >= 0.0005 ? "+" : ""}${number(value)}`;
const signed = ({ value, low, high }: Interval) =>
	value === null ? "–" : `${plus(value)}${between(low === null ? null : plus(low), high === null ? null : plus(high))}`;
