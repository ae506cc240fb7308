/** The risk of wrong answers against how many are given, by whatever tells how sure one may be. */
import { riskCoverage as curveOf, interval } from "#scoring";
import { asShare } from "../../summaries.ts";
import { orderingsOf } from "../confidence.ts";
import type { Cell, Column, ViewBuilder, ViewOptions, ViewRow, ViewRun } from "../view.ts";
import { countCell, intervalCell, runColumn, textCell } from "../view-cells.ts";
import { answers, graderNotes } from "../view-items.ts";

const ordering: Column = { key: "ordering", title: "Confidence", unit: "text" };

type Found = ReturnType<typeof measured>[number];

function measured(run: ViewRun) {
	const { answered, orderings } = orderingsOf(run);
	return orderings.flatMap((one) => {
		const curve = curveOf(one.answers, { coverages });
		return curve ? [{ run, answered, curve, ...one }] : [];
	});
}

const coverages = [0.8, 0.5];

const leadCells = ({ run, name, gold }: Found, { label }: ViewOptions): Record<string, Cell> => ({
	run: textCell(label(run)),
	ordering: textCell(gold ? `${name} *` : name),
});

const notesOf = (runs: readonly ViewRun[], found: readonly Found[], { label }: ViewOptions): string[] => [
	...runs
		.filter((run) => !found.some((one) => one.run === run))
		.map((run) => `${label(run)}: nothing in its records tells how sure it was, or it answered nothing.`),
	...(found.some(({ gold }) => gold)
		? [
				"* Known with the gold chain or answer only: what an agent could gain that knew it, not what this one can go by.",
			]
		: []),
	...graderNotes(runs),
];

export const abstaining: ViewBuilder = {
	name: "abstaining",
	title: "What abstaining would gain",
	describe:
		"Answers ordered by how sure one may be of them. AURC is the area under the risk–coverage curve: 0 is best, a confidence that says nothing has the share wrong, the best possible ordering has the bound beside it. Then the accuracy if only the surest answers had been given, and what that is above giving them all. Abstentions are no answers here.",
	source: "Double-Bench, section 4.2; Geifman and El-Yaniv 2017",
	build(runs, options) {
		const asked = runs.filter(answers);
		const found = asked.flatMap(measured);
		const surest: Column[] = coverages.flatMap((coverage): Column[] => {
			const group = `Surest ${Math.round(coverage * 100)} %`;
			return [
				{ key: `accuracy-${coverage}`, title: "Accuracy", unit: "percent", group },
				{ key: `gain-${coverage}`, title: "Gain", unit: "percent", signed: true, group },
			];
		});
		const rows = found.map((one): ViewRow => {
			const { run, answered, curve } = one;
			const { n, groups, area, risk, best } = curve;
			const cell = (figure: typeof area): Cell => {
				const { value, low, high } = figure;
				const none = low === null ? { reason: "no spread was seen, so the width is unknown" } : {};
				const missing = { expected: answered, missing: { "without this confidence": answered - n } };
				return intervalCell(
					{ value, low, high, n, groups, method: low === null ? "none" : "jackknife", ...none },
					missing,
				);
			};
			const { value, low, high } = risk;
			const accuracy = { value: 1 - value, low: high === null ? null : 1 - high, high: low === null ? null : 1 - low };
			const at = curve.surest.flatMap(({ coverage, accuracy: right, gain }): [string, Cell][] => [
				[`accuracy-${coverage}`, cell(right)],
				[`gain-${coverage}`, cell(gain)],
			]);
			return {
				run: run.manifest.id,
				cells: {
					...leadCells(one, options),
					answers: countCell(n, answered),
					accuracy: cell(accuracy),
					area: cell(area),
					best: intervalCell({ value: best, low: null, high: null, n, groups, method: "none" }),
					...Object.fromEntries(at),
				},
			};
		});
		return {
			over: "answer",
			rows,
			columns: [
				runColumn,
				ordering,
				{ key: "answers", title: "Answers", unit: "number" },
				{ key: "accuracy", title: "Accuracy", unit: "percent" },
				{ key: "area", title: "AURC", unit: "percent", better: "lower" },
				{ key: "best", title: "Best AURC", unit: "percent" },
				...surest,
			],
			plots: [{ form: "rows", x: "ordering", y: "area", series: "run", xTitle: "", yTitle: "AURC %" }],
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
		const found = asked.flatMap(measured);
		const rows = found.flatMap((one) =>
			thinned(one.curve.curve).map(({ confidence, answers: given, coverage }): ViewRow => {
				const surest = one.answers.filter((answer) => answer.confidence >= confidence);
				const risk = interval(
					surest.map(({ loss }) => loss),
					{ clusters: surest.map(({ cluster }, place) => cluster ?? `answer ${place}`) },
				);
				return {
					run: one.run.manifest.id,
					cells: {
						...leadCells(one, options),
						confidence: countCell(confidence),
						answers: countCell(given, one.curve.n),
						coverage: countCell(coverage),
						risk: intervalCell(asShare(risk)),
					},
				};
			}),
		);
		return {
			over: "answer",
			rows,
			columns: [
				runColumn,
				ordering,
				{ key: "confidence", title: "At least", unit: "number" },
				{ key: "answers", title: "Answers", unit: "number" },
				{ key: "coverage", title: "Coverage", unit: "number" },
				{ key: "risk", title: "Wrong", unit: "percent" },
			],
			plots: [
				{
					...{ form: "curve", x: "coverage", y: "risk", series: "run", split: "ordering" },
					...{ xTitle: "share of answers given", yTitle: "wrong %" },
				},
			],
			notes: notesOf(asked, found, options),
		};
	},
};

const mostPoints = 50;

/** As many points as a table can hold, evenly, the last among them. */
function thinned<Point>(points: readonly Point[]): Point[] {
	const step = Math.ceil(points.length / mostPoints);
	return points.filter((_, place) => (points.length - 1 - place) % step === 0);
}
