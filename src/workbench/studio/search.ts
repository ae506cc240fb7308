/** Which answers of a run a filter selects, what was recorded of them included. */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { escapeRegExp } from "#domain";
import { parseWhere, recordColumns, type Selection, select } from "#studio";
import type { Shown } from "./shown-run.ts";

const mostSelections = 24;
/** What was selected of a run before: pages ask for one filter many times. */
const selectionsOf = new WeakMap<Shown, Map<string, Promise<Selected>>>();

/** A selection with the rows in which quoted texts were recorded. */
export interface Selected extends Selection {
	recorded(text: string): Uint8Array | undefined;
}

export async function selected(run: Shown, { where, sort }: { where: string; sort: string }): Promise<Selected> {
	const key = JSON.stringify([where, sort]);
	const selections = selectionsOf.get(run) ?? new Map<string, Promise<Selected>>();
	selectionsOf.set(run, selections);
	const known = selections.get(key);
	if (known) return known;
	const selecting = (async (): Promise<Selected> => {
		const found = new Map<string, Uint8Array>();
		for (const term of parseWhere(where, run.table).terms)
			if (term.is === "text" && term.recorded) found.set(term.text, await recordedIn(run, term.text));
		const recorded = (text: string) => found.get(text);
		return { ...select({ where, sort }, run.table, { recorded }), recorded };
	})();
	selections.set(key, selecting);
	const [oldest] = selections.keys();
	if (selections.size > mostSelections && oldest !== undefined) selections.delete(oldest);
	return selecting;
}

/** The rows in whose records a text stands anywhere, capitals or not. */
async function recordedIn({ dir, table }: Shown, text: string): Promise<Uint8Array> {
	const met = new Uint8Array(table.rows);
	const offsets = table.numbers.get(recordColumns.offset) ?? new Float64Array();
	const order = Uint32Array.from(offsets, (_, row) => row).sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0));
	if (text === "") return met.fill(1);
	const { pattern, most } = patternOf(text);
	let [at, before] = [0, ""];
	for await (const chunk of createReadStream(join(dir, "records.jsonl"), {
		highWaterMark: 4 << 20,
	}) as AsyncIterable<Buffer>) {
		const piece = before + chunk.toString("latin1");
		const start = at - before.length;
		for (const { index } of piece.matchAll(pattern)) {
			const row = lastAtOrBefore(order, offsets, start + index);
			if (
				row !== undefined &&
				start + index < (offsets[row] ?? 0) + (table.numbers.get(recordColumns.length)?.[row] ?? 0)
			)
				met[row] = 1;
		}
		before = piece.slice(Math.max(0, piece.length - most + 1));
		at += chunk.length;
	}
	return met;
}

/**
 * Finds a text as it stands in JSON in the bytes of a file, one character a byte; `most` is how many of them it takes. Which
 * bytes a character has as a capital is said here: what no case of letters is to bytes would find other characters.
 */
function patternOf(text: string): { pattern: RegExp; most: number } {
	const bytes = (character: string) => Buffer.from(character).toString("latin1");
	const characters = [...JSON.stringify(text).slice(1, -1)].map((character) =>
		[...new Set([character, character.toLowerCase(), character.toUpperCase()])].map(bytes),
	);
	const written = characters.map((cases) => `(?:${cases.map(escapeRegExp).join("|")})`).join("");
	const longest = characters.map((cases) => Math.max(...cases.map(({ length }) => length)));
	return { pattern: new RegExp(written, "g"), most: longest.reduce((sum, length) => sum + length, 0) };
}

/** The row whose record begins last of those that begin no later than a place. */
function lastAtOrBefore(order: Uint32Array, offsets: Float64Array, place: number): number | undefined {
	let [low, high] = [0, order.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((offsets[order[middle] ?? 0] ?? 0) <= place) low = middle + 1;
		else high = middle;
	}
	return order[low - 1];
}
