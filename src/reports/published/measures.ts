/** Our numbers for the columns of a published table. Statistics are scoring's; here is only which of them a column asks for. */
import { errorTypeShare, judgedRightIn, notObservable } from "#diagnosis";
import { scored, unscored } from "#domain";
import { modalityCoverageTable, type ScoredItem, slices, stepsByOutcome, summarise } from "#scoring";
import { withoutImages } from "../views/builders/modality-coverage.ts";
import { gradedSteps } from "../views/builders/nested-series.ts";
import { gradeOf } from "../views/grade-measures.ts";
import { deltaF1Measure, goldenF1Measure } from "../views/metric-table.ts";
import { depthCell } from "../views/nested-series.ts";
import type { Cell, ViewItem } from "../views/view.ts";
import { countCell, intervalCell, summaryCell, unscoredCell } from "../views/view-cells.ts";
import type { Member } from "../views/view-items.ts";
import type { MeasureName } from "./measure-names.ts";
import type { PublishedTable, ValueColumn } from "./published-table.ts";

export interface Asked {
	/** A run with the tasks that the cell is over. */
	member: Member;
	/** The same run with all its tasks. */
	whole: Member;
	/** All runs with such tasks: those that others are read against among them. */
	members: readonly Member[];
	/** What the row's labels stand for, where the measure is to know it. */
	categories: readonly (readonly string[])[];
	column: ValueColumn;
	table: PublishedTable;
	/** Whether the run holds verdicts by the table's rubric. */
	judged: boolean;
}

/** One cell of ours: measured, or why not. */
export function measure(name: MeasureName, asked: Asked): Cell {
	const { member, whole, members, column, table, judged } = asked;
	if (member.items.length === 0) return unscoredCell("the benchmark has no such task");
	switch (name) {
		case "judged":
			return judged ? scaled(summaryCell(summarise(member.items, { metric: name })), column) : unjudged(table);
		case "right":
		case "partly-right":
		case "wrong":
			return judged ? gradeCell(member.items, name) : unjudged(table);
		case "delta-f1":
			return deltaF1Measure.cell(member, { values: [], members: [...members] });
		case "golden-f1":
			return goldenF1Measure.cell(member, { values: [], members: [...members] });
		case "reached-depth":
			return depthCell(member.items, { hops: hopsAsked(column), among: whole.items });
		case "steps-right":
		case "steps-wrong":
			return stepsCell(member.items, { right: name === "steps-right" });
		case "covered":
		case "modality-coverage":
			return coverageCell(member.items, { ...asked, counted: name === "covered" });
		case "error-type":
		case "first-failure":
			return failureCell(name, asked);
		case "hit@5-macro":
			return macroCell(member.items);
		case "infoseek":
			return harmonicCell(member.items);
		case "statistic":
		case "statistic-share":
			return unscoredCell("counted of a benchmark, not of a run: --benchmark NAME");
		default:
			return summaryCell(summarise(member.items, { metric: name }));
	}
}

const unjudged = ({ rubric = "" }: PublishedTable) =>
	unscoredCell(`no verdicts by the rubric ${rubric}: --judge MODEL, or hopscope judge RUN --rubric ${rubric}`);

/** Where a paper counts right, partly right and wrong only, an abstention or a full context is wrong. */
const gradeCell = (items: readonly ViewItem[], wanted: "right" | "partly-right" | "wrong") =>
	summaryCell(
		summarise(items, {
			metric: wanted,
			share: true,
			scoreOf(item) {
				const grade = gradeOf(item);
				if (grade === undefined) return unscored("the agent only searches");
				return scored((grade === "right" || grade === "partly-right" ? grade : "wrong") === wanted ? 1 : 0);
			},
		}),
	);

/** On the paper's scale. */
function scaled(cell: Cell, { scale = 1 }: ValueColumn): Cell {
	if (cell.is !== "measured") return cell;
	const times = (value: number | null) => (value === null ? null : value * scale);
	const { value, low, high, bounds } = cell.measured;
	const limits = bounds && { low: bounds.low * scale, high: bounds.high * scale };
	return {
		...cell,
		measured: { ...cell.measured, value: times(value), low: times(low), high: times(high), bounds: limits },
	};
}

const hopsAsked = ({ where }: ValueColumn) => Number(where?.hops?.[0]);

function stepsCell(items: readonly ViewItem[], { right }: { right: boolean }): Cell {
	const found = stepsByOutcome(gradedSteps(items))[right ? "right" : "wrong"];
	return found.value === null
		? unscoredCell(`no task was answered ${right ? "right" : "wrong"}`)
		: intervalCell(found, { expected: found.n });
}

function coverageCell(
	items: readonly ViewItem[],
	{ categories: [questions = [], modalities = []], counted }: Asked & { counted: boolean },
): Cell {
	const overall = questions.length > 1;
	const row = modalityCoverageTable(overall ? withoutImages(items) : items).find(
		({ image, modality }) => modalities.includes(modality) && (overall || image === questions.includes("image")),
	);
	if (!row) {
		const some = items.some(({ task }) => task.images.length > 0 === questions.includes("image"));
		return unscoredCell(
			overall || some
				? "no gold hop has this modality"
				: `no question has ${questions.includes("image") ? "an" : "no"} image`,
		);
	}
	const { covered, gold, expected, missing, bounds } = row;
	if (counted) return countCell(covered, gold);
	const cell = intervalCell(row, { expected, missing });
	return cell.is === "measured"
		? { ...cell, measured: { ...cell.measured, scored: row.scored, bounds: { low: bounds[0], high: bounds[1] } } }
		: cell;
}

/** Shares of trajectories: of all with a gold chain by error type, of those answered wrong by their first failure. */
function failureCell(name: "error-type" | "first-failure", { member, categories: [types = []] }: Asked): Cell {
	const judgedRight = judgedRightIn(member.run.verdicts ?? []);
	const view = name === "error-type" ? "mc-search" : "vistahop";
	const isFirst = name === "first-failure";
	const chained = member.items.filter(({ task }) => task.chain !== undefined);
	if (chained.length === 0) return unscoredCell("no task has a gold chain");
	const diagnosed = chained.flatMap(({ task, diagnosis }) => (diagnosis ? [{ task, diagnosis }] : []));
	// of right answers there is no failure, first or not
	const meant = isFirst ? diagnosed.filter(({ diagnosis }) => diagnosis.right !== true) : diagnosed;
	const share = errorTypeShare(meant, { view, types, judgedRight });
	const unseen = meant.length - share.of;
	const missing = {
		"not diagnosed": chained.length - diagnosed.length,
		[isFirst ? "not known whether it is right, or not looked for" : "could not be looked for"]: unseen,
	};
	const expected = share.of + unseen + chained.length - diagnosed.length;
	const told = Object.fromEntries(Object.entries(missing).filter(([, count]) => count > 0));
	const reason = share.reason === notObservable ? notObservable : Object.keys(told)[0];
	return intervalCell(
		{ ...share, n: share.of, ...(share.value === null && reason !== undefined ? { reason } : {}) },
		{ expected, missing: told },
	);
}

function macroCell(items: readonly ScoredItem[]): Cell {
	const summaries = slices(items, "language").map((group) => summarise(group.items, { metric: "hit@5" }));
	const values = summaries.flatMap(({ value }) => value ?? []);
	const sum = (of: "expected" | "scored" | "tasks") => summaries.reduce((total, summary) => total + summary[of], 0);
	if (values.length === 0) return unscoredCell("no language has a score");
	return intervalCell(
		{
			value: values.reduce((total, value) => total + value, 0) / values.length,
			...{ low: null, high: null, n: sum("tasks"), groups: values.length, method: "none" },
			reason: "a mean over languages has no interval here",
		},
		{ expected: sum("expected") },
	);
}

/** The harmonic mean of the accuracy on each split: 0 where one is 0, none where a split has no task. */
function harmonicCell(items: readonly ScoredItem[]): Cell {
	const splits = slices(items, "split").map((group) => summarise(group.items, { metric: "accuracy" }));
	const values = splits.flatMap(({ value }) => value ?? []);
	if (splits.length < 2 || values.length < splits.length) return unscoredCell("not every split has a score");
	const sum = (of: "expected" | "tasks") => splits.reduce((total, summary) => total + summary[of], 0);
	return intervalCell(
		{
			value: values.includes(0) ? 0 : values.length / values.reduce((total, value) => total + 1 / value, 0),
			...{ low: null, high: null, n: sum("tasks"), groups: values.length, method: "none" },
			reason: "a harmonic mean of two splits has no interval here",
		},
		{ expected: sum("expected") },
	);
}
