import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCorpus } from "#corpus";
import type { Evidence } from "#domain";
import { buildGraph, graphFolder, writeGraph } from "#graph";
import { buildKnowledge, fakeKnowledge, openKnowledge } from "#knowledge";
import { writeWhole } from "#store";
import { longTest } from "../../test/long.ts";
import { knowledgeCases, knowledgeSample } from "../../test/support/knowledge.ts";

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-conformance-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function build(evidence: Evidence[]) {
	const corpus = join(dir, "corpus");
	const writer = await createCorpus(corpus, { name: "sample", licence: "CC0-1.0", sources: [] });
	const flag = await sharp({ create: { width: 4, height: 4, channels: 3, background: "red" } })
		.png()
		.toBuffer();
	await writeWhole(join(corpus, "images/flag.png"), flag);
	for (const item of evidence) writer.add(item);
	await writer.finish();
	await buildKnowledge(corpus, join(dir, "knowledge"));
	return openKnowledge(join(dir, "knowledge"));
}

describe("a knowledge base on disk", () => {
	for (const { name, run } of knowledgeCases(build)) test(name, run);
});
describe("the fake", () => {
	for (const { name, run } of knowledgeCases(async (evidence) => fakeKnowledge(evidence))) test(name, run);

	test("scores as the engine does", async () => {
		const [fake, real] = [fakeKnowledge(knowledgeSample), await build(knowledgeSample)];
		for (const text of ["capital Ecuador Andes", "Lima Pacific coast", "towns share Lima", "capital de Ecuador"]) {
			const list = await real.search({ text, target: "passage", k: 9 });
			const faked = await fake.search({ text, target: "passage", k: 9 });
			expect(faked).toEqual(list.map((result) => ({ ...result, score: expect.closeTo(result.score, 3) })));
		}
		await real.close();
	});

	test("takes pictures for what a test says, and tells what was asked", async () => {
		const calls: object[] = [];
		const images = [{ image: "photo.jpg", ids: ["flag"] }];
		const fake = fakeKnowledge(knowledgeSample, {
			images,
			files: { flag: "/flag.png" },
			onCall: (call) => calls.push(call),
		});
		const query = { image: "photo.jpg", target: "image", k: 3 } as const;
		expect(await fake.search(query)).toMatchObject([{ id: "flag", rank: 1, indexes: ["image"] }]);
		expect(await fake.search({ ...query, image: "other.jpg" })).toEqual([]);
		const [flag] = knowledgeSample.slice(-1);
		expect(flag && (await fake.file(flag))).toBe("/flag.png");
		expect(calls).toEqual([{ search: query }, { search: { ...query, image: "other.jpg" } }]);
	});
});

longTest("a graph beside the index is a mode of its own, and is kept when the index is built anew", async () => {
	const knowledge = await build(knowledgeSample);
	const plain = knowledge.manifest.hash;
	const asked = { text: "What is Quito the capital of?", target: "passage", mode: "graph", k: 5 } as const;
	await expect(knowledge.search(asked)).rejects.toMatchObject({ code: "no-index" });
	await knowledge.close();
	const about = { document: "Quito", basis: "quote", quote: "Quito, the capital of Ecuador", origin: "test" } as const;
	const statements = ["quito#1", "gone#1"].map((evidence) => ({ ...about, evidence }));
	const claims = statements.map((statement) => ({
		subject: { name: "Quito" },
		relation: "capital of",
		object: { name: "Ecuador" },
		directed: true,
		statement,
	}));
	const graph = buildGraph({ claims });
	await writeGraph(join(dir, "knowledge", graphFolder), graph, { name: "sample", origins: ["test"] });
	for (const rebuilt of [false, true]) {
		if (rebuilt) await buildKnowledge(join(dir, "corpus"), join(dir, "knowledge"));
		const withGraph = await openKnowledge(join(dir, "knowledge"));
		expect(withGraph.manifest.hash).not.toBe(plain);
		expect(withGraph.manifest.indexes.at(-1)).toMatchObject({ name: "graph", exact: true });
		expect(await withGraph.search(asked)).toMatchObject([{ id: "quito#1", indexes: ["graph"], rank: 1 }]);
		expect(await withGraph.search({ ...asked, filter: { document: "Lima" } })).toEqual([]);
		await withGraph.close();
	}
	await buildKnowledge(join(dir, "corpus"), join(dir, "knowledge"), { fresh: true });
	const fresh = await openKnowledge(join(dir, "knowledge"));
	expect(fresh.manifest.hash).toBe(plain);
	await fresh.close();
});
