import { statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { fileInside, sha256 } from "#store";

/*
 * The files of a folder that rows name by an address or a path. The folder may hold them under the whole path, or flat
 * under its last part, and there two names can lead to one file: which of them it belongs to is not known then, so it is
 * taken for neither.
 */

/** Looks names up in one folder and remembers which names led to which file. */
export interface NamedFiles {
	/** The file of a name, undefined where there is none, or why it cannot be told which file is meant. */
	find(name: string): { file: string } | { unclear: string } | undefined;
	/** Files that more than one name led to, with those names: what a second reading refuses. */
	shared(): SharedFiles;
}

/** Names by the file that they lead to. */
export type SharedFiles = ReadonlyMap<string, readonly string[]>;

const endings = ["", ".jpg", ".jpeg", ".png", ".webp", ".gif", ".JPEG", ".JPG", ".PNG"];

export function namedFiles(folder: string, refused: SharedFiles = new Map()): NamedFiles {
	/** By file, each name as it was first written. */
	const names = new Map<string, Map<string, string>>();
	return {
		find(name) {
			for (const path of pathsOf(name)) {
				const found = filesAt(folder, path);
				const [file] = found;
				if (file === undefined) continue;
				if (found.length > 1)
					return { unclear: `its image "${clipped(name)}" is ${quoted(found)} in ${folder}: leave one of them` };
				const told = names.get(file) ?? new Map<string, string>();
				names.set(file, told);
				if (!told.has(withoutScheme(name))) told.set(withoutScheme(name), name);
				const others = (refused.get(file) ?? []).filter((other) => withoutScheme(other) !== withoutScheme(name));
				if (others.length > 0) return { unclear: sharedWords(name, { file, folder, others }) };
				return { file: join(folder, file) };
			}
			return undefined;
		},
		shared: () =>
			new Map([...names].flatMap(([file, of]) => (of.size > 1 ? [[file, [...of.values()].sort()] as const] : []))),
	};
}

function sharedWords(
	name: string,
	{ file, folder, others }: { file: string; folder: string; others: readonly string[] },
): string {
	const more = others.length > 1 ? ` and ${others.length - 1} more` : "";
	return `its image "${clipped(name)}" and "${clipped(others[0] ?? "")}"${more} both lead to "${file}" in ${folder}, and whose it is is not known: name it "${hashName(name)}", by the SHA-256 of its name in the row, or keep the folders of the names`;
}

/** A name for the file that no other address leads to. */
const hashName = (name: string) => `${sha256(name)}${extname(localPath(name))}`;

/**
 * Where a name may lead, the surest first: the hash of the name, the address with its host, its path, its last part. What
 * an address asks and points to (`?x`, `#y`) is in none but the first.
 */
function pathsOf(name: string): string[] {
	const path = localPath(name);
	const withHost = withoutScheme(name).replace(/[?#].*$/s, "");
	const isAddress = withoutScheme(name) !== plain(name);
	const paths = [hashName(name), ...(isAddress ? [withHost] : []), path, basename(path)];
	return [...new Set(paths)].filter((one) => one !== "" && one !== "." && one !== "..");
}

/** The files that a path without an ending may be, relative to the folder, each once; one with an ending is itself. */
function filesAt(folder: string, path: string): string[] {
	const found = new Map<string, string>();
	for (const ending of extname(path) === "" ? endings : [""]) {
		// what no file can be called (too long, a null character) is not there either
		const real = fileInside(folder, `${path}${ending}`);
		if (real === undefined || !statSync(real, { throwIfNoEntry: false })?.isFile()) continue;
		if (!found.has(real)) found.set(real, `${path}${ending}`);
	}
	return [...found.values()];
}

const address = /^https?:\/\//i;
/** A relative path without what leads up or to the root. */
const plain = (name: string) => name.replace(/^(?:\.?[\\/])+/, "");
/** As names are told apart: an address says the same with http and https. */
const withoutScheme = (name: string) => (address.test(name) ? name.replace(address, "") : plain(name));

/** The path of an address, without what asks and points; other names as they are, relative. */
function localPath(name: string): string {
	const [, path] = /^https?:\/\/[^/]*\/?([^?#]*)/i.exec(name) ?? [];
	return plain(path ?? name);
}

const quoted = (files: readonly string[]) => files.map((file) => `"${clipped(file)}"`).join(" and ");
const clipped = (name: string) => (name.length > 300 ? `${name.slice(0, 299)}…` : name);
