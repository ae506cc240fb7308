import { readFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { pathOnDisk } from "#store";
import { captionFiles, captionOf, inWords } from "./captions.ts";
import { storeImage } from "./image-file.ts";
import { detectLanguage } from "./language.ts";
import { addScannedPages } from "./ocr/index.ts";
import type { SourceReader } from "./reader.ts";

/** An image as evidence, with its caption. */
export const image: SourceReader = {
	tool: "image-1",
	mostBytes: 64 * 1024 * 1024,
	isolated: true,
	together: true,
	kept: true,
	async sides({ path }) {
		const own = join(dirname(path), `${basename(path, extname(path))}.txt`);
		return [own, ...[...captionFiles].map((name) => join(dirname(path), name))];
	},
	async read(file, context) {
		const stored = await storeImage(await readFile(pathOnDisk(file.path)), context.dir);
		const about = await captionOf(file, await context.captions(dirname(file.path)), context.problem);
		context.add({
			kind: "image",
			id: file.label,
			document: file.label,
			title: about.title ?? inWords(file.label),
			language: about.language ?? detectLanguage(about.caption),
			provenance: { source: file.label },
			caption: about.caption,
			...stored,
		});
		if (context.options.scans) await addScannedPages(file, stored, context, about.title ?? inWords(file.label));
		return {};
	},
};

/** The same, and what looks like a page is read as one. */
export const scan: SourceReader = { ...image, tool: "scan-1", together: false };
