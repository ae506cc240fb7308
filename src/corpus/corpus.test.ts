import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCorpus, openCorpus } from "#corpus";
import type { Passage } from "#domain";
import { sha256 } from "#store";
import { longTest } from "../../test/long.ts";
import { cutByLength } from "./passages.ts";
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

longTest("the sorter gives every id once, in order, its first record, however often it spills to disk", async () => {
	const property = fc.asyncProperty(
		fc.array(fc.oneof(fc.string(), fc.constantFrom("x", "y")), { maxLength: 60 }),
		fc.integer({ min: 1, max: 400 }),
		async (ids, runCharacters) => {
			const sorter = createSorter(join(dir, "sorting"), { runCharacters });
			const first = new Map<string, number>();
			const told: string[] = [];
			for (const [at, id] of ids.entries()) {
				if (!sorter.add(id, JSON.stringify({ id, at }))) told.push(id);
				if (!first.has(id)) first.set(id, at);
			}
			const sorted: unknown[] = [];
			for await (const record of sorter.sorted((id) => told.push(id))) sorted.push(JSON.parse(record.json));
			sorter.dispose();
			const expected = [...first].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, at]) => ({ id, at }));
			expect(sorted).toEqual(expected);
			expect(told).toHaveLength(ids.length - first.size);
		},
	);
	await fc.assert(property, { numRuns: 40 });
});

describe("cutting a text by length", () => {
	const bare = (text: string) => text.replace(/\s/gu, "");
	const words = fc.constantFrom(
		"a",
		"lake",
		"12.5",
		"J.R.",
		"e.g.",
		"https://x.org/?a=b.c",
		"!",
		".",
		"?)",
		"。",
		"。」",
		"\n\n",
		"\u{1F30A}",
	);
	const texts = fc.oneof(
		fc.array(fc.tuple(words, fc.constantFrom(" ", "", "\t")), { maxLength: 80 }).map((parts) => parts.flat().join("")),
		fc.string({ unit: "binary", maxLength: 300 }),
	);

	test("keeps every character in order, but for white space, in pieces no longer than the limit", () => {
		const property = fc.property(
			texts,
			fc.integer({ min: 2, max: 60 }),
			fc.nat({ max: 30 }),
			(text, longest, overlap) => {
				const whole = bare(text);
				// Where the pieces so far can end; the next begins there or at most the overlap before.
				let ends = new Set([0]);
				for (const piece of cutByLength(text, { longest, overlap })) {
					expect(piece.length).toBeLessThanOrEqual(longest);
					const next = new Set<number>();
					for (const end of ends)
						for (let start = Math.max(0, end - overlap); start <= end; start += 1)
							if (whole.startsWith(bare(piece), start)) next.add(start + bare(piece).length);
					ends = next;
				}
				expect(ends).toContain(whole.length);
			},
		);
		fc.assert(property, { numRuns: 400 });
	});

	test("dots in numbers, initials and addresses end no sentence", () => {
		const fact = "The lake covers 12.5 square kilometres. It was measured by J.R. Smith of example.org in 1902.";
		const pieces = cutByLength(`${fact} `.repeat(20), { overlap: 0 });
		expect(pieces.length).toBeGreaterThan(1);
		expect(pieces.join(" ").split(fact)).toHaveLength(21);
		const chinese = "湖面积为12.5平方公里。它于1902年测量。".repeat(100);
		expect(bare(cutByLength(chinese, { overlap: 0 }).join(""))).toBe(chinese);
	});

	longTest("takes time in proportion to the text", () => {
		const start = process.cpuUsage();
		for (const text of [
			`${"a".repeat(400_000)}.x`,
			".".repeat(400_000),
			`.${" ".repeat(400_000)}x`,
			".) ".repeat(200_000),
		])
			for (const piece of cutByLength(text)) expect(piece.length).toBeLessThanOrEqual(1200);
		expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000);
	});
});
