/**
 * Fact sheets: one document a subregion with a few countries on each page, and two registers, of summits and of
 * airports. The text of a page is made of the very lines that are drawn on it.
 */
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import PDFDocument from "pdfkit";
import type { Page } from "#domain";
import type { GraphEntity, GraphFact } from "#recipes";
import { sha256 } from "#store";
import { type Register, readTables } from "./content.ts";
import type { Draft } from "./draft.ts";
import { fontFile } from "./glyphs.ts";
import { writtenProvenance } from "./packages.ts";
import { render } from "./render.ts";
import { slugOf } from "./slug.ts";

type PageEvidence = ReturnType<typeof Page.parse>;
type Line = {
	text: string;
	style: "title" | "heading" | "line" | "row";
	/** Shares of the width, for a text whose cells are parted by bars. */
	columns?: number[];
};
interface SheetPage {
	label: string;
	lines: Line[];
	facts: GraphFact[];
}
interface Sheet {
	id: string;
	title: string;
	pages: SheetPage[];
}

const size: [number, number] = [595.28, 841.89];
const margin = 56;
const countriesPerPage = 4;
const rowsPerPage = 32;

/** Writes the documents under `dir` and gives their pages with the facts that each states. */
export async function drawSheets(draft: Draft, dir: string): Promise<{ page: PageEvidence; facts: GraphFact[] }[]> {
	const { sheet: lines, registers } = readTables();
	const sheets = [...regionSheets(draft, lines), ...registers.map((one) => register(draft, one))];
	const results: { page: PageEvidence; facts: GraphFact[] }[] = [];
	for (const sheet of sheets) {
		const file = `documents/${sheet.id.replace("sheet/", "")}.pdf`;
		await drawPdf(sheet, join(dir, file));
		sheet.pages.forEach((page, index) => {
			const text = page.lines.map(({ text: line }) => line).join("\n");
			results.push({
				page: {
					kind: "page",
					id: `${sheet.id}#${index}`,
					document: sheet.id,
					title: sheet.title,
					language: "en",
					sha256: sha256(text),
					provenance: writtenProvenance,
					text,
					page: index,
					label: page.label,
					file,
					size,
				},
				facts: page.facts,
			});
		});
	}
	return results;
}

function regionSheets(draft: Draft, countryLines: readonly string[]): Sheet[] {
	const regions = ofType(draft, "subregion");
	return regions.map((region) => {
		const members = byName(
			draft.pointingAt(region.id, "subregion").flatMap(({ subject }) => draft.entities.get(subject) ?? []),
		);
		const title = `Fact sheet: ${region.names.en}`;
		const blocks = members.map((member) => {
			const heading: Line = { text: member.names.en, style: "heading" };
			const said = countryLines.flatMap((line) => rendered(draft, line, member) ?? []);
			return {
				lines: [heading, ...said.map(({ text }): Line => ({ text, style: "line" }))],
				facts: said.flatMap(({ facts }) => facts),
			};
		});
		return {
			id: `sheet/${slugOf(region.names.en)}`,
			title,
			pages: inGroups(blocks, countriesPerPage).map((group, index) => ({
				label: `${initials(region.names.en)}-${index + 1}`,
				lines: [{ text: title, style: "title" as const }, ...group.flatMap(({ lines }) => lines)],
				facts: group.flatMap(({ facts }) => facts),
			})),
		};
	});
}

function register(draft: Draft, about: Register): Sheet {
	const rows = byName(ofType(draft, about.of)).flatMap((entity) => rendered(draft, about.row, entity) ?? []);
	return {
		id: about.id,
		title: about.title,
		pages: inGroups(rows, rowsPerPage).map((group, index) => ({
			label: `${about.label} ${index + 1}`,
			lines: [
				{ text: about.title, style: "title" as const },
				{ text: about.head, style: "heading" as const, columns: about.columns },
				...group.map(({ text }) => ({ text, style: "row" as const, columns: about.columns })),
			],
			facts: group.flatMap(({ facts }) => facts),
		})),
	};
}

/** Draws the lines of every page. Dates are fixed and the identifier follows from them, so the bytes do not change. */
async function drawPdf(sheet: Sheet, file: string): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	const document = new PDFDocument({
		autoFirstPage: false,
		size,
		margin,
		info: { Title: sheet.title, CreationDate: new Date(0), ModDate: new Date(0) },
	});
	document.registerFont("plain", fontFile("DejaVuSans")).registerFont("bold", fontFile("DejaVuSans-Bold"));
	const output = document.pipe(createWriteStream(file));
	for (const page of sheet.pages) {
		document.addPage();
		for (const line of page.lines) drawLine(document, line);
		document.font("plain").fontSize(9).fillColor("#666666");
		document.text(page.label, margin, size[1] - 44, {
			width: size[0] - 2 * margin,
			align: "center",
			lineBreak: false,
			height: 12,
		});
	}
	document.end();
	await finished(output);
}

const looks = {
	title: { font: "bold", size: 17, colour: "#1f3a4d", gap: 10 },
	heading: { font: "bold", size: 11.5, colour: "#35607f", gap: 4 },
	line: { font: "plain", size: 10, colour: "#222222", gap: 3 },
	row: { font: "plain", size: 9, colour: "#222222", gap: 7 },
} as const;

function drawLine(document: PDFKit.PDFDocument, { text, style, columns }: Line): void {
	const look = looks[style];
	document.font(look.font).fontSize(look.size).fillColor(look.colour);
	if (style === "heading") document.moveDown(0.6);
	const top = document.y;
	let bottom = top;
	let left = margin;
	text.split(columns ? " | " : "\n").forEach((cell, index) => {
		const width = (columns?.[index] ?? 1) * (size[0] - 2 * margin);
		document.text(cell, left, top, { width: width - 8 });
		bottom = Math.max(bottom, document.y);
		left += width;
	});
	document.y = bottom + look.gap;
}

const rendered = (draft: Draft, template: string, entity: GraphEntity) =>
	render(draft, template, { language: "en", roots: { s: entity }, key: entity.id });
const ofType = (draft: Draft, type: string) => [...draft.entities.values()].filter((entity) => entity.type === type);
const byName = (entities: GraphEntity[]) => [...entities].sort((a, b) => (a.id < b.id ? -1 : 1));
const initials = (name: string) => name.replace(/[^A-Z]/g, "");

function inGroups<T>(items: T[], count: number): T[][] {
	const groups: T[][] = [];
	for (let start = 0; start < items.length; start += count) groups.push(items.slice(start, start + count));
	return groups;
}
