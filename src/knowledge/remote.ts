import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { clip, HopscopeError, trackWork, usageError } from "#domain";
import { graphFolder } from "#graph";
import {
	type Address,
	addressText,
	isAbandoned,
	type Objects,
	openObjects,
	ownMark,
	type StorageAccess,
	type StorageEnvironment,
	sha256,
	storageAccess,
	writeWhole,
} from "#store";
import { weightsName } from "./manifest.ts";
import type { Place } from "./place.ts";
import {
	addressOfKnowledge,
	damaged,
	engineObjects,
	fileObjects,
	readPointer,
	readVersion,
	type Version,
	versionFolder,
} from "./storage-layout.ts";

/** The version that an address names, or the one that counts there now: it stays the same as long as it is open. */
export async function placeInStorage(
	address: string,
	environment: StorageEnvironment = process.env,
	closing?: AbortSignal,
): Promise<Place> {
	const { base, id: named } = addressOfKnowledge(address);
	const access = storageAccess(environment);
	const objects = openObjects(base, access, closing);
	const id = named ?? (await readPointer(objects, base))?.pointer.current;
	if (id === undefined)
		throw usageError(
			"no-knowledge",
			`${addressText(base)} holds no knowledge base`,
			"Put one there: hopscope knowledge push NAME ADDRESS.",
		);
	const folder = versionFolder(id);
	const version = await readVersion(objects, base, id);
	await mustBeWhole(objects, { base, folder, version });
	const fetched = await openFetched(objects, { folder, version, base });
	const dir = `${addressText(base)}/${folder}`;
	return {
		dir,
		file: version.knowledge,
		engine: { uri: `${dir}/${engineObjects}`, options: { storageOptions: engineOptions(access) } },
		weights: () => fetched.file(weightsName),
		async graph(part) {
			const names = Object.keys(version.files).filter((name) => name.startsWith(`${graphFolder}/`));
			for (const name of names) if (part === undefined || name.endsWith("/graph.json")) await fetched.file(name);
			return join(fetched.dir, graphFolder);
		},
		corpusFile: async (file) => {
			const name = `corpus/${file}`;
			return Object.hasOwn(version.files, name) ? fetched.file(name) : undefined;
		},
		explained: (error) => explained(error, { dir, access }),
		release: fetched.close,
	};
}

/** An index that lacks a file answers less without a word, so what should be there is looked for before anything is asked. */
async function mustBeWhole(
	objects: Objects,
	{ base, folder, version }: { base: Address; folder: string; version: Version },
): Promise<void> {
	const there = new Map((await objects.list(`${folder}/${engineObjects}`)).map(({ name, size }) => [name, size]));
	const name = Object.keys(version.engine).find((name) => there.get(name) !== version.engine[name]);
	if (name !== undefined)
		throw damaged(
			`${addressText(base)}/${folder}/${engineObjects}/${name} ${there.has(name) ? "has another size than it should" : "is missing"}`,
		);
}

/** Bytes of fetched files that are kept, and how many stay in any case, since somebody may be reading them. */
const mostKept = 512 << 20;
const fewestKept = 32;

/** Files of a version that were asked for, in a folder of this process. */
async function openFetched(
	objects: Objects,
	{ folder, version, base }: { folder: string; version: Version; base: Address },
) {
	await clearAbandoned();
	const dir = join(tmpdir(), `${prefix}${ownMark()}`);
	await mkdir(dir, { mode: 0o700 });
	const work = trackWork(addressText(base));
	const fetching = new Map<string, Promise<string>>();
	const kept = new Map<string, number>();
	let total = 0;

	async function fetchFile(name: string): Promise<string> {
		const about = version.files[name];
		if (!about) throw damaged(`${addressText(base)} has no ${name}`);
		const key = `${folder}/${fileObjects}/${about.sha256}`;
		const found = await objects.read(key);
		if (!found) throw damaged(`${addressText(base)}/${key} (${name}) is missing`);
		if (sha256(found.bytes) !== about.sha256)
			throw damaged(`${addressText(base)}/${key} (${name}) is not what was put there`);
		// a name of the store's is no path here, but for its ending, which tells what a picture is
		const [ending = ""] = /\.\w{1,8}$/.exec(name) ?? [];
		const isOwn = !name.startsWith("corpus/");
		const file = isOwn ? join(dir, ...name.split("/")) : join(dir, "corpus", `${about.sha256}${ending}`);
		await mkdir(dirname(file), { recursive: true });
		await writeWhole(file, found.bytes, { synced: false });
		if (!isOwn) {
			kept.set(name, about.size);
			total += about.size;
		}
		return file;
	}

	async function keepFile(name: string): Promise<string> {
		const known = fetching.get(name);
		const file = known ?? fetchFile(name);
		// the last asked for is the last to go
		fetching.delete(name);
		fetching.set(name, file);
		file.catch(() => fetching.delete(name));
		const path = await file;
		for (const [oldest, before] of fetching) {
			if (total <= mostKept || kept.size <= fewestKept) break;
			const size = kept.get(oldest);
			if (size === undefined || oldest === name) continue;
			fetching.delete(oldest);
			kept.delete(oldest);
			total -= size;
			await rm(await before, { force: true });
		}
		return existsSync(path) ? path : fetchFile(name);
	}

	return {
		dir,
		file: (name: string) => work.run(() => keepFile(name)),
		// a search that failed leaves fetches behind: what they write would bring the folder back
		close: () => work.close(() => rm(dir, { recursive: true, force: true })),
	};
}

const prefix = "hopscope-objects-";

/** What killed processes fetched. */
async function clearAbandoned(): Promise<void> {
	for (const name of await readdir(tmpdir()).catch(() => []))
		if (name.startsWith(prefix) && isAbandoned(name.slice(prefix.length)))
			await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
}

/** The same keys and endpoint for the engine, which asks the store by itself. */
function engineOptions({ endpoint, region, accessKeyId, secretAccessKey, sessionToken }: StorageAccess) {
	return {
		aws_endpoint: endpoint,
		aws_region: region,
		aws_access_key_id: accessKeyId,
		aws_secret_access_key: secretAccessKey,
		...(sessionToken ? { aws_session_token: sessionToken } : {}),
		aws_virtual_hosted_style_request: "false",
		allow_http: String(endpoint.startsWith("http:")),
		client_retry_timeout: "60",
	};
}

function explained(error: unknown, { dir, access }: { dir: string; access: StorageAccess }): unknown {
	if (error instanceof HopscopeError) return error;
	let reason = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ");
	for (const secret of [access.secretAccessKey, access.sessionToken, access.accessKeyId])
		if (secret) reason = reason.replaceAll(secret, "…");
	return new HopscopeError(
		"object-storage",
		`${dir} could not be read: ${clip(reason, 300)}`,
		"Try again once the store is well; an object that is missing comes back by hopscope knowledge push.",
	);
}
