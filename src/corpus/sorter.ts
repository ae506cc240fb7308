import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { readLines } from "#store";

/**
 * Records come in reading order and leave in order of id. Bounded by what one run of them takes in memory: full runs
 * are sorted, written to `dir` and merged at the end, so a corpus of any length is sorted in flat memory.
 */
export interface Sorter {
	/** `json` is one line without a line end. */
	add(id: string, json: string): void;
	/** Every record, parsed, by id in code-unit order; throws what `duplicate` makes of an id that came twice. */
	sorted(): AsyncGenerator<unknown>;
	/** Removes the files. */
	dispose(): void;
}

const runCharacters = 64 * 1024 * 1024;

export function createSorter(
	dir: string,
	duplicate: (id: string) => Error,
	options: { runCharacters?: number } = {},
): Sorter {
	let run = new Map<string, string>();
	let characters = 0;
	const files: string[] = [];
	rmSync(dir, { recursive: true, force: true });

	function spill(): void {
		mkdirSync(dir, { recursive: true });
		const file = join(dir, `${files.length}.jsonl`);
		const handle = openSync(file, "w");
		try {
			for (const [id, json] of inOrder(run)) writeSync(handle, `[${JSON.stringify(id)},${json}]\n`);
		} finally {
			closeSync(handle);
		}
		files.push(file);
		run = new Map();
		characters = 0;
	}

	return {
		add(id, json) {
			if (run.has(id)) throw duplicate(id);
			run.set(id, json);
			characters += json.length + id.length;
			if (characters > (options.runCharacters ?? runCharacters)) spill();
		},
		async *sorted() {
			const runs: AsyncIterator<Entry>[] = [...files.map(readRun), held(run)];
			let heads = await Promise.all(runs.map(async (entries) => ({ entries, head: (await entries.next()).value })));
			let last: string | undefined;
			while (true) {
				heads = heads.filter(({ head }) => head !== undefined);
				let least = heads[0];
				if (!least) return;
				for (const other of heads) if (other.head[0] < least.head[0]) least = other;
				const [id, value] = least.head as Entry;
				if (id === last) throw duplicate(id);
				last = id;
				yield value;
				least.head = (await least.entries.next()).value;
			}
		},
		dispose() {
			run = new Map();
			rmSync(dir, { recursive: true, force: true });
		},
	};
}

type Entry = [id: string, value: unknown];

const inOrder = (run: Map<string, string>) => [...run].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

async function* held(run: Map<string, string>): AsyncGenerator<Entry, undefined> {
	for (const [id, json] of inOrder(run)) yield [id, JSON.parse(json)];
	return undefined;
}

async function* readRun(file: string): AsyncGenerator<Entry, undefined> {
	for await (const { text } of readLines(file)) yield JSON.parse(text) as Entry;
	return undefined;
}
