import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCorpus, openCorpus } from "#corpus";
import type { Passage } from "#domain";
import { sha256 } from "#store";
import { createSorter } from "./sorter.ts";

let dir: string;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-corpus-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const about = { name: "small", licence: "CC0-1.0", sources: [] };
const passage = (id: string, text = id): Passage => ({
	kind: "passage",
	id,
	document: "d",
	title: "t",
	language: "en",
	sha256: sha256(text),
	provenance: { source: "test" },
	text,
	form: "prose",
});

async function write(place: string, ids: string[]) {
	const writer = await createCorpus(join(dir, place), about);
	for (const id of ids) writer.add(passage(id));
	return writer.finish();
}

async function idsOf(place: string) {
	const ids: string[] = [];
	for await (const { id } of (await openCorpus(join(dir, place))).evidence()) ids.push(id);
	return ids;
}

describe("a corpus", () => {
	test("holds its evidence in order of id and the same hash in whatever order it was added", async () => {
		const first = await write("a", ["b", "a", "ñ", "Z"]);
		const second = await write("b", ["Z", "ñ", "b", "a"]);
		expect(await idsOf("a")).toEqual(["Z", "a", "b", "ñ"]);
		expect(second.hash).toBe(first.hash);
		expect(first.counts).toEqual({ passage: 4, page: 0, image: 0 });
		expect(sha256(await readFile(join(dir, "a/evidence.jsonl")))).toBe(first.hash);
	});

	test("refuses a second evidence of the same id and one that does not fit", async () => {
		const writer = await createCorpus(join(dir, "a"), about);
		writer.add(passage("a"));
		expect(() => writer.add(passage("a"))).toThrow(/two evidences are called "a"/);
		expect(() => writer.add({ ...passage("b"), sha256: "short" })).toThrow(/evidence "b": at sha256/);
	});

	test("does not open before it is finished, nor where there is none", async () => {
		await createCorpus(join(dir, "a"), about);
		for (const place of ["a", "nowhere"])
			await expect(openCorpus(join(dir, place))).rejects.toMatchObject({ code: "no-corpus", exitCode: 2 });
	});
});

test("the sorter gives every record once, in order, however often it spills to disk", async () => {
	const property = fc.asyncProperty(
		fc.uniqueArray(fc.string(), { maxLength: 60 }),
		fc.integer({ min: 1, max: 400 }),
		async (ids, runCharacters) => {
			const sorter = createSorter(join(dir, "sorting"), (id) => new Error(id), { runCharacters });
			for (const id of ids) sorter.add(id, JSON.stringify({ id }));
			const sorted: unknown[] = [];
			for await (const record of sorter.sorted()) sorted.push(record);
			sorter.dispose();
			expect(sorted).toEqual([...ids].sort((a, b) => (a < b ? -1 : 1)).map((id) => ({ id })));
		},
	);
	await fc.assert(property, { numRuns: 40 });
	const sorter = createSorter(join(dir, "sorting"), (id) => new Error(`twice ${id}`), { runCharacters: 1 });
	for (const id of ["x", "y", "x"]) sorter.add(id, "{}");
	await expect(async () => {
		for await (const _ of sorter.sorted());
	}).rejects.toThrow("twice x");
});
