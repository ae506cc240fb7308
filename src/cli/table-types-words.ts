import { counted, plainLine } from "#domain";
import type { TableTold } from "#workbench";
import { textTable } from "./text-table.ts";

type Column = TableTold["types"][number];

/** What the columns of tables are read as, with how many cells are and what does not fit. */
export function tableTypesInWords(
	tables: readonly TableTold[],
	{ width }: { width?: number | undefined } = {},
): string {
	return tables.map((table) => oneTable(table, width).join("\n")).join("\n\n");
}

function oneTable({ name, rows, refused, unnamed, types }: TableTold, width: number | undefined): string[] {
	const left = [
		...(refused > 0 ? [`${refused} that cannot be read`] : []),
		...(unnamed > 0 ? [`${unnamed} left out that name nothing`] : []),
	];
	const head = ["column", "read as", "written", "read", "empty", "not read", "samples"];
	const cells = types.map((column) => [
		plainLine(column.column),
		column.subject ? "subject" : column.type,
		writtenInWords(column),
		String(column.read),
		String(column.empty),
		String(column.unread),
		column.samples
			.map(({ cell, as }) => plainLine(cell === as ? cell : `${cell} → ${as}`))
			.slice(0, 2)
			.join(", "),
	]);
	return [
		`${plainLine(name)}: ${[counted(rows, "row"), ...left].join(", ")}`,
		...textTable([head, ...cells], { left: [0, 1, 2, 6], width }),
		...types.flatMap(notesOf),
	];
}

function writtenInWords({ type, unit, form, decimal, given }: Column): string {
	const said = [
		...(type === "time" ? (form ?? []) : []),
		...(unit === undefined ? [] : [unit]),
		...(decimal === undefined ? [] : [`decimal ${decimal}`]),
	].join("; ");
	return given ? `${said} (given)`.trim() : said;
}

function notesOf({ column, misfits, unread, emptyWords, remark, problem }: Column): string[] {
	const words = Object.entries(emptyWords).map(([word, count]) => `"${word}" ${count}`);
	const said = [
		...(unread > 0
			? [`${counted(unread, "cell")} not read, and never asked for: ${misfits.map((cell) => `"${cell}"`).join(", ")}`]
			: []),
		...(words.length > 0 ? [`empty by word: ${words.slice(0, 5).join(", ")}`] : []),
		...(remark === undefined ? [] : [remark]),
		...(problem === undefined ? [] : [`${problem.says}; say ${problem.remedy}`]),
	];
	return said.map((note) => `  ${plainLine(`${column}: ${note}`, 300)}`);
}
