import { join } from "node:path";
import { HopscopeError } from "#domain";
import { fileInside, parseLine, readLines, writeLines } from "#store";
import { createImages } from "../writers/images.ts";
import { PreferencePair, RetrieverPair } from "./pair.ts";

/** The file of all pairs, whatever the trainer. */
export const pairsFile = "pairs.jsonl";

type Pair = PreferencePair | RetrieverPair;

/** What was written, and what could not be. */
export interface PairsWritten {
	rows: number;
	/** Different image files. */
	images: number;
	/** SHA-256 of the file. */
	hash: string;
	left: { id: string; reason: string }[];
}

/**
 * Writes pairs into `dir`: one JSON line each, their images beside in `images/`, named by content, crops cut out. A pair with
 * an image that cannot be had is left out, with the reason.
 */
export async function writePairs(pairs: Iterable<Pair>, dir: string): Promise<PairsWritten> {
	const placed = createImages(dir);
	const left: PairsWritten["left"] = [];
	async function* lines() {
		for (const pair of pairs) {
			try {
				const images: Pair["images"] = [];
				for (const image of pair.images) images.push({ id: image.id, file: (await placed.place(image)).path });
				yield JSON.stringify({ ...pair, images });
			} catch (error) {
				if (!(error instanceof HopscopeError)) throw error;
				left.push({ id: pair.id, reason: error.message });
			}
		}
	}
	const { count, hash } = await writeLines(join(dir, pairsFile), lines());
	return { rows: count, images: placed.count, hash, left };
}

const schemas = { preference: PreferencePair, retriever: RetrieverPair };

/** What is wrong with a folder of pairs, line by line (from 1); nothing where a trainer can be given all of it. */
export async function pairFileProblems(
	dir: string,
	kind: keyof typeof schemas,
): Promise<{ rows: number; problems: { line: number; what: string }[] }> {
	const problems: { line: number; what: string }[] = [];
	const ids = new Set<string>();
	let line = 0;
	for await (const { text } of readLines(join(dir, pairsFile))) {
		line += 1;
		const report = (what: string) => problems.push({ line, what });
		const read = parseLine<Pair>(text, schemas[kind]);
		if (!("value" in read)) {
			report("it is no pair");
			continue;
		}
		const pair = read.value;
		if (ids.has(pair.id)) report(`the id ${pair.id} stands twice`);
		ids.add(pair.id);
		for (const { file } of pair.images) if (fileInside(dir, file) === undefined) report(`the image ${file} is missing`);
		for (const what of "prompt" in pair ? preferenceProblems(pair) : retrieverProblems(pair)) report(what);
	}
	return { rows: line, problems };
}

function preferenceProblems({ prompt, chosen, rejected, images }: PreferencePair): string[] {
	const shown = [...prompt, ...chosen, ...rejected].flatMap(({ content }) =>
		content.flatMap((part) => (part.type === "image" ? part.image : [])),
	);
	return [
		...(prompt.at(-1)?.role === "assistant" ? ["the prompt ends with a turn of the policy"] : []),
		...(chosen[0]?.role === "assistant" && rejected[0]?.role === "assistant"
			? []
			: ["a side begins with no turn of the policy"]),
		...(JSON.stringify(chosen) === JSON.stringify(rejected) ? ["both sides are the same"] : []),
		...(prompt.some(({ train }) => train) ? ["the prompt would be trained on"] : []),
		...unknownImages(shown, images.length),
	];
}

function retrieverProblems({ queryImage, positives, negatives, images }: RetrieverPair): string[] {
	const right = new Set(positives.map(({ id }) => id));
	const shown = [queryImage ?? [], ...[...positives, ...negatives].map(({ image }) => image ?? [])].flat();
	return [
		...(negatives.some(({ id }) => right.has(id)) ? ["a negative is a positive too"] : []),
		...([...positives, ...negatives].some(({ text, title, image }) => text + title === "" && image === undefined)
			? ["a piece of evidence is empty"]
			: []),
		...unknownImages(shown, images.length),
	];
}

const unknownImages = (shown: readonly number[], images: number): string[] =>
	shown.some((index) => index >= images) ? ["it shows an image that it does not list"] : [];
