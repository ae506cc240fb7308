import { z } from "zod";
import { freeRecord, HopscopeError, usageError } from "#domain";
import { type Address, addressIn, addressText, type Objects, parseLine } from "#store";
import { KnowledgeFile } from "./manifest.ts";

/*
 * A knowledge base in object storage: `versions/ID/` holds all of one version, `version.json` in it what that is, and
 * `knowledge.json` beside them, the only object that is ever written over, which version counts. A version is never
 * changed; its id is made of what it holds, so that an upload that was cut off goes on where it was.
 */

export const pointerName = "knowledge.json";
export const versionName = "version.json";
export const engineObjects = "index";
export const fileObjects = "files";
export const versionFolder = (id: string) => `versions/${id}`;

const Id = z.string().regex(/^[0-9a-f]{16}$/);

const Pointer = z.object({
	version: z.literal(1),
	current: Id,
	/** Those that are there, oldest first. */
	versions: z.array(z.object({ id: Id, hash: z.string(), at: z.string() })),
});
export type Pointer = z.infer<typeof Pointer>;

const Size = z.number().int().min(0);
const Version = z.object({
	version: z.literal(1),
	knowledge: KnowledgeFile,
	/** The engine's files below `index/`, and how large they are: one that is missing is a damaged version. */
	engine: freeRecord(Size),
	/** All else by its path in the folder that it came from, the corpus under `corpus/`; objects are named by content. */
	files: freeRecord(z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), size: Size })),
});
export type Version = z.infer<typeof Version>;

/** What an address names: a knowledge base, or one version of it. */
export function addressOfKnowledge(text: string): { base: Address; id?: string } {
	const { bucket, path } = addressIn(text);
	const [, base, id] = /^(.+)\/versions\/([0-9a-f]{16})$/.exec(path) ?? [];
	return base === undefined || id === undefined ? { base: { bucket, path } } : { base: { bucket, path: base }, id };
}

export async function readPointer(
	objects: Objects,
	base: Address,
): Promise<{ pointer: Pointer; tag: string } | undefined> {
	const found = await objects.read(pointerName);
	return found && { pointer: parsed(found.bytes, Pointer, `${addressText(base)}/${pointerName}`), tag: found.tag };
}

export async function readVersion(objects: Objects, base: Address, id: string): Promise<Version> {
	const name = `${versionFolder(id)}/${versionName}`;
	const found = await objects.read(name);
	if (!found) throw noVersion(base, id);
	return parsed(found.bytes, Version, `${addressText(base)}/${name}`);
}

const noVersion = (base: Address, id: string) =>
	usageError(
		"no-knowledge",
		`${addressText(base)} holds no version ${id}`,
		"It may have been removed: hopscope knowledge versions ADDRESS lists those that are there.",
	);

export const damaged = (what: string) =>
	new HopscopeError("bad-knowledge", what, "Put it there anew: hopscope knowledge push NAME ADDRESS.");

function parsed<T>(bytes: Buffer, schema: z.ZodType<T>, where: string): T {
	const read = parseLine(bytes.toString("utf8"), schema);
	if ("value" in read) return read.value;
	throw damaged(`${where}: ${read.problem}`);
}
