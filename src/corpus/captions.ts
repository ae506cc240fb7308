import { readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { z } from "zod";
import { freeRecord, HopscopeError } from "#domain";
import { parseLine, readLines } from "#store";

const Entry = z.object({
	file: z.string(),
	caption: z.string(),
	title: z.string().optional(),
	language: z.string().optional(),
});
export type Caption = Omit<z.infer<typeof Entry>, "file">;

const Captions = z.union([freeRecord(z.string()), z.array(Entry)]);

/** Side files that name captions for the images beside them; they are not documents themselves. */
export const captionFiles = new Set(["captions.json", "captions.jsonl"]);
const largestSideFile = 16 * 1024 * 1024;

/** What a folder's captions.json or captions.jsonl says, by file name. A side file that does not parse is a problem. */
export async function readCaptions(
	folder: string,
	onProblem: (message: string) => void,
): Promise<Map<string, Caption>> {
	const captions = new Map<string, Caption>();
	const text = await readSideFile(join(folder, "captions.json"));
	if (text !== undefined) {
		const parsed = parseLine(text, Captions);
		if ("problem" in parsed) onProblem(`captions.json: ${parsed.problem}; its captions are not used`);
		else if (Array.isArray(parsed.value)) for (const { file, ...caption } of parsed.value) captions.set(file, caption);
		else for (const [file, caption] of Object.entries(parsed.value)) captions.set(file, { caption });
	}
	try {
		for await (const line of readLines(join(folder, "captions.jsonl"))) {
			const parsed = parseLine(line.text, Entry);
			if ("problem" in parsed) onProblem(`captions.jsonl, line ${line.number}: ${parsed.problem}; not used`);
			else captions.set(parsed.value.file, { ...parsed.value });
		}
	} catch (error) {
		if (!(error instanceof HopscopeError && error.code === "missing-file")) throw error;
	}
	return captions;
}

/** The caption of one image: its own side file (`flag.txt` for `flag.png`), the folder's, else its name in words. */
export async function captionOf(file: string, captions: Map<string, Caption>): Promise<Caption> {
	const own = await readSideFile(join(dirname(file), `${basename(file, extname(file))}.txt`));
	if (own !== undefined && own.trim() !== "") return { caption: own.trim() };
	return captions.get(basename(file)) ?? captions.get(basename(file, extname(file))) ?? { caption: inWords(file) };
}

/** A file name as a person would say it: `eiffel_tower-02.jpg` is "eiffel tower 02". */
export const inWords = (file: string) =>
	basename(file, extname(file))
		.replace(/[_\-.+]+/g, " ")
		.trim();

async function readSideFile(file: string): Promise<string | undefined> {
	try {
		if ((await stat(file)).size > largestSideFile) return undefined;
		return await readFile(file, "utf8");
	} catch {
		return undefined;
	}
}
