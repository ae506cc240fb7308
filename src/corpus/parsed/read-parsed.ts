import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pathOnDisk } from "#store";
import { inWords } from "../captions.ts";
import { type Picture, pageMaker } from "../draft-page.ts";
import type { SourceFile } from "../find-files.ts";
import { pictureAt } from "../html/local-image.ts";
import type { Characters, ReadContext } from "../reader.ts";
import { fromDocling } from "./docling.ts";
import { isDocling } from "./docling-schema.ts";
import type { FindPicture, ParsedDocument } from "./document.ts";
import { fromMarker, isMarker, markerAddress } from "./marker.ts";
import { fromContentList, isContentList } from "./mineru.ts";
import { fromMiddle, isMiddle, pageSizes } from "./mineru-middle.ts";
import { fromUnstructured, isUnstructured } from "./unstructured.ts";

/** Other parsers' files that are read as documents. */
export type ParsedKind = "docling" | "mineru-content-list" | "mineru-middle" | "marker" | "unstructured";

/** Which parser made a JSON value, by its shape; undefined when none that is known. */
export function parsedKind(json: unknown): ParsedKind | undefined {
	if (isDocling(json)) return "docling";
	if (isMiddle(json)) return "mineru-middle";
	if (isContentList(json)) return "mineru-content-list";
	if (isUnstructured(json)) return "unstructured";
	return isMarker(json) ? "marker" : undefined;
}

const tool = "parsed-1";

/** Adds the pages of a document that another parser read. Throws with a short reason when it holds none. */
export async function readParsed(
	json: unknown,
	kind: ParsedKind,
	file: SourceFile,
	context: ReadContext,
): Promise<{ characters: Characters }> {
	const document = await convert(json, kind, file);
	if (document.pages.size === 0) throw new Error("holds no pages");
	const heading = [...document.pages.values()]
		.flatMap(({ drafts }) => drafts)
		.find((draft) => draft.kind === "heading");
	const title = document.title ?? heading?.text ?? inWords(nameOf(file));
	const maker = pageMaker({ file, title, tool: `${tool} (${document.by})` }, context);
	for (const [page, { size, drafts }] of [...document.pages].sort(([a], [b]) => a - b))
		await maker.add({ page, label: `${page + 1}`, ...(size ? { size } : {}), drafts, name: title });
	maker.finish();
	for (const note of document.notes) context.problem(note);
	if (document.unknown.size > 0) {
		const labels = [...document.unknown].slice(0, 8).map((label) => `"${label.slice(0, 40)}"`);
		context.problem(`labels not known, read as text: ${labels.join(", ")}`);
	}
	return { characters: { source: document.characters, read: maker.characters() } };
}

async function convert(json: unknown, kind: ParsedKind, file: SourceFile): Promise<ParsedDocument> {
	const find: FindPicture = (address, alt) => pictureBeside(address, alt, file);
	if (kind === "docling") return fromDocling(json, find);
	if (kind === "mineru-middle") return fromMiddle(json, find);
	if (kind === "mineru-content-list") return fromContentList(json, find, await sizesBeside(file));
	if (kind === "unstructured") return fromUnstructured(json, find);
	return fromMarker(json, (image, alt) => find(markerAddress(image), alt));
}

/** At the address itself, or under its last one or two names where it was written on another machine. */
function pictureBeside(address: string, alt: string, file: SourceFile): Picture | undefined {
	if (address === "") return undefined;
	if (/^data:/i.test(address)) return pictureAt(address, alt, file);
	const names = address.replace(/^file:\/+/i, "").split(/[/\\]/);
	for (const tried of [names.join("/"), names.slice(-2).join("/"), names.slice(-1).join("/")]) {
		const picture = pictureAt(tried, alt, file);
		if (picture) return picture;
	}
	return undefined;
}

const nameOf = (file: SourceFile) =>
	basename(file.label)
		.replace(/\.json$/i, "")
		.replace(/_(?:content_list|middle|elements)$/, "");

const mostSizeBytes = 256 * 1024 * 1024;

/** Where MinerU keeps page sizes: beside the list, in the same run's other file. */
export const sizeFiles = (path: string): string[] => [
	join(dirname(path), basename(path).replace(/_?content_list\.json$/, "_middle.json")),
	join(dirname(path), "layout.json"),
];

async function sizesBeside(file: SourceFile): Promise<Map<number, [number, number]>> {
	for (const path of sizeFiles(file.path)) {
		try {
			if (path === file.path || (await stat(pathOnDisk(path))).size > mostSizeBytes) continue;
			const sizes = pageSizes(JSON.parse(await readFile(pathOnDisk(path), "utf8")));
			if (sizes.size > 0) return sizes;
		} catch {
			// not there, or not JSON: boxes stay in thousandths, which is told
		}
	}
	return new Map();
}
