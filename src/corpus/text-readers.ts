import { readFile } from "node:fs/promises";
import { pathOnDisk } from "#store";
import { addCuts } from "./add-record.ts";
import { inWords } from "./captions.ts";
import type { SourceFile } from "./find-files.ts";
import { readMarkdown } from "./markdown.ts";
import { type Cut, cutByLength } from "./passages.ts";
import type { SourceReader } from "./reader.ts";

const mostBytes = 64 * 1024 * 1024;
const about = (file: SourceFile, title = inWords(file.label)) => ({
	file,
	title,
	document: file.label,
	idPrefix: `${file.label}#`,
});

export const text: SourceReader = {
	tool: "text-1",
	mostBytes,
	isolated: false,
	kept: true,
	async read(file, context) {
		const pieces = cutByLength(await readText(file.path));
		const cuts = pieces.map((piece, index): Cut => ({ key: `${index + 1}`, text: piece, form: "prose" }));
		addCuts(cuts, about(file), context);
		return {};
	},
};

export const markdown: SourceReader = {
	tool: "markdown-1",
	mostBytes,
	isolated: false,
	kept: true,
	async read(file, context) {
		const { title, cuts } = readMarkdown(await readText(file.path));
		addCuts(cuts, about(file, title), context);
		return {};
	},
};

/** UTF-8 text; bytes that are not text are refused rather than indexed as noise. */
export async function readText(path: string): Promise<string> {
	const bytes = await readFile(pathOnDisk(path));
	if (bytes.subarray(0, 8192).includes(0)) throw new Error("is not a text file (it holds zero bytes); not read");
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw new Error("is not UTF-8 text; not read. Save it as UTF-8");
	}
}
