import { inWords } from "../captions.ts";
import { at, attribute, childrenOf, descendants, type Element, textOf } from "../html/markup.ts";
import type { SourceReader } from "../reader.ts";
import { addTable } from "../table-rows.ts";
import { type OfficePackage, openPackage, titleOf } from "./package.ts";

const mostSheets = 200;
const mostColumns = 500;

/** A spreadsheet (SpreadsheetML): each sheet a table, its values as they were last worked out, dates as dates. */
export const xlsx: SourceReader = {
	tool: "xlsx-1",
	mostBytes: 128 * 1024 * 1024,
	isolated: true,
	kept: true,
	async read(file, context) {
		const office = await openPackage(file.path, ".xlsx");
		try {
			const book = at(await office.xml(office.main), "workbook");
			if (!book) throw new Error("is not an .xlsx file (it holds no workbook)");
			const relations = await office.relations(office.main);
			const part = (type: string) => [...relations.values()].find((relation) => relation.type === type)?.target;
			const strings = await stringsOf(office, part("sharedStrings"));
			const isDate = await datesOf(office, part("styles"));
			const from1904 = ["1", "true"].includes(at(book, "workbookPr")?.attributes.date1904 ?? "");
			const sheets = childrenOf(at(book, "sheets"), "sheet");
			if (sheets.length > mostSheets) context.problem(`holds more than ${mostSheets} sheets; the others are left out`);
			const title = titleOf(office) ?? inWords(file.label);
			for (const sheet of sheets.slice(0, mostSheets)) {
				const name = sheet.attributes.name ?? "sheet";
				const target = relations.get(attribute(sheet, "id") ?? "")?.target;
				const data = target === undefined ? undefined : at(await office.xml(target), "worksheet", "sheetData");
				// charts are sheets without data
				if (!data) continue;
				const rows = rowsOf(data, { strings, isDate, from1904 });
				addTable(rows, { file, title: sheets.length === 1 ? title : `${title}: ${name}`, sheet: name }, context);
			}
			return {};
		} finally {
			office.close();
		}
	},
};

interface Book {
	strings: string[];
	/** Whether a cell of this style shows its number as a date. */
	isDate(style: number): boolean;
	from1904: boolean;
}

function* rowsOf(data: Element, book: Book): Generator<string[]> {
	for (const row of childrenOf(data, "row")) {
		const cells: string[] = [];
		for (const cell of childrenOf(row, "c")) {
			const column = columnOf(cell.attributes.r) ?? cells.length;
			if (column >= mostColumns) continue;
			while (cells.length < column) cells.push("");
			cells[column] = shownIn(cell, book);
		}
		if (cells.some((cell) => cell.trim() !== "")) yield cells;
	}
}

/** The column, from 0, of a place such as `AB12`. */
function columnOf(place: string | undefined): number | undefined {
	const letters = /^[A-Z]{1,3}/.exec(place ?? "")?.[0];
	if (letters === undefined) return undefined;
	return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function shownIn(cell: Element, { strings, isDate, from1904 }: Book): string {
	const type = cell.attributes.t ?? "n";
	if (type === "inlineStr") return runs(at(cell, "is"));
	const value = childrenOf(cell, "v").map(textOf).join("").trim();
	if (type === "s") return strings[Number(value)] ?? "";
	if (type === "b") return value === "1" ? "TRUE" : "FALSE";
	if (type !== "n" || value === "" || !Number.isFinite(Number(value))) return value;
	const number = Number(value);
	if (isDate(Number(cell.attributes.s ?? "0"))) return dateText(number, from1904) ?? value;
	// 0.1 + 0.2 is kept with all its binary digits and shown with 15
	return String(Number(number.toPrecision(15)));
}

/** Texts of a string, without what is said of its pronunciation. */
const runs = (element: Element | undefined): string =>
	element
		? [...descendants(element, ({ name }) => name !== "rPh")]
				.filter(({ name }) => name === "t")
				.map(textOf)
				.join("")
		: "";

async function stringsOf(office: OfficePackage, part: string | undefined): Promise<string[]> {
	const table = part === undefined ? undefined : at(await office.xml(part), "sst");
	return childrenOf(table, "si").map(runs);
}

/** Formats that are dates or times by number (ECMA-376 18.8.30); others are told by their signs. */
const builtIn = (format: number) => (format >= 14 && format <= 22) || (format >= 45 && format <= 47);

async function datesOf(office: OfficePackage, part: string | undefined): Promise<(style: number) => boolean> {
	const sheet = part === undefined ? undefined : at(await office.xml(part), "styleSheet");
	const own = new Map(
		childrenOf(at(sheet, "numFmts"), "numFmt").map(({ attributes }) => [
			Number(attributes.numFmtId),
			/[ymdhs]/i.test((attributes.formatCode ?? "").replace(/"[^"]*"|\\.|\[[^\]]*\]|General/gi, "")),
		]),
	);
	const dates = childrenOf(at(sheet, "cellXfs"), "xf").map(({ attributes }) => {
		const format = Number(attributes.numFmtId ?? "0");
		return own.get(format) ?? builtIn(format);
	});
	return (style) => dates[style] ?? false;
}

const dayMilliseconds = 86_400_000;

/** A day count as a date; less than a day is a time. Day 60 of the usual count, 29 February 1900, never was. */
function dateText(days: number, from1904: boolean): string | undefined {
	if (days < 0 || days > 2_958_466) return undefined;
	const first = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
	const text = new Date(first + Math.round((days * dayMilliseconds) / 1000) * 1000).toISOString();
	if (days < 1) return text.slice(11, 19);
	return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ");
}
