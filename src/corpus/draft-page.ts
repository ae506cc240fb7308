import type { Block, ReadStatus } from "#domain";
import { addPage, type DocumentAbout, pageId } from "./document-page.ts";
import { countCharacters } from "./html/markup.ts";
import { type StoredImage, storeImage } from "./image-file.ts";
import { detectLanguage } from "./language.ts";
import type { ReadContext } from "./reader.ts";

/** A picture of a document before it is stored. */
export interface Picture {
	/** Names its content within the document: of equal keys one is stored, and gives one evidence. */
	key: string;
	/** What the document says of it: alternative text, a title. */
	alt: string;
	/** Throws with a short reason. */
	bytes(): Promise<Uint8Array> | Uint8Array;
}

/** A block before its page is whole: its picture not stored, its caption the block itself and not yet its place. */
export interface Draft extends Omit<Block, "image" | "caption"> {
	picture?: Picture;
	caption?: Draft;
}

export interface DraftPage {
	/** 0-based. */
	page: number;
	label?: string;
	/** Points. */
	size?: [number, number];
	drafts: Draft[];
	status?: ReadStatus;
	/** The section that it begins in, where that is not the one the page before ended in. */
	section?: string;
	/** Says of pictures without caption and alternative text what they belong to. */
	name?: string;
}

/** Stores pictures of one document and adds its pages. */
export interface PageMaker {
	/** Stores the page's pictures, adds their evidence, the page and its passages. */
	add(page: DraftPage): Promise<void>;
	/** Characters other than white space of all blocks added. */
	characters(): number;
	/** Tells what pictures could not be kept, each reason once. */
	finish(): void;
}

/** Pictures with no side as long as this many pixels and no words to them are rules, bullets and icons. */
const leastSide = 32;

/** Alternative text that a program wrote and nobody else. */
const fileName = /^\S+\.(?:png|jpe?g|gif|webp|tiff?|bmp|svg|emf|wmf)$/i;

export function pageMaker(about: DocumentAbout, context: ReadContext): PageMaker {
	const stored = new Map<string, StoredImage | undefined>();
	const evidence = new Map<string, string>();
	const reasons = new Map<string, number>();
	let section = "";
	let characters = 0;

	async function store(picture: Picture): Promise<StoredImage | undefined> {
		if (stored.has(picture.key)) return stored.get(picture.key);
		let image: StoredImage | undefined;
		try {
			image = await storeImage(await picture.bytes(), context.dir);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
		}
		stored.set(picture.key, image);
		return image;
	}

	async function keep(page: DraftPage, draft: Draft, number: number): Promise<string | undefined> {
		const { picture } = draft;
		const known = picture && evidence.get(picture.key);
		if (!picture || known !== undefined) return known;
		const image = await store(picture);
		const words = [draft.caption?.text, picture.alt]
			.find((text) => text?.trim() && !fileName.test(text.trim()))
			?.trim();
		if (!image || (words === undefined && image.width < leastSide && image.height < leastSide)) return undefined;
		const caption = words ?? page.name ?? about.title;
		const id = `${pageId(about, page.page, context.options)}.f${number + (context.options.pagesFrom ?? 0)}`;
		context.add({
			kind: "image",
			id,
			document: about.part === undefined ? about.file.label : `${about.file.label}#${about.part}`,
			title: about.title,
			language: detectLanguage(caption),
			provenance: { source: about.file.label, ...(about.licence === undefined ? {} : { licence: about.licence }) },
			caption,
			...image,
			...(draft.box && page.size ? { region: { page: page.page, box: draft.box, size: page.size } } : {}),
		});
		evidence.set(picture.key, id);
		return id;
	}

	return {
		async add(page) {
			const images = new Map<Draft, string>();
			for (const draft of page.drafts) {
				context.signal?.throwIfAborted();
				const id = await keep(page, draft, images.size);
				if (id !== undefined) images.set(draft, id);
			}
			// what was a rule or bullet, and figures that could not be kept and have no words, leave no block
			const drafts = page.drafts.filter(
				(draft) => draft.kind !== "figure" || draft.text !== "" || draft.caption || images.has(draft) || draft.box,
			);
			const places = new Map(drafts.map((draft, place) => [draft, place]));
			const blocks = drafts.map((draft): Block => {
				const { picture: _, caption, ...block } = draft;
				const image = images.get(draft);
				const place = caption && places.get(caption);
				return {
					...block,
					...(image === undefined ? {} : { image }),
					...(place === undefined ? {} : { caption: place }),
				};
			});
			for (const block of blocks) characters += charactersIn(block);
			const { page: number, label, size, status = { is: "ok" } } = page;
			const optional = { ...(label === undefined ? {} : { label }), ...(size === undefined ? {} : { size }) };
			section = addPage(about, { page: number, ...optional, blocks, status }, page.section ?? section, context);
		},
		characters: () => characters,
		finish() {
			for (const [reason, count] of reasons)
				context.problem(count === 1 ? `a picture ${reason}; left out` : `${count} pictures: ${reason}; left out`);
		},
	};
}

const charactersIn = ({ text, cells }: Block): number =>
	countCharacters(cells === undefined ? text : cells.map((cell) => cell.text).join(""));

/** Text beyond which a document without pages is broken at a heading into what then count as its pages. */
const longestPage = 200_000;

/** Cuts the blocks of a document without pages before high headings, and anywhere where there are none. */
export function cutIntoPages(drafts: Draft[], longest = longestPage): Draft[][] {
	const pages: Draft[][] = [];
	let page: Draft[] = [];
	let length = 0;
	for (const draft of drafts) {
		const highest = length > 2 * longest ? 9 : 2;
		const heading = draft.kind === "heading" && (draft.level ?? 1) <= highest;
		if (page.length > 0 && ((length > longest && heading) || length > 3 * longest)) {
			pages.push(page);
			page = [];
			length = 0;
		}
		page.push(draft);
		length += draft.text.length;
	}
	return [...pages, page];
}
