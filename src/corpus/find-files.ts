import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, resolve, sep } from "node:path";
import { usageError } from "#domain";

/** One file of a source: where it is, and the name it has in ids. */
export interface SourceFile {
	path: string;
	/** Path from the named source, with the source's own name first, forward slashes: `docs/guide/start.md`. */
	label: string;
	size: number;
	/** It is a folder of page pictures that is read as one document. */
	folder?: true;
}

/**
 * Every file under the named paths, in order of label, hidden ones and links left out. Ids begin with the source's
 * own folder or file name and not with the machine's path, so that a moved source keeps its ids. A path that does not
 * exist is an error (exit 2).
 */
export async function findFiles(paths: string[], onLink: (label: string) => void): Promise<SourceFile[]> {
	const files = new Map<string, SourceFile>();
	const roots = [...new Set(paths.map((path) => resolve(path)))].sort();
	const labels = labelsOf(roots);
	for (const root of roots) {
		const real = await realpath(root).catch((error: unknown) => {
			throw usageError("missing-path", `${root} does not exist`, "Check the path.", {
				cause: error,
				facts: { path: root },
			});
		});
		await walk(real, labels.get(root) ?? basename(root));
	}
	return [...files.values()].sort((a, b) => (a.label < b.label ? -1 : 1));

	async function walk(path: string, label: string): Promise<void> {
		const stats = await stat(path);
		if (stats.isFile()) {
			// A file named twice, by itself and by its folder, is read once.
			if (!files.has(path)) files.set(path, { path, label, size: stats.size });
			return;
		}
		if (!stats.isDirectory()) return;
		for (const entry of await readdir(path, { withFileTypes: true })) {
			if (entry.name.startsWith(".")) continue;
			// A link could lead in a circle or out of what was named.
			if (entry.isSymbolicLink()) onLink(`${label}/${entry.name}`);
			else await walk(join(path, entry.name), `${label}/${entry.name}`);
		}
	}
}

/** The shortest end of each path that no other one shares. */
function labelsOf(roots: string[]): Map<string, string> {
	const end = (root: string, count: number) => root.split(sep).filter(Boolean).slice(-count).join("/") || "root";
	const labels = new Map<string, string>();
	for (const root of roots) {
		let count = 1;
		while (count < 64 && roots.some((other) => other !== root && end(other, count) === end(root, count))) count += 1;
		labels.set(root, end(root, count));
	}
	return labels;
}
