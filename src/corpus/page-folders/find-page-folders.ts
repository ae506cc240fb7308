import { realpath } from "node:fs/promises";
import { basename, dirname, extname, join, resolve, sep } from "node:path";
import { usageError } from "#domain";
import { atOnce } from "../at-once.ts";
import type { SourceFile } from "../find-files.ts";
import { imageExtensions } from "../image-file.ts";
import { lookLikePages } from "./look-like-pages.ts";
import { type NumberedPages, numberedPages } from "./numbered-pages.ts";
import { pagesIn } from "./page-pictures.ts";

/** What is found among files: folders that are documents in place of the pictures in them, and the other files. */
export interface FoundFolders {
	files: SourceFile[];
	/** A line each: what was taken for a document, and what nearly was. */
	notes: string[];
	/** How many folders are documents. */
	documents: number;
	/** Folders that were named and are none. */
	problems: { source: string; message: string }[];
}

/** The rule by which folders are taken for documents without being named. A corpus states it. */
export const detectionRule = { rule: "numbered-run-1", parameters: { leastPages: 2, mostPages: 2000 } } as const;
const pageWords = /^(?:page|pages|pag|pg|p|seite|slide|folio|f)$/i;

/**
 * Folders of page pictures as documents. A folder that is named, or lies in one that is, is a document where its pictures
 * are numbered. Any other one is where it holds nothing but pictures, they are named by numbers alone or behind `page`,
 * `slide` or the folder's own name, the numbers run from 0 or 1 without a gap, there are 2 to 2,000, and they look like
 * pages: see `lookLikePages`. `named`: folders; false: none is taken for a document. `apart`: labels of folders whose
 * pictures were single ones before, and stay so unless they are named.
 */
export async function findPageFolders(
	files: SourceFile[],
	{ named, apart = new Set() }: { named: readonly string[] | false; apart?: ReadonlySet<string> },
): Promise<FoundFolders> {
	const found: FoundFolders = { files, notes: [], documents: 0, problems: [] };
	if (named === false) return found;
	const roots = await Promise.all(named.map(realFolder));
	const folders = foldersOf(files);
	const documents = new Map<string, SourceFile>();
	await atOnce([...folders], 4, async ([label, { path, own, deeper }]) => {
		const pictures = own.filter(({ label }) => imageExtensions.has(extname(label).toLowerCase()));
		if (pictures.length === 0) return;
		const told = roots.some((root) => path === root || path.startsWith(`${root}${sep}`));
		const names = pictures.map((file) => basename(file.path));
		const numbered = told ? numberedPages(names) : numberedPages(names, mayStandBefore(nameOf(label)));
		if (!told && names.length < detectionRule.parameters.leastPages) return;
		if ("problem" in numbered) {
			if (told) found.problems.push({ source: label, message: `${numbered.problem}; read as single pictures` });
			return;
		}
		const other = own.length - pictures.length + deeper;
		const against = told ? undefined : await notDetected(numbered, { path, other, before: apart.has(label) });
		const why = against ?? (await isPart(numbered, path));
		const { count, base } = numbered;
		if (why !== undefined) {
			found.notes.push(
				`${label}: ${names.length} numbered pictures, read one by one: ${why}; --page-folders reads them as one document`,
			);
			return;
		}
		found.notes.push(`${label}: one document of ${count} pages, its pictures ${base} to ${base + count - 1}`);
		const size = pictures.reduce((sum, one) => sum + one.size, 0);
		documents.set(label, { path, label, size, folder: true });
	});
	for (const [place, root] of roots.entries())
		if (![...folders.values()].some(({ path }) => path === root || path.startsWith(`${root}${sep}`)))
			found.problems.push({ source: named[place] ?? root, message: "no picture is read in this folder of pages" });
	found.notes.sort();
	found.documents = documents.size;
	const left = files.filter((file) => {
		const folder = documents.get(folderOf(file.label));
		return !folder || !imageExtensions.has(extname(file.label).toLowerCase());
	});
	found.files = [...left, ...documents.values()].sort((a, b) => (a.label < b.label ? -1 : 1));
	return found;
}

async function realFolder(folder: string): Promise<string> {
	return realpath(resolve(folder)).catch((error: unknown) => {
		throw usageError("missing-path", `${folder} does not exist`, "Check the folders of --page-folders.", {
			cause: error,
			facts: { path: folder },
		});
	});
}

const nameOf = (label: string) => label.slice(label.lastIndexOf("/") + 1);
/** The label of the folder that a label lies in. */
export const folderOf = (label: string) => label.slice(0, Math.max(0, label.lastIndexOf("/")));

interface Folder {
	path: string;
	/** Files that lie in it, and how many lie deeper. */
	own: SourceFile[];
	deeper: number;
}

function foldersOf(files: readonly SourceFile[]): Map<string, Folder> {
	const folders = new Map<string, Folder>();
	for (const file of files) {
		const label = folderOf(file.label);
		// a file that was named by itself stands for itself
		if (label === "") continue;
		const known = folders.get(label);
		if (known) known.own.push(file);
		else folders.set(label, { path: dirname(file.path), own: [file], deeper: 0 });
	}
	for (const [label, { own }] of folders)
		for (let above = folderOf(label); above !== ""; above = folderOf(above)) {
			const folder = folders.get(above);
			if (folder) folder.deeper += own.length;
		}
	return folders;
}

const mayStandBefore = (folder: string) => (text: string) => {
	const word = text.replace(/[-_. ]+$/, "");
	return word === "" || word === folder || pageWords.test(word);
};

/** The folder is read as a whole: what was not found there, as where files were named one by one, must not come along. */
async function isPart({ files }: NumberedPages, path: string): Promise<string | undefined> {
	const whole = await pagesIn({ path }).catch(() => undefined);
	return whole?.files.size === files.size ? undefined : "they are only some of those in their folder";
}

/** Why a folder that nobody named is no document, though its pictures are numbered. */
async function notDetected(
	{ files, missing }: NumberedPages,
	{ path, other, before }: { path: string; other: number; before: boolean },
): Promise<string | undefined> {
	if (before) return "as they were before";
	const { mostPages } = detectionRule.parameters;
	if (other > 0) return `other files lie there too (${other})`;
	if (missing.length > 0)
		return `no picture has number ${missing[0]}${missing.length > 1 ? `, and ${missing.length - 1} more lack` : ""}`;
	if (files.size > mostPages) return `more than ${mostPages}`;
	const pictures = [...files.values()].map((name) => join(path, name));
	return lookLikePages(pictures);
}
