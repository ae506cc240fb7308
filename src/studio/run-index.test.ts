import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { RunRecord, Task } from "#domain";
import { longTest } from "../../test/long.ts";
import {
	type Answered,
	type IndexOptions,
	openRunIndex,
	openTaskTable,
	type RunIndex,
	readKeptAt,
	readRecordAt,
} from "./run-index.ts";
import { runTable, taskTable } from "./run-table.ts";
import { type Table, valueAt } from "./table.ts";

const folders: string[] = [];
let dir: string;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-run-index-"));
	folders.push(dir);
});
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** A record that differs from every other with another number. */
function recordOf(n: number, { task = `t${n}`, attempt = 0 } = {}): RunRecord {
	return RunRecord.parse({
		...{ version: 1, task, repeat: n % 3, attempt, at: "2026-01-01T00:00:00.000Z" },
		trajectory: {
			steps:
				n % 4 === 0 ? [] : [{ index: 0, call: { tool: `tool ${n % 2}`, arguments: {}, valid: true }, results: [] }],
			...{ answer: n % 5 === 0 ? null : `größe ${n} 鉄道 ${"x".repeat(n % 7)}`, abstained: false, stop: "answered" },
			usage: { calls: n, inputTokens: n, outputTokens: 1, ...(n % 2 === 0 ? { cost: n / 8 } : {}) },
			...{ ms: n, messages: [] },
		},
	});
}

const lineOf = (record: RunRecord) => `${JSON.stringify(record)}\n`;
const put = (...records: RunRecord[]) => appendFile(join(dir, "records.jsonl"), records.map(lineOf).join(""));
const rewrite = (...records: RunRecord[]) => writeFile(join(dir, "records.jsonl"), records.map(lineOf).join(""));

function answeredOf({ task, trajectory: { usage } }: RunRecord): Answered {
	return {
		outcome: usage.calls % 2 === 0 ? "right" : "wrong",
		scores: {
			accuracy: usage.calls % 2,
			length: 7,
			offset: null,
			attempt: 7,
			...(usage.calls > 2 ? { late: usage.calls, none: null } : {}),
		},
		primary: usage.calls % 2 === 0 ? null : "misread",
		broken: usage.calls % 4 === 3 ? null : usage.calls % 4,
		open: usage.calls % 3 === 0 ? [1, 2] : [],
		verdicts: Array.from({ length: usage.calls % 4 }, (_, at) => (at === 0 ? "solved" : "misread")),
		shows: task === "t1" ? "stated" : "bare",
	};
}

/** Options that note which records were asked about. */
function asking(more: Partial<IndexOptions> = {}) {
	const asked: string[] = [];
	const options: IndexOptions = {
		rules: "today",
		async answer(records) {
			asked.push(...records.map(({ task }) => task));
			return records.map(answeredOf);
		},
		...more,
	};
	return { asked, options };
}

/** The rows as objects without what is empty: two tables that say the same may keep it in another order. */
function rowsOf({ rows, numbers, categories }: Table): Record<string, string | number>[] {
	return Array.from({ length: rows }, (_, row) => {
		const held = [
			...[...numbers].map(([name, values]) => [name, values[row] ?? Number.NaN] as const),
			...[...categories].map(([name, column]) => [name, valueAt(column, row)] as const),
		];
		return Object.fromEntries(
			held.flatMap(([name, value]) => (value === null || Number.isNaN(value) ? [] : [[name, value]])),
		);
	});
}

/** The index of the file as it is, made at once and kept nowhere. */
const atOnce = async () => rowsOf((await openRunIndex(dir, asking({ kept: false }).options)).table);
const segments = async () => (await readdir(join(dir, "index"))).filter((name) => name.endsWith(".parquet")).sort();

describe("the index of a run", () => {
	longTest(
		"extended piece by piece, from disk or from memory, equals one made at once, and asks of no record twice",
		async () => {
			await fc.assert(
				fc.asyncProperty(
					fc.array(fc.record({ cut: fc.integer({ min: 1, max: 900 }), fromDisk: fc.boolean() }), {
						minLength: 1,
						maxLength: 18,
					}),
					async (pieces) => {
						await rm(dir, { recursive: true, force: true });
						await mkdir(dir);
						const records = Array.from({ length: 12 }, (_, n) => recordOf(n));
						// torn anywhere, in the middle of a character too
						const bytes = Buffer.from(records.map(lineOf).join(""));
						const { asked, options } = asking();
						let index: RunIndex | undefined;
						let written = 0;
						for (const { cut, fromDisk } of [...pieces, { cut: bytes.length, fromDisk: true }]) {
							await appendFile(join(dir, "records.jsonl"), bytes.subarray(written, written + cut));
							written = Math.min(bytes.length, written + cut);
							index = await openRunIndex(dir, options, fromDisk ? undefined : index);
							expect(index.bytes).toBe(bytes.lastIndexOf("\n", written - 1) + 1);
						}
						expect(rowsOf(index?.table as Table)).toEqual(await atOnce());
						expect(asked).toEqual(records.map(({ task }) => task));
					},
				),
				{ numRuns: 8 },
			);
		},
	);

	test("leaves out a last line that is torn and lines that are no records, and finds each record where it stands", async () => {
		await put(recordOf(1));
		await appendFile(join(dir, "records.jsonl"), 'not a record\n{"task":"t9"}\n\n');
		await put(recordOf(2), recordOf(3));
		const torn = lineOf(recordOf(4));
		await appendFile(join(dir, "records.jsonl"), torn.slice(0, 80));
		const before = await openRunIndex(dir, asking().options);
		expect(rowsOf(before.table).map(({ task }) => task)).toEqual(["t1", "t2", "t3"]);
		await appendFile(join(dir, "records.jsonl"), torn.slice(80));
		for (const known of [before, undefined]) {
			const { table } = await openRunIndex(dir, asking().options, known);
			const found = await Promise.all(
				rowsOf(table).map(({ record_offset: offset, record_length: length }) =>
					readRecordAt(dir, { offset: Number(offset), length: Number(length) }),
				),
			);
			expect(found).toEqual([1, 2, 3, 4].map((n) => recordOf(n)));
		}
	});

	test("is made anew where the file was written anew or cut, and where the rules are others", async () => {
		const first = [1, 2, 3].map((n) => recordOf(n));
		const others = [11, 12, 13, 14].map((n) => recordOf(n));
		await rewrite(...first);
		const known = await openRunIndex(dir, asking().options);
		const changes: (() => Promise<void>)[] = [
			() => rewrite(...others),
			() => rewrite(...first),
			() => rewrite(recordOf(1), recordOf(3), recordOf(2)),
			async () => truncate(join(dir, "records.jsonl"), lineOf(recordOf(1)).length + 30),
			() => rewrite(recordOf(2)),
			() => rewrite(),
			() => rm(join(dir, "records.jsonl")),
			() => rewrite(...others, ...first),
		];
		for (const change of changes) {
			await change();
			const wanted = await atOnce();
			expect(rowsOf((await openRunIndex(dir, asking().options, known)).table)).toEqual(wanted);
			expect(rowsOf((await openRunIndex(dir, asking().options)).table)).toEqual(wanted);
		}
		const { asked, options } = asking({ rules: "tomorrow" });
		await openRunIndex(dir, options);
		expect(asked).toHaveLength(7);
		expect(await segments()).toHaveLength(1);
	});

	test.each([0, 1])("is made anew where file %i of it is damaged or foreign", async (place) => {
		for (const damage of [
			(bytes: Buffer) => bytes.subarray(0, bytes.length / 2),
			() => Buffer.alloc(0),
			() => Buffer.from("not parquet at all, though of some length"),
		]) {
			await rm(join(dir, "index"), { recursive: true, force: true });
			// what is added is far shorter than what is there, so it stays apart
			for (const end of [6, 7]) {
				await rewrite(...[1, 2, 3, 4, 5, 6, 7].slice(0, end).map((n) => recordOf(n)));
				await openRunIndex(dir, asking().options);
			}
			const names = await segments();
			expect(names).toHaveLength(2);
			const file = join(dir, "index", names[place] ?? "");
			await writeFile(file, damage(await readFile(file)));
			const { asked, options } = asking();
			expect(rowsOf((await openRunIndex(dir, options)).table)).toEqual(await atOnce());
			expect(asked.length).toBeGreaterThan(0);
		}
	});

	test("what does not hold beside later records is found anew, and nothing of it is read again", async () => {
		await put(recordOf(1), recordOf(2));
		const found = (outcome: string): Partial<IndexOptions> => ({
			answer: async (records) => records.map((record) => ({ ...answeredOf(record), outcome, diagnosis: outcome })),
			holds: async () => false,
		});
		await openRunIndex(dir, asking(found("early")).options);
		const { table } = await openRunIndex(dir, asking({ ...found("late"), rules: "today" }).options);
		expect(rowsOf(table).map(({ outcome }) => outcome)).toEqual(["early", "early"]);
		await put(recordOf(3));
		for (let time = 0; time < 2; time++) {
			const { table: later } = await openRunIndex(dir, asking(found("late")).options);
			expect(rowsOf(later).map(({ outcome }) => outcome)).toEqual(["late", "late", "late"]);
			const [first = 0, , third = 0] = later.numbers.get("record_offset") ?? [];
			expect(await readKeptAt(dir, "kept_diagnosis", [first, third, third + 1])).toEqual(
				new Map([
					[first, "late"],
					[third, "late"],
				]),
			);
		}
		expect(await segments()).toHaveLength(1);
	});

	test("is read all the same from a folder that cannot be written", async () => {
		await put(...[1, 2].map((n) => recordOf(n)));
		// a file where the folder would be stops whoever may write everywhere too
		await writeFile(join(dir, "index"), "in the way");
		const known = await openRunIndex(dir, asking().options);
		await put(recordOf(3));
		for (const before of [known, undefined])
			expect(rowsOf((await openRunIndex(dir, asking().options, before)).table)).toEqual(await atOnce());
		const make = async () => taskTable([]);
		expect((await openTaskTable(dir, { hash: "h", make })).rows).toBe(0);
	});

	test("is whole when several make and extend it at once while the run goes on", async () => {
		await put(...Array.from({ length: 5 }, (_, n) => recordOf(n)));
		for (let n = 5; n < 20; n += 5) {
			const opened = [0, 1, 2].map(() => openRunIndex(dir, asking().options));
			await put(...Array.from({ length: 5 }, (_, at) => recordOf(n + at)));
			opened.push(openRunIndex(dir, asking().options));
			const wanted = await atOnce();
			for (const { table } of await Promise.all(opened)) {
				const rows = rowsOf(table);
				expect(rows).toEqual(wanted.slice(0, rows.length));
			}
		}
		expect(rowsOf((await openRunIndex(dir, asking().options)).table)).toEqual(await atOnce());
	});

	longTest("puts its files into one when there are many", async () => {
		for (let n = 0; n < 30; n++) {
			await put(recordOf(n));
			await openRunIndex(dir, asking().options);
			expect((await segments()).length).toBeLessThanOrEqual(14);
		}
		const { asked, options } = asking();
		expect(rowsOf((await openRunIndex(dir, options)).table)).toEqual(await atOnce());
		expect(asked).toEqual([]);
	});
});

test("of a task's attempts the last counts, whatever their order, and tasks that are no more are left out", async () => {
	const tasks = ["t1", "t2"].map((id) =>
		Task.parse({ id, question: id, answer: { type: "string", value: id, accepted: [id] } }),
	);
	const of = (n: number, task: string, attempt: number) => ({ ...recordOf(n, { task, attempt }), repeat: n % 2 });
	await put(of(10, "t1", 0), of(21, "t1", 1), of(12, "t2", 1), of(30, "gone", 0));
	await put(of(14, "t1", 2), of(16, "t2", 0), of(23, "t1", 0), of(18, "t1", 1));
	const table = runTable(await openRunIndex(dir, asking().options), taskTable(tasks));
	const calls = (task: string, repeat: number) => table.numbers.get("calls")?.[table.rowOf(task, repeat) ?? -1];
	expect([table.rows, calls("t1", 0), calls("t1", 1), calls("t2", 0), calls("t2", 1)]).toEqual([
		3,
		14,
		21,
		12,
		undefined,
	]);
	expect(table.rowOf("gone", 0)).toBeUndefined();
});
