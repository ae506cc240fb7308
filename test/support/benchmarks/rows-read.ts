import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Task } from "#domain";
import type { Format, Reading, ReadOptions, Writing } from "../../../src/benchmarks/formats/format.ts";

/** Rows, written as a file of a given name and read by a format. */
export async function readRowsAs(
	format: Format,
	rows: unknown,
	options: ReadOptions = {},
	name = "rows.json",
): Promise<Reading> {
	const dir = await mkdtemp(join(tmpdir(), "hopscope-format-"));
	try {
		const file = join(dir, name);
		await writeFile(file, typeof rows === "string" || rows instanceof Uint8Array ? rows : JSON.stringify(rows));
		if (!format.read) throw new Error(`${format.name} is not read`);
		return await format.read([file], options);
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
}

/** What a format writes of tasks: its rows as read from JSON, by file. */
export async function rowsWritten(
	format: Format,
	{ tasks, media = [], evidence = [] }: Partial<Reading> & { tasks: readonly Task[] },
): Promise<Writing & { written: Record<string, unknown> }> {
	const dir = await mkdtemp(join(tmpdir(), "hopscope-format-"));
	try {
		for (const { to, from } of media) {
			await mkdir(dirname(join(dir, to)), { recursive: true });
			await writeFile(join(dir, to), "data" in from ? from.data : await readFile(from.file));
		}
		const byId = new Map(evidence.map((one) => [one.id, one]));
		const manifest = { version: 1, name: "b", title: "B", description: "", licence: "", sources: [], knowledge: "k" };
		if (!format.write) throw new Error(`${format.name} is not written`);
		const made = await format.write(
			{
				manifest: { ...manifest, version: 1, tasks: tasks.length, hash: "0".repeat(64) },
				...{ tasks, dir },
				evidence: async (id) => byId.get(id),
				file: async (one) => (one.kind === "image" ? join(dir, one.file) : undefined),
			},
			join(dir, "out"),
		);
		const written: Record<string, unknown> = {};
		for (const file of made.files.filter((name) => /\.jsonl?$/.test(name))) {
			const text = await readFile(join(dir, "out", file), "utf8");
			const lines = text.split("\n").filter((line) => line !== "");
			written[file] = file.endsWith("l") ? lines.map((line): unknown => JSON.parse(line)) : JSON.parse(text);
		}
		return { ...made, written };
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
}
