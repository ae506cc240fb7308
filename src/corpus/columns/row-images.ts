import { readFile } from "node:fs/promises";
import type { SchemaTree } from "hyparquet";
import { pathOnDisk } from "#store";
import { inWords } from "../captions.ts";
import type { SourceFile } from "../find-files.ts";
import { localFile } from "../html/local-image.ts";
import { storeImage } from "../image-file.ts";
import { detectLanguage } from "../language.ts";
import type { ReadContext } from "../reader.ts";

/** Bare bytes under these names are images; under others they may be anything. */
const imageNames = new Set(["image", "images", "img", "picture", "jpg", "png", "page_image"]);

/** Whether a column holds images: `{bytes, path}`, a list of them, or bytes under an image's name. */
export function isRowImage(column: SchemaTree): boolean {
	const names = column.children.map(({ element }) => element.name);
	if (names.includes("bytes") && names.includes("path")) return true;
	if (column.children.length === 0) return column.element.type === "BYTE_ARRAY" && imageNames.has(column.element.name);
	return column.element.converted_type === "LIST" || names.length === 1 ? column.children.some(isRowImage) : false;
}

/** Adds the images of a row; how many it has. One that cannot be kept is told. */
export async function addRowImages(
	record: Record<string, unknown>,
	{ own, number }: { own: string; number: number },
	file: SourceFile,
	context: Pick<ReadContext, "add" | "problem" | "dir">,
): Promise<number> {
	const found = Object.entries(record).flatMap(([name, value]) => imagesIn(name, value));
	const title = wordsOf(record.title);
	const candidates = [record.caption, record.captions, record.alt_text, record.description, record.text, record.title];
	for (const [index, { bytes, path }] of found.entries()) {
		try {
			const beside = path === undefined ? undefined : localFile(path, file);
			const content = bytes ?? (beside === undefined ? undefined : await readFile(pathOnDisk(beside)));
			if (!content) throw new Error(`its image ${path ?? ""} is not in the file nor beside it`);
			const caption = candidates.map(wordsOf).find((words) => words !== "") ?? inWords(path ?? own);
			const stored = await storeImage(content, context.dir);
			context.add({
				kind: "image",
				id: `${file.label}#${own}${found.length === 1 ? "" : `.f${index}`}`,
				document: `${file.label}#${own}`,
				title: title || inWords(path ?? own),
				language: detectLanguage(caption),
				provenance: { source: file.label, record: number },
				caption,
				...stored,
			});
		} catch (error) {
			context.problem(`${(error as Error).message}; left out`);
		}
	}
	return found.length;
}

interface RowImage {
	bytes?: Uint8Array;
	path?: string;
}

function imagesIn(name: string, value: unknown): RowImage[] {
	if (value instanceof Uint8Array) return [{ bytes: value }];
	if (Array.isArray(value)) return value.flatMap((item) => imagesIn(name, item));
	if (typeof value !== "object" || value === null || !("bytes" in value || "path" in value)) return [];
	const { bytes, path } = value as { bytes?: unknown; path?: unknown };
	const named = typeof path === "string" && path !== "" ? { path } : {};
	// drawings (SVG) are text
	if (typeof bytes === "string") return [{ bytes: Buffer.from(bytes), ...named }];
	if (bytes instanceof Uint8Array) return [{ bytes, ...named }];
	return "path" in named ? [named] : [];
}

function wordsOf(value: unknown): string {
	if (typeof value === "string") return value.trim();
	return Array.isArray(value)
		? value
				.map(wordsOf)
				.filter((words) => words !== "")
				.join(" ")
		: "";
}
