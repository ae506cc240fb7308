/** A view as text that fits a terminal: intervals beside their numbers, or below them where the room is short. */
import { cutTo } from "../../short-labels.ts";
import { align, fits, stylesOf, type TerminalOptions } from "../../terminal-table.ts";
import type { View } from "../view.ts";
import { type ShownCell, type ShownRow, type ShownView, shownView } from "./shown-view.ts";

/** Of a column of words, and of a part of a name over a column. */
const widest = 34;
const narrow = 16;

/** Ends without a newline. Columns that do not fit go into further tables below, each with the names of its rows. */
function renderTerminal(view: View, options: TerminalOptions = {}): string {
	const shown = shownView(view, { bestIs: "*" });
	const { bold, dim, wrap, prose } = stylesOf(options);
	const source = `${shown.name}; after ${shown.source}`;
	const beside = shown.title.length + source.length + 2 <= prose;
	return [
		`${bold(shown.title)}${beside ? "  " : "\n"}${dim(beside ? source : wrap(source))}`,
		dim(wrap(shown.describe)),
		...tablesOf(shown, options),
		...(shown.notes.length > 0 ? [dim(shown.notes.map((note) => wrap(note)).join("\n"))] : []),
	].join("\n\n");
}

/** A view of a longer text, under its title: a word on how to read it stands elsewhere. Ends without a newline. */
export function renderBriefly(view: View, options: TerminalOptions = {}): string {
	const shown = shownView(view, { bestIs: "*" });
	const { bold, dim, wrap } = stylesOf(options);
	const parts = [
		...tablesOf(shown, options),
		...(shown.notes.length > 0 ? [dim(shown.notes.map((note) => wrap(note)).join("\n"))] : []),
	];
	return [...(shown.title === "" ? [] : [bold(shown.title)]), parts.join("\n\n")].join("\n");
}

function tablesOf(shown: ShownView, options: TerminalOptions): string[] {
	const { dim, width } = stylesOf(options);
	return shown.rows.length === 0
		? []
		: gridsOf(shown, width).map(({ rows, ...grid }) => align(rows, { ...grid, dim, width }));
}

interface Grid {
	rows: string[][];
	heads: number;
	words: boolean[];
	whole: boolean[];
}

/** The first layout that fits: one line a row, then intervals on lines of their own, then several tables. */
function gridsOf(shown: ShownView, width: number): Grid[] {
	const all = shown.columns.map((_, column) => column);
	for (const stacked of [false, true]) {
		const grid = gridOf(shown, all, { stacked });
		if (fits(grid.rows, { words: cutsOf(grid), narrowest: stacked ? 12 : widest, width })) return [grid];
	}
	const leading = shown.columns.findIndex(({ words }) => !words);
	const names = all.slice(0, leading < 0 ? 1 : leading);
	const grids: Grid[] = [];
	let taken: number[] = [];
	for (const column of all.slice(names.length)) {
		const wider = gridOf(shown, [...names, ...taken, column], { stacked: true });
		if (taken.length > 0 && !fits(wider.rows, { width })) {
			grids.push(gridOf(shown, [...names, ...taken], { stacked: true }));
			taken = [];
		}
		taken.push(column);
	}
	return [...grids, gridOf(shown, [...names, ...taken], { stacked: true })];
}

/** Columns that may be cut. */
const cutsOf = ({ words, whole }: Grid) => words.map((isOfWords, column) => isOfWords && !whole[column]);

function gridOf(shown: ShownView, columns: readonly number[], { stacked }: { stacked: boolean }): Grid {
	const chosen = columns.map((column) => shown.columns[column]);
	const words = chosen.map((column) => column?.words ?? false);
	const whole = chosen.map((column) => column?.whole ?? false);
	// a run's name over its columns takes a line for each of its parts
	const groups = chosen.map((column, place) => {
		const group = column?.group ?? "";
		return group === chosen[place - 1]?.group ? [] : group.split(" · ");
	});
	const lines = Math.max(...groups.map(({ length }) => length));
	const over = Array.from({ length: lines }, (_, at) =>
		groups.map((parts) => cutTo(parts[at] ?? "", lines > 1 ? narrow : widest)),
	).filter((line) => line.some((text) => text !== ""));
	const body = shown.rows.flatMap((row) => linesOf(row, { columns, words, whole, stacked }));
	const head = chosen.map((column) => cutTo(column?.title ?? "", widest));
	return { rows: [...over, head, ...body], heads: over.length + 1, words, whole };
}

interface LineOptions {
	columns: readonly number[];
	words: readonly boolean[];
	whole: readonly boolean[];
	stacked: boolean;
}

function linesOf(row: ShownRow, { columns, words, whole, stacked }: LineOptions): string[][] {
	const cells = columns.map((column) => row.cells[column]);
	const first = cells.map((cell, place) => {
		if (!cell || (columns[place] ?? 0) < row.repeats) return "";
		if (whole[place]) return cell.text;
		return words[place] ? cutTo(cell.text, widest) : numberText(cell, { inline: !stacked });
	});
	const second = cells.map((cell) =>
		cell === undefined
			? ""
			: [cell.interval, cell.counts, cell.bounds && `in ${cell.bounds}`].filter(Boolean).join(" "),
	);
	return stacked && second.some((text) => text !== "") ? [first, second] : [first];
}

/** `43 (38–47) † 28/30`; the best has an asterisk, since a pipe has no bold. */
function numberText(
	{ text, interval, counts, bounds, marks, best }: ShownCell,
	{ inline }: { inline: boolean },
): string {
	const number = `${text}${best ? "*" : ""}${marks}`;
	if (!inline) return number;
	return [number, interval && `(${interval})`, counts, bounds && `in ${bounds}`]
		.filter((part) => part !== "")
		.join(" ");
}

/** Several views, one below the other, with a rule between them. */
export const renderTerminalAll = (views: readonly View[], options: TerminalOptions = {}): string =>
	views.map((view) => renderTerminal(view, options)).join(`\n\n${"─".repeat(stylesOf(options).prose)}\n\n`);
