import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { byCodeUnits } from "#domain";
import { readLines, writeLines } from "#store";

/**
 * Files of evidence in order of id, and their merge. A line is the id as JSON, a tab, and the evidence as JSON: the merge
 * compares ids without parsing what follows, and JSON holds no raw tab.
 */

export interface Entry {
	id: string;
	/** The evidence as JSON, on one line. */
	json: string;
}

/** Entries by id in code-unit order. */
export const inOrder = (run: Map<string, string>): Entry[] =>
	[...run].sort(([a], [b]) => byCodeUnits(a, b)).map(([id, json]) => ({ id, json }));

const lineOf = ({ id, json }: Entry) => `${JSON.stringify(id)}\t${json}`;

/** Writes a run, so that a reader sees a whole one or none; returns the SHA-256 of its file. */
export async function writeRun(file: string, entries: Iterable<Entry> | AsyncIterable<Entry>): Promise<string> {
	async function* lines() {
		for await (const entry of entries) yield lineOf(entry);
	}
	return (await writeLines(file, lines())).hash;
}

/** The same at once, for whom waiting would let the memory fill. */
export function writeRunNow(file: string, entries: Iterable<Entry>): void {
	const handle = openSync(file, "w");
	try {
		for (const entry of entries) writeSync(handle, `${lineOf(entry)}\n`);
	} finally {
		closeSync(handle);
	}
}

export async function* readRun(file: string): AsyncGenerator<Entry> {
	for await (const { text } of readLines(file)) {
		const tab = text.indexOf("\t");
		yield { id: JSON.parse(text.slice(0, tab)) as string, json: text.slice(tab + 1) };
	}
}

/** Runs merged at once: each holds a file open and a block of it in memory. */
const mostOpen = 64;

/**
 * Every entry of the runs in order of id; of an id that came twice that of the earliest run, each further one told.
 * More runs than can be open at once are first merged into longer ones in `dir`.
 */
export async function* mergeRuns(
	runs: string[],
	options: { dir: string; onDuplicate: (id: string) => void },
): AsyncGenerator<Entry> {
	let files = runs;
	for (let round = 0; files.length > mostOpen; round += 1) {
		const merged: string[] = [];
		for (let at = 0; at < files.length; at += mostOpen) {
			const file = join(options.dir, `merged-${round}-${merged.length}`);
			await writeRun(file, merge(files.slice(at, at + mostOpen), options.onDuplicate));
			merged.push(file);
		}
		files = merged;
	}
	yield* merge(files, options.onDuplicate);
}

interface Head extends Entry {
	run: number;
	rest: AsyncGenerator<Entry>;
}

const before = (a: Head, b: Head) => a.id < b.id || (a.id === b.id && a.run < b.run);

async function* merge(files: string[], onDuplicate: (id: string) => void): AsyncGenerator<Entry> {
	const heads: Head[] = [];
	for (const [run, file] of files.entries()) {
		const rest = readRun(file);
		const { value } = await rest.next();
		if (value) heads.push({ ...(value as Entry), run, rest });
	}
	heads.sort((a, b) => (before(a, b) ? -1 : 1));
	let last: string | undefined;
	for (let head = heads[0]; head; head = heads[0]) {
		const { id, json } = head;
		if (id === last) onDuplicate(id);
		else yield { id, json };
		last = id;
		const { value } = await head.rest.next();
		if (value) heads[0] = { ...(value as Entry), run: head.run, rest: head.rest };
		else heads.splice(0, 1);
		sinkFirst(heads);
	}
}

/** Moves the first head to its place among the others, which are in order; runs mostly continue, so it rarely goes far. */
function sinkFirst(heads: Head[]): void {
	const [first] = heads;
	if (!first) return;
	let low = 1;
	let high = heads.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (before(heads[middle] as Head, first)) low = middle + 1;
		else high = middle;
	}
	if (low === 1) return;
	heads.copyWithin(0, 1, low);
	heads[low - 1] = first;
}
