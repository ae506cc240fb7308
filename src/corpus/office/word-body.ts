import type { BlockKind, Cell } from "#domain";
import { attachCaptions } from "../attach-captions.ts";
import type { Draft } from "../draft-page.ts";
import {
	attribute,
	child,
	childrenOf,
	countCharacters,
	descendants,
	type Element,
	find,
	isElement,
	type Node,
	textOf,
	wordSet,
} from "../html/markup.ts";
import { tableText } from "../html/table.ts";
import { partBlocks } from "./chart.ts";
import type { OfficePackage, Relation } from "./package.ts";
import { byOutline, type ParagraphStyle } from "./word-styles.ts";

/** What the walk over a part of a word-processor file needs. */
export interface WordPart {
	office: OfficePackage;
	relations: Map<string, Relation>;
	styleOf(id: string | undefined): ParagraphStyle;
	/** Chart and diagram parts, read before. */
	parts: Map<string, Element>;
	/** Numbers of the footnotes and endnotes that the text refers to, in order, as `footnote:2`. */
	notes: string[];
	/** Characters other than white space that the blocks have beyond the written ones: marks of notes, charts. */
	extra: { characters: number };
}

/** The blocks of a body, header or note. */
export function wordBlocks(root: Element, part: WordPart): Draft[] {
	const out: Draft[] = [];
	let list: Draft | undefined;

	function add(draft: Draft): void {
		list = undefined;
		out.push(draft);
	}

	function body(element: Element): void {
		for (const node of element.children) {
			if (!isElement(node)) {
				// only what was nested too deep to keep its elements stands here
				if (node.trim() !== "") add({ kind: "text", text: node.trim() });
			} else if (node.name === "p") paragraph(node);
			else if (node.name === "tbl") for (const draft of table(node, part)) add(draft);
			else if (containers.has(node.name)) body(node);
			else if (node.name === "AlternateContent") body(choice(node));
		}
	}

	function paragraph(element: Element): void {
		const properties = child(element, "pPr");
		const inside: Element[] = [];
		const text = runText(element, part, inside)
			.replace(/[ \u00a0]+\n/g, "\n")
			.trim();
		const style = byOutline(properties) ?? part.styleOf(attribute(child(properties, "pStyle"), "val"));
		const numbered = child(properties, "numPr");
		if (text !== "") {
			if (style.kind === "list" || (numbered && style.kind === "text")) {
				const depth = Number(attribute(child(numbered, "ilvl"), "val") ?? "0");
				const line = `${"  ".repeat(Math.min(Math.max(depth, 0), 8))}${text}`;
				if (list) list.text += `\n${line}`;
				else {
					add({ kind: "list", text: line });
					list = out.at(-1);
				}
			} else if (style.kind === "code" && out.at(-1)?.kind === "code") (out.at(-1) as Draft).text += `\n${text}`;
			else {
				const kind: BlockKind = style.kind === "title" ? "heading" : style.kind;
				add({ kind, text, ...(kind === "heading" ? { level: style.level ?? 1 } : {}) });
			}
		}
		for (const drawing of inside) for (const draft of drawingBlocks(drawing, part)) add(draft);
	}

	body(root);
	attachCaptions(out);
	return out;
}

const containers = wordSet("sdt sdtContent ins moveTo customXml smartTag body Choice Fallback txbxContent");
/** Text that is deleted, moved away, or a field's instruction. */
const unread = wordSet("pPr rPr del moveFrom instrText delText fldData sdtPr sdtEndPr rt");
const drawings = wordSet("drawing pict object");

/** Of alternatives the first, or the older form where that says nothing. */
function choice(element: Element): Element {
	const [first] = childrenOf(element, "Choice");
	const older = child(element, "Fallback");
	return (first && first.children.length > 0 ? first : older) ?? element;
}

/** Text of the runs below; drawings on the way are put into `inside`. */
function runText(node: Node, part: WordPart, inside: Element[]): string {
	if (!isElement(node)) return "";
	if (unread.has(node.name)) return "";
	if (node.name === "AlternateContent") return runText(choice(node), part, inside);
	if (drawings.has(node.name)) {
		inside.push(node);
		return "";
	}
	if (node.name === "t") return node.children.filter((inner) => !isElement(inner)).join("");
	if (node.name === "tab" || node.name === "ptab") return "\t";
	if (node.name === "br" || node.name === "cr") return "\n";
	if (node.name === "noBreakHyphen") return "-";
	if (node.name === "sym") return symbol(attribute(node, "char"));
	if (node.name === "footnoteReference" || node.name === "endnoteReference") return noteMark(node, part);
	return node.children.map((inner) => runText(inner, part, inside)).join("");
}

function noteMark(element: Element, part: WordPart): string {
	part.notes.push(`${element.name.replace("Reference", "")}:${attribute(element, "id") ?? ""}`);
	const mark = `[${part.notes.length}]`;
	part.extra.characters += mark.length;
	return mark;
}

/** Symbols of the private fonts stand at F000 and above; their code there says nothing. */
function symbol(code: string | undefined): string {
	const value = Number.parseInt(code ?? "", 16);
	return value >= 32 && value < 0xe000 ? String.fromCodePoint(value) : "";
}

/** A drawing's picture, chart, diagram and text boxes. */
function drawingBlocks(drawing: Element, part: WordPart): Draft[] {
	const out: Draft[] = [];
	const described = find(drawing, "docPr");
	const shape = find(drawing, "shape");
	const alt = attribute(described, "descr") || attribute(described, "title") || attribute(shape, "alt") || "";
	const outside = (element: Element) => !["txbxContent", "AlternateContent"].includes(element.name);
	for (const element of descendants(drawing, outside)) {
		if (element.name === "blip" || element.name === "imagedata") {
			const id = attribute(element, "embed") ?? attribute(element, "id");
			const target = part.relations.get(id ?? "")?.target;
			const picture = target === undefined ? undefined : part.office.picture(target, alt);
			if (picture) out.push({ kind: "figure", text: "", picture });
			else if (alt !== "") {
				part.extra.characters += countCharacters(alt);
				out.push({ kind: "figure", text: alt });
			}
		} else if (element.name === "chart" || element.name === "relIds") {
			const id = attribute(element, "dm") ?? attribute(element, "id");
			const target = part.relations.get(id ?? "")?.target;
			const markup = target === undefined ? undefined : part.parts.get(target);
			if (markup) {
				const { drafts, characters } = partBlocks(markup);
				part.extra.characters += characters;
				out.push(...drafts);
			}
		} else if (element.name === "txbxContent") out.push(...wordBlocks(element, part));
		else if (element.name === "AlternateContent") {
			const box = find(choice(element), "txbxContent");
			if (box) out.push(...wordBlocks(box, part));
		}
	}
	return out;
}

const mostColumns = 200;

/** A number that a file states, at least `least`. */
const within = (value: string | undefined, least: number) =>
	Math.max(least, Math.min(Math.trunc(Number(value ?? least)) || least, mostColumns));

/** What a block says in a cell: of a table in it, the cells without bars between. */
const plainText = ({ text, cells }: Draft) => (cells ? cells.map((cell) => cell.text).join(" ") : text);

/** A table, and the pictures of its cells after it; what a table of one cell frames, as it is. */
function table(element: Element, part: WordPart): Draft[] {
	const cells: Cell[] = [];
	const pictures: Draft[] = [];
	const lines = rowsOf(element);
	const [only] = lines.flatMap(cellsOf);
	if (only && lines.flatMap(cellsOf).length === 1) return wordBlocks(only, part);
	const above = new Map<number, Cell>();
	const look = child(child(element, "tblPr"), "tblLook");
	const style = attribute(child(child(element, "tblPr"), "tblStyle"), "val") ?? "TableGrid";
	const firstRow = attribute(look, "firstRow") === "1" && style !== "TableGrid";
	for (const [row, line] of lines.entries()) {
		const properties = child(line, "trPr");
		const header = child(properties, "tblHeader") !== undefined || (row === 0 && firstRow);
		let column = within(attribute(child(properties, "gridBefore"), "val"), 0);
		for (const cell of cellsOf(line)) {
			const cellProperties = child(cell, "tcPr");
			const columns = within(attribute(child(cellProperties, "gridSpan"), "val"), 1);
			const merge = child(cellProperties, "vMerge");
			const top = above.get(column);
			const blocks = wordBlocks(cell, part);
			pictures.push(...blocks.filter(({ picture }) => picture));
			const text = blocks
				.map(plainText)
				.filter((line) => line !== "")
				.join("\n");
			if (merge && attribute(merge, "val") !== "restart" && top && text === "") top.rows = row - top.row + 1;
			else {
				const placed: Cell = { row, column, rows: 1, columns, text, header };
				cells.push(placed);
				if (merge) above.set(column, placed);
				else above.delete(column);
			}
			column += columns;
		}
	}
	// nested too deep to keep its cells
	if (cells.length === 0)
		return [{ kind: "text" as const, text: textOf(element).trim() }].filter(({ text }) => text !== "");
	return [{ kind: "table", text: tableText(cells), cells }, ...pictures];
}

const wrapped = (element: Element, name: string): Element[] =>
	element.children.flatMap((node) => {
		if (!isElement(node)) return [];
		if (node.name === name) return [node];
		return ["sdt", "sdtContent", "ins", "customXml"].includes(node.name) ? wrapped(node, name) : [];
	});
const rowsOf = (element: Element) => wrapped(element, "tr");
const cellsOf = (element: Element) => wrapped(element, "tc");
