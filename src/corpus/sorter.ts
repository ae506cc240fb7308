import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { readLines } from "#store";

/**
 * Records come in reading order and leave in order of id. Bounded by what one run of them takes in memory: full runs
 * are sorted, written to `dir` and merged at the end, so a corpus of any length is sorted in flat memory.
 */
export interface Sorter<T> {
	/** False, and not taken, when the id is known to be taken; that it was taken long before shows only in `sorted`. */
	add(id: string, record: T): boolean;
	/** Every record by id in code-unit order; of an id that came twice the first, each further one told. */
	sorted(onDuplicate: (id: string) => void): AsyncGenerator<T>;
	/** Removes the files. */
	dispose(): void;
}

const runCharacters = 64 * 1024 * 1024;

export function createSorter<T>(dir: string, options: { runCharacters?: number } = {}): Sorter<T> {
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
		add(id, record) {
			if (run.has(id)) return false;
			const json = JSON.stringify(record);
			run.set(id, json);
			characters += json.length + id.length;
			if (characters > (options.runCharacters ?? runCharacters)) spill();
			return true;
		},
		async *sorted(onDuplicate) {
			const runs: AsyncIterator<Entry<T>>[] = [...files.map((file) => readRun<T>(file)), held<T>(run)];
			let heads = await Promise.all(runs.map(async (entries) => ({ entries, head: (await entries.next()).value })));
			let last: string | undefined;
			while (true) {
				heads = heads.filter(({ head }) => head !== undefined);
				let least = heads[0];
				if (!least) return;
				for (const other of heads) if (other.head[0] < least.head[0]) least = other;
				// of equal ids the earliest run's is least: what comes after it was added later
				const [id, value] = least.head as Entry<T>;
				if (id === last) onDuplicate(id);
				else yield value;
				last = id;
				least.head = (await least.entries.next()).value;
			}
		},
		dispose() {
			run = new Map();
			rmSync(dir, { recursive: true, force: true });
		},
	};
}

type Entry<T> = [id: string, value: T];

const inOrder = (run: Map<string, string>) => [...run].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

async function* held<T>(run: Map<string, string>): AsyncGenerator<Entry<T>, undefined> {
	for (const [id, json] of inOrder(run)) yield [id, JSON.parse(json)];
	return undefined;
}

async function* readRun<T>(file: string): AsyncGenerator<Entry<T>, undefined> {
	for await (const { text } of readLines(file)) yield JSON.parse(text) as Entry<T>;
	return undefined;
}
