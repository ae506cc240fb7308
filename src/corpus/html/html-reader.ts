import { readFile } from "node:fs/promises";
import { pathOnDisk } from "#store";
import { inWords } from "../captions.ts";
import { cutIntoPages, type Draft, pageMaker } from "../draft-page.ts";
import type { SourceReader } from "../reader.ts";
import { blocksOf } from "./blocks.ts";
import { decodeHtml } from "./encoding.ts";
import { imagesNamedIn, pictureAt } from "./local-image.ts";
import { attribute, countCharacters, type Element, isElement, type Node, wordSet } from "./markup.ts";
import { pagesByLength } from "./pages-by-length.ts";

/** A saved web page or a page of documentation, as one page: its main content as blocks, its local images as evidence. */
export const html = htmlReader("html-2", cutIntoPages);

/** The same, in pages about as long as printed ones. */
export const htmlInPages = htmlReader("html-pages-2", pagesByLength);

function htmlReader(tool: string, pagesOf: (drafts: Draft[]) => Draft[][]): SourceReader {
	return {
		tool,
		mostBytes: 32 * 1024 * 1024,
		isolated: true,
		kept: true,
		async sides(file) {
			return imagesNamedIn(file);
		},
		showsSides: true,
		async read(file, context) {
			const text = decodeHtml(await readFile(pathOnDisk(file.path)));
			// loaded for the first page: most commands read none
			const { mainContent } = await import("./main-content.ts");
			const content = mainContent(text);
			let elsewhere = 0;
			const drafts = blocksOf(content.root, {
				skip: content.skip,
				picture(image) {
					const alt = (attribute(image, "alt") || attribute(image, "title") || "").trim();
					const addresses = [attribute(image, "src"), attribute(image, "data-src")];
					for (const address of addresses) {
						const picture = address && pictureAt(address.trim(), alt, file);
						if (picture) return picture;
					}
					if (addresses.some((address) => address)) elsewhere += 1;
					return undefined;
				},
			});
			if (!drafts.some((draft) => draft.text !== "" || draft.picture)) throw new Error("holds no text");
			const title = content.title ?? drafts.find(({ kind }) => kind === "heading")?.text ?? inWords(file.label);
			const maker = pageMaker({ file, title, tool }, context);
			for (const [page, part] of pagesOf(drafts).entries()) await maker.add({ page, drafts: part, name: title });
			maker.finish();
			if (elsewhere > 0)
				context.problem(
					`${elsewhere === 1 ? "an image is" : `${elsewhere} images are`} not in the source's folder; read are their texts`,
				);
			return { characters: { source: charactersToRead(content.root, content.skip), read: maker.characters() } };
		},
	};
}

const unseen = wordSet("script style template noscript iframe head svg select textarea button");

/** Characters of the main content that a person sees, counted by themselves and not from the blocks. */
function charactersToRead(node: Node, skip: (element: Element) => boolean): number {
	if (!isElement(node)) return countCharacters(node);
	if (unseen.has(node.name) || "hidden" in node.attributes || node.attributes["aria-hidden"] === "true" || skip(node))
		return 0;
	return node.children.reduce((sum, inner) => sum + charactersToRead(inner, skip), 0);
}
