import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Benchmark } from "#benchmarks";
import { Evidence, Task } from "#domain";
import { recordsFrom, withKnowledge } from "#runs";
import { tinyBenchmark } from "../../test/support/runs.ts";

const harbour =
	"Lund has a small harbour on the river, which fishermen dug out by hand in the spring of 1642. Its keeper was Ada Berg, who kept a list of every ship that came in and sold salt to the crews.";
const tower =
	"The tower of Malm stands upon a hill above the old market. A bell was hung in it when the plague had passed, and it is rung at noon on the first day of each month by the youngest baker.";

const common = (id: string, text: string) => ({
	...{ id, document: id.replace(/#.*/, ""), title: id, sha256: "0".repeat(64), text },
	provenance: { source: "https://www.example.org/wiki/Lund/" },
});
const held = [
	{ kind: "passage", ...common("lund", harbour) },
	{ kind: "passage", ...common("malm", tower), provenance: { source: "made up" } },
	{
		kind: "passage",
		...common("12", "Of apples there are twelve sorts on the island, and each has a name."),
		document: "apples",
		provenance: { source: "made up" },
	},
	{
		kind: "page",
		...common("papers/report.pdf#p2", "Figures of the year."),
		page: 2,
		provenance: { source: "made up" },
	},
].map((one) => Evidence.parse(one));

const gold: Task[] = [];
let root: string;
let benchmark: Benchmark;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-matched-"));
	const tiny = await tinyBenchmark(root, 1);
	const hop = (id: string, value: string, evidence: string[]) => ({
		...{ id, question: "Which?", modality: "text", evidence },
		answer: { type: "string", value, accepted: [value] },
	});
	const hops = [
		hop("a", "1642", ["lund"]),
		hop("b", "youngest baker", ["malm"]),
		hop("c", "the year", ["papers/report.pdf#p2"]),
	];
	gold.push(Task.parse({ ...tiny.tasks[0], id: "t", question: "Which?", chain: { hops, sink: "c" } }));
	benchmark = { ...tiny, tasks: gold };
});
afterAll(() => rm(root, { recursive: true, force: true }));

const ids = new Set(held.map(({ id }) => id));
const knowledge = {
	dir: "/knowledge",
	manifest: { name: "lands", hash: "1".repeat(64) } as never,
	missing: async (named: Iterable<string>) => [...named].filter((id) => !ids.has(id)),
	evidence: async (id: string) => held.find((one) => one.id === id),
};

async function matched(results: unknown[], options: Partial<Parameters<typeof withKnowledge>[1]> = {}) {
	const file = join(root, "answers.jsonl");
	await writeFile(file, JSON.stringify({ task: "t", prediction: "x", steps: [{ query: "q", results }] }));
	const read = await recordsFrom(file, benchmark);
	async function* all() {
		yield* held;
	}
	const run = await withKnowledge(read, { benchmark, knowledge, held: all, beside: "/none", ...options });
	const found = run.records[0]?.trajectory.steps[0]?.results ?? [];
	const { results: _, ...counts } = run.manifest.imported.evidence ?? { results: 0 };
	return {
		...{ run, results: found, ids: found.map(({ id }) => id) },
		counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
		kept: run.evidence.map(({ id, text }) => [id, text]),
	};
}

test("results are matched by table, id, address, document and page, text, shingles, in this order", async () => {
	const shown = (text: string) => text.toUpperCase().replaceAll(" ", "  ");
	const found = await matched(
		[
			"x1",
			"lund",
			{ id: "x2", address: "http://example.org/wiki/Lund#history" },
			{ id: "x3", document: "report", page: 2, text: "Figures" },
			{ id: "x4", text: shown(tower) },
			{ id: "x5", title: "On harbours", text: `Before. ${harbour} And after it comes something else entirely.` },
			{ id: "x6", text: "Nobody knows this text, and nothing of it stands anywhere in what is held." },
			"x7",
		],
		{ table: new Map([["x1", ["malm", "12"]]]) },
	);
	expect(found.counts).toEqual({ byTable: 1, byId: 1, byAddress: 1, byPage: 1, byText: 1, byShingles: 1, unmapped: 2 });
	expect(found.results.map(({ id, rank, externalId, matchedBy }) => [id, rank, externalId, matchedBy])).toEqual([
		["malm", 1, "x1", "table"],
		["12", 1, "x1", "table"],
		["lund", 2, undefined, undefined],
		// what stands above already is not evidence a second time
		["x2", 3, undefined, undefined],
		["papers/report.pdf#p2", 4, "x3", "page"],
		["x4", 5, undefined, undefined],
		["x5", 6, undefined, undefined],
		["x6", 7, undefined, undefined],
		["x7", 8, undefined, undefined],
	]);
});

test("a chunk that holds two passages yields both at its rank, and is read as it came", async () => {
	const chunk = { id: "c1", text: `${harbour.slice(30)} ${tower}` };
	const { results, kept } = await matched([
		{ id: "c0", text: "Something else that is not known to anybody here." },
		chunk,
	]);
	expect(results.slice(1)).toEqual([
		{ id: "malm", score: 0, rank: 2, externalId: "c1", matchedBy: "shingles", readAs: "c1" },
		{ id: "lund", score: 0, rank: 2, externalId: "c1", matchedBy: "shingles", readAs: "c1" },
	]);
	expect(kept.map(([id]) => id)).toEqual(["c0", "c1"]);
});

test("a part of gold evidence counts where it states what the hop asks for", async () => {
	const words = tower.split(" ");
	const [first, last] = [words.slice(0, 14).join(" "), words.slice(26).join(" ")];
	const { ids: found, counts } = await matched([
		{ id: "p1", text: first },
		{ id: "p2", text: last },
	]);
	expect(found).toEqual(["p1", "malm"]);
	expect(counts).toEqual({ byShingles: 2 });
});

test("an id is ours only where it does not say something else", async () => {
	const other = {
		id: "12",
		text: "The twelfth row of another index tells of ships and of nothing that grows on trees.",
	};
	const { ids: found, counts, kept } = await matched([other, "malm"]);
	expect(found[0]).toMatch(/^12#[0-9a-f]{8}$/);
	expect(counts).toEqual({ byId: 1, unmapped: 1 });
	expect(kept).toEqual([[found[0], other.text]]);
	const own = { id: "lund", text: harbour.slice(0, 90) };
	const snippet = await matched([own]);
	expect(snippet.results[0]).toMatchObject({ id: "lund", readAs: expect.stringMatching(/^lund#/) });
	expect(snippet.kept).toEqual([[snippet.results[0]?.readAs, own.text]]);
});

test("one id with two texts is two results; the same one again is the same", async () => {
	const [a, b] = ["One text that is known to nobody at all.", "Another text that is known to nobody."];
	const { ids: found } = await matched([{ id: "z", text: a }, { id: "z", text: b }, { id: "z", text: a }, "malm"]);
	expect(found).toEqual(["z", expect.stringMatching(/^z#/), "z", "malm"]);
});

test("what is no result is refused with its row; empty and huge texts are not", async () => {
	const file = join(root, "rubbish.jsonl");
	const row = (results: unknown[]) => JSON.stringify({ task: "t", prediction: "x", steps: [{ query: "q", results }] });
	await writeFile(
		file,
		`${row([{}])}\n${row([{ id: "a", page: -1 }])}\n${row([{ id: "a", text: "" }, { text: "word ".repeat(300_000) }])}\n`,
	);
	const read = await recordsFrom(file, benchmark);
	expect(read.refused.map(({ place, reason }) => [place, reason])).toEqual([
		["line 1", "at steps.0.results.0: a result needs an id, a text, an address or a document"],
		["line 2", expect.stringMatching(/^at steps\.0\.results\.0/)],
	]);
	expect(read.notes).toContain("1 texts of results are read up to 200000 characters");
	const [empty, huge] = read.records[0]?.trajectory.steps[0]?.results ?? [];
	expect([read.documents.get(empty?.id ?? ""), read.documents.get(huge?.id ?? "")?.text?.length]).toEqual([
		undefined,
		200_000,
	]);
});

test("without a corpus the gold evidence is matched, without a knowledge base only ids are", async () => {
	const text = { id: "x", text: harbour };
	const alone = await matched([text], { held: undefined });
	expect(alone.counts).toEqual({ byText: 1 });
	const { counts, run } = await matched([text, "malm"], { knowledge: undefined, held: undefined });
	expect(counts).toEqual({ byId: 1, unmapped: 1 });
	expect(run.notes.join()).toContain("is not here");
});
