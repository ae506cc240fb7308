import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { ReadStatus } from "#domain";
import { entriesIn, pathOnDisk } from "#store";
import { inWords } from "../captions.ts";
import { addPage, type ReadPage } from "../document-page.ts";
import type { SourceFile } from "../find-files.ts";
import { imageExtensions, storeImage } from "../image-file.ts";
import { readPageScan, recogniser } from "../ocr/index.ts";
import type { SourceReader } from "../reader.ts";
import { type NumberedPages, numberedPages } from "./numbered-pages.ts";

/** Pages that are read at one go at least: fewer where recognition takes seconds a page. */
const [partPages, recognisedPages] = [128, 8];
/** Parts at most: each lists the folder anew. */
const mostParts = 64;
/** A picture of more bytes is not read. */
const mostBytes = 64 * 1024 * 1024;

/** A folder of numbered page pictures as one document: each page keeps its picture, and its text by OCR. */
export const pagePictures: SourceReader = {
	tool: "page-pictures-1",
	mostBytes: Number.POSITIVE_INFINITY,
	isolated: true,
	kept: true,
	async contents(file) {
		const { files } = await pagesIn(file);
		return [...files.values()].map((name) => join(file.path, name));
	},
	async plan(file, { ocr }) {
		const { count } = await pagesIn(file);
		const size = Math.max(ocr.length > 0 ? recognisedPages : partPages, Math.ceil(count / mostParts));
		const parts = Array.from({ length: Math.ceil(count / size) }, (_, index) => ({
			from: index * size,
			to: Math.min(count, (index + 1) * size),
		}));
		return { parts, pages: count };
	},
	async read(file, context, part) {
		const { files, base, count } = await pagesIn(file);
		const { ocr } = context.options;
		const about = {
			file,
			title: inWords(`${file.label}.`),
			tool: ocr.length > 0 ? `${pagePictures.tool} (${recogniser})` : pagePictures.tool,
		};
		let section = "";
		for (let page = part?.from ?? 0; page < Math.min(part?.to ?? count, count); page += 1) {
			context.signal?.throwIfAborted();
			const label = `${page + base}`;
			const name = files.get(page);
			const cut = context.skipped?.(page);
			context.begin?.(page, ocr.length > 0);
			const read =
				cut === undefined
					? await readPicture(name === undefined ? undefined : join(file.path, name), context.dir, ocr)
					: { blocks: [], status: failed(cut) };
			section = addPage(about, { page, label, ...read }, section, context);
		}
		return {};
	},
};

/** The pages in a folder; throws where they are none. */
export async function pagesIn({ path }: Pick<SourceFile, "path">): Promise<NumberedPages> {
	const names = (await entriesIn(path))
		.filter(
			({ name, entry }) => entry.isFile() && !name.startsWith(".") && imageExtensions.has(extname(name).toLowerCase()),
		)
		.map(({ name }) => name);
	const numbered = numberedPages(names);
	if ("problem" in numbered) throw new Error(numbered.problem);
	return numbered;
}

/** One page of a picture. What goes wrong is the page's status and never thrown. */
async function readPicture(
	path: string | undefined,
	dir: string,
	languages: readonly string[],
): Promise<Pick<ReadPage, "blocks" | "status" | "size" | "image">> {
	if (path === undefined) return { blocks: [], status: failed("no picture has its number") };
	let image: Awaited<ReturnType<typeof storeImage>>;
	try {
		const bytes = await readFile(pathOnDisk(path));
		if (bytes.length > mostBytes) throw new Error(`is larger than ${mostBytes / 1024 / 1024} MB; not read`);
		image = await storeImage(bytes, dir);
	} catch (error) {
		return { blocks: [], status: failed(`its picture ${reasonOf(error)}`) };
	}
	const kept = { image: image.file, blocks: [] };
	if (languages.length === 0)
		return { ...kept, status: { is: "partly", reason: "it is a picture, and recognition is off" } };
	try {
		const { blocks, size, characters, confidence } = await readPageScan(await readFile(pathOnDisk(path)), languages);
		const unsure = characters > 0 && confidence < 0.6;
		const reason = `its text was recognised, and is unsure: ${Math.round(confidence * 100)} % confidence`;
		return { ...kept, blocks, size, status: unsure ? { is: "partly", reason } : { is: "ok" } };
	} catch (error) {
		return { ...kept, status: { is: "partly", reason: `it is a picture, and ${reasonOf(error)}` } };
	}
}

const failed = (reason: string): ReadStatus => ({ is: "failed", reason });
const reasonOf = (error: unknown) => (error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
