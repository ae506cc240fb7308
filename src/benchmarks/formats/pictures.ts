import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import type { Evidence } from "#domain";
import { decodePicture, type Picture } from "#store";
import { type QuestionImage, type RowContext, refuse } from "./row-context.ts";

/** An image in a row: embedded as columnar files have it (`{bytes, path}`), or named. */
export const RowPicture = z.union([
	z.string().min(1).max(4000),
	z.instanceof(Uint8Array),
	z.object({ bytes: z.instanceof(Uint8Array).nullish(), path: z.string().nullish() }),
]);
export type RowPicture = z.infer<typeof RowPicture>;

/** As the benchmark takes: a larger file is refused there. */
const mostBytes = 64 * 1024 * 1024;

/**
 * The question image that a row embeds or names, to be copied into the benchmark. One that is named and not there waits to
 * be attached: without it the question is another one. A file that is no image refuses the row.
 */
export async function questionImage(from: RowPicture, id: string, context: RowContext): Promise<QuestionImage> {
	const sourceName = absentName(from, context);
	if (sourceName !== undefined) return { id, sourceName };
	const picture = await pictureOf(from, context);
	const file = `images/${picture.name}`;
	context.copy({ to: file, in: "benchmark", from: { data: picture.bytes } });
	return { id, file, width: picture.width, height: picture.height, sha256: picture.sha256 };
}

/** As evidence of the corpus: `about` is what the row says of it. Where its file is not there it waits to be attached. */
export async function imageEvidence(
	from: RowPicture,
	about: Pick<Evidence, "id" | "document" | "title" | "language" | "provenance"> & { caption: string },
	context: RowContext,
): Promise<string> {
	const sourceName = absentName(from, context);
	if (sourceName !== undefined) return context.wait({ ...about, sourceName });
	const { name, width, height, sha256, bytes } = await pictureOf(from, context);
	const file = `images/${name}`;
	context.copy({ to: file, in: "corpus", from: { data: bytes } });
	return context.add({ kind: "image", ...about, file, width, height, sha256 });
}

async function pictureOf(from: RowPicture, context: RowContext): Promise<Picture> {
	const bytes = await bytesOf(from, context);
	if (bytes.length > mostBytes) refuse(`an image of ${bytes.length} bytes, more than ${mostBytes}`);
	return decodePicture(bytes).catch((error: Error) => refuse(`its image ${error.message}`));
}

async function bytesOf(from: RowPicture, context: RowContext): Promise<Uint8Array> {
	if (from instanceof Uint8Array) return from;
	const embedded = typeof from === "string" ? undefined : from.bytes;
	if (embedded) return embedded;
	const name = typeof from === "string" ? from : from.path;
	if (!name) return refuse("an image without bytes and without a path");
	const path = pathOf(name, context);
	if (path !== undefined) {
		const { size } = await stat(path);
		return size > mostBytes ? refuse(`its image has ${size} bytes, more than ${mostBytes}`) : readFile(path);
	}
	return refuse(`its image "${clipped(name)}" is not there`);
}

/** The name of a picture that a row names and does not embed, where the folder of images has none of that name. */
function absentName(from: RowPicture, context: RowContext): string | undefined {
	if (from instanceof Uint8Array || (typeof from !== "string" && from.bytes)) return undefined;
	const name = typeof from === "string" ? from : from.path;
	return name && pathOf(name, context) === undefined ? name : undefined;
}

/** Where the folder of images has a named one. A name that leads to no file of its own refuses the row. */
function pathOf(name: string, { images }: RowContext): string | undefined {
	const found = images?.find(name);
	if (found === undefined) return undefined;
	return "file" in found ? found.file : refuse(found.unclear);
}

const clipped = (name: string) => (name.length > 120 ? `${name.slice(0, 119)}…` : name);
