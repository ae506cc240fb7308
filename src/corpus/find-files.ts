import { stat } from "node:fs/promises";
import { basename, join, parse, resolve, sep } from "node:path";
import { usageError } from "#domain";
import { entriesIn, pathOnDisk, realPath, shownNames } from "#store";

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
 * exist is an error (exit 2); what lies within and cannot be opened is told to `onProblem`, and the rest goes on.
 */
export async function findFiles(
	paths: string[],
	onProblem: (problem: { source: string; message: string }) => void,
): Promise<SourceFile[]> {
	const files = new Map<string, SourceFile>();
	const roots = await rootsOf(paths);
	const labels = labelsOf(roots);
	for (const root of roots) {
		let real: string;
		try {
			real = realPath(root);
		} catch (error) {
			throw usageError("missing-path", `${shownPath(root)} does not exist`, "Check the path.", {
				cause: error,
				facts: { path: shownPath(root) },
			});
		}
		await visit(real, labels.get(root) ?? basename(root));
	}
	return [...files.values()].sort((a, b) => (a.label < b.label ? -1 : 1));

	async function visit(path: string, label: string): Promise<void> {
		try {
			await walk(path, label);
		} catch (error) {
			const reason = (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error));
			onProblem({ source: label, message: `cannot be opened (${reason}); not read` });
		}
	}

	async function walk(path: string, label: string): Promise<void> {
		const stats = await stat(pathOnDisk(path));
		if (stats.isFile()) {
			// A file named twice, by itself and by its folder, is read once.
			if (!files.has(path)) files.set(path, { path, label, size: stats.size });
			return;
		}
		if (!stats.isDirectory()) return;
		const entries = (await entriesIn(path)).filter(({ name }) => !name.startsWith("."));
		const shown = shownNames(entries.map(({ name }) => name));
		for (const { name, entry } of entries) {
			const inner = `${label}/${shown.get(name)}`;
			// A link could lead in a circle or out of what was named.
			if (entry.isSymbolicLink()) onProblem({ source: inner, message: "is a link; links are not followed" });
			else await visit(join(path, name), inner);
		}
	}
}

/** Where the named paths are, each once. */
export async function rootsOf(paths: string[]): Promise<string[]> {
	return [...new Set((await Promise.all(paths.map(namedPath))).map((path) => resolve(path)))].sort();
}

/**
 * A path as a person named it. Arguments reach Node as text, bytes that are none as U+FFFD: such a part stands for the one
 * entry of its folder that reads so.
 */
async function namedPath(path: string): Promise<string> {
	if (!path.includes("\ufffd")) return path;
	let found = parse(resolve(path)).root;
	for (const part of resolve(path).slice(found.length).split(sep)) {
		const entries = part.includes("\ufffd") ? await entriesIn(found).catch(() => []) : [];
		const alike = entries.filter(({ entry }) => entry.name.toString() === part).map(({ name }) => name);
		found = join(found, alike.length === 1 && alike[0] ? alike[0] : part);
	}
	return found;
}

const shownPath = (path: string) => {
	const parts = path.split(sep);
	return parts.map((part) => shownNames([part]).get(part)).join(sep);
};

/** The shortest end of each path that no other one shares. */
function labelsOf(roots: string[]): Map<string, string> {
	const shown = shownNames([...new Set(roots.flatMap((root) => root.split(sep)))]);
	const end = (root: string, count: number) => {
		const parts = root.split(sep).filter(Boolean).slice(-count);
		return parts.map((part) => shown.get(part) ?? part).join("/") || "root";
	};
	const labels = new Map<string, string>();
	for (const root of roots) {
		let count = 1;
		while (count < 64 && roots.some((other) => other !== root && end(other, count) === end(root, count))) count += 1;
		labels.set(root, end(root, count));
	}
	return labels;
}
