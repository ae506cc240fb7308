import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Block, Box } from "#domain";
import { sha256, writeWhole } from "#store";
import { type DocumentAbout, pageId } from "../document-page.ts";
import { detectLanguage } from "../language.ts";
import type { ReadContext } from "../reader.ts";
import type { PageSource } from "./extract.ts";
import { grown, onPage } from "./layout/model.ts";
import type { OpenPage } from "./page.ts";
import { jpegOf, pngOf, render } from "./render.ts";

/** Crops are drawn at this many dots per inch, and smaller where a side would be longer than `longest` pixels. */
const dotsPerInch = 150;
const longest = 2000;
/** More figures on one page are parts of one drawing that was not recognised as such. */
const mostFigures = 40;

export interface PageContext {
	/** 0-based. */
	page: number;
	label: string | undefined;
	source: PageSource;
	about: DocumentAbout;
	context: ReadContext;
	size: [number, number];
	/** What goes wrong is added here. */
	problems: string[];
}

/**
 * Cuts a page's figures out and adds them as evidence; draws the whole page where pictures of pages were asked for.
 * Gives the blocks with the evidence's ids.
 */
export async function addPictures(blocks: Block[], of: PageContext): Promise<{ blocks: Block[]; image?: string }> {
	const { dpi } = of.context.options;
	if (dpi <= 0 && !blocks.some(isFigure)) return { blocks };
	try {
		return await of.source.on(of.page, async (page) => {
			const cut = await addFigures(blocks, page, of);
			if (dpi <= 0) return { blocks: cut };
			const bitmap = render(page, Math.min(dpi, 600) / 72);
			return { blocks: cut, image: (await keep(await jpegOf(bitmap), "jpg", of.context.dir)).file };
		});
	} catch (error) {
		of.problems.push(`it could not be drawn (${error instanceof Error ? error.message : String(error)})`);
		return { blocks };
	}
}

const isFigure = ({ kind, box }: Block) => kind === "figure" && box !== undefined;

async function addFigures(blocks: Block[], page: OpenPage, of: PageContext): Promise<Block[]> {
	const result: Block[] = [];
	let number = 0;
	for (const block of blocks) {
		const { box } = block;
		if (!isFigure(block) || box === undefined || number >= mostFigures) {
			result.push(block);
			continue;
		}
		const caption = block.caption === undefined ? undefined : blocks[block.caption]?.text;
		number += 1;
		result.push({ ...block, image: await addFigure(box, caption, number, page, of) });
	}
	return result;
}

async function addFigure(
	box: Box,
	caption: string | undefined,
	number: number,
	open: OpenPage,
	of: PageContext,
): Promise<string> {
	const { page, label, about, context, size } = of;
	const cut = onPage(grown(box, 2), size) ?? box;
	const side = Math.max(cut[2] - cut[0], cut[3] - cut[1]);
	const scale = Math.min(dotsPerInch / 72, longest / side);
	const bitmap = render(open, scale, cut);
	const { width, height } = bitmap;
	const image = await keep(await pngOf(bitmap), "png", context.dir);
	const id = `${pageId(about, page, context.options)}.f${number}`;
	const said = caption?.trim() || `${about.title}, page ${label ?? page + 1}`;
	context.add({
		kind: "image",
		id,
		document: about.part === undefined ? about.file.label : `${about.file.label}#${about.part}`,
		title: about.title,
		language: detectLanguage(said),
		provenance: { source: about.file.label, ...(about.licence === undefined ? {} : { licence: about.licence }) },
		caption: said,
		...image,
		width,
		height,
		region: { page, box, size },
	});
	return id;
}

async function keep(bytes: Buffer, extension: string, dir: string): Promise<{ file: string; sha256: string }> {
	const hash = sha256(bytes);
	const file = `images/${hash.slice(0, 32)}.${extension}`;
	await mkdir(join(dir, "images"), { recursive: true });
	await writeWhole(join(dir, file), bytes);
	return { file, sha256: hash };
}
