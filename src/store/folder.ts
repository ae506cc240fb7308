import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import { usageError } from "#domain";
import { realPath } from "./disk-path.ts";
import { besideFolder, isAbandoned } from "./unfinished.ts";

/**
 * Fills a folder beside `dir` and then puts it in its place, so that a reader sees either the old folder or the whole
 * new one and an interrupted filling leaves nothing that opens. `marker` is the file that such a folder holds: a
 * non-empty folder without it is somebody's own and is refused (exit 2).
 */
export async function replaceFolder<T>(dir: string, marker: string, fill: (dir: string) => Promise<T>): Promise<T> {
	const place = resolve(dir);
	await refuseForeign(place, marker);
	await mkdir(dirname(place), { recursive: true });
	await clearLeftovers(place);
	const beside = besideFolder(place);
	const filling = `${beside}.part`;
	const retired = `${beside}.old`;
	try {
		await mkdir(filling);
		const value = await fill(filling);
		if (await exists(place)) await rename(place, retired);
		await rename(filling, place);
		return value;
	} finally {
		await rm(filling, { recursive: true, force: true });
		// When the second rename failed, the old folder goes back to its place.
		if (!(await exists(place)) && (await exists(retired))) await rename(retired, place);
		await rm(retired, { recursive: true, force: true });
	}
}

/** The real path of an existing file in a folder, links followed; undefined when it is missing or lies elsewhere. */
export function fileInside(folder: string, file: string): string | undefined {
	try {
		const path = realPath(resolve(folder, file));
		const inside = relative(realPath(folder), path);
		const outside = inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
		return outside ? undefined : path;
	} catch {
		return undefined;
	}
}

/** Milliseconds for which a folder that is being replaced is waited for. */
const patience = 10_000;

/**
 * Waits for a folder that another process is just replacing, and puts back what a killed one took away: between the two
 * renames of `replaceFolder` there is none. Whether it is there then.
 */
export async function folderThere(dir: string): Promise<boolean> {
	const place = resolve(dir);
	const until = performance.now() + patience;
	for (;;) {
		if (await exists(place)) return true;
		const retired = (await namesIn(dirname(place))).find(
			(name) => name.startsWith(`.${basename(place)}.`) && name.endsWith(".old"),
		);
		if (retired === undefined || performance.now() > until) return exists(place);
		// who may not write here can still wait for who may
		await clearLeftovers(place).catch(() => undefined);
		await setTimeout(5);
	}
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** What killed processes left beside a place: its old folder is put back where it is missing, the rest removed. */
async function clearLeftovers(place: string): Promise<void> {
	const prefix = `.${basename(place)}.`;
	for (const name of await readdir(dirname(place))) {
		if (!name.startsWith(prefix)) continue;
		const [, mark, kind] = /^([^.]+)\.(part|old)$/.exec(name.slice(prefix.length)) ?? [];
		if (mark === undefined || !isAbandoned(mark)) continue;
		const leftover = join(dirname(place), name);
		if (kind === "old" && !(await exists(place))) await rename(leftover, place);
		else await rm(leftover, { recursive: true, force: true });
	}
}

async function refuseForeign(dir: string, marker: string): Promise<void> {
	let names: string[];
	try {
		names = await readdir(dir);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
		throw usageError("not-a-folder", `${dir} is not a folder`, "Name a new folder or an empty one.", { cause: error });
	}
	if (names.length === 0 || names.includes(marker)) return;
	throw usageError(
		"folder-in-use",
		`${dir} holds other files and no ${marker}, so it is not replaced`,
		"Name a new folder or an empty one.",
		{ facts: { dir } },
	);
}

async function exists(path: string): Promise<boolean> {
	return stat(path).then(
		() => true,
		() => false,
	);
}
