import { open, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseJson } from "#domain";
import { entriesIn, pathOnDisk, readLines } from "#store";
import { readTable } from "../csv-reader.ts";
import { storeImage } from "../image-file.ts";
import { partsOfLines } from "../json-readers.ts";
import type { SourceReader } from "../reader.ts";
import { jsonEntries } from "./json-entries.ts";
import { addImageEvidence, type ImageFact, imageFacts, isWebQa } from "./webqa.ts";

const partBytes = 256 * 1024 * 1024;

/**
 * WebQA's `imgs.tsv`: a line an image, its id and its bytes in base64; captions come from the questions beside. Any other
 * .tsv is a table.
 */
export const imageLines: SourceReader = {
	tool: "tsv-1",
	mostBytes: Number.POSITIVE_INFINITY,
	isolated: false,
	kept: false,
	async plan({ path, size }) {
		if (!imageLine.test(await startOf(path))) return { parts: [{ from: 0, to: size }] };
		return { parts: await partsOfLines(path, partBytes) };
	},
	async sides({ path }) {
		return questionFiles(dirname(path));
	},
	async read(file, context, part) {
		if (!imageLine.test(await startOf(file.path))) {
			await readTable(file, "\t", context);
			return {};
		}
		const facts = await factsBeside(file.path);
		for await (const line of readLines(file.path, part && { start: part.from, end: part.to })) {
			context.signal?.throwIfAborted();
			const number = line.number + (part?.line ?? 1) - 1;
			const tab = line.text.indexOf("\t");
			const id = line.text.slice(0, tab);
			if (tab < 1 || tab > 200) context.problem("is no line of image id and base64; left out", `:${number}`);
			else
				try {
					const stored = await storeImage(Buffer.from(line.text.slice(tab + 1), "base64"), context.dir);
					const fact = facts.get(id) ?? { image_id: id, title: "", caption: "" };
					addImageEvidence(fact, number, stored, file, context);
				} catch (error) {
					context.problem(`${(error as Error).message}; left out`, `:${number}`);
				}
		}
		return {};
	},
};

const imageLine = /^[\w-]{1,200}\t[A-Za-z0-9+/=\r\n]{8,}/;

async function startOf(path: string, length = 4096): Promise<string> {
	const handle = await open(pathOnDisk(path));
	try {
		const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
		return buffer.toString("utf8", 0, bytesRead);
	} finally {
		await handle.close();
	}
}

/** JSON files of a folder that hold WebQA's questions, judged by their beginning. */
async function questionFiles(folder: string): Promise<string[]> {
	const names = (await entriesIn(folder))
		.map(({ name }) => name)
		.filter((name) => name.endsWith(".json"))
		.sort();
	const found: string[] = [];
	for (const name of names)
		if (/"img_(?:pos|neg)?Facts"/.test(await startOf(join(folder, name), 1 << 18))) found.push(join(folder, name));
	return found;
}

// one process reads many parts of one file, all with the same questions beside it
let last: { key: string; facts: Map<string, ImageFact> } | undefined;

async function factsBeside(path: string): Promise<Map<string, ImageFact>> {
	const files = await questionFiles(dirname(path));
	const states = await Promise.all(files.map((file) => stat(pathOnDisk(file))));
	const key = files.map((file, index) => `${file}:${states[index]?.size}:${states[index]?.mtimeMs}`).join("|");
	if (last?.key === key) return last.facts;
	const facts = new Map<string, ImageFact>();
	for (const file of files) {
		for await (const { text } of jsonEntries(file)) {
			const json = parseJson(text);
			if (isWebQa(json)) for (const fact of imageFacts(json)) facts.set(fact.image_id, fact);
		}
	}
	last = { key, facts };
	return facts;
}
