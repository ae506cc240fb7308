import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SearchedIds } from "#diagnosis";
import { diagnoseRecords } from "#diagnosis";
import { type Answer, Evidence, noUsage, type RunRecord, Task } from "#domain";
import { fakeKnowledge } from "#knowledge";
import { sha256 } from "#store";
import { pairFileProblems, retrieverPairs, writePairs } from "#training";
import { pairsFile } from "./pair-files.ts";
import type { RetrieverOptions } from "./retriever-pairs.ts";

const about = (id: string, text: string) => ({
	id,
	document: id,
	title: id,
	language: "en",
	sha256: sha256(text),
	provenance: { source: "invented" },
});
const passage = (id: string, text: string) => Evidence.parse({ kind: "passage", ...about(id, text), text });
const picture = (id: string, caption: string) =>
	Evidence.parse({ kind: "image", ...about(id, caption), caption, file: `${id}.png`, width: 1, height: 1 });

const evidence = [
	passage("velmora", "Velmora is a country. Its capital is Tessin Bay."),
	passage("velmora-copy", "Velmora is a country. Its capital is Tessin Bay."),
	passage("guide", "Sights of the north: Tessin Bay has a harbour."),
	passage("ostral", "Ostral is a country. Its capital is Quill."),
	passage("tessin", "The bay town was founded by Anna Rehn."),
	passage("quill", "Quill was founded by Ola Berg."),
	picture("flag-velmora", "Flag of Velmora"),
	picture("flag-ostral", "Flag of Ostral"),
];
const text = (value: string): Answer => ({ type: "string", value, accepted: [value] });
const hops = [
	{
		id: "a",
		question: "What is the capital of Velmora?",
		modality: "text",
		evidence: ["velmora"],
		answer: text("Tessin Bay"),
	},
	{
		...{
			id: "b",
			question: "Who founded Tessin Bay?",
			modality: "text",
			evidence: ["tessin"],
			answer: text("Anna Rehn"),
		},
		needs: [{ hop: "a", role: "bridge" }],
	},
];
const task = Task.parse({
	...{ id: "t1", question: "Who founded the capital of Velmora?", answer: text("Anna Rehn") },
	chain: { hops, sink: "b" },
	tags: { language: "en", split: "train" },
});

const states = (said: string, answer: Answer) => answer.accepted.some((form) => said.includes(form));
/** A retriever that always gives this order, of the kind asked for. */
const always =
	(...ids: string[]): SearchedIds =>
	async ({ target }) =>
		ids.filter((id) => evidence.find((one) => one.id === id)?.kind === target);

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-pairs-"));
	const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";
	for (const name of ["flag.png", "a.png", "b.png"]) await writeFile(join(dir, name), Buffer.from(pixel, "base64"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function pairsOf(
	options: Partial<RetrieverOptions>,
	{ tasks = [task], records = [] }: { tasks?: Task[]; records?: RunRecord[] } = {},
) {
	const files = { "flag-velmora": join(dir, "a.png"), "flag-ostral": join(dir, "b.png") };
	const knowledge = fakeKnowledge(evidence, { name: "toy", files });
	const diagnosed = await diagnoseRecords({ tasks, records, rows: [], evidence: knowledge.evidence });
	const runs =
		records.length > 0 ? [{ manifest: { id: "run", agent: { name: "tagged", version: "1" } }, diagnosed }] : [];
	return retrieverPairs({ tasks, benchmark: "toy", dir, knowledge, runs }, { states, ...options });
}

const recordOf = (searches: { query: string; results: string[] }[]): RunRecord => ({
	...{ version: 1, task: "t1", repeat: 0, attempt: 0, at: "" },
	trajectory: {
		steps: searches.map(({ query, results }, index) => ({
			index,
			call: { tool: "text_search", arguments: { query }, valid: true },
			results: results.map((id, at) => ({ id, score: 1, rank: at + 1 })),
			ms: 0,
		})),
		...{ answer: "Quill", abstained: false, stop: "answered", usage: noUsage, ms: 0, messages: [] },
	},
});

describe("retriever pairs", () => {
	test("negatives stand above the gold, are no copy of it and do not state the answer", async () => {
		const order = ["guide", "ostral", "velmora-copy", "quill", "velmora", "tessin"];
		const { pairs, noNegative } = await pairsOf({ search: always(...order) });
		const [first, second] = pairs;
		expect(first).toMatchObject({ hop: "a", by: "sub-question", query: "What is the capital of Velmora?" });
		expect(first?.positives.map(({ id }) => id)).toEqual(["velmora"]);
		expect(first?.negatives.map(({ id, rank, from }) => [id, rank, from])).toEqual([
			["ostral", 2, "search"],
			["quill", 4, "search"],
			// filled up from below
			["tessin", 6, "search"],
		]);
		const few = await pairsOf({ search: always(...order), negatives: 2 });
		expect(few.pairs[0]?.negatives.map(({ id }) => id)).toEqual(["ostral", "quill"]);
		expect(second?.negatives.map(({ id }) => id)).toEqual(["guide", "ostral", "velmora-copy", "quill"]);
		expect(noNegative).toEqual({ "it states the answer": 1, "it is a copy of acceptable evidence": 1 });
	});

	test("what stands below the gold makes a pair only where it is asked for", async () => {
		const search = always("velmora", "ostral", "tessin");
		const above = await pairsOf({ search });
		expect(above.pairs.map(({ hop }) => hop)).toEqual(["b"]);
		expect(above.noPair).toEqual({ "nothing but evidence of its answer stood above": 1 });
		const below = await pairsOf({ search, below: true });
		expect(below.pairs[0]?.negatives.map(({ id }) => id)).toEqual(["ostral", "tessin"]);
	});

	test("an agent's query is taken for the hop that it aims at, if it names what that hop needs", async () => {
		const records = [
			recordOf([
				{ query: "capital city of Velmora", results: ["ostral"] },
				{ query: "Who founded Quill?", results: ["quill", "ostral"] },
				{ query: "who was it that founded Tessin Bay", results: ["quill", "tessin"] },
			]),
		];
		const { pairs, byQuery } = await pairsOf({}, { records });
		expect(pairs.map(({ query, negatives }) => [query, negatives.map(({ id }) => id)])).toEqual([
			["capital city of Velmora", ["ostral"]],
			["who was it that founded Tessin Bay", ["quill"]],
		]);
		expect(byQuery).toEqual({ agent: 2 });
		expect(pairs[0]).toMatchObject({
			source: { run: "run", agent: "tagged", repeat: 0, step: 0 },
			negatives: [{ from: "record", rank: 1 }],
		});
	});

	test("the same query of several records is one pair with the negatives of all, at their best rank", async () => {
		const ask = (results: string[]) => ({ query: "capital city of Velmora", results });
		const records = [recordOf([ask(["quill", "ostral"]), ask(["ostral", "quill", "tessin"])])];
		const { pairs } = await pairsOf({}, { records });
		expect(pairs.map(({ negatives }) => negatives.map(({ id, rank }) => [id, rank]))).toEqual([
			[
				["quill", 1],
				["ostral", 1],
				["tessin", 3],
			],
		]);
	});

	test("held-out tasks give nothing, nor do queries that they ask too", async () => {
		const held = Task.parse({
			...{ id: "t2", question: "What is the capital of Velmora?", answer: text("Tessin Bay") },
			chain: { hops: hops.slice(0, 1), sink: "a" },
			tags: { language: "en", split: "test" },
		});
		const { pairs, noPair } = await pairsOf({ search: always("ostral", "quill") }, { tasks: [task, held] });
		expect(pairs.map(({ task: id, hop }) => [id, hop])).toEqual([["t1", "b"]]);
		expect(noPair).toEqual({ "a held-out task asks it too": 1 });
	});

	test("what another hop of the same words accepts is no negative", async () => {
		const other = Task.parse({
			...task,
			id: "t2",
			chain: { hops: [{ ...hops[0], evidence: ["ostral"] }], sink: "a" },
		});
		const { pairs } = await pairsOf({ search: always("ostral", "quill", "velmora") }, { tasks: [task, other] });
		expect(pairs.filter(({ hop }) => hop === "a")).toEqual([]);
	});

	test("a question image asks by itself; the files are written with their images and read again", async () => {
		const shown = Task.parse({
			...{ id: "t3", question: "Whose flag is this?", answer: text("Velmora") },
			images: [
				{ id: "q", file: "flag.png", width: 1, height: 1, sha256: await hashOf("flag.png"), hides: ["Velmora"] },
			],
			chain: {
				hops: [
					{
						id: "a",
						question: "Whose flag is this?",
						modality: "image",
						evidence: ["flag-velmora"],
						answer: text("Velmora"),
					},
				],
				sink: "a",
			},
		});
		const flags = evidence.filter(({ kind }) => kind === "image");
		const asked: unknown[] = [];
		const search: SearchedIds = async ({ text: words, image }) => {
			asked.push([words, image]);
			return ["flag-ostral", "flag-velmora"];
		};
		// all pixels are alike here, so that only their files tell the pictures apart
		await writeFile(join(dir, "b.png"), Buffer.concat([await readFile(join(dir, "a.png")), Buffer.from([0])]));
		for (const flag of flags) flag.sha256 = await hashOf(flag.id === "flag-velmora" ? "a.png" : "b.png");
		const { pairs, byKind } = await pairsOf({ search }, { tasks: [shown] });
		expect(asked).toEqual([[undefined, 0]]);
		expect(byKind).toEqual({ image: 1 });
		expect(pairs[0]).toMatchObject({ queryImage: 0, positives: [{ image: 1 }], negatives: [{ image: 2 }] });
		expect(pairs[0]?.images.map(({ id }) => id)).toEqual(["flag.png", "flag-velmora", "flag-ostral"]);

		const out = join(dir, "out");
		expect(await writePairs(pairs, out)).toMatchObject({ rows: 1, left: [] });
		expect(await pairFileProblems(out, "retriever")).toEqual({ rows: 1, problems: [] });
		const line = await readFile(join(out, pairsFile), "utf8");
		const spoilt = JSON.parse(line);
		spoilt.negatives.push({ ...spoilt.positives[0], from: "search", rank: 1 });
		spoilt.images[0].file = "images/none.png";
		await writeFile(join(out, pairsFile), `${line}${JSON.stringify({ ...spoilt, id: "x" })}\n${line}{}\n`);
		expect((await pairFileProblems(out, "retriever")).problems.map(({ line, what }) => `${line} ${what}`)).toEqual([
			"2 the image images/none.png is missing",
			"2 a negative is a positive too",
			expect.stringMatching(/^3 the id .* stands twice/),
			"4 it is no pair",
		]);
	});
});

const hashOf = async (name: string) => sha256(await readFile(join(dir, name)));
