/** A view with its numbers in words: what the terminal, Markdown, LaTeX and the page set in type, each in its own way. */

import { grouped, plainLine } from "#domain";
import { aboutInterval, missingWords } from "../../explanations.ts";
import { showNumber, supportedDecimals, type Unit } from "../../number-format.ts";
import type { Measured } from "../../report-data.ts";
import { boundsOf } from "../../wording.ts";
import { isMarked } from "../marks.ts";
import type { Cell, Column, View, ViewRow } from "../view.ts";
import { notesOf, signKey, signsOf } from "./shown-notes.ts";

export interface ShownCell {
	/** Of one line, without characters that act on the reader; not escaped for any format. */
	text: string;
	/** `38–47`, or empty. */
	interval: string;
	/** `28/30` where not everything expected was scored, or empty. */
	counts: string;
	/** `35–50`: what the rest could make of it, of columns that ask for it and instead of the counts. */
	bounds: string;
	/** Signs of significance, `†‡`. */
	marks: string;
	/** The best of the runs that it can be compared with. */
	best: boolean;
	published: boolean;
	/** More about the number, where a format has room for it aside. */
	about: string;
}

export interface ShownRow {
	cells: ShownCell[];
	kind: NonNullable<ViewRow["kind"]>;
	/** Leading cells of words that say the same as in the row above. */
	repeats: number;
	/** A rule goes before it: another first cell, or another kind of row. */
	parted: boolean;
}

export interface ShownColumn {
	title: string;
	group: string;
	/** Words stand to the left, numbers to the right. */
	words: boolean;
	/** Holds ids that a person must type: never cut. */
	whole: boolean;
}

export interface ShownView {
	name: string;
	title: string;
	describe: string;
	source: string;
	columns: ShownColumn[];
	rows: ShownRow[];
	notes: string[];
}

const longest = 200;

/** The view in words; `bestIs`, how the format sets the best numbers, is told in the notes. */
export function shownView(given: View, { bestIs = "Bold" }: { bestIs?: string } = {}): ShownView {
	const view = sideBySide(given);
	const best = bestCells(view);
	const signs = signsOf(view);
	const words = view.columns.map((column) => isOfWords(column, view.rows));
	const leading = words.findIndex((one) => !one);
	const rows = view.rows.map((row): ShownRow => {
		const cells = view.columns.map((column) =>
			shownCell(row.cells[column.key], { column, signs, best, over: view.over }),
		);
		return { cells, kind: row.kind ?? "plain", repeats: 0, parted: false };
	});
	for (const [place, row] of rows.entries()) {
		// counts that are the same all along a row stand once
		for (const [column, cell] of row.cells.entries())
			if (
				cell.counts !== "" &&
				row.cells.slice(0, column).some(({ counts, text }) => [counts, text].includes(cell.counts))
			)
				cell.counts = "";
		const above = rows[place - 1];
		if (!above) continue;
		// the cell before the first number names the row, and is never left out
		const most = Math.max(0, (leading < 0 ? words.length : leading) - 1);
		while (row.repeats < most && row.cells[row.repeats]?.text === above.cells[row.repeats]?.text) row.repeats += 1;
		const [part, partAbove] = [row, above].map(({ kind }) => (kind === "reference" ? "plain" : kind));
		row.parted = part !== partAbove || (rows.some((one) => one.repeats > 0) && row.repeats === 0);
	}
	return {
		name: view.name,
		title: plainLine(view.title, longest),
		describe: plainLine(view.describe),
		source: plainLine(view.source, longest),
		columns: view.columns.map(({ key, title, group = "", unit }, place) => ({
			title: plainLine(unit === "percent" ? `${title} %` : unit === "milliseconds" ? `${title} ms` : title, longest),
			group: plainLine(group, longest),
			words: words[place] ?? false,
			whole: key === "task",
		})),
		rows: marked(rows, view),
		notes: notesOf(view, { signs, bestIs: best.size > 0 ? bestIs : undefined }),
	};
}

/** The table with the values of its column `across` beside one another, each over the columns that follow it. */
function sideBySide(view: View): View {
	const at = view.columns.findIndex(({ key }) => key === view.across);
	if (at < 0) return view;
	const [lead, values] = [view.columns.slice(0, at), view.columns.slice(at + 1)];
	const [beside = "", wordsIn] = [view.across, (cell: Cell | undefined) => (cell?.is === "text" ? cell.text : "")];
	const names = [...new Set(view.rows.map(({ cells }) => wordsIn(cells[beside])))];
	const blocks = grouped(view.rows, ({ cells }) => JSON.stringify(lead.map(({ key }) => cells[key])));
	const rows = [...blocks.values()].map((some) => {
		const moved = some.flatMap(({ cells }): [string, Cell][] =>
			values.flatMap(({ key }) => {
				const cell = cells[key];
				return cell ? [[`${names.indexOf(wordsIn(cells[beside]))} ${key}`, cell]] : [];
			}),
		);
		return { cells: { ...some[0]?.cells, ...Object.fromEntries(moved) } };
	});
	const columns = names.flatMap((name, place) =>
		values.map(({ key, ...column }) => ({ ...column, key: `${place} ${key}`, group: name })),
	);
	return { ...view, columns: [...lead, ...columns], rows };
}

/** Rows that are no plain scores say so in their name, wherever they stand. */
function marked(rows: ShownRow[], view: View): ShownRow[] {
	const at = Math.max(
		0,
		view.columns.findIndex(({ key }) => key === "run"),
	);
	for (const { kind, cells } of rows) {
		const name = cells[at];
		const word = kind === "published" ? "published" : kind === "intervention" ? "intervention" : undefined;
		if (word !== undefined && name && !name.text.toLowerCase().includes(word)) name.text = `${name.text} (${word})`;
	}
	return rows;
}

const isOfWords = ({ key, unit }: Column, rows: readonly ViewRow[]) =>
	unit === "text" && rows.every(({ cells }) => (cells[key]?.is ?? "text") !== "count");

interface CellOptions {
	column: Column;
	signs: ReadonlyMap<string, string>;
	best: ReadonlySet<Cell>;
	over: string | undefined;
}

function shownCell(cell: Cell | undefined, { column, signs, best, over }: CellOptions): ShownCell {
	const empty = { interval: "", counts: "", bounds: "", marks: "", best: false, published: false, about: "" };
	switch (cell?.is) {
		case undefined:
			return { ...empty, text: "" };
		case "text":
			return { ...empty, text: plainLine(cell.text, longest) };
		case "count":
			return { ...empty, text: cell.of === undefined ? countText(cell.value) : `${cell.value}/${cell.of}` };
		case "unscored":
			return { ...empty, text: "–", about: plainLine(cell.reason, longest) };
		case "published":
			return {
				...empty,
				text: plainLine(cell.shown ?? publishedText(cell.value, column), longest),
				interval: plainLine(cell.spread ?? "", longest),
				published: true,
				about: "published, not run here",
			};
		case "measured": {
			const isPartial = cell.measured.scored < cell.measured.expected;
			return {
				...empty,
				...measuredText(cell.measured, column),
				counts: isPartial && !column.bounded ? `${cell.measured.scored}/${cell.measured.expected}` : "",
				bounds: (column.bounded && boundsOf(cell.measured)) || "",
				marks: (cell.marks ?? [])
					.filter(isMarked)
					.map((mark) => signs.get(signKey(mark)) ?? "")
					.join(""),
				best: best.has(cell),
				about: aboutMeasured(cell.measured, over),
			};
		}
	}
}

const unitOf = (column: Column): Unit => (column.unit === "percent" ? "percent" : "plain");

/** Counts are whole as a rule; what is not (a mean count) has two digits. */
const countText = (value: number) => (Number.isInteger(value) ? String(value) : showNumber(value, "plain", 2));

function publishedText(value: number, { unit }: Column): string {
	// the digits of a share in percent, without those that multiplying adds
	return (unit === "percent" ? Number((value * 100).toPrecision(12)) : value).toString().replace("-", "−");
}

function measuredText(measured: Measured, column: Column): { text: string; interval: string } {
	const { value, low, high } = measured;
	if (value === null) return { text: "–", interval: "" };
	const unit = unitOf(column);
	const decimals = supportedDecimals(measured, unit);
	const write = (number: number) => {
		const text = showNumber(number, unit, decimals);
		return column.signed && number > 0 && /[1-9]/.test(text) ? `+${text}` : text;
	};
	const signed = column.signed === true || (low !== null && low < 0);
	const known = low !== null && high !== null && (low < high || !column.signed);
	return { text: write(value), interval: known ? write(low) + (signed ? " to " : "–") + write(high) : "" };
}

function aboutMeasured(measured: Measured, over: string | undefined): string {
	const missing = missingWords(measured);
	const parts = [aboutInterval(measured, over), ...(missing === "" ? [] : [`not scored ${missing}`])];
	return plainLine(parts.filter((part) => part !== "").join("; "), longest);
}

/**
 * The best of each column among plain rows of different runs whose other words are alike: neither published figures nor
 * interventions nor reference agents take part, since they answer another question.
 */
function bestCells(view: View): Set<Cell> {
	const best = new Set<Cell>();
	const plainRows = view.rows.filter(({ kind = "plain", run }) => kind === "plain" && run !== undefined);
	const blocks = grouped(plainRows, ({ cells }) =>
		JSON.stringify(
			view.columns.map(({ key, unit }) => {
				const cell = cells[key];
				return key !== "run" && unit === "text" && cell?.is === "text" ? cell.text : "";
			}),
		),
	);
	for (const rows of blocks.values())
		for (const { key, better } of view.columns) {
			const measured = rows.flatMap(({ run, cells: { [key]: cell } }) =>
				cell?.is === "measured" && cell.measured.value !== null ? [{ run, cell, value: cell.measured.value }] : [],
			);
			const values = measured.map(({ value }) => value);
			if (better === undefined || new Set(measured.map(({ run }) => run)).size < 2) continue;
			// where all are alike none is better
			if (new Set(values).size < 2) continue;
			const top = better === "higher" ? Math.max(...values) : Math.min(...values);
			for (const { cell, value } of measured) if (value === top) best.add(cell);
		}
	return best;
}

/** Neighbours under one heading; `from` counts from 1. */
export function spansOf(columns: readonly ShownColumn[]): { group: string; from: number; count: number }[] {
	const spans: { group: string; from: number; count: number }[] = [];
	for (const [place, { group }] of columns.entries()) {
		const last = spans.at(-1);
		if (last?.group === group) last.count += 1;
		else spans.push({ group, from: place + 1, count: 1 });
	}
	return spans;
}
