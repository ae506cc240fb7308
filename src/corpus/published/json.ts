import { z } from "zod";
import { freeObject } from "#domain";
import { parseLine } from "#store";
import { addRecord } from "../add-record.ts";
import type { SourceFile } from "../find-files.ts";
import { parsedKind, readParsed, sizeFiles } from "../parsed/read-parsed.ts";
import type { ReadContext, SourceReader } from "../reader.ts";
import { readRecord } from "../record.ts";
import { lines, readText } from "../text-readers.ts";
import { jsonEntries } from "./json-entries.ts";
import { isWebQa, webQaAdder } from "./webqa.ts";

/** Larger files are read entry by entry: only lists of records and WebQA's questions can be. */
const mostWhole = 128 * 1024 * 1024;

/** A JSON file by what it holds: another parser's document, WebQA's questions, records, or settings, read as they stand. */
export const json: SourceReader = {
	tool: "json-3",
	mostBytes: Number.POSITIVE_INFINITY,
	isolated: false,
	kept: true,
	async sides({ path }) {
		return /content_list\.json$/.test(path) ? sizeFiles(path).filter((side) => side !== path) : [];
	},
	async read(file, context) {
		if (file.size > mostWhole) {
			await readEntries(file, context);
			return {};
		}
		const parsed = parseLine(await readText(file.path), z.union([z.array(z.unknown()), freeObject({})]));
		if ("problem" in parsed) throw new Error(parsed.problem);
		const { value } = parsed;
		const kind = parsedKind(value);
		if (kind !== undefined) return readParsed(value, kind, file, context);
		const questions = Object.values(value);
		if (isWebQa(questions[0])) {
			const webQa = webQaAdder(file, context);
			for (const [index, question] of questions.entries()) await webQa.add(question, index + 1);
			webQa.finish();
		} else if (Array.isArray(value))
			for (const [index, record] of value.entries()) addRecord(record, index + 1, file, context);
		else if ("problem" in readRecord(value) && file.size <= lines.mostBytes) return lines.read(file, context);
		else addRecord(value, 1, file, context);
		return {};
	},
};

async function readEntries(file: SourceFile, context: ReadContext): Promise<void> {
	const webQa = webQaAdder(file, context);
	for await (const { number, key, text } of jsonEntries(file.path)) {
		context.signal?.throwIfAborted();
		const parsed = parseLine(text, z.unknown());
		if ("problem" in parsed) context.problem(`${parsed.problem}; left out`, `:${number}`);
		else if (isWebQa(parsed.value)) await webQa.add(parsed.value, number);
		else if (key === undefined) addRecord(parsed.value, number, file, context);
		else throw new Error(`is one object of more than ${mostWhole / 1024 / 1024} MB; write its records as JSON lines`);
	}
	webQa.finish();
}
