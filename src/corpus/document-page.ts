import { type Block, oldPageIdIn, type Page, type Passage, pageIdIn, type ReadStatus, type Region } from "#domain";
import { sha256 } from "#store";
import type { SourceFile } from "./find-files.ts";
import { detectLanguage } from "./language.ts";
import { cutByLength } from "./passages.ts";
import type { ReadContext, ReadingOptions } from "./reader.ts";

/** What is the same for all pages of a document. */
export interface DocumentAbout {
	file: SourceFile;
	title: string;
	/** Name and version of what read it, e.g. `pdf-1 (liteparse 2.14.7)`. */
	tool: string;
	/** Within a file that holds several documents: what their ids and names add to the file's. */
	part?: string;
	licence?: string;
}

/** One page as any reader finds it. */
export interface ReadPage {
	/** 0-based. */
	page: number;
	/** What is printed on it, where that is known. */
	label?: string;
	/** Points; absent where the source has no layout. */
	size?: [number, number];
	/** In reading order, headers and footers included. */
	blocks: Block[];
	status: ReadStatus;
	/** The page as a picture, relative to the corpus folder. */
	image?: string;
}

/** The evidence id of a page; blocks' own evidence adds to it, e.g. `…#page=3.f1` for the first figure. */
export const pageId = (
	{ file, part }: Pick<DocumentAbout, "file" | "part">,
	page: number,
	{ pagesFrom }: Pick<ReadingOptions, "pagesFrom">,
) => (pagesFrom === 1 ? pageIdIn : oldPageIdIn)(`${file.label}${part === undefined ? "" : `#${part}`}`, page);

/**
 * Adds a page and its passages. Passages follow the structure first: a heading begins a new one and names the section
 * of what follows, a table stands by itself, and only then are they cut by length with overlap. Headers and footers are
 * on the page but in no passage. Returns the section that goes on over the page's end, for the next page.
 */
export function addPage(
	about: DocumentAbout,
	read: ReadPage,
	section: string,
	context: Pick<ReadContext, "add" | "options">,
): string {
	const text = read.blocks
		.map((block) => block.text)
		.filter((line) => line !== "")
		.join("\n\n");
	const id = pageId(about, read.page, context.options);
	const document = about.part === undefined ? about.file.label : `${about.file.label}#${about.part}`;
	const common = {
		document,
		title: about.title,
		provenance: { source: about.file.label, ...(about.licence === undefined ? {} : { licence: about.licence }) },
	};
	const language = detectLanguage(text);
	const page: Page = {
		kind: "page",
		id,
		...common,
		language,
		sha256: sha256(text),
		text,
		page: read.page,
		...(read.label === undefined ? {} : { label: read.label }),
		...(read.size === undefined ? {} : { size: read.size }),
		...(read.image === undefined ? {} : { image: read.image }),
		blocks: read.blocks,
		status: read.status,
		tool: about.tool,
	};
	context.add(page);
	const { pieces, last } = piecesOf(read, section);
	for (const [index, piece] of pieces.entries()) {
		const own = detectLanguage(piece.text);
		const passage: Passage = {
			kind: "passage",
			id: `${id}.${index + 1}`,
			...common,
			language: own === "und" ? language : own,
			sha256: sha256(piece.text),
			text: piece.text,
			...(piece.section === "" ? {} : { section: piece.section }),
			form: piece.form,
			...(piece.regions.length === 0 ? {} : { regions: piece.regions }),
		};
		context.add(passage);
	}
	return last;
}

interface Piece {
	text: string;
	section: string;
	form: "prose" | "table";
	regions: Region[];
}

/** Blocks under one heading, joined and cut; each piece keeps the boxes of the blocks that its text came from. */
function piecesOf(read: ReadPage, section: string): { pieces: Piece[]; last: string } {
	const pieces: Piece[] = [];
	let current = section;
	let run: Block[] = [];
	const regionsOf = (blocks: Block[]): Region[] =>
		blocks.flatMap(({ box }) => (box && read.size ? [{ page: read.page, box, size: read.size }] : []));
	const close = () => {
		const told = run.filter(({ text }) => text.trim() !== "");
		const texts = cutByLength(told.map(({ text }) => text.trim()).join("\n\n"));
		for (const [index, blocks] of blocksOf(texts, told).entries())
			pieces.push({ text: texts[index] ?? "", section: current, form: "prose", regions: regionsOf(blocks) });
		run = [];
	};
	// a table's caption stands with the table
	const withTable = new Set(read.blocks.flatMap(({ kind, caption }) => (kind === "table" ? (caption ?? []) : [])));
	for (const [place, block] of read.blocks.entries()) {
		if (block.kind === "header" || block.kind === "footer" || withTable.has(place)) continue;
		if (block.kind === "heading") {
			close();
			current = block.text.trim() || current;
		} else if (block.kind === "table") {
			close();
			const caption = block.caption === undefined ? undefined : read.blocks[block.caption];
			const text = [caption?.text, block.text].filter((part) => part?.trim()).join("\n");
			if (text !== "")
				pieces.push({
					text,
					section: current,
					form: "table",
					regions: regionsOf(caption ? [caption, block] : [block]),
				});
		} else run.push(block);
	}
	close();
	return { pieces, last: current };
}

/** For each of the pieces that the blocks' joined text was cut into, the blocks that it has characters of. */
export function blocksOf(pieces: string[], blocks: Block[]): Block[][] {
	const bare = (text: string) => text.replace(/\s+/gu, "");
	let length = 0;
	const ends = blocks.map(({ text }) => {
		length += bare(text).length;
		return length;
	});
	const whole = blocks.map(({ text }) => bare(text)).join("");
	let end = 0;
	return pieces.map((piece) => {
		const wanted = bare(piece);
		// pieces follow one another and overlap: each begins where the last one ended, or before
		const start = whole.lastIndexOf(wanted, end);
		end = start + wanted.length;
		return blocks.filter((_, index) => (ends[index] ?? 0) > start && (ends[index - 1] ?? 0) < end);
	});
}
