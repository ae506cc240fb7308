import { dirname, extname } from "node:path";
import { captionFiles } from "./captions.ts";
import { parquet } from "./columns/parquet.ts";
import { csv } from "./csv-reader.ts";
import type { SourceFile } from "./find-files.ts";
import { html, htmlInPages } from "./html/html-reader.ts";
import { imageExtensions } from "./image-file.ts";
import { image, scan } from "./image-reader.ts";
import { jsonLines } from "./json-readers.ts";
import { mail } from "./mail-reader.ts";
import { docx } from "./office/docx.ts";
import { epub } from "./office/epub.ts";
import { pptx } from "./office/pptx.ts";
import { xlsx } from "./office/xlsx.ts";
import { pagePictures } from "./page-folders/page-pictures.ts";
import { pdf } from "./pdf/index.ts";
import { imageLines } from "./published/image-lines.ts";
import { json } from "./published/json.ts";
import { sideFiles } from "./published/side-files.ts";
import type { ReadingOptions, SourceReader } from "./reader.ts";
import { asciiDoc, latex, lines, markdown, restructuredText, text } from "./text-readers.ts";

/** Scripts of web pages, which say nothing where they lie with the pages that run them. */
const scripts = [".js", ".mjs", ".cjs"];
const linesExtensions = [
	...scripts,
	...".yaml .yml .toml .ini .log .py .ts .tsx .jsx .java .kt .scala .c .h .cc .cpp .hpp .cs .go .rs .rb .php .swift".split(
		" ",
	),
	...".sh .bash .ps1 .sql .r .jl .lua .pl .hs .ex .exs .clj .dart .vue .svelte .proto .graphql .tf".split(" "),
];

const byExtension = new Map<string, SourceReader>([
	[".txt", text],
	[".text", text],
	[".md", markdown],
	[".markdown", markdown],
	[".rst", restructuredText],
	...[".adoc", ".asciidoc"].map((extension): [string, SourceReader] => [extension, asciiDoc]),
	...[".tex", ".latex"].map((extension): [string, SourceReader] => [extension, latex]),
	...linesExtensions.map((extension): [string, SourceReader] => [extension, lines]),
	[".jsonl", jsonLines],
	[".ndjson", jsonLines],
	[".json", json],
	[".parquet", parquet],
	[".csv", csv],
	[".eml", mail],
	[".epub", epub],
	...[".xlsx", ".xlsm", ".xltx", ".xls"].map((extension): [string, SourceReader] => [extension, xlsx]),
	[".tsv", imageLines],
	[".pdf", pdf],
	...[".docx", ".docm", ".dotx", ".doc"].map((extension): [string, SourceReader] => [extension, docx]),
	...[".pptx", ".pptm", ".ppsx", ".potx", ".ppt"].map((extension): [string, SourceReader] => [extension, pptx]),
	...[".html", ".htm", ".xhtml"].map((extension): [string, SourceReader] => [extension, html]),
	...[...imageExtensions].map((extension): [string, SourceReader] => [extension, image]),
]);

const byTool = new Map(
	[...byExtension.values(), scan, htmlInPages, pagePictures].map((reader) => [reader.tool, reader]),
);

/** Endings of the files that are read, in order. */
export const readExtensions = [...byExtension.keys()].sort();

/**
 * The readers of files by their names; `labels` are all files, so that what belongs to another one, such as an image's
 * side text or a web page's script, is not read as a document. `side`: belongs to another file; `unknown`: no reader for it.
 */
export function readersFor(
	labels: Set<string>,
	{ scans, htmlPages }: ReadingOptions & { htmlPages: boolean },
): (file: SourceFile) => SourceReader | "side" | "unknown" {
	const sides = sideFiles(labels);
	const pagesIn = new Set([...labels].filter((label) => /\.x?html?$/i.test(label)).map((label) => dirname(label)));
	const withPages = (label: string): boolean => {
		const folder = dirname(label);
		return pagesIn.has(folder) || (folder !== "." && folder !== "/" && withPages(folder));
	};
	return ({ label, folder }) => {
		if (folder) return pagePictures;
		const extension = extname(label).toLowerCase();
		const stem = label.slice(0, label.length - extension.length);
		if (sides.has(label) || captionFiles.has(label.split("/").at(-1) ?? "")) return "side";
		if (extension === ".txt" && [...imageExtensions].some((image) => labels.has(`${stem}${image}`))) return "side";
		if (scripts.includes(extension) && withPages(label)) return "side";
		const reader = byExtension.get(extension) ?? "unknown";
		if (scans && reader === image) return scan;
		return htmlPages && reader === html ? htmlInPages : reader;
	};
}

export function readerNamed(tool: string): SourceReader {
	const reader = byTool.get(tool);
	if (!reader) throw new Error(`there is no reader "${tool}"`);
	return reader;
}
