import type { z } from "zod";
import type { Template } from "./lengths.ts";
import { type FileRecord, parsedRow, type Unread } from "./records.ts";
import type { Setup, SetupProblem } from "./setup.ts";

/**
 * What a trainer does with a row that has a problem. `stops`: ends with an error; `drops`: leaves the row out, at most with
 * a warning; `cuts`: loses its end; `alters`: trains on something else than what was written.
 */
export type Effect = "stops" | "drops" | "cuts" | "alters";

/** Worst first: a row counts once, under the worst. */
const effects: readonly Effect[] = ["stops", "drops", "cuts", "alters"];

/** The problems that a trainer's code has an effect for, each with what is wrong and what the trainer makes of it. */
export type Behaviour = Readonly<Partial<Record<Effect, Readonly<Record<string, string>>>>>;
export type ReasonOf<B extends Behaviour> = B extends Behaviour
	? { [E in keyof B]: keyof B[E] }[keyof B] & string
	: never;

/** Tells a problem of a row, with what was found there; of one reason the last counts. */
export type Report<Reason extends string> = (reason: Reason, found: string) => void;

export interface PreflightProblem {
	reason: string;
	effect: Effect;
	/** What is wrong and what the trainer makes of it. */
	means: string;
	rows: number;
	/** The first few: ids, or line numbers where there is none, with what was found there. */
	examples: { row: string; found: string }[];
}

/** What a trainer would make of a folder of files, before anybody rents a machine for it. */
export interface Preflight {
	/** The trainer and the version whose code the prediction follows. */
	trainer: string;
	/** The chat template that lengths are estimated for; null where texts are read without one. */
	template: Template | null;
	/** Tokens; null where the trainer is told to cut nothing. */
	cutoff: number | null;
	rows: number;
	/** Rows by the worst that happens to them; `whole`: nothing does. */
	whole: number;
	stops: number;
	drops: number;
	cuts: number;
	alters: number;
	/** Estimated tokens a row, of those that are not dropped; null without any. */
	tokens: { mean: number; most: number } | null;
	images: number;
	problems: PreflightProblem[];
	/** What the script trains and in which precision; null where no script is written beside the rows. */
	setup: Setup | null;
	/** What ends training before the first row, whatever the rows are. */
	ends: SetupProblem[];
}

/** Whether every row reaches the trainer to its end; some may be read otherwise than they were written. */
export const isClean = ({
	rows,
	stops,
	drops,
	cuts,
	ends,
}: Pick<Preflight, "rows" | "stops" | "drops" | "cuts" | "ends">): boolean =>
	rows > 0 && stops + drops + cuts + ends.length === 0;

/** What a row costs, estimated. */
export interface RowSize {
	tokens: number;
	images: number;
}

/** A line of a trainer's file: a row, or why it is none. */
export type ReadLine<Row> = { line: number } & ({ row: Row } | Unread);

export async function* rowsOf<Row>(
	records: AsyncIterable<FileRecord>,
	schema: z.ZodType<Row>,
): AsyncGenerator<ReadLine<Row>> {
	for await (const { line, value } of records) yield { line, ...parsedRow(value, schema) };
}

/** Passes rows through `check` and counts what it reports; a row without a size is one that the trainer never measures. */
export async function preflightOf<Row, B extends Behaviour>(
	lines: AsyncIterable<ReadLine<Row>>,
	about: Pick<Preflight, "trainer" | "template" | "cutoff"> & {
		setup?: Setup | null | undefined;
		/** What ends training before the first row, once it is known how many rows show pictures. */
		endsOf?(pictured: number): SetupProblem[] | Promise<SetupProblem[]>;
		/** Problems are told in the order of these. */
		behaviours: readonly B[];
		signal?: AbortSignal | undefined;
		/** How a row calls itself; by its line otherwise. */
		idOf?(row: Row): string | undefined;
		check(row: Row, report: Report<ReasonOf<B>>): RowSize | undefined | Promise<RowSize | undefined>;
	},
): Promise<Preflight> {
	const { trainer, template, cutoff, behaviours, signal, idOf, check, setup = null, endsOf = () => [] } = about;
	let pictured = 0;
	const count = createCount(behaviours);
	for await (const read of lines) {
		signal?.throwIfAborted();
		const found = new Map<string, string>();
		if ("problem" in read) {
			found.set(read.problem, read.found);
			count.row(`line ${read.line}`, found, undefined);
			continue;
		}
		const { row, line } = read;
		const size = await check(row, (reason, what) => found.set(reason, what));
		if (size && size.images > 0) pictured += 1;
		count.row(idOf?.(row) ?? `line ${line}`, found, size);
	}
	return { trainer, template, cutoff, ...count.result(), setup, ends: await endsOf(pictured) };
}

const mostExamples = 5;

function createCount(behaviours: readonly Behaviour[]) {
	const known = behaviours.flatMap((behaviour) =>
		effects.flatMap((effect) =>
			Object.entries(behaviour[effect] ?? {}).map(
				([reason, means]): PreflightProblem => ({ reason, effect, means, rows: 0, examples: [] }),
			),
		),
	);
	const counts = { whole: 0, stops: 0, drops: 0, cuts: 0, alters: 0 };
	let [rows, images, measured, tokens, most] = [0, 0, 0, 0, 0];
	return {
		row(name: string, found: ReadonlyMap<string, string>, size: RowSize | undefined) {
			rows += 1;
			const problems = known.filter(({ reason }) => found.has(reason));
			for (const { reason, examples } of problems)
				if (examples.length < mostExamples) examples.push({ row: name, found: found.get(reason) ?? "" });
			for (const problem of problems) problem.rows += 1;
			const worst = effects.find((effect) => problems.some((problem) => problem.effect === effect));
			counts[worst ?? "whole"] += 1;
			if (!size) return;
			measured += 1;
			tokens += size.tokens;
			most = Math.max(most, size.tokens);
			images += size.images;
		},
		result: (): Omit<Preflight, "trainer" | "template" | "cutoff" | "setup" | "ends"> => ({
			rows,
			...counts,
			tokens: measured === 0 ? null : { mean: tokens / measured, most },
			images,
			problems: known.filter((problem) => problem.rows > 0),
		}),
	};
}
