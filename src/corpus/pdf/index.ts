/** Reading PDF: text with its layout, tables, figures, scanned pages. */
import { open } from "node:fs/promises";
import type { ReadStatus } from "#domain";
import { pathOnDisk } from "#store";
import { addPage, type DocumentAbout } from "../document-page.ts";
import { recogniser } from "../ocr/index.ts";
import type { Plan, ReadContext, SourceReader } from "../reader.ts";
import { hasContents } from "./broken.ts";
import { type ExtractedPage, extract, layoutAlone, openPages, type PageSource } from "./extract.ts";
import { layoutPages, type RawPage } from "./layout/index.ts";
import { addPictures } from "./pictures.ts";
import { needsRecognition, recognisePage } from "./scan.ts";
import { titleOf } from "./title.ts";

/** Pages of a part: enough to tell running heads, and few enough to lose little when a process dies. */
const leastPages = 24;
const mostPages = 96;
/** Of documents that have to be recognised, at seconds a page. */
const scannedPages = 8;

/**
 * Reads PDF with PDFium as WebAssembly: 7 MB, the same on every system, its memory bounded, and a document of any
 * length opened without loading it. Layout is this library's own, from words, strokes and pictures.
 */
export const pdf: SourceReader = {
	tool: "pdf-1 (pdfium 2.15.1)",
	mostBytes: 2 * 1024 * 1024 * 1024,
	isolated: true,
	kept: true,
	async plan({ path }, { ocr }): Promise<Plan> {
		const source = await openPages(path);
		try {
			const { pages } = source.document;
			if (pages === 0) throw new Error("has no pages");
			const scanned = ocr.length > 0 && (await isScanned(source));
			const size = scanned ? scannedPages : Math.min(mostPages, Math.max(leastPages, Math.ceil(pages / 16)));
			const parts = Array.from({ length: Math.ceil(pages / size) }, (_, index) => ({
				from: index * size,
				to: Math.min(pages, (index + 1) * size),
			}));
			return { parts, pages };
		} finally {
			source.close();
		}
	},
	async read(file, context, part) {
		const source = await openPages(file.path);
		try {
			const from = part?.from ?? 0;
			const to = Math.min(part?.to ?? source.document.pages, source.document.pages);
			if (from === 0 && !(await hasEnd(file.path)))
				context.problem("its end is missing: it was cut short; what could be found of it was read");
			const about: DocumentAbout = { file, title: await readTitle(source, file.label, context), tool: pdf.tool };
			const read: Read[] = [];
			for (let page = from; page < to; page += 1) {
				context.signal?.throwIfAborted();
				const cut = context.skipped?.(page);
				context.begin?.(page);
				read.push(cut === undefined ? await readPage(source, page, file.path, context) : failedPage(cut));
			}
			const laid = layoutPages(read.map(({ raw }) => raw));
			const characters = { source: 0, read: 0 };
			let section = "";
			for (const [index, { raw, status, characters: expected, recognised }] of read.entries()) {
				context.signal?.throwIfAborted();
				const page = from + index;
				context.begin?.(page);
				const { blocks, characters: found, reason } = laid[index] ?? { blocks: [], characters: 0 };
				characters.source += expected;
				characters.read += Math.min(found, expected);
				const problems = reason === undefined ? [] : [reason];
				if (found < expected)
					problems.push(`${expected - found} of ${expected} characters of its text were not placed`);
				const label = source.document.label(page);
				const drawn =
					status.is === "failed"
						? { blocks }
						: await addPictures(blocks, { page, label, source, about, context, problems, size: raw.size });
				const whole = { page, ...(label === undefined ? {} : { label }), size: raw.size, ...drawn };
				const tool = recognised ? `${pdf.tool}, ${recogniser}` : pdf.tool;
				section = addPage({ ...about, tool }, { ...whole, status: withProblems(status, problems) }, section, context);
			}
			return { characters };
		} finally {
			source.close();
		}
	},
};

/** Whether one of a few pages from all over a document has to be recognised. */
async function isScanned(source: PageSource): Promise<boolean> {
	const { pages } = source.document;
	for (const page of new Set([0, 0.25, 0.5, 0.75, 1].map((share) => Math.floor(share * (pages - 1)))))
		try {
			const { text, raw } = await extract(source, page);
			if (needsRecognition(text, raw) !== undefined) return true;
		} catch {
			// a page that cannot be read says nothing of the others
		}
	return false;
}

interface Read {
	raw: RawPage;
	status: ReadStatus;
	/** Of its text layer; none of pages that were recognised. */
	characters: number;
	recognised?: boolean;
}

const empty: Omit<RawPage, "size"> = { words: [], rules: [], shapes: [], pictures: [] };

const failedPage = (reason: string): Read => ({
	raw: { ...empty, size: [612, 792] },
	status: { is: "failed", reason },
	characters: 0,
});

/** A page's text, recognised where it has to be. What goes wrong is the page's status and never thrown. */
async function readPage(source: PageSource, page: number, path: string, context: ReadContext): Promise<Read> {
	const languages = context.options.ocr;
	let extracted: ExtractedPage;
	try {
		extracted = await extract(source, page);
	} catch (error) {
		return failedPage(error instanceof Error ? error.message : String(error));
	}
	const { raw, text, object, problems } = extracted;
	const bare = text.characters === 0 && raw.pictures.length + raw.shapes.length + raw.rules.length === 0;
	if (bare && (await hasContents(path, object)))
		return {
			raw,
			status: { is: "failed", reason: "its content is damaged: nothing of it could be read" },
			characters: 0,
		};
	const why = needsRecognition(text, raw);
	if (why === undefined) {
		if (text.unreadable > 0.05 * text.characters)
			problems.push(`${text.unreadable} of ${text.characters} characters are in fonts that do not say what they mean`);
		return { raw, status: withProblems({ is: "ok" }, problems), characters: text.characters };
	}
	const said = why === "unreadable" ? "its fonts do not say what their characters mean" : "it has no text layer";
	if (languages.length === 0)
		return { raw, status: { is: "partly", reason: `${said}, and recognition is off` }, characters: text.characters };
	try {
		context.begin?.(page, true);
		const found = await recognisePage((use) => source.on(page, use), languages);
		// a page that is one photograph
		if (found.characters < 8) return { raw, status: withProblems({ is: "ok" }, problems), characters: text.characters };
		if (found.confidence < 0.6)
			problems.push(`its text was recognised, and is unsure: ${Math.round(found.confidence * 100)} % confidence`);
		const recognised = { ...empty, size: raw.size, words: found.words, rules: found.rules };
		return { raw: recognised, status: withProblems({ is: "ok" }, problems), characters: 0, recognised: true };
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		return { raw, status: { is: "partly", reason: `${said}, and ${reason}` }, characters: text.characters };
	}
}

function withProblems(status: ReadStatus, problems: string[]): ReadStatus {
	if (problems.length === 0) return status;
	if (status.is === "ok") return { is: "partly", reason: problems.join("; ") };
	return { ...status, reason: [status.reason, ...problems].join("; ") };
}

/** The same for every part of a document, so each part looks at the first page. */
async function readTitle(source: PageSource, label: string, context: ReadContext): Promise<string> {
	try {
		if (context.skipped?.(0) !== undefined) return titleOf(source.document.information("Title"), [], label);
		context.begin?.(0);
		return titleOf(source.document.information("Title"), layoutAlone(await extract(source, 0)).blocks, label);
	} catch {
		return titleOf(source.document.information("Title"), [], label);
	}
}

/** Whether the last bytes hold the mark that every PDF ends with. */
async function hasEnd(path: string): Promise<boolean> {
	const file = await open(pathOnDisk(path), "r");
	try {
		const { size } = await file.stat();
		const tail = Buffer.alloc(Math.min(size, 4096));
		await file.read(tail, 0, tail.length, size - tail.length);
		return tail.includes("%%EOF") || tail.includes("startxref");
	} finally {
		await file.close();
	}
}
