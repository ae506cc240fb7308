import { csvRows, tellDelimiter } from "#store";
import { inWords } from "./captions.ts";
import type { SourceFile } from "./find-files.ts";
import type { ReadContext, SourceReader } from "./reader.ts";
import { addTable } from "./table-rows.ts";
import { readText } from "./text-readers.ts";

const mostBytes = 128 * 1024 * 1024;

/** A table as spreadsheets save it: parted by comma, semicolon or tab, in named columns. */
export const csv: SourceReader = {
	tool: "csv-1",
	mostBytes,
	isolated: false,
	kept: false,
	async read(file, context) {
		await readTable(file, ",", context);
		return {};
	},
};

export async function readTable(file: SourceFile, usual: "," | "\t", context: ReadContext): Promise<void> {
	if (file.size > mostBytes)
		throw new Error(`is larger than ${mostBytes / 1024 / 1024} MB; not read. Save it as .parquet or .jsonl`);
	const text = await readText(file.path);
	addTable(csvRows(text, tellDelimiter(text, usual)), { file, title: inWords(file.label) }, context);
}
