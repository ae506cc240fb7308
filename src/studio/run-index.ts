/**
 * The index of a run: its records as columns, in Parquet files beside `records.jsonl`, each covering a range of its bytes.
 * The records stay the truth; the index can be made again at any time, and grows as the run does.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { clip, errorKind, isAnswered, RunRecord, type Trajectory } from "#domain";
import { actionsIn } from "#scoring";
import { parseLine, readLines, writeWhole } from "#store";
import { readTable, tableBytes } from "./parquet-table.ts";
import { createCategory, hopColumn, mostHopColumns, type Table, valueAt } from "./table.ts";

/** What was found of a record, as the index holds it. */
export interface Answered {
	outcome: string;
	/** By name; null where it could not be given. */
	scores: Readonly<Record<string, number | null>>;
	/** What would be named first; null: nothing was found. */
	primary: string | null;
	/** Place of the first broken hop, from 1; 0: none is seen to be broken; null: no hop was judged. */
	broken: number | null;
	/** Places of hops that may have broken first, though nothing shows it. */
	open: readonly number[];
	/** Verdicts in the order of dependency. */
	verdicts: readonly string[];
	/** What the agent shows of its steps. */
	shows: string;
	/** Why scores could not be given, and what stands beside those that could, as JSON; by name. */
	reasons?: Readonly<Record<string, string>>;
	details?: Readonly<Record<string, string>>;
	/** What summaries read of its diagnosis, and all of it but what names the record, as JSON. */
	found?: string;
	diagnosis?: string;
	/** Its missed hops, as JSON. */
	missed?: string;
}

export interface IndexOptions {
	/** Changes whenever records would be answered for otherwise: what was indexed by other rules is indexed anew. */
	rules: string;
	/** False where nothing is read from or written to the folder. */
	kept?: boolean | undefined;
	/** Whether what was found before holds beside the records in some more bytes of the file; asked before `answer`. */
	holds?: ((before: Table, added: { start: number; end: number }) => Promise<boolean>) | undefined;
	/** What is found of records, in their order. */
	answer(records: readonly RunRecord[]): Promise<Answered[]>;
	/** The columns that are wanted of what was indexed before, by their names; all where nothing is said. */
	columns?: ((name: string) => boolean) | undefined;
	signal?: AbortSignal | undefined;
	onProgress?: ((bytes: number, of: number) => void) | undefined;
}

/** The records of a run so far, every attempt, in the order written. `bytes` of the file are covered. */
export interface RunIndex {
	table: Table;
	bytes: number;
	/** Of the file when it was read: longer where a last line is not whole. */
	size: number;
	/** SHA-256 of the last bytes that it covers: tells a file that was written anew. */
	tail: string;
	/** Lines among them that are no record and were passed over. */
	unread: number;
}

/** Where a record stands in the file, and its steps, scored or not; no scorer can be called so. */
export const recordColumns = { offset: "record_offset", length: "record_length", steps: "record_steps" } as const;

/**
 * Columns that no page shows and summaries need: what an answer took, by the fields of `Usage` too; calls that could not
 * be carried out; how it ended, as JSON; what was found, in short and whole, and what was missed; and of each score why it was not given, or what
 * stands beside it.
 */
export const keptColumns = {
	ms: "kept_ms",
	usage: (field: string) => `kept_usage_${field}`,
	unread: "kept_unread",
	form: "kept_form",
	found: "kept_found",
	diagnosis: "kept_diagnosis",
	missed: "kept_missed",
	reason: (score: string) => `kept_reason_${score}`,
	details: (score: string) => `kept_details_${score}`,
} as const;
export const isKept = (column: string): boolean => column.startsWith("kept_");

/** How an answer ended, beside its stop. */
export interface RecordForm {
	/** Whether an answer was given, be it empty, and whether it holds one that is none of declining. */
	answered: boolean;
	answers: boolean;
	abstained: boolean;
	searchOnly: boolean;
	/** Where an error came from. */
	boundary: string | null;
}

/** Where a chain breaks of which no hop was judged. */
export const notJudged = "not-judged";

const folder = "index";
const indexVersion = 6;
/** Records that are read, answered for and let go of together. */
const atOnce = 2000;
/** Of them, how many go into one file. */
const batchesInSegment = 10;
const tailBytes = 4096;

const SegmentHead = z.object({
	version: z.literal(indexVersion),
	rules: z.string(),
	from: z.number().int().min(0),
	to: z.number().int().min(0),
	/** As those of the index. */
	tail: z.string(),
	unread: z.number().int().min(0),
	/** SHA-256 of the bytes of records that it covers. */
	records: z.string(),
});
type SegmentHead = z.infer<typeof SegmentHead>;

/**
 * Reads the index of a run and extends it by the records that are not in it yet. A folder that cannot be written is read
 * all the same. `known`, an index that was read before, is extended in place of what is on disk.
 */
export async function openRunIndex(dir: string, options: IndexOptions, known?: RunIndex): Promise<RunIndex> {
	const file = join(dir, "records.jsonl");
	const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }));
	const stamp = `${size}-${mtimeMs}`;
	const { kept = true } = options;
	const fits = known && known.bytes <= size && known.tail === (await tailOf(dir, known.bytes));
	const nothing: Covered = { parts: [], bytes: 0, unread: 0 };
	const extended = fits ? { parts: [known.table], bytes: known.bytes, unread: known.unread } : undefined;
	const covered = extended ?? (kept ? await readSegments(dir, { size, stamp }, options) : nothing);
	const stands = covered.bytes === size || (await holds(covered, size, options));
	const before = stands ? covered : nothing;
	// else one of them could be taken for what is made now of the same records
	if (!stands && kept) for (const name of await segmentNames(dir)) await removeSegment(dir, name);
	let done = [...before.parts];
	let added: Table[] = [];
	let { bytes, unread } = before;
	let sealed = { bytes, unread };
	let [isWriting, isWritten] = [kept, false];
	// what is on disk need not be held: it is read back once all is there
	const fromDisk = async () => {
		const { parts, bytes: there } = await readSegments(dir, { size, stamp }, options);
		if (there !== sealed.bytes) return false;
		[done, isWritten] = [parts, false];
		return true;
	};
	const inMemory = () => openRunIndex(dir, { ...options, kept: false });
	// what was read so far is kept when the process dies
	const seal = async (): Promise<boolean> => {
		if (added.length === 0) return true;
		const part = joined(added);
		added = [];
		const own = { ...options, from: sealed.bytes, to: bytes, unread: unread - sealed.unread };
		isWriting &&= await keepSegment(dir, part, own).then(
			() => true,
			() => false,
		);
		if (isWriting && !extended) [isWritten, done] = [true, []];
		else if (isWritten && !(await fromDisk())) return false;
		else done.push(wantedOf(part, options.columns));
		sealed = { bytes, unread };
		return true;
	};
	for await (const { records, places, to, bad } of batchesOf(file, { from: before.bytes, size })) {
		options.signal?.throwIfAborted();
		const answered = await options.answer(records);
		added.push(tableOf(records.map((record, at) => lineOf(record, places[at] as Place, answered[at]))));
		bytes = to;
		unread += bad;
		options.onProgress?.(bytes, size);
		if (added.length >= batchesInSegment && !(await seal())) return inMemory();
	}
	if (!(await seal())) return inMemory();
	if (kept && !extended) await trust(dir, stamp);
	if (isWritten && !(await fromDisk())) return inMemory();
	return { table: joined(done), bytes, size, tail: await tailOf(dir, bytes), unread };
}

/** What was indexed before, from the first byte of the file on. */
interface Covered {
	parts: Table[];
	bytes: number;
	unread: number;
}

const holds = async ({ parts, bytes }: Covered, end: number, options: IndexOptions): Promise<boolean> =>
	(await options.holds?.(joined(parts), { start: bytes, end })) ?? true;

/** Where a record stands in the file, in bytes. */
interface Place {
	offset: number;
	length: number;
}

interface Batch {
	records: RunRecord[];
	places: Place[];
	/** The byte behind them. */
	to: number;
	/** Lines among them that are no record. */
	bad: number;
}

/** The records of a file from a byte on, some at a time. What is being written waits. */
async function* batchesOf(file: string, { from, size }: { from: number; size: number }): AsyncGenerator<Batch> {
	let batch: Batch = { records: [], places: [], to: from, bad: 0 };
	for await (const line of readLines(file, { start: from, end: size })) {
		if (!line.whole) break;
		const read = parseLine(line.text, RunRecord);
		if ("value" in read) {
			batch.records.push(read.value);
			batch.places.push({ offset: from + line.start, length: line.bytes });
		} else batch.bad += 1;
		batch.to = from + line.start + line.bytes + 1;
		if (batch.records.length < atOnce) continue;
		yield batch;
		batch = { records: [], places: [], to: batch.to, bad: 0 };
	}
	if (batch.records.length + batch.bad > 0) yield batch;
}

/** The columns of one record. */
interface Line {
	numbers: Record<string, number | null>;
	categories: Record<string, string | null>;
	sets: Record<string, string | null>;
}

function lineOf(
	{ task, repeat, attempt, at, trajectory }: RunRecord,
	{ offset, length }: Place,
	answered?: Answered,
): Line {
	const { usage, ms, stop, steps, answer, error } = trajectory;
	const verdicts = answered?.verdicts ?? [];
	const { actions, read, unread } = actionsIn(trajectory);
	const form: RecordForm = {
		answered: answer !== null,
		answers: isAnswered(trajectory),
		abstained: trajectory.abstained,
		searchOnly: trajectory.searchOnly ?? false,
		boundary: error?.boundary ?? null,
	};
	return {
		numbers: {
			steps: steps.length,
			calls: usage.calls,
			...answered?.scores,
			[recordColumns.offset]: offset,
			[recordColumns.length]: length,
			[recordColumns.steps]: steps.length,
			repeat,
			attempt,
			// milliseconds since 1970; what is no date has none
			at: Date.parse(at),
			seconds: ms / 1000,
			tokens: usage.inputTokens + usage.outputTokens,
			cost: usage.cost ?? null,
			actions,
			readable: read,
			[keptColumns.ms]: ms,
			...named(usage, keptColumns.usage),
			[keptColumns.unread]: unread.filter(({ call }) => call).length,
		},
		categories: {
			task,
			stop,
			error: stop === "error" && error ? `${error.boundary}: ${errorKind(error.message)}` : null,
			answer: answer === null ? null : clip(answer, 200),
			outcome: answered?.outcome ?? null,
			primary: answered?.primary ?? null,
			broken: answered ? String(answered.broken === null ? notJudged : answered.broken || "none") : null,
			unobserved: answered && answered.open.length > 0 ? "yes" : "no",
			shows: answered?.shows ?? null,
			[keptColumns.form]: JSON.stringify(form),
			[keptColumns.found]: answered?.found ?? null,
			[keptColumns.diagnosis]: answered?.diagnosis ?? null,
			[keptColumns.missed]: answered?.missed ?? null,
			...named(answered?.reasons ?? {}, keptColumns.reason),
			...named(answered?.details ?? {}, keptColumns.details),
			...Object.fromEntries(verdicts.slice(0, mostHopColumns).map((verdict, at) => [hopColumn(at + 1), verdict])),
		},
		sets: {
			verdict: [...new Set(verdicts)].sort().join(" ") || null,
			open: answered?.open.join(" ") || null,
			tool: toolsOf(trajectory),
		},
	};
}

/** Values under other names. */
const named = <Value>(values: Readonly<Record<string, Value>>, nameOf: (name: string) => string) =>
	Object.fromEntries(Object.entries(values).map(([name, value]) => [nameOf(name), value]));

const toolsOf = ({ steps }: Trajectory): string | null =>
	[...new Set(steps.flatMap(({ call }) => (call ? [call.tool.replace(/\s+/g, "_").slice(0, 60)] : [])))]
		.sort()
		.join(" ") || null;

function tableOf(lines: readonly Line[]): Table {
	const rows = lines.length;
	const numbers = new Map<string, Float64Array>();
	const categories = new Map<string, ReturnType<typeof createCategory>>();
	for (const [row, line] of lines.entries()) {
		for (const [name, value] of Object.entries(line.numbers)) {
			const column = numbers.get(name) ?? new Float64Array(rows).fill(Number.NaN);
			numbers.set(name, column);
			if (value !== null) column[row] = value;
		}
		for (const kind of ["categories", "sets"] as const)
			for (const [name, value] of Object.entries(line[kind])) {
				const column = categories.get(name) ?? createCategory(rows, { sets: kind === "sets" });
				categories.set(name, column);
				column.set(row, value);
			}
	}
	return { rows, numbers, categories: new Map([...categories].map(([name, column]) => [name, column.done()])) };
}

/** Tables one after the other; a column that one lacks has no values there. */
function joined(parts: readonly Table[]): Table {
	const [only] = parts;
	if (parts.length === 1 && only) return only;
	const rows = parts.reduce((sum, part) => sum + part.rows, 0);
	const numbers = new Map<string, Float64Array>();
	const categories = new Map<string, ReturnType<typeof createCategory>>();
	let at = 0;
	for (const part of parts) {
		for (const [name, values] of part.numbers) {
			const column = numbers.get(name) ?? new Float64Array(rows).fill(Number.NaN);
			numbers.set(name, column);
			column.set(values, at);
		}
		for (const [name, { dictionary, codes, sets }] of part.categories) {
			const column = categories.get(name) ?? createCategory(rows, { sets: sets ?? false });
			categories.set(name, column);
			column.append({ dictionary, codes }, at);
		}
		at += part.rows;
	}
	return { rows, numbers, categories: new Map([...categories].map(([name, column]) => [name, column.done()])) };
}

const wantedOf = (table: Table, wanted: IndexOptions["columns"]): Table =>
	wanted
		? {
				rows: table.rows,
				numbers: new Map([...table.numbers].filter(([name]) => wanted(name))),
				categories: new Map([...table.categories].filter(([name]) => wanted(name))),
			}
		: table;

const segmentNames = async (dir: string): Promise<string[]> =>
	(await readdir(join(dir, folder)).catch(() => [])).filter((name) => /^\d+-\d+\b.*\.parquet$/.test(name));

/** A file is named by what it holds: one that was changed is not read. */
const hashOf = (content: Uint8Array) => createHash("sha256").update(content).digest("hex").slice(0, 16);
const hashIn = (name: string) => /-([0-9a-f]{16})\.parquet$/.exec(name)?.[1];

/**
 * The segments that cover the file from its beginning without a gap; others, and those by other rules, are removed. Without
 * `rules` those by any are taken, and none is removed.
 */
async function readSegments(
	dir: string,
	{ size, stamp }: { size: number; stamp: string },
	{ rules, columns }: Pick<IndexOptions, "columns"> & { rules?: string },
): Promise<Covered> {
	const covered: Covered = { parts: [], bytes: 0, unread: 0 };
	const trusted = await isTrusted(dir, stamp);
	const names = (await segmentNames(dir)).sort((a, b) => startOf(a) - startOf(b) || endOf(b) - endOf(a));
	for (const name of names) {
		const fits = startOf(name) === covered.bytes && endOf(name) <= size;
		const segment = fits ? await readSegment(dir, name, { rules, columns, trusted }).catch(() => undefined) : undefined;
		if (segment) {
			covered.parts.push(segment.table);
			covered.bytes = endOf(name);
			covered.unread += segment.unread;
		} else if (rules !== undefined) await removeSegment(dir, name);
	}
	return covered;
}

const removeSegment = (dir: string, name: string): Promise<void> =>
	rm(join(dir, folder, name), { force: true }).catch(() => undefined);

interface Segment {
	table: Table;
	unread: number;
}

async function readSegment(
	dir: string,
	name: string,
	{ rules, columns, trusted }: Pick<IndexOptions, "columns"> & { rules?: string | undefined; trusted: boolean },
): Promise<Segment | undefined> {
	let unread = 0;
	const content = await readFile(join(dir, folder, name));
	if (hashIn(name) !== hashOf(content)) return undefined;
	const table = await readTable(
		content,
		async (about) => {
			const head = SegmentHead.safeParse(about);
			if (!head.success) return false;
			const { rules: own, from, to, tail, records } = head.data;
			unread = head.data.unread;
			if ((rules ?? own) !== own || tail !== (await tailOf(dir, to))) return false;
			return trusted || records === (await hashOfRecords(dir, { from, to }));
		},
		columns,
	);
	return table && { table, unread };
}

/** The longest part of the records that one file covers once others are put into it. */
const mostMerged = 64 * 1024 * 1024;

/**
 * Writes a segment, together with those before it that are not much longer: a run that is looked at a thousand times while
 * it goes leaves a few files, and each record is written anew a few times only.
 */
async function keepSegment(
	dir: string,
	part: Table,
	{ rules, from, to, unread }: { rules: string; from: number; to: number; unread: number },
): Promise<void> {
	let whole = { table: part, from, unread };
	const merged: string[] = [];
	for (const name of (await segmentNames(dir)).sort((a, b) => startOf(b) - startOf(a))) {
		const isNear = endOf(name) === whole.from && endOf(name) - startOf(name) <= 2 * (to - whole.from);
		if (!isNear || to - startOf(name) > mostMerged) break;
		const before = await readSegment(dir, name, { rules, trusted: true });
		if (!before) break;
		whole = {
			table: joined([before.table, whole.table]),
			from: startOf(name),
			unread: before.unread + whole.unread,
		};
		merged.push(name);
	}
	await writeSegment(dir, whole.table, { rules, from: whole.from, to, unread: whole.unread });
	// a process that dies here leaves both: the longer one is read
	for (const name of merged) await rm(join(dir, folder, name), { force: true });
}

const startOf = (name: string) => Number.parseInt(name, 10);
const endOf = (name: string) => Number.parseInt(name.split("-")[1] ?? "", 10);

async function writeSegment(
	dir: string,
	table: Table,
	{ rules, from, to, unread }: { rules: string; from: number; to: number; unread: number },
): Promise<void> {
	const [tail, records] = [await tailOf(dir, to), await hashOfRecords(dir, { from, to })];
	const head: SegmentHead = { version: indexVersion, rules, from, to, tail, unread, records };
	const content = await tableBytes(table, head);
	await writeWhole(join(dir, folder, `${from}-${to}-${hashOf(content)}.parquet`), content);
}

async function hashOfRecords(dir: string, { from, to }: { from: number; to: number }): Promise<string> {
	const hash = createHash("sha256");
	const bytes = createReadStream(join(dir, "records.jsonl"), { start: from, end: to - 1, highWaterMark: 1 << 20 });
	for await (const chunk of bytes as AsyncIterable<Buffer>) hash.update(chunk);
	return hash.digest("hex");
}

/** Size and age of the records when the index was last held against all of them: it is again once they changed. */
const trustedFile = (dir: string) => join(dir, folder, "records.stamp");
const isTrusted = async (dir: string, stamp: string): Promise<boolean> =>
	(await readFile(trustedFile(dir), "utf8").catch(() => undefined)) === stamp;

async function trust(dir: string, stamp: string): Promise<void> {
	if (await isTrusted(dir, stamp)) return;
	await writeWhole(trustedFile(dir), stamp, { makeFolder: false, synced: false }).catch(() => undefined);
}

/** A hash of the bytes before a place of a run's records; of none where nothing was recorded yet. */
async function tailOf(dir: string, to: number): Promise<string> {
	if (to === 0) return createHash("sha256").digest("hex");
	const handle = await open(join(dir, "records.jsonl"));
	try {
		const bytes = Buffer.alloc(Math.min(tailBytes, to));
		await handle.read(bytes, 0, bytes.length, to - bytes.length);
		return createHash("sha256").update(bytes).digest("hex");
	} finally {
		await handle.close();
	}
}

/** What is there of a run's index by whatever rules, for what no rule changes; nothing is made or removed. */
export async function readIndexed(
	dir: string,
	columns: (name: string) => boolean,
): Promise<Pick<RunIndex, "table" | "bytes" | "unread"> | undefined> {
	const { size, mtimeMs } = await stat(join(dir, "records.jsonl")).catch(() => ({ size: 0, mtimeMs: 0 }));
	const { parts, ...covered } = await readSegments(dir, { size, stamp: `${size}-${mtimeMs}` }, { columns });
	return parts.length === 0 ? undefined : { table: joined(parts), ...covered };
}

/**
 * What the index holds of records in a column that is too large to be read for all: by where the records stand, a segment
 * at a time. What no segment holds is left out.
 */
export async function readKeptAt(dir: string, name: string, places: readonly number[]): Promise<Map<number, string>> {
	const found = new Map<number, string>();
	const wanted = new Set(places);
	const columns = (column: string) => column === name || column === recordColumns.offset;
	for (const segment of await segmentNames(dir)) {
		const [from, to] = [startOf(segment), endOf(segment)];
		if (!places.some((place) => from <= place && place < to)) continue;
		const read = await readSegment(dir, segment, { columns, trusted: true }).catch(() => undefined);
		const [offsets, values] = [read?.table.numbers.get(recordColumns.offset), read?.table.categories.get(name)];
		if (!offsets || !values) continue;
		for (const [row, place] of offsets.entries()) {
			const value = wanted.has(place) ? valueAt(values, row) : null;
			if (value !== null) found.set(place, value);
		}
	}
	return found;
}

/** One record as it stands in the file. Throws where the line is no record any more. */
export async function readRecordAt(dir: string, place: Place): Promise<RunRecord> {
	const [record] = await readRecordsAt(dir, [place]);
	return record as RunRecord;
}

/** Records as they stand in the file. Throws where a line is no record any more. */
export async function readRecordsAt(dir: string, places: readonly Place[]): Promise<RunRecord[]> {
	if (places.length === 0) return [];
	const handle = await open(join(dir, "records.jsonl"));
	try {
		const records: RunRecord[] = [];
		for (const { offset, length } of places) {
			const bytes = Buffer.alloc(length);
			await handle.read(bytes, 0, length, offset);
			records.push(RunRecord.parse(JSON.parse(bytes.toString("utf8"))));
		}
		return records;
	} finally {
		await handle.close();
	}
}

/** What the tasks of a benchmark say, kept beside the index of a run; made where it is not there yet. */
export async function openTaskTable(
	dir: string,
	{ hash, kept = true, make }: { hash: string; kept?: boolean; make(): Promise<Table> },
): Promise<Table> {
	const about = { version: indexVersion, benchmark: hash };
	const fits = (said: unknown) => JSON.stringify(said) === JSON.stringify(about);
	const before = kept ? await taskFiles(dir) : [];
	for (const name of before) {
		const content = await readFile(join(dir, folder, name)).catch(() => undefined);
		const isWhole = content && hashIn(name) === hashOf(content);
		const known = isWhole && (await readTable(content, fits).catch(() => undefined));
		if (known) return known;
	}
	const table = await make();
	if (!kept) return table;
	const content = await tableBytes(table, about);
	const name = `tasks-${hashOf(content)}.parquet`;
	await writeWhole(join(dir, folder, name), content).catch(() => undefined);
	for (const old of before) if (old !== name) await rm(join(dir, folder, old), { force: true }).catch(() => undefined);
	return table;
}

const taskFiles = async (dir: string): Promise<string[]> =>
	(await readdir(join(dir, folder)).catch(() => [])).filter((name) => /^tasks\b.*\.parquet$/.test(name));
