import { posix } from "node:path";
import { inWords } from "../captions.ts";
import type { Draft, Picture } from "../draft-page.ts";
import { pageMaker } from "../draft-page.ts";
import { blocksOf } from "../html/blocks.ts";
import { decodeHtml } from "../html/encoding.ts";
import { at, attribute, childrenOf, descendants, find, parseMarkup, textOf } from "../html/markup.ts";
import { pagesByLength } from "../html/pages-by-length.ts";
import type { SourceReader } from "../reader.ts";
import { type Archive, openArchive } from "./archive.ts";

const tool = "epub-1";
const mostChapterBytes = 32 * 1024 * 1024;
const mostPictureBytes = 64 * 1024 * 1024;

/** A book (EPUB 2 and 3): the files of its spine in reading order, each in pages of printed length. */
export const epub: SourceReader = {
	tool,
	mostBytes: 512 * 1024 * 1024,
	isolated: true,
	kept: true,
	async read(file, context) {
		const archive = await openArchive(file.path, ".epub");
		try {
			const { title, chapters } = await bookOf(archive);
			const pages: Draft[][] = [];
			for (const chapter of chapters) {
				const bytes = await archive.read(chapter, mostChapterBytes).catch((error: Error) => {
					context.problem(`${chapter}: ${error.message}`);
					return undefined;
				});
				if (bytes) pages.push(...pagesByLength(chapterBlocks(bytes, chapter, archive)));
			}
			const read = pages.filter((page) => page.some((draft) => draft.text !== "" || draft.picture));
			if (read.length === 0) throw new Error("holds no text");
			const name = title ?? inWords(file.label);
			const maker = pageMaker({ file, title: name, tool }, context);
			for (const [page, drafts] of read.entries()) await maker.add({ page, drafts, name });
			maker.finish();
			return {};
		} finally {
			archive.close();
		}
	},
};

/** The title that the book states, and the files that are read, in order. */
async function bookOf(archive: Archive): Promise<{ title: string | undefined; chapters: string[] }> {
	const xml = async (name: string) => {
		const bytes = await archive.read(name);
		return bytes && parseMarkup(bytes.toString("utf8"), "xml");
	};
	const container = await xml("META-INF/container.xml");
	const place = at(container, "container", "rootfiles", "rootfile")?.attributes["full-path"];
	const book = place === undefined ? undefined : at(await xml(place), "package");
	if (place === undefined || !book) throw new Error("is not an .epub file (it names no book)");
	const items = new Map(childrenOf(at(book, "manifest"), "item").map(({ attributes }) => [attributes.id, attributes]));
	const chapters = childrenOf(at(book, "spine"), "itemref").flatMap(({ attributes }) => {
		const item = items.get(attributes.idref);
		const isPage = /html/i.test(item?.["media-type"] ?? "") && !/\bnav\b/.test(item?.properties ?? "");
		return item?.href !== undefined && isPage ? [inside(place, item.href)] : [];
	});
	if (await archive.read("META-INF/encryption.xml")) await refuseLocked(archive, chapters);
	const stated = find(at(book, "metadata"), "title");
	return { title: (stated && textOf(stated).trim()) || undefined, chapters: [...new Set(chapters)] };
}

/** Fonts are often scrambled, which hides no text; a book whose chapters are cannot be read. */
async function refuseLocked(archive: Archive, chapters: readonly string[]): Promise<void> {
	const bytes = await archive.read("META-INF/encryption.xml");
	const locked = [...descendants(parseMarkup(bytes?.toString("utf8") ?? "", "xml"))]
		.filter(({ name }) => name === "CipherReference")
		.map(({ attributes }) => decoded(attributes.URI ?? ""));
	if (chapters.some((chapter) => locked.includes(chapter)))
		throw new Error("is protected by digital rights management; not read");
}

const decoded = (address: string) => {
	try {
		return decodeURIComponent(address);
	} catch {
		return address;
	}
};

/** What an address in a file of the archive names there. */
const inside = (from: string, address: string) =>
	posix.normalize(posix.join(posix.dirname(from), decoded(address.split("#")[0] ?? "")));

function chapterBlocks(bytes: Buffer, chapter: string, archive: Archive): Draft[] {
	const page = parseMarkup(decodeHtml(bytes), "html");
	return blocksOf(find(page, "body") ?? page, {
		picture(image): Picture | undefined {
			const address = attribute(image, "src") ?? "";
			const name = inside(chapter, address);
			if (address === "" || /^[a-z]+:/i.test(address) || !archive.names.includes(name)) return undefined;
			const read = async () => (await archive.read(name, mostPictureBytes)) ?? Buffer.alloc(0);
			return { key: name, alt: (attribute(image, "alt") ?? "").trim(), bytes: read };
		},
	});
}
