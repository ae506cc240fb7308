import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { createWorker, OEM, type Page, PSM, type Worker } from "tesseract.js";
import { type Box, packageFile } from "#domain";
import { languageFile } from "./languages.ts";

/** What recognises, in the tools of pages. */
export const recogniser = "tesseract.js 7.0.0, turned upright";

export interface RecognisedWord {
	text: string;
	/** Pixels of the image. */
	box: Box;
	/** 0 to 1. */
	confidence: number;
}

export interface RecognisedLine {
	words: RecognisedWord[];
	box: Box;
	/** y of the line's letters, pixels. */
	baseline: number;
	/** Height from the lowest to the highest letters, pixels. */
	height: number;
}

/** Text found in an image: paragraphs and their lines in reading order. */
export interface Recognition {
	paragraphs: { box: Box; lines: RecognisedLine[] }[];
	/** Mean over words by their length, 0 to 1; 0 without words. */
	confidence: number;
	/** Characters other than white space. */
	characters: number;
}

/** One engine a process; another set of languages replaces it. */
let engine: { languages: string; worker: Promise<Worker> } | undefined;
/** The engine takes one image at a time. */
let queue: Promise<unknown> = Promise.resolve();

/**
 * Recognises the text of an image (PNG, JPEG, WebP… as bytes) with Tesseract, in this process and without network.
 * Expect a quarter of a page of small print a second, a page of a letter a second, and 300 MB. The engine is kept for the next image and does not keep the process alive.
 * A page that lies askew is turned upright first: places are then those of the upright page, a few pixels off at its edges.
 * Throws LanguageMissing for a language whose data is not installed.
 */
export function recognise(image: Uint8Array, languages: readonly string[], dpi = 200): Promise<Recognition> {
	const next = queue.then(() => recogniseNext(image, languages, dpi));
	queue = next.catch(() => {});
	return next;
}

/** Ends the engine, if there is one. */
export async function endRecognition(): Promise<void> {
	const ending = engine;
	engine = undefined;
	await (await ending?.worker.catch(() => undefined))?.terminate();
}

async function recogniseNext(image: Uint8Array, languages: readonly string[], dpi: number): Promise<Recognition> {
	// the engine reports bytes that are no picture on the terminal
	await sharp(image)
		.metadata()
		.catch((error: unknown) => {
			throw new Error(`its text could not be recognised (${error instanceof Error ? error.message : String(error)})`);
		});
	const worker = await workerFor(languages);
	const thread = threadOf(worker);
	thread.ref();
	try {
		// its own default takes the whole image as one block, columns and all
		await worker.setParameters({ user_defined_dpi: String(Math.round(dpi)), tessedit_pageseg_mode: PSM.AUTO });
		const { data } = await worker.recognize(Buffer.from(image), { rotateAuto: true }, { blocks: true, text: false });
		return recognitionOf(data);
	} catch (error) {
		// after a trap inside the engine its memory is not to be trusted
		await endRecognition();
		throw new Error(`its text could not be recognised (${error instanceof Error ? error.message : String(error)})`);
	} finally {
		thread.unref();
	}
}

async function workerFor(languages: readonly string[]): Promise<Worker> {
	const key = languages.join("+");
	if (engine?.languages !== key) {
		await endRecognition();
		engine = { languages: key, worker: start(languages) };
	}
	const { worker } = engine;
	try {
		return await worker;
	} catch (error) {
		engine = undefined;
		throw error;
	}
}

async function start(languages: readonly string[]): Promise<Worker> {
	// the engine takes languages from one folder, their packages have one each
	const folder = await mkdtemp(join(tmpdir(), "hopscope-ocr-"));
	try {
		for (const name of languages) await copyFile(languageFile(name), join(folder, `${name}.traineddata.gz`));
		return await createWorker([...languages], OEM.LSTM_ONLY, {
			// bundled with its engine: scripts/bundle.mjs
			workerPath: packageFile("dist/ocr/recogniser.cjs"),
			langPath: folder,
			cacheMethod: "none",
			gzip: true,
			// without it a failure inside the engine is thrown where nobody can catch it
			errorHandler: () => {},
		});
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

const threadOf = (worker: Worker) => (worker as unknown as { worker: { ref(): void; unref(): void } }).worker;

const boxOf = ({ x0, y0, x1, y1 }: { x0: number; y0: number; x1: number; y1: number }): Box => [x0, y0, x1, y1];

function recognitionOf({ blocks }: Page): Recognition {
	let sum = 0;
	let characters = 0;
	const paragraphs = (blocks ?? []).flatMap((block) =>
		block.paragraphs.map((paragraph) => ({
			box: boxOf(paragraph.bbox),
			lines: paragraph.lines.flatMap((line): RecognisedLine[] => {
				const words = line.words
					.map(({ text, bbox, confidence }) => ({ text: text.trim(), box: boxOf(bbox), confidence: confidence / 100 }))
					.filter(({ text }) => text !== "");
				for (const { text, confidence } of words) {
					sum += text.length * confidence;
					characters += text.length;
				}
				const { ascenders, descenders, rowHeight } = line.rowAttributes;
				const height = rowHeight > 0 ? rowHeight + ascenders - descenders : line.bbox.y1 - line.bbox.y0;
				const baseline = (line.baseline.y0 + line.baseline.y1) / 2;
				return words.length === 0 ? [] : [{ words, box: boxOf(line.bbox), baseline, height }];
			}),
		})),
	);
	return { paragraphs, confidence: characters === 0 ? 0 : sum / characters, characters };
}
