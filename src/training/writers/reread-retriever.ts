import { join } from "node:path";
import { z } from "zod";
import { freeRecord } from "#domain";
import { textTokens } from "./lengths.ts";
import { createPreflight, type Effect, type Found, type Preflight } from "./preflight.ts";
import { parsedRow, recordsIn, unreadable } from "./records.ts";
import type { RereadOptions } from "./writer.ts";

/** A row of texts, whatever its trainer calls them. */
interface Texts {
	query: string;
	positives: string[];
	negatives: string[];
}

const reasons = {
	...unreadable,
	"wrong-shape": {
		effect: "stops",
		means: "a text or a list is missing or of another kind: training ends with an error",
	},
	"other-columns": {
		effect: "stops",
		means: "not the columns of the first row, in which those that are missing are empty: training ends with an error",
	},
	"no-negative": { effect: "stops", means: "a row without a negative: training ends with an error" },
	"column-order": {
		effect: "alters",
		means:
			"columns are taken by their order, whatever their names: query, what answers it, and all others as negatives",
	},
	"empty-text": { effect: "alters", means: "a text without words" },
	"positive-again": { effect: "alters", means: "a negative is a positive too" },
} satisfies Record<string, { effect: Effect; means: string }>;
type Reason = keyof typeof reasons;

type RowReader = (value: unknown) => { row: Texts; found: Found<Reason>[] } | { problem: Found<Reason> };

async function reread(
	file: string,
	{ trainer, rowOf, signal }: { trainer: string; rowOf: RowReader; signal: AbortSignal | undefined },
): Promise<Preflight> {
	const preflight = createPreflight<Reason>(reasons, { trainer, template: null, cutoff: null });
	for await (const { line, value } of recordsIn(file)) {
		signal?.throwIfAborted();
		const read = rowOf(value);
		if ("problem" in read) {
			preflight.row(`line ${line}`, [read.problem]);
			continue;
		}
		const { query, positives, negatives } = read.row;
		const { found } = read;
		const texts = [query, ...positives, ...negatives];
		if (texts.some((text) => text.trim() === "")) found.push({ reason: "empty-text", found: query.slice(0, 80) });
		const again = negatives.find((text) => positives.includes(text));
		if (again !== undefined) found.push({ reason: "positive-again", found: again.slice(0, 80) });
		preflight.row(`line ${line}`, found, { tokens: Math.max(...texts.map(textTokens)), images: 0 });
	}
	return preflight.result();
}

const Columns = freeRecord(z.string()).refine((row) => Object.keys(row).length >= 2, "fewer than two columns");

/** sentence-transformers 6.2.0: every column of the file's rows, by their order in the first. */
export function rereadSentenceTransformers(
	dir: string,
	file: string,
	{ signal }: RereadOptions = {},
): Promise<Preflight> {
	let columns: string[] | undefined;
	return reread(join(dir, file), {
		trainer: "sentence-transformers 6.2.0",
		signal,
		rowOf(value) {
			const read = parsedRow(value, Columns);
			if ("problem" in read) return read;
			const names = Object.keys(read.row);
			columns ??= names;
			const found: Found<Reason>[] = [];
			if (JSON.stringify(names.toSorted()) !== JSON.stringify(columns.toSorted()))
				found.push({ reason: "other-columns", found: names.join(", ").slice(0, 80) });
			const [first, second, ...others] = columns;
			if (first !== "anchor" || second !== "positive" || !others.every((name) => name.startsWith("negative")))
				found.push({ reason: "column-order", found: columns.join(", ").slice(0, 80) });
			const [query = "", positive = "", ...negatives] = columns.flatMap((name) => read.row[name] ?? []);
			return { row: { query, positives: [positive], negatives }, found };
		},
	});
}

const FlagRow = z.object({ query: z.string(), pos: z.array(z.string()).min(1), neg: z.array(z.string()) });

/** FlagEmbedding 1.4.2: one positive drawn, negatives drawn and repeated up to the size of a group. */
export const rereadFlagEmbedding = (dir: string, file: string, { signal }: RereadOptions = {}): Promise<Preflight> =>
	reread(join(dir, file), {
		trainer: "FlagEmbedding 1.4.2",
		signal,
		rowOf(value) {
			const read = parsedRow(value, FlagRow);
			if ("problem" in read) return read;
			const { query, pos, neg } = read.row;
			const found: Found<Reason>[] = neg.length > 0 ? [] : [{ reason: "no-negative", found: query.slice(0, 80) }];
			return { row: { query, positives: pos, negatives: neg }, found };
		},
	});
