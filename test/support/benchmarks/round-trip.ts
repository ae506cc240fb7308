import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchmarkManifest } from "#domain";
import type { Format, Reading, ReadOptions, Written } from "../../../src/benchmarks/formats/format.ts";
import { type RowOptions, readRows } from "../../../src/benchmarks/formats/rows.ts";

export interface RoundTripOptions extends ReadOptions {
	/** Files whose rows are tasks; default: all. */
	taskFiles?: readonly string[];
	/** Of what is written, the files whose rows are tasks; default: the first. */
	writtenFiles?: readonly string[];
	/** Where rows stand in a JSON object. */
	object?: RowOptions["object"];
	/** How many differences are told. */
	most?: number;
}

/**
 * What a format does not keep: rows that reading and writing changes beyond its declared losses, by field path (places in
 * lists left out), and tasks that writing and reading changes. Empty where both ways are the identity.
 */
export async function roundTripProblems(
	format: Format,
	files: readonly string[],
	options: RoundTripOptions = {},
): Promise<string[]> {
	const { taskFiles = files, object, most = 20, ...readOptions } = options;
	if (!format.read || !format.write) return [`${format.name} does not go both ways`];
	const dir = await mkdtemp(join(tmpdir(), "hopscope-round-trip-"));
	try {
		const reading = await format.read(files, readOptions);
		const writing = await format.write(writtenOf(reading, dir), join(dir, "out"));
		const outFiles = writing.files.map((name) => join(dir, "out", name));
		const taskOut = (options.writtenFiles ?? writing.files.slice(0, 1)).map((name) => join(dir, "out", name));
		const refused = new Set(reading.refused.map(({ file, row }) => `${file}:${row}`));
		const before = await valuesOf(taskFiles, { object, skip: (place) => refused.has(place) });
		const after = await valuesOf(taskOut, { object, skip: () => false });
		const problems: string[] = [];
		if (before.length !== after.length) problems.push(`${before.length} rows became ${after.length}`);
		const lost = format.losses.map(({ field }) => field);
		for (const [index, value] of before.entries())
			for (const path of differences(value, after[index], ""))
				if (!lost.some((field) => path === field || path.startsWith(`${field}.`)))
					problems.push(`row ${index + 1}: ${path === "" ? "all of it" : path}`);
		const again = await format.read(outFiles, readOptions);
		for (const { file, row, reason } of again.refused)
			problems.push(`written, then refused: ${file}:${row}: ${reason}`);
		for (const path of differences(reading.tasks, again.tasks, "tasks"))
			if (!lost.some((field) => path === `tasks.${field}` || path.startsWith(`tasks.${field}.`)))
				problems.push(`read again: ${path}`);
		return [...new Set(problems)].slice(0, most);
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
}

/** A reading as a benchmark with its evidence at hand. */
export function writtenOf(reading: Reading, dir: string): Written {
	const evidence = new Map(reading.evidence.map((one) => [one.id, one]));
	const { licence, name: title } = reading.source;
	const manifest: BenchmarkManifest = {
		...{ version: 1, name: "round-trip", title, description: title, licence, sources: [reading.source] },
		...{ knowledge: "round-trip", tasks: reading.tasks.length, hash: "0".repeat(64) },
	};
	return {
		manifest,
		tasks: reading.tasks,
		dir,
		evidence: async (id) => evidence.get(id),
		async *corpus() {
			yield* reading.evidence;
		},
	};
}

async function valuesOf(
	files: readonly string[],
	{ object, skip }: { object: RowOptions["object"]; skip: (place: string) => boolean },
): Promise<unknown[]> {
	const values: unknown[] = [];
	for await (const row of readRows(files, object ? { object } : {}))
		if ("value" in row && !skip(`${row.file}:${row.row}`)) values.push(row.value);
	return values;
}

/** Paths of fields at which two values differ; a field that is absent and one that is undefined are the same. */
function differences(a: unknown, b: unknown, path: string): string[] {
	if (Object.is(a, b)) return [];
	if (Array.isArray(a) && Array.isArray(b))
		return a.length === b.length ? a.flatMap((one, index) => differences(one, b[index], path)) : [path];
	if (!isFields(a) || !isFields(b)) return [path];
	const names = new Set([...Object.keys(a), ...Object.keys(b)]);
	return [...names].flatMap((name) => differences(a[name], b[name], path === "" ? name : `${path}.${name}`));
}

function isFields(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
