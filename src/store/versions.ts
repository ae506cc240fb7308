import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { replaceFolder } from "./folder.ts";
import { isAbandoned, ownMark } from "./unfinished.ts";

/*
 * A folder of versions that is read while it is updated: `marker`, one file that is replaced at once, names the version
 * that counts, `versions/NAME`; who reads one says so in it, and it stays until no reader is left.
 */

const versionsFolder = "versions";
const readersFolder = "readers";

/**
 * Fills a new version and then lets `publish` name it, by its folder within `dir`, in the file `marker`. What no reader
 * holds of earlier ones is removed. The first version appears with the whole folder, so that a killed filling leaves none.
 */
export async function addVersion<T>(
	dir: string,
	marker: string,
	{
		fill,
		publish,
		before,
	}: {
		fill(place: string): Promise<T>;
		/** Writes the marker into `place`. */
		publish(place: string, value: T, folder: string): Promise<void>;
		/** What stood in `dir` itself before there were versions. */
		before: readonly string[];
	},
): Promise<T> {
	const place = resolve(dir);
	const name = randomBytes(6).toString("hex");
	const folder = `${versionsFolder}/${name}`;
	const held = await readdir(place).catch((): string[] => []);
	if (!held.includes(marker))
		return replaceFolder(place, marker, async (whole) => {
			await mkdir(join(whole, folder), { recursive: true });
			const value = await fill(join(whole, folder));
			await publish(whole, value, folder);
			return value;
		});
	const versions = join(place, versionsFolder);
	const filling = join(versions, `.${name}.${ownMark()}.part`);
	try {
		await mkdir(filling, { recursive: true });
		const value = await fill(filling);
		await rename(filling, join(place, folder));
		await publish(place, value, folder);
		await removeOthers(place, { name, before });
		return value;
	} finally {
		await rm(filling, { recursive: true, force: true });
	}
}

/**
 * The version that `current` names, held until what is returned is called: it says by a file of this process that it is
 * read. `current` is asked again once it is held, since an update may have come between.
 */
export async function holdVersion<T extends { folder: string }>(
	dir: string,
	current: () => Promise<T>,
): Promise<{ value: T; release(): void }> {
	for (;;) {
		const value = await current();
		const release = await hold(join(dir, value.folder));
		const again = await current().catch((error: unknown) => {
			release();
			throw error;
		});
		if (again.folder === value.folder) return { value: again, release };
		release();
	}
}

/** Where nothing can be written, nobody is told: an update then removes what is read here. */
async function hold(folder: string): Promise<() => void> {
	const readers = join(folder, readersFolder);
	const file = join(readers, ownMark());
	try {
		await mkdir(readers).catch((error: NodeJS.ErrnoException) => {
			if (error.code !== "EEXIST") throw error;
		});
		await writeFile(file, "");
		// what killed readers left, and those that ended without a word
		for (const mark of await readdir(readers)) if (isAbandoned(mark)) await rm(join(readers, mark), { force: true });
	} catch {
		return () => {};
	}
	return () => {
		try {
			rmSync(file, { force: true });
		} catch {
			// a folder that became read-only keeps the name of a process that will be dead
		}
	};
}

async function removeOthers(
	place: string,
	{ name, before }: { name: string; before: readonly string[] },
): Promise<void> {
	const versions = join(place, versionsFolder);
	for (const other of await readdir(versions)) {
		if (other === name) continue;
		const [, mark] = /^\.[0-9a-f]+\.([^.]+)\.part$/.exec(other) ?? [];
		const isFree = mark === undefined ? !(await isRead(join(versions, other))) : isAbandoned(mark);
		if (isFree) await rm(join(versions, other), { recursive: true, force: true });
	}
	if (!(await isRead(place)))
		for (const one of [...before, readersFolder]) await rm(join(place, one), { recursive: true, force: true });
}

async function isRead(folder: string): Promise<boolean> {
	const marks = await readdir(join(folder, readersFolder)).catch(() => []);
	return marks.some((mark) => !isAbandoned(mark));
}
