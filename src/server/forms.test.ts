import { describe, expect, test } from "vitest";
import { createCorpus } from "#corpus";
import { createWorld, towns } from "../../test/support/server/server.ts";

const world = createWorld(createCorpus);
const { post, serve } = world;

describe("the published forms", () => {
	const lima = { id: "lima", title: "Lima", text: towns[0][2], contents: `"Lima"\n${towns[0][2]}` };

	test("Search-R1 and verl: batches with and without scores", async () => {
		const queries = ["capital of Peru", "", "capital of Ecuador"];
		const { json } = await post("/retrieve", { queries, topk: 1, return_scores: true });
		expect(json.result).toHaveLength(3);
		expect(json.result[0]).toEqual([{ document: lima, score: expect.any(Number) }]);
		expect(json.result[0][0].score).toBeGreaterThan(0);
		expect(json.result[1]).toEqual([]);
		expect(json.result[2][0].document.id).toBe("quito");
		const plain = await post("/retrieve", { queries: ["capital of Peru"], topk: 1, return_scores: false });
		expect(plain.json).toEqual({ result: [[lima]] });
		expect((await post("/retrieve", { queries: [] })).json).toEqual({ result: [] });
	});

	test.each([undefined, null, 0])("topk %s is the server's default", async (topk) => {
		const many = await serve({ k: 2 });
		const { json } = await post(
			"/retrieve",
			{ queries: ["the capital is high"], topk, return_scores: true },
			{ at: many },
		);
		expect(json.result[0]).toHaveLength(2);
	});

	test("a title is one line, so that clients can split contents at the first", async () => {
		const { json } = await post("/retrieve", { queries: ["rivers rise"], topk: 1 });
		expect(json.result[0][0]).toMatchObject({
			id: "andes#1/a b",
			contents: expect.stringMatching(/^"The Andes"\nThe A/),
		});
	});

	test("Search-R1's reranking server: documents are strings", async () => {
		const body = { queries: ["capital"], topk_retrieval: 10, topk_rerank: 1 };
		expect((await post("/retrieve", { ...body, return_scores: true })).json.result[0]).toEqual([
			{ document: expect.stringMatching(/^"(Lima|Quito)"\n/), score: expect.any(Number) },
		]);
		expect((await post("/retrieve", body)).json.result).toEqual([[expect.stringMatching(/^"(Lima|Quito)"\n/)]]);
	});

	test("AgenticRAGTracer: one query, four decimals, its messages", async () => {
		const { json } = await post("/retrieve", { query: "capital of Peru", topk: 1 });
		expect(json).toEqual({
			results: [{ doc_id: "lima", contents: lima.contents, score: expect.any(Number) }],
			message: "Success",
		});
		expect(json.results[0].score).toBe(Number(json.results[0].score.toFixed(4)));
		expect((await post("/retrieve", { query: "zzzz" })).json).toEqual({ results: [], message: "No results found." });
		expect((await post("/retrieve", { query: " \n" })).status).toBe(400);
	});

	test("FlashRAG and ReSearch: documents alone, or with their scores beside them", async () => {
		const document = { id: "lima", contents: lima.contents };
		expect((await post("/search", { query: "capital of Peru", top_n: 1 })).json).toEqual([document]);
		const pair = await post("/search", { query: "capital of Peru", top_n: 1, return_score: true });
		expect(pair.json).toEqual([[document], [expect.any(Number)]]);
		const batch = { query: ["capital of Peru", "novel"], top_n: 1 };
		const lists = await post("/batch_search", batch);
		expect(lists.json).toEqual([[document], [expect.objectContaining({ id: "1984" })]]);
		expect((await post("/batch_search", { ...batch, return_score: true })).json).toEqual([
			lists.json,
			[[expect.any(Number)], [expect.any(Number)]],
		]);
		expect((await post("/search", { query: "  " })).status).toBe(400);
	});

	test("R1-Searcher: strings, which a passage that begins with a number does not begin with", async () => {
		const { json } = await post("/queries", { queries: ["novel by Orwell"], k: 1 });
		expect(json).toEqual({ queries: ["novel by Orwell"], answers: [['"1984"\n1984 is a novel by George Orwell.']] });
	});

	test("every form gives what the knowledge base gives, in its order", async () => {
		const found = await world.knowledge.search({ text: "capital high", target: "passage", k: 4 });
		const ids = found.map(({ id }) => id);
		expect(ids.length).toBeGreaterThan(1);
		const { json } = await post("/retrieve", { queries: ["capital high"], topk: 4, return_scores: true });
		expect(json.result[0].map((hit: { document: { id: string } }) => hit.document.id)).toEqual(ids);
		expect(json.result[0].map((hit: { score: number }) => hit.score)).toEqual(found.map(({ score }) => score));
	});

	test("an overlong query is cut, not refused: its batch would be lost", async () => {
		const { status, json } = await post("/retrieve", { queries: [`Peru ${"\ud800 capital ".repeat(20_000)}`] });
		expect(status).toBe(200);
		expect(json.result[0].length).toBeGreaterThan(0);
	});
});
