import { extname } from "node:path";
import { captionFiles } from "./captions.ts";
import { parquet } from "./columns/parquet.ts";
import type { SourceFile } from "./find-files.ts";
import { html, htmlInPages } from "./html/html-reader.ts";
import { imageExtensions } from "./image-file.ts";
import { image, scan } from "./image-reader.ts";
import { jsonLines } from "./json-readers.ts";
import { docx } from "./office/docx.ts";
import { pptx } from "./office/pptx.ts";
import { pagePictures } from "./page-folders/page-pictures.ts";
import { pdf } from "./pdf/index.ts";
import { imageLines } from "./published/image-lines.ts";
import { json } from "./published/json.ts";
import { sideFiles } from "./published/side-files.ts";
import type { ReadingOptions, SourceReader } from "./reader.ts";
import { markdown, text } from "./text-readers.ts";

const byExtension = new Map<string, SourceReader>([
	[".txt", text],
	[".text", text],
	[".md", markdown],
	[".markdown", markdown],
	[".jsonl", jsonLines],
	[".ndjson", jsonLines],
	[".json", json],
	[".parquet", parquet],
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
 * side text, is not read as a document. `side`: belongs to another file; `unknown`: no reader for it.
 */
export function readersFor(
	labels: Set<string>,
	{ scans, htmlPages }: ReadingOptions & { htmlPages: boolean },
): (file: SourceFile) => SourceReader | "side" | "unknown" {
	const sides = sideFiles(labels);
	return ({ label, folder }) => {
		if (folder) return pagePictures;
		const extension = extname(label).toLowerCase();
		const stem = label.slice(0, label.length - extension.length);
		if (sides.has(label) || captionFiles.has(label.split("/").at(-1) ?? "")) return "side";
		if (extension === ".txt" && [...imageExtensions].some((image) => labels.has(`${stem}${image}`))) return "side";
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
