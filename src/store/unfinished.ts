import { createHash, randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

/*
 * What is written beside its place until it is whole is called by its process, so that what a killed one left is known
 * from what is being written, by a process on another machine too.
 */

const host = createHash("sha256").update(hostname()).digest("hex").slice(0, 6);
const randomBytesOfName = 4;

/** What follows the name of a place: `PID-HOSTRANDOM`, nobody else's. */
export const ownMark = (): string => `${process.pid}-${host}${randomBytes(randomBytesOfName).toString("hex")}`;

/** Whether the process of a mark is dead: only of this machine is it known. Those of earlier versions name no process. */
export function isAbandoned(mark: string): boolean {
	const [, pid, hex = ""] = /^(?:(\d+)-)?([0-9a-f]+)$/.exec(mark) ?? [];
	if (hex === "") return false;
	if (hex.length === host.length + 2 * randomBytesOfName && !hex.startsWith(host)) return false;
	return pid === undefined || !isAlive(Number(pid));
}

const cleared = new Set<string>();

/** Removes what killed processes left half written of files in a folder; looked for once by each process. */
export async function clearAbandoned(folder: string): Promise<void> {
	if (cleared.has(folder)) return;
	cleared.add(folder);
	for (const name of await readdir(folder).catch(() => [])) {
		// nobody else's file is called so; what begins with a dot is a folder's, which `replaceFolder` looks after
		const [, mark] = /^[^.].*\.(\d+-[0-9a-f]{14})\.part$/.exec(name) ?? [];
		if (mark === undefined || !isAbandoned(mark)) continue;
		await rm(join(folder, name), { force: true }).catch(() => undefined);
	}
}

/** Where a file is written until it is whole: beside its place. */
export const besideFile = (file: string): string => `${file}.${ownMark()}.part`;

/** Where a folder is filled until it is whole. */
export const besideFolder = (place: string): string => join(dirname(place), `.${basename(place)}.${ownMark()}`);

/** Whether a process of this machine runs. */
export function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}
