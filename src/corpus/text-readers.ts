import { readFile } from "node:fs/promises";
import { pathOnDisk } from "#store";
import { addCuts } from "./add-record.ts";
import { inWords } from "./captions.ts";
import { decodeText } from "./decode-text.ts";
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
	tool: "text-2",
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
	tool: "markdown-2",
	mostBytes,
	isolated: false,
	kept: true,
	async read(file, context) {
		const { title, cuts } = readMarkdown(await readText(file.path));
		addCuts(cuts, about(file, title), context);
		return {};
	},
};

/** A file's text, in whatever encoding; bytes that are not text are refused rather than indexed as noise. */
export const readText = async (path: string): Promise<string> => decodeText(await readFile(pathOnDisk(path)));
