import { join } from "node:path";
import type { RetrieverEvidence, RetrieverPair } from "../pairs/pair.ts";
import { checkFlagEmbedding, checkSentenceTransformers } from "./check-retriever.ts";
import { createImages, type Images } from "./images.ts";
import { imageMark, swiftMarks, wellFormed } from "./marks.ts";
import type { Preflight } from "./preflight.ts";
import { checkSwiftEmbeddings } from "./swift/check.ts";
import { type RereadOptions, type TrainerForm, type WritingOptions, writeRows } from "./writer.ts";

export type RetrieverForm = "sentence-transformers" | "flagembedding" | "swift";

interface RetrieverWritingOptions extends WritingOptions {
	/** Negatives a row at most, the hardest first; default 7. */
	negatives?: number | undefined;
}

/** A form of queries with evidence and hard negatives, for training a retriever. */
type RetrieverWriter = TrainerForm<RetrieverPair, RetrieverWritingOptions>;

const defaultName = "retriever";
/** As it is called unless another name was given. */
export const retrieverFile = `${defaultName}.jsonl`;

type Reread = (dir: string, file: string, options?: RereadOptions) => Promise<Preflight>;

/** Rows of one pair, with as many negatives as asked for. */
type RowsOf = (pair: RetrieverPair, negatives: number, images: Images) => Promise<object[]>;

function retrieverWriter(name: string, title: string, reread: Reread, rowsOf: RowsOf): RetrieverWriter {
	return {
		name,
		title,
		reread: (dir, options) => reread(dir, retrieverFile, options),
		async write(pairs, dir, { name: set = defaultName, negatives = 7, signal } = {}) {
			const images = createImages(dir);
			let fewer = 0;
			async function counted(pair: RetrieverPair) {
				if (pair.negatives.length === 0) throw new Error("it has no negative");
				const made = await rowsOf(pair, negatives, images);
				if (pair.negatives.length < negatives) fewer += 1;
				return made;
			}
			const file = `${set}.jsonl`;
			const { rows, left } = await writeRows(join(dir, file), pairs, { rowsOf: counted, signal });
			const losses = fewer === 0 ? [] : [`${fewer} pairs have fewer than ${negatives} negatives`];
			return { files: [file], rows, images: images.count, left, losses };
		},
	};
}

/** Title and text, as a retriever of texts reads an evidence. */
function words({ title, text, id, kind }: RetrieverEvidence): string {
	const all = [title, text].filter((part) => part.trim() !== "").join("\n");
	if (all === "") throw new Error(`${kind} ${id} has no words, and this form holds words alone`);
	return wellFormed(all);
}

function wordsOfQuery({ query }: RetrieverPair): string {
	if (query === undefined) throw new Error("its query is a picture, and this form holds words alone");
	return wellFormed(query);
}

/**
 * One row for each positive. The trainer takes columns by their order: anchor, positive, then every negative; all rows
 * need the same columns, so that a pair with fewer distinct negatives is left out.
 */
const sentenceTransformers = retrieverWriter(
	"sentence-transformers",
	"sentence-transformers (anchor, positive, negative_n)",
	checkSentenceTransformers,
	async (pair, most) => {
		const anchor = wordsOfQuery(pair);
		const others = [...new Set(pair.negatives.map(words))];
		if (others.length < most) throw new Error(`it has ${others.length} distinct negatives, not ${most}`);
		const columns = others.slice(0, most).map((text, index) => [`negative_${index + 1}`, text]);
		return pair.positives.map((positive) => ({ anchor, positive: words(positive), ...Object.fromEntries(columns) }));
	},
);

const flagEmbedding = retrieverWriter(
	"flagembedding",
	"FlagEmbedding (query, pos, neg)",
	checkFlagEmbedding,
	async (pair, most) => [
		{ query: wordsOfQuery(pair), pos: pair.positives.map(words), neg: pair.negatives.slice(0, most).map(words) },
	],
);

/** Texts and pictures on every side, one row for each positive. */
const swift = retrieverWriter(
	"swift",
	"ms-swift embedding (messages, positive_messages, negative_messages)",
	checkSwiftEmbeddings,
	async (pair, most, folder) => {
		async function shown(text: string, image: number | undefined) {
			const picture = image === undefined ? undefined : pair.images[image];
			if (image !== undefined && !picture) throw new Error(`it names image ${image} and has ${pair.images.length}`);
			const placed = picture ? [(await folder.place(picture)).path] : [];
			const content = (placed.length > 0 ? imageMark : "") + swiftMarks.escape(text);
			return { messages: [{ role: "user", content }], images: placed };
		}
		const evidence = (one: RetrieverEvidence) =>
			shown([one.title, one.text].filter((part) => part.trim() !== "").join("\n"), one.image);
		const query = await shown(pair.query ?? "", pair.queryImage);
		const others = [];
		for (const negative of pair.negatives.slice(0, most)) others.push(await evidence(negative));
		const rows = [];
		for (const positive of pair.positives) {
			const one = await evidence(positive);
			rows.push({
				...query,
				positive_messages: [one.messages],
				positive_images: [one.images],
				negative_messages: others.map(({ messages }) => messages),
				negative_images: others.map(({ images }) => images),
			});
		}
		return rows;
	},
);

/** Files for training a retriever, by trainer. */
export const retrieverWriters: Record<RetrieverForm, RetrieverWriter> = {
	"sentence-transformers": sentenceTransformers,
	flagembedding: flagEmbedding,
	swift,
};
