import { join } from "node:path";
import { z } from "zod";
import { freeRecord } from "#domain";
import { retrieverBehaviour, trainerVersions } from "./behaviours.ts";
import { textTokens } from "./lengths.ts";
import { type Preflight, preflightOf, type ReasonOf, type Report, type RowSize, rowsOf } from "./preflight.ts";
import { recordsIn } from "./records.ts";
import type { RereadOptions } from "./writer.ts";

type ReportText = Report<ReasonOf<typeof retrieverBehaviour>>;

/** A row of texts, whatever its trainer calls them. */
interface Texts {
	query: string;
	positives: string[];
	negatives: string[];
}

function checkTexts({ query, positives, negatives }: Texts, report: ReportText): RowSize {
	const texts = [query, ...positives, ...negatives];
	if (texts.some((text) => text.trim() === "")) report("empty-text", query.slice(0, 80));
	const again = negatives.find((text) => positives.includes(text));
	if (again !== undefined) report("positive-again", again.slice(0, 80));
	return { tokens: Math.max(...texts.map(textTokens)), images: 0 };
}

const uncut = { behaviours: [retrieverBehaviour], template: null, cutoff: null };
const Columns = freeRecord(z.string()).refine((row) => Object.keys(row).length >= 2, "fewer than two columns");

/** Every column of the file's rows, by their order in the first. */
export function checkSentenceTransformers(
	dir: string,
	file: string,
	{ signal }: RereadOptions = {},
): Promise<Preflight> {
	let columns: string[] | undefined;
	return preflightOf(rowsOf(recordsIn(join(dir, file)), Columns), {
		...uncut,
		trainer: trainerVersions["sentence-transformers"],
		signal,
		check(row, report) {
			const names = Object.keys(row);
			columns ??= names;
			if (JSON.stringify(names.toSorted()) !== JSON.stringify(columns.toSorted()))
				report("other-columns", names.join(", ").slice(0, 80));
			const [first, second, ...others] = columns;
			if (first !== "anchor" || second !== "positive" || !others.every((name) => name.startsWith("negative")))
				report("column-order", columns.join(", ").slice(0, 80));
			const [query = "", positive = "", ...negatives] = columns.flatMap((name) => row[name] ?? []);
			return checkTexts({ query, positives: [positive], negatives }, report);
		},
	});
}

const FlagRow = z.object({ query: z.string(), pos: z.array(z.string()).min(1), neg: z.array(z.string()) });

/** One positive drawn, negatives drawn and repeated up to the size of a group. */
export const checkFlagEmbedding = (dir: string, file: string, { signal }: RereadOptions = {}): Promise<Preflight> =>
	preflightOf(rowsOf(recordsIn(join(dir, file)), FlagRow), {
		...uncut,
		trainer: trainerVersions.flagembedding,
		signal,
		check({ query, pos, neg }, report) {
			if (neg.length === 0) report("no-negative", query.slice(0, 80));
			return checkTexts({ query, positives: pos, negatives: neg }, report);
		},
	});
