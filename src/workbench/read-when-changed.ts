import { stat } from "node:fs/promises";

/** Size and age of a file: changes when it is written anew, but not when it is copied with its age. */
export const stampOfFile = (file: string): Promise<string> =>
	stat(file).then(
		({ size, mtimeMs }) => `${size}-${mtimeMs}`,
		() => "none",
	);

/** Changes when any of the files does, or comes, or goes. */
export async function stampOf(files: readonly string[]): Promise<string> {
	const stamps = files.map((file) =>
		stat(file).then(
			({ ino, size, mtimeMs }) => `${ino}-${size}-${mtimeMs}`,
			() => "none",
		),
	);
	return (await Promise.all(stamps)).join(" ");
}

/** What a file of each name holds, read again only when the file has changed; undefined where there is none. */
export function readWhenChanged<Read>(
	fileOf: (name: string) => string,
	read: (file: string, name: string) => Promise<Read>,
): (name: string) => Promise<Read | undefined> {
	const kept = new Map<string, { stamp: string; read: Promise<Read> }>();
	return async (name) => {
		const file = fileOf(name);
		const stamp = await stampOf([file]);
		if (stamp === "none") return undefined;
		const before = kept.get(name);
		if (before?.stamp === stamp) return before.read;
		const now = { stamp, read: read(file, name) };
		kept.set(name, now);
		now.read.catch(() => kept.delete(name));
		return now.read;
	};
}
