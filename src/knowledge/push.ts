import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { HopscopeError, KnowledgeManifest, usageError } from "#domain";
import { graphFolder } from "#graph";
import {
	type Address,
	addressText,
	canonicalJson,
	entriesIn,
	type Objects,
	openObjects,
	pathOnDisk,
	type StorageEnvironment,
	sha256,
	sha256File,
	storageAccess,
} from "#store";
import { weightsName, withGraph } from "./manifest.ts";
import { placeInFolder } from "./place.ts";
import {
	addressOfKnowledge,
	engineObjects,
	fileObjects,
	type Pointer,
	pointerName,
	readPointer,
	type Version,
	versionFolder,
	versionName,
} from "./storage-layout.ts";

export interface PushOptions {
	environment?: StorageEnvironment;
	signal?: AbortSignal | undefined;
	/** Hears of bytes put there, of all. */
	onProgress?: (done: number, total: number) => void;
}

/** A version of a knowledge base in object storage. */
export interface StoredVersion {
	/** Of this very version. */
	address: string;
	hash: string;
	at: string;
	current: boolean;
}

/**
 * Puts the version that a folder holds into object storage: all it holds, then `version.json`, then, in one conditional
 * write, the pointer. A reader sees the version before until then; what a killed push put there is not put there again.
 */
export async function pushKnowledge(
	dir: string,
	address: string,
	{ environment = process.env, signal, onProgress = () => {} }: PushOptions = {},
): Promise<StoredVersion> {
	const { base, id: named } = addressOfKnowledge(address);
	if (named !== undefined) throw usageError("bad-address", `${address} is one version`, "Name the address above it.");
	const objects = openObjects(base, storageAccess(environment));
	const place = await placeInFolder(dir);
	try {
		const { hash } = await withGraph(await place.graph("marker"), KnowledgeManifest.parse(place.file));
		const engine = await filesBelow(place.engine.uri);
		const corpus = resolve(place.dir, place.file.corpusFolder);
		const sources: [string, string][] = [
			...(await filesBelow(corpus)).flatMap(({ name, file }): [string, string][] =>
				corpusTexts.includes(name) ? [] : [[`corpus/${name}`, file]],
			),
			...(await filesBelow(await place.graph())).map(({ name, file }): [string, string] => [
				`${graphFolder}/${name}`,
				file,
			]),
			...(await filesBelow(dirname(place.engine.uri), 0)).flatMap(({ name, file }): [string, string][] =>
				name === weightsName ? [[name, file]] : [],
			),
		];
		const files: Version["files"] = {};
		for (const [name, file] of sources) {
			signal?.throwIfAborted();
			files[name] = { sha256: await sha256File(file), size: await sizeOf(file) };
		}
		const version: Version = {
			version: 1,
			knowledge: { ...place.file, corpusFolder: "corpus", folder: "." },
			engine: Object.fromEntries(engine.map(({ name, size }) => [name, size])),
			files,
		};
		const id = sha256(canonicalJson(version)).slice(0, 16);
		const folder = versionFolder(id);
		const there = new Map((await objects.list(folder)).map(({ name, size }) => [name, size]));
		const wanted = new Map([
			...engine.map(({ name, file, size }) => [`${engineObjects}/${name}`, { file, size }] as const),
			...sources.map(([name, file]) => {
				const { sha256 = "", size = 0 } = files[name] ?? {};
				return [`${fileObjects}/${sha256}`, { file, size }] as const;
			}),
		]);
		const total = [...wanted.values()].reduce((sum, { size }) => sum + size, 0);
		let done = 0;
		await atOnce([...wanted], 8, async ([name, { file, size }]) => {
			signal?.throwIfAborted();
			if (there.get(name) !== size) await objects.writeFile(`${folder}/${name}`, file);
			done += size;
			onProgress(done, total);
		});
		await objects.write(`${folder}/${versionName}`, Buffer.from(canonicalJson(version)));
		const at = new Date().toISOString();
		await point(objects, base, (before) => ({
			version: 1,
			current: id,
			versions: [...(before?.versions ?? []).filter((one) => one.id !== id), { id, hash, at }],
		}));
		return { address: `${addressText(base)}/${folder}`, hash, at, current: true };
	} finally {
		await place.release();
	}
}

/** The versions at an address, oldest first; with `keep`, all but so many of the latest are removed, never the current. */
export async function storedVersions(
	address: string,
	{ environment = process.env, keep }: { environment?: StorageEnvironment; keep?: number | undefined } = {},
): Promise<{ versions: StoredVersion[]; removed: StoredVersion[] }> {
	const { base } = addressOfKnowledge(address);
	const objects = openObjects(base, storageAccess(environment));
	const found = await readPointer(objects, base);
	if (!found)
		throw usageError(
			"no-knowledge",
			`${addressText(base)} holds no knowledge base`,
			"Put one there: hopscope knowledge push NAME ADDRESS.",
		);
	const told = ({ current, versions }: Pointer): StoredVersion[] =>
		versions.map(({ id, hash, at }) => ({
			...{ address: `${addressText(base)}/${versionFolder(id)}`, hash, at },
			current: id === current,
		}));
	if (keep === undefined) return { versions: told(found.pointer), removed: [] };
	let before = found.pointer;
	// nobody finds them any more before the first of their objects goes
	const left = await point(objects, base, (pointer = found.pointer) => {
		before = pointer;
		const latest = pointer.versions.slice(Math.max(0, pointer.versions.length - keep));
		return {
			...pointer,
			versions: pointer.versions.filter((one) => one.id === pointer.current || latest.includes(one)),
		};
	});
	const gone = before.versions.filter(({ id }) => !left.versions.some((one) => one.id === id));
	for (const { id } of gone) {
		const names = (await objects.list(versionFolder(id))).map(({ name }) => `${versionFolder(id)}/${name}`);
		await atOnce(names, 8, (name) => objects.remove(name));
	}
	return { versions: told(left), removed: told({ ...before, versions: gone }) };
}

/** Writes the pointer unless somebody else did meanwhile; then what that one says is changed instead. */
async function point(
	objects: Objects,
	base: Address,
	change: (before: Pointer | undefined) => Pointer,
): Promise<Pointer> {
	for (let attempt = 0; attempt < 20; attempt += 1) {
		const before = await readPointer(objects, base);
		const pointer = change(before?.pointer);
		const condition = before ? { tag: before.tag } : ({ absent: true } as const);
		if (await objects.write(pointerName, Buffer.from(`${JSON.stringify(pointer)}\n`), condition)) return pointer;
	}
	throw new HopscopeError(
		"object-storage",
		`${addressText(base)}/${pointerName} is being changed by others`,
		"Let one at a time put versions there.",
	);
}

/** What only making something anew from a corpus reads; all that answers needs of its texts is in the index. */
const corpusTexts = ["corpus.json", "evidence.jsonl", "documents.jsonl"];

interface FoundFile {
	name: string;
	file: string;
	size: number;
}

/** All files below a folder, links left out, by their paths with forward slashes; none where there is no folder. */
async function filesBelow(folder: string, depth = 32): Promise<FoundFile[]> {
	const found: FoundFile[] = [];
	for (const { name, entry } of await entriesIn(folder).catch(() => [])) {
		const file = join(folder, name);
		if (entry.isFile()) found.push({ name, file, size: await sizeOf(file) });
		else if (entry.isDirectory() && depth > 0)
			for (const one of await filesBelow(file, depth - 1)) found.push({ ...one, name: `${name}/${one.name}` });
	}
	return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const sizeOf = async (file: string) => (await stat(pathOnDisk(file))).size;

async function atOnce<T>(items: readonly T[], most: number, work: (item: T) => Promise<void>): Promise<void> {
	let next = 0;
	const worker = async () => {
		while (next < items.length) {
			const item = items[next++] as T;
			await work(item).catch((error: unknown) => {
				next = items.length;
				throw error;
			});
		}
	};
	await Promise.all(Array.from({ length: most }, worker));
}
