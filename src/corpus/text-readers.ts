import { readFile } from "node:fs/promises";
import { basename } from "node:path/posix";
import { pathOnDisk } from "#store";
import { addCuts } from "./add-record.ts";
import { inWords } from "./captions.ts";
import { cutLines } from "./cut-lines.ts";
import { decodeText } from "./decode-text.ts";
import type { SourceFile } from "./find-files.ts";
import { readMarkdown } from "./markdown.ts";
import { readAsciiDoc } from "./marked-up/asciidoc.ts";
import { readLatex } from "./marked-up/latex.ts";
import { readRestructuredText } from "./marked-up/restructured-text.ts";
import { type Cut, cutByLength } from "./passages.ts";
import type { SourceReader } from "./reader.ts";
import type { TextDocument } from "./sections.ts";

const mostBytes = 64 * 1024 * 1024;
const about = (file: SourceFile, title = inWords(file.label)) => ({
	file,
	title,
	document: file.label,
	idPrefix: `${file.label}#`,
});

const prose = (whole: string): Cut[] =>
	cutByLength(whole).map((piece, index) => ({ key: `${index + 1}`, text: piece, form: "prose" }));

export const text = textReader("text-2", (whole) => ({ title: undefined, cuts: prose(whole) }));
export const markdown = textReader("markdown-2", readMarkdown);
export const restructuredText = textReader("restructured-text-1", readRestructuredText);
export const asciiDoc = textReader("asciidoc-1", readAsciiDoc);
export const latex = textReader("latex-1", readLatex);

/** Code, settings and logs: text whose lines mean something, called by the file's whole name. */
export const lines = textReader("lines-1", (whole, file) => ({ title: basename(file.label), cuts: cutLines(whole) }));

function textReader(tool: string, cut: (whole: string, file: SourceFile) => TextDocument): SourceReader {
	return {
		tool,
		mostBytes,
		isolated: false,
		kept: true,
		async read(file, context) {
			const { title, cuts } = cut(await readText(file.path), file);
			addCuts(cuts, about(file, title), context);
			return {};
		},
	};
}

/** A file's text, in whatever encoding; bytes that are not text are refused rather than indexed as noise. */
export const readText = async (path: string): Promise<string> => decodeText(await readFile(pathOnDisk(path)));
