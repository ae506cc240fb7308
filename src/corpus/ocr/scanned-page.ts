import { readFile } from "node:fs/promises";
import sharp from "sharp";
import type { Block } from "#domain";
import { pathOnDisk } from "#store";
import { inWords } from "../captions.ts";
import { addPage } from "../document-page.ts";
import type { SourceFile } from "../find-files.ts";
import { layoutPages, letters } from "../pdf/layout/index.ts";
import type { ReadContext } from "../reader.ts";
import { pageWords } from "./page-words.ts";
import { type Recognition, recognise, recogniser } from "./recognise.ts";
import { strokesOf } from "./strokes.ts";

/** Fewer characters than this are a sign or a label in a picture, and no page. */
const fewest = 200;
/** Less sure text is the noise that recognition finds in photographs. */
const leastConfidence = 0.65;
/** Longer sides to shorter ones that paper, slides and screens have. */
export const [squarest, longest] = [1.15, 1.85];
/** Larger images are made smaller before they are recognised, pixels a side. */
const mostSide = 3400;
const mostPixels = 100_000_000;
/** A multi-page TIFF has at most so many pages read. */
const mostPages = 500;

/** The image as the corpus keeps it, see storeImage. */
export interface KeptImage {
	file: string;
	width: number;
	height: number;
}

/**
 * Reads an image file as the scan of a page: its text becomes a page with blocks and passages, beside the image
 * itself. Gives how many pages were added: none where an image does not look like a page (its proportions, or too
 * little or too unsure text), and for the pages of a TIFF as many as look so. Throws with a short reason when the image
 * cannot be decoded or a language is missing.
 */
export async function addScannedPages(
	file: SourceFile,
	image: KeptImage,
	context: ReadContext,
	title = inWords(file.label),
): Promise<number> {
	const languages = context.options.ocr;
	if (languages.length === 0) return 0;
	const bytes = await readFile(pathOnDisk(file.path));
	const { pages = 1 } = await sharp(bytes, { limitInputPixels: mostPixels }).metadata();
	const about = { file, title, tool: `scan-1 (${recogniser})` };
	let added = 0;
	let section = "";
	for (let page = 0; page < Math.min(pages, mostPages); page += 1) {
		context.signal?.throwIfAborted();
		context.begin?.(page, true);
		const scan = await prepared(bytes, page);
		if (!isPageShaped(scan)) continue;
		const { recognition, size, blocks } = await readScan(scan, languages);
		if (!isPageText(recognition)) continue;
		const unsure = recognition.confidence < 0.8;
		const reason = `its text was recognised, and is unsure: ${Math.round(recognition.confidence * 100)} % confidence`;
		const read = {
			page,
			size,
			blocks,
			status: unsure ? ({ is: "partly", reason } as const) : ({ is: "ok" } as const),
			...(pages === 1 ? { image: image.file } : {}),
		};
		section = addPage(about, read, section, context);
		added += 1;
	}
	return added;
}

/** The text of a picture that is a page whatever it looks like, in blocks; the size in points. */
export async function readPageScan(
	bytes: Buffer,
	languages: readonly string[],
): Promise<{ blocks: Block[]; size: [number, number]; characters: number; confidence: number }> {
	const { recognition, size, blocks } = await readScan(await prepared(bytes, 0), languages);
	const { characters, confidence } = recognition;
	return { blocks, size, characters, confidence };
}

async function readScan(scan: Scan, languages: readonly string[]) {
	const recognition = await recognise(scan.image, languages, scan.dpi);
	const scale = scan.dpi / 72;
	const size: [number, number] = [scan.width / scale, scan.height / scale];
	const rules = await strokesOf(scan.image, scale);
	const words = pageWords(recognition, scale, rules);
	const [laid] = layoutPages([{ size, words, rules, shapes: [], pictures: [] }]);
	return { recognition, size, blocks: laid?.blocks ?? [] };
}

interface Scan {
	image: Buffer;
	/** Pixels, as seen. */
	width: number;
	height: number;
	dpi: number;
}

/** Upright, grey and of a size that recognition does well with. */
async function prepared(bytes: Buffer, page: number): Promise<Scan> {
	const source = sharp(bytes, { page, limitInputPixels: mostPixels, failOn: "truncated" });
	const { density } = await source.metadata();
	const { data, info } = await source
		.rotate()
		.flatten({ background: "white" })
		.greyscale()
		.resize({ width: mostSide, height: mostSide, fit: "inside", withoutEnlargement: true })
		.png({ compressionLevel: 1 })
		.toBuffer({ resolveWithObject: true });
	// what scanners note is believed where the page then has the size of paper; else it is taken to be 11 inches long
	const side = Math.max(info.width, info.height);
	const noted =
		density !== undefined && density > 72 && side / density > 4 && side / density < 24 ? density : side / 11;
	return { image: data, width: info.width, height: info.height, dpi: noted };
}

const isPageShaped = ({ width, height }: Scan) => {
	const ratio = Math.max(width, height) / Math.min(width, height);
	return ratio > squarest && ratio < longest && Math.min(width, height) >= 500;
};

/** Text as pages have it: enough, sure enough, and in lines of several words. */
function isPageText({ paragraphs, confidence, characters }: Recognition): boolean {
	const lines = paragraphs.flatMap((paragraph) => paragraph.lines);
	const words = lines.reduce((sum, line) => sum + line.words.filter(({ text }) => letters(text) > 1).length, 0);
	return characters >= fewest && confidence >= leastConfidence && words >= 2 * lines.length;
}
