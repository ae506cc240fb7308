import { readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { z } from "zod";
import { freeRecord, grouped, HopscopeError } from "#domain";
import { entriesIn, parseLine, pathOnDisk, readLines } from "#store";
import type { SourceFile } from "./find-files.ts";
import { imageExtensions } from "./image-file.ts";

const Entry = z.object({
	file: z.string(),
	caption: z.string(),
	title: z.string().optional(),
	language: z.string().optional(),
});
export type Caption = Omit<z.infer<typeof Entry>, "file">;

/** What a folder says of its images. */
export interface Captions {
	/** By file name, with or without its ending. */
	byName: ReadonlyMap<string, Caption>;
	/** Names without an ending that several images have, with those: a caption under one is not known to be whose. */
	shared: ReadonlyMap<string, readonly string[]>;
}

const CaptionFile = z.union([freeRecord(z.string()), z.array(Entry)]);

/** Side files that name captions for the images beside them; they are not documents themselves. */
export const captionFiles = new Set(["captions.json", "captions.jsonl"]);
const largestSideFile = 16 * 1024 * 1024;

/**
 * What a folder's captions.json or captions.jsonl says. A side file that does not parse is a problem, and so are two
 * captions of one name: neither is used.
 */
export async function readCaptions(folder: string, onProblem: (message: string) => void): Promise<Captions> {
	const captions = new Map<string, Caption>();
	const twice = new Set<string>();
	const add = (file: string, caption: Caption) => {
		const known = captions.get(file);
		if (known && known.caption !== caption.caption) twice.add(file);
		captions.set(file, caption);
	};
	const text = await readSideFile(join(folder, "captions.json"));
	if (text !== undefined) {
		const parsed = parseLine(text, CaptionFile);
		if ("problem" in parsed) onProblem(`captions.json: ${parsed.problem}; its captions are not used`);
		else if (Array.isArray(parsed.value)) for (const { file, ...caption } of parsed.value) add(file, caption);
		else for (const [file, caption] of Object.entries(parsed.value)) add(file, { caption });
	}
	try {
		for await (const line of readLines(join(folder, "captions.jsonl"))) {
			const parsed = parseLine(line.text, Entry);
			if ("problem" in parsed) onProblem(`captions.jsonl, line ${line.number}: ${parsed.problem}; not used`);
			else add(parsed.value.file, { ...parsed.value });
		}
	} catch (error) {
		if (!(error instanceof HopscopeError && error.code === "missing-file")) throw error;
	}
	for (const file of twice) {
		onProblem(`"${file}" has two captions that differ: neither is used; leave one`);
		captions.delete(file);
	}
	return { byName: captions, shared: await sharedNames(folder) };
}

async function sharedNames(folder: string): Promise<Captions["shared"]> {
	const images = (await entriesIn(folder).catch(() => []))
		.map(({ name }) => name)
		.filter((name) => imageExtensions.has(extname(name).toLowerCase()));
	return new Map([...grouped(images.sort(), stemOf)].filter(([, names]) => names.length > 1));
}

const stemOf = (file: string) => basename(file, extname(file));

/**
 * The caption of one image: its own side file (`flag.txt` for `flag.png`), the folder's, else its name in words. A side
 * file or a caption without an ending that may be another image's as well is a problem, and not used.
 */
export async function captionOf(
	{ path: file, label }: SourceFile,
	{ byName, shared }: Captions,
	onProblem: (message: string) => void,
): Promise<Caption> {
	const [name, stem] = [basename(file), stemOf(file)];
	const own = (await readSideFile(join(dirname(file), `${stem}.txt`)))?.trim() || undefined;
	const others = shared.get(stem);
	if (others && (own !== undefined || byName.has(stem)))
		onProblem(
			`the caption of "${stem}" may be of ${others.join(" or ")}: not used; name each with its ending in captions.json`,
		);
	if (own !== undefined && !others) return { caption: own };
	return byName.get(name) ?? (others ? undefined : byName.get(stem)) ?? { caption: inWords(label) };
}

/** A file name as a person would say it: `eiffel_tower-02.jpg` is "eiffel tower 02". */
export const inWords = (file: string) =>
	stemOf(file)
		.replace(/[_\-.+]+/g, " ")
		.trim();

async function readSideFile(file: string): Promise<string | undefined> {
	try {
		if ((await stat(pathOnDisk(file))).size > largestSideFile) return undefined;
		return await readFile(pathOnDisk(file), "utf8");
	} catch {
		return undefined;
	}
}
