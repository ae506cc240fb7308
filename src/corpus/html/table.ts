import type { Cell } from "#domain";
import {
	attribute,
	child,
	childrenOf,
	descendants,
	type Element,
	isElement,
	type Node,
	parseMarkup,
	wordSet,
} from "./markup.ts";

/** Spans beyond these are a mistake or an attack: a table of so many cells would not fit on a page. */
const mostColumns = 1000;
const mostRows = 10_000;

/** The cells of the first table in a piece of HTML; none where it holds no table. Never throws. */
export function htmlTable(html: string): Cell[] {
	for (const element of descendants(parseMarkup(html, "html")))
		if (element.name === "table") return cellsOf(element, cellText);
	return [];
}

/**
 * The cells of a `table` element by the HTML table model: row and column spans push later cells aside, cells of `thead`
 * and `th` are headers. `text` makes what a cell says of its element.
 */
export function cellsOf(table: Element, text: (cell: Element) => string): Cell[] {
	const cells: Cell[] = [];
	// by column, the row at which a span from above ends
	const taken: number[] = [];
	for (const [row, { element, head }] of rowsOf(table).slice(0, mostRows).entries()) {
		let column = 0;
		for (const node of element.children) {
			if (!isElement(node) || (node.name !== "td" && node.name !== "th")) continue;
			while ((taken[column] ?? 0) > row) column += 1;
			if (column >= mostColumns) break;
			const columns = Math.min(span(node, "colspan"), mostColumns - column);
			const rows = Math.min(span(node, "rowspan"), mostRows - row);
			for (let at = column; at < column + columns; at += 1) taken[at] = row + rows;
			cells.push({ row, column, rows, columns, text: text(node), header: head || node.name === "th" });
			column += columns;
		}
	}
	return withinRows(cells);
}

function rowsOf(table: Element): { element: Element; head: boolean }[] {
	return table.children.flatMap((node) => {
		if (!isElement(node)) return [];
		if (node.name === "tr") return [{ element: node, head: false }];
		if (!["thead", "tbody", "tfoot"].includes(node.name)) return [];
		return childrenOf(node, "tr").map((element) => ({ element, head: node.name === "thead" }));
	});
}

/** A span that leads below the last row ends there. */
function withinRows(cells: Cell[]): Cell[] {
	const last = cells.reduce((most, { row }) => Math.max(most, row), 0);
	return cells.map((cell) => ({ ...cell, rows: Math.min(cell.rows, last - cell.row + 1) }));
}

function span(cell: Element, name: string): number {
	const value = Number.parseInt(attribute(cell, name) ?? "1", 10);
	return Number.isFinite(value) && value > 0 ? value : 1;
}

/** A table's text: a line a row, cells parted by ` | `. */
export function tableText(cells: Cell[]): string {
	const rows = new Map<number, Cell[]>();
	for (const cell of cells) rows.set(cell.row, [...(rows.get(cell.row) ?? []), cell]);
	return [...rows]
		.sort(([a], [b]) => a - b)
		.map(([, row]) =>
			row
				.sort((a, b) => a.column - b.column)
				.map(({ text }) => text.replace(/\s+/g, " ").trim())
				.join(" | "),
		)
		.filter((line) => /[^\s|]/.test(line))
		.join("\n");
}

export const captionOfTable = (table: Element) => child(table, "caption");

/** What a cell or another short piece says, lines kept apart. */
export function cellText(element: Element): string {
	return linesOf(element)
		.replace(/[ \t\n\r\f\u00a0]+/g, " ")
		.replace(/ ?\u2028 ?/g, "\n")
		.replace(/\n{2,}/g, "\n")
		.trim();
}

const ownLine = wordSet("br p div li tr h1 h2 h3 h4 h5 h6 pre dt dd blockquote");
const parted = new Set(["td", "th"]);
const unread = wordSet("script style template noscript annotation annotation-xml");

function linesOf(node: Node): string {
	if (!isElement(node)) return node.replaceAll("\u2028", " ");
	if (unread.has(node.name)) return "";
	if (node.name === "img") return ` ${attribute(node, "alt") ?? ""} `;
	const inner = node.children.map(linesOf).join("");
	if (ownLine.has(node.name)) return `\u2028${inner}\u2028`;
	return parted.has(node.name) ? ` ${inner} ` : inner;
}

/** What a piece of HTML says, without its marks. Never throws. */
export const htmlText = (html: string) => cellText(parseMarkup(html, "html"));
