/** PDFs made for tests, and reading them as the corpus does. Not for use outside tests. */
import { mkdtemp, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PDFDocument from "pdfkit";
import { Evidence, type ImageEvidence, type Page, type Passage } from "#domain";
import { pdf } from "../../../src/corpus/pdf/index.ts";
import {
	type Characters,
	defaultReading,
	type Plan,
	type ReadContext,
	type ReadingOptions,
	type SourceReader,
} from "../../../src/corpus/reader.ts";

export interface Reading {
	plan: Plan;
	pages: Page[];
	passages: Passage[];
	images: ImageEvidence[];
	problems: string[];
	characters: Characters;
	dir: string;
}

/** Plans and reads a file, part by part. Every evidence is checked against its schema. */
export async function readFile(
	path: string,
	options: Partial<ReadingOptions> = {},
	{ reader = pdf, parts }: { reader?: SourceReader; parts?: number[] } = {},
): Promise<Reading> {
	const dir = await mkdtemp(join(tmpdir(), "hopscope-corpus-"));
	const all = { ...defaultReading, ocr: [], ...options };
	const file = { path, label: "made.pdf", size: (await stat(path)).size };
	const plan = (await reader.plan?.(file, all)) ?? { parts: [] };
	const reading: Reading = {
		plan,
		pages: [],
		passages: [],
		images: [],
		problems: [],
		characters: { source: 0, read: 0 },
		dir,
	};
	const context = {
		dir,
		options: all,
		add(evidence: Evidence) {
			const checked = Evidence.parse(evidence);
			if (checked.kind === "page") reading.pages.push(checked);
			else if (checked.kind === "passage") reading.passages.push(checked);
			else reading.images.push(checked);
		},
		problem: (message: string, at = "") => reading.problems.push(`${at}${message}`),
		captions: async () => ({ byName: new Map(), shared: new Map() }),
	};
	for (const [index, part] of plan.parts.entries()) {
		if (parts && !parts.includes(index)) continue;
		const { characters } = await reader.read(file, context, part);
		reading.characters.source += characters?.source ?? 0;
		reading.characters.read += characters?.read ?? 0;
	}
	return reading;
}

/** A context that keeps what is added. */
export function emptyContext(options: Partial<ReadingOptions>): { context: ReadContext; evidence: Evidence[] } {
	const evidence: Evidence[] = [];
	const context: ReadContext = {
		dir: tmpdir(),
		options: { ...defaultReading, ocr: [], ...options },
		add: (one) => void evidence.push(Evidence.parse(one)),
		problem: () => {},
		captions: async () => ({ byName: new Map(), shared: new Map() }),
	};
	return { context, evidence };
}

/** A file of its own in a new folder. */
export async function written(bytes: Uint8Array | string, name = "made.pdf"): Promise<string> {
	const path = join(await mkdtemp(join(tmpdir(), "hopscope-pdf-")), name);
	await writeFile(path, bytes);
	return path;
}

/** A PDF drawn with pdfkit. */
export async function drawn(
	draw: (document: PDFKit.PDFDocument) => void,
	options: PDFKit.PDFDocumentOptions = {},
): Promise<string> {
	const document = new PDFDocument({ margin: 0, size: [595, 842], ...options });
	const chunks: Buffer[] = [];
	const done = new Promise<void>((resolve, reject) => document.on("end", resolve).on("error", reject));
	document.on("data", (chunk: Buffer) => chunks.push(chunk));
	draw(document);
	document.end();
	await done;
	return written(Buffer.concat(chunks));
}

/** Bytes of a PDF of these objects, numbered from 1; the first is the catalogue. */
export function objects(bodies: string[], trailer = ""): string {
	let text = "%PDF-1.4\n";
	const at: number[] = [];
	for (const [index, body] of bodies.entries()) {
		at.push(text.length);
		text += `${index + 1} 0 obj\n${body}\nendobj\n`;
	}
	const start = text.length;
	const rows = at.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
	const size = bodies.length + 1;
	return `${text}xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
}

export const stream = (content: string, entries = "") =>
	`<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`;

/** A PDF of pages with these contents; `page` adds entries to each page. */
export function pagesOf(contents: string[], page = "/MediaBox [0 0 595 842]"): string {
	const kids = contents.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
	return objects([
		"<< /Type /Catalog /Pages 2 0 R >>",
		`<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
		...contents.flatMap((content, index) => [
			`<< /Type /Page /Parent 2 0 R ${page} /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
			stream(content),
		]),
	]);
}

/** Operators that set a line of text. */
export const line = (text: string, x: number, y: number, size = 11) =>
	`BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET\n`;
