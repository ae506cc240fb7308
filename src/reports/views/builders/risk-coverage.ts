/** The risk of wrong answers against how many are given, by whatever tells how sure one may be. */
import { present } from "#domain";
import { riskCoverage as curveOf, interval } from "#scoring";
import { asShare } from "../../summaries.ts";
import { orderingsOf } from "../confidence.ts";
import {
	numberColumn,
	percentColumn,
	plotByRun,
	plotSplit,
	runColumn,
	type TableColumn,
	tableOf,
	textColumn,
} from "../table.ts";
import type { Cell, ViewBuilder, ViewOptions, ViewRun } from "../view.ts";
import { countCell, intervalCell } from "../view-cells.ts";
import { answers, graderNotes } from "../view-items.ts";

const coverages = [0.8, 0.5];

/** A run's answers in an order, with the curve that it makes. */
function curvesOf(run: ViewRun, { label }: ViewOptions) {
	const { answered, orderings } = orderingsOf(run);
	return orderings.flatMap((one) => {
		const curve = curveOf(one.answers, { coverages });
		return curve ? [{ run, label: label(run), answered, curve, ...one }] : [];
	});
}

type Found = ReturnType<typeof curvesOf>[number];

const lead: TableColumn<Found>[] = [
	runColumn,
	textColumn("ordering", "Confidence", ({ name, gold }) => (gold ? `${name} *` : name)),
];

const aboutRun = ({ run }: Found) => ({ run: run.manifest.id });

const notesOf = (runs: readonly ViewRun[], found: readonly Found[], { label }: ViewOptions): string[] =>
	present([
		...runs
			.filter((run) => !found.some((one) => one.run === run))
			.map((run) => `${label(run)}: nothing in its records tells how sure it was, or it answered nothing.`),
		found.some(({ gold }) => gold) &&
			"* Known with the gold chain or answer only: what an agent could gain that knew it, not what this one can go by.",
		...graderNotes(runs),
	]);

export const abstaining: ViewBuilder = {
	name: "abstaining",
	title: "What abstaining would gain",
	describe:
		"Answers ordered by how sure one may be of them. AURC is the area under the risk–coverage curve: 0 is best, a confidence that says nothing has the share wrong, the best possible ordering has the bound beside it. Then the accuracy if only the surest answers had been given, and what that is above giving them all. Abstentions are no answers here.",
	source: "Double-Bench, section 4.2; Geifman and El-Yaniv 2017",
	build(runs, options) {
		const asked = runs.filter(answers);
		const found = asked.flatMap((run) => curvesOf(run, options));
		const table = tableOf(
			found,
			[
				...lead,
				numberColumn("answers", "Answers", ({ answered, curve }) => countCell(curve.n, answered)),
				percentColumn("accuracy", "Accuracy", (one) => {
					const { value, low, high } = one.curve.risk;
					const ends = { low: high === null ? null : 1 - high, high: low === null ? null : 1 - low };
					return curveCell(one, { value: 1 - value, ...ends });
				}),
				percentColumn("area", "AURC", (one) => curveCell(one, one.curve.area), { better: "lower" }),
				percentColumn("best", "Best AURC", ({ curve: { best, n, groups } }) =>
					intervalCell({ value: best, low: null, high: null, n, groups, method: "none" }),
				),
				...coverages.flatMap((coverage): TableColumn<Found>[] => {
					const group = { group: `Surest ${Math.round(coverage * 100)} %` };
					const surest = ({ curve }: Found) => curve.surest.find((one) => one.coverage === coverage);
					return [
						percentColumn(`accuracy-${coverage}`, "Accuracy", (one) => curveCell(one, surest(one)?.accuracy), group),
						percentColumn(`gain-${coverage}`, "Gain", (one) => curveCell(one, surest(one)?.gain), {
							signed: true,
							...group,
						}),
					];
				}),
			],
			aboutRun,
		);
		return {
			over: "answer",
			rows: table.rows,
			columns: table.columns,
			plots: [plotByRun("rows", "ordering", "area", "AURC %")],
			notes: notesOf(asked, found, options),
		};
	},
};

export const riskCoverage: ViewBuilder = {
	name: "risk-coverage",
	title: "Risk and coverage",
	describe:
		"The share of wrong answers among the answers at least so sure, for each confidence that occurs: from the surest alone to all of them.",
	source: "Geifman and El-Yaniv 2017",
	build(runs, options) {
		const asked = runs.filter(answers);
		const found = asked.flatMap((run) => curvesOf(run, options));
		const rows = found.flatMap((one) => thinned(one.curve.curve).map((point) => ({ ...one, point })));
		const table = tableOf(
			rows,
			[
				...lead,
				numberColumn("confidence", "At least", ({ point }) => point.confidence),
				numberColumn("answers", "Answers", ({ point, curve }) => countCell(point.answers, curve.n)),
				numberColumn("coverage", "Coverage", ({ point }) => point.coverage),
				percentColumn("risk", "Wrong", ({ answers: given, point }) => {
					const surest = given.filter((answer) => answer.confidence >= point.confidence);
					const clusters = surest.map(({ cluster }, place) => cluster ?? `answer ${place}`);
					const losses = surest.map(({ loss }) => loss);
					return intervalCell(asShare(interval(losses, { clusters })));
				}),
			],
			aboutRun,
		);
		return {
			over: "answer",
			rows: table.rows,
			columns: table.columns,
			plots: [
				plotSplit("curve", "coverage", "risk", {
					split: "ordering",
					xTitle: "share of answers given",
					yTitle: "wrong %",
				}),
			],
			notes: notesOf(asked, found, options),
		};
	},
};

type Figure = Found["curve"]["area"];

function curveCell({ answered, curve: { n, groups } }: Found, figure: Figure | undefined): Cell | undefined {
	if (!figure) return undefined;
	const { value, low, high } = figure;
	const none = low === null ? { reason: "no spread was seen, so the width is unknown" } : {};
	return intervalCell(
		{ value, low, high, n, groups, method: low === null ? "none" : "jackknife", ...none },
		{ expected: answered, missing: { "without this confidence": answered - n } },
	);
}

const mostPoints = 50;

/** As many points as a table can hold, evenly, the last among them. */
function thinned<Point>(points: readonly Point[]): Point[] {
	const step = Math.ceil(points.length / mostPoints);
	return points.filter((_, place) => (points.length - 1 - place) % step === 0);
}
