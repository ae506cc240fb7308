/** Two runs against one another, a pair a row: the columns and notes of every table of differences. */
import { countName } from "#domain";
import { showP } from "../number-format.ts";
import type { Measured, RunComparison } from "../report-data.ts";
import { shortened } from "../summaries.ts";
import { numberColumn, percentColumn, type TableColumn, textColumn } from "./table.ts";
import type { Cell } from "./view.ts";
import { textCell, unscoredCell } from "./view-cells.ts";

/** A pair, with what is known of its interval and of what it leaves out. */
export interface Compared extends RunComparison {
	method?: Measured["method"];
	/** Tasks without a score in `a` and in `b`, by reason. */
	unpaired?: readonly [Record<string, number>, Record<string, number>];
	reason?: string;
}

export const testNames: Record<RunComparison["test"], string> = {
	mcnemar: "McNemar",
	"sign-flip": "sign flips",
	none: "none",
};

/** `words`: what is said of a pair whose first run has more, and less; `brief`: without the test and its own p. */
export function comparedColumns<Row extends Compared>(
	unit: "percent" | "number",
	{ p, words, brief = false }: { p: string; words: { a: string; b: string }; brief?: boolean },
): TableColumn<Row>[] {
	const numbers = unit === "percent" ? percentColumn : numberColumn;
	const findings = { ...words, reversible: "could reverse", none: "not significant" };
	return [
		numbers("difference", "Difference", (row) => differenceCell(row), { signed: true }),
		textColumn("p", p, (row) => {
			if (row.p === null) return unscoredCell(whyNone(row));
			return brief ? showP(row.adjusted) : `${showP(row.adjusted)} (${showP(row.p)})`;
		}),
		...(brief ? [] : [textColumn<Row>("test", "Test", ({ test }) => testNames[test])]),
		textColumn("won", "Won/tied/lost", ({ wins, ties, losses }) => textCell(`${wins}/${ties}/${losses}`)),
		numbers("detectable", "Detectable", (row) =>
			row.detectable === null ? unscoredCell(whyNone(row)) : differenceCell(row, { value: row.detectable }),
		),
		textColumn("finding", "Finding", (row) => (row.p === null ? "not tested" : findings[row.better])),
	];
}

const whyNone = ({ reason = "nothing to compare" }: Compared) => reason;

function differenceCell(
	{ difference, n, groups, method = "none", expected, unpaired = [{}, {}], bounds, reason }: Compared,
	instead?: { value: number },
): Cell {
	const missing: Record<string, number> = {};
	for (const [why, times] of unpaired.flatMap((side) => Object.entries(side))) countName(missing, why, times);
	const shown = instead ? { value: instead.value, low: null, high: null } : difference;
	return {
		is: "measured",
		measured: {
			value: shown.value,
			low: shown.low,
			high: shown.high,
			n,
			groups,
			method,
			expected,
			scored: n,
			missing: shortened(missing),
			bounds,
			...(reason === undefined ? {} : { reason }),
		},
	};
}

/** What the tasks that are not paired could make of a difference; nothing where all are. */
export function boundsNotes(row: Compared, name: string): string[] {
	if (!row.bounds || row.n === row.expected) return [];
	const [low, high] = [row.bounds.low, row.bounds.high].map((value) =>
		`${value > 0 ? "+" : ""}${(value * 100).toFixed(1)}`.replace("-", "−"),
	);
	return [
		`${name}: ${row.n} of ${row.expected} tasks are paired; over all of them the difference lies between ${low} and ${high} points whatever the rest would have been.`,
	];
}
