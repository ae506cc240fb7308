import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	type PreferencePair,
	preferenceWriters,
	type RetrieverPair,
	retrieverWriters,
	trainingWriters,
} from "#training";

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "pairs-"));
});
afterAll(() => rm(dir, { recursive: true }));

const text = (words: string) => [{ type: "text" as const, text: words }];
const record = { run: "r", repeat: 0, attempt: 0 };
const pair: PreferencePair = {
	id: "one",
	task: "one",
	place: "broken-hop",
	hop: "h1",
	verdict: "retrieval-miss",
	turn: 0,
	source: { benchmark: "toy", agent: "function-calling", chosen: record, rejected: { ...record, repeat: 1 } },
	system: "Search.",
	prompt: [{ role: "user", content: text("Who? <image>"), train: false }],
	chosen: [
		{
			role: "assistant",
			content: text("I look."),
			calls: [{ id: "c", name: "text_search", arguments: '{"query":"q"}' }],
			train: true,
		},
		{ role: "tool", callId: "c", content: text("Ann"), train: false },
		{ role: "assistant", content: text("Ann."), train: true },
	],
	rejected: [{ role: "assistant", content: text("Bob."), train: true }],
	images: [],
	tags: {},
};

async function rows(name: string, file: string) {
	const lines = (await readFile(join(dir, name, file), "utf8")).trim().split("\n");
	return lines.map((line) => JSON.parse(line));
}

test("a ranked pair for LLaMA-Factory is one reply against one, and is told so", async () => {
	const to = join(dir, "lf");
	const writing = await preferenceWriters.llamafactory.write(
		[pair, { ...pair, id: "same", rejected: pair.chosen }],
		to,
	);
	expect(writing).toMatchObject({ rows: 1, left: [{ id: "same", reason: "both sides are the same" }] });
	expect(writing.losses[0]).toContain("only the first reply");
	const [row] = await rows("lf", "preferences.jsonl");
	expect(row).toMatchObject({
		messages: [{ role: "user", content: "Who? < image>" }],
		chosen: { role: "function_call" },
		rejected: { role: "assistant", content: "Bob." },
	});
	expect(await trainingWriters.llamafactory.reread(to)).toMatchObject({ rows: 1, whole: 1 });
});

test("ms-swift gets both ways to their end, with no loss on what they share", async () => {
	await preferenceWriters.swift.write([pair], join(dir, "swift"));
	const [row] = await rows("swift", "preferences.jsonl");
	const roles = (messages: { role: string }[]) => messages.map(({ role }) => role);
	expect(roles(row.messages)).toEqual(["system", "user", "assistant", "tool_call", "tool_response", "assistant"]);
	expect(roles(row.rejected_messages)).toEqual(["system", "user", "assistant"]);
});

test("TRL gets prompt, chosen and rejected", async () => {
	await preferenceWriters.trl.write([pair], join(dir, "trl"));
	const [row] = await rows("trl", "preferences.jsonl");
	expect(row.rejected).toEqual([{ role: "assistant", content: text("Bob.") }]);
	expect(row.chosen[0].content[0].text).toContain("<tool_call>");
});

const evidence = (id: string, words: string) => ({ id, kind: "passage" as const, title: id, text: words });
const negative = (id: string, rank: number) => ({ ...evidence(id, "wrong"), from: "search" as const, rank });
const sought: RetrieverPair = {
	id: "one",
	task: "one",
	hop: "h1",
	by: "agent",
	query: "who?",
	positives: [evidence("a", "right"), evidence("b", "right too")],
	negatives: [negative("c", 1), negative("d", 2)],
	source: { benchmark: "toy", knowledge: "toy" },
	images: [],
	tags: {},
};

test("retriever files: equal columns, lists, and messages", async () => {
	const wordless = { ...sought, id: "wordless", positives: [{ ...evidence("p", ""), title: "" }] };
	const bare = { ...sought, id: "bare", negatives: [] };
	const options = { negatives: 3 };
	const first = await retrieverWriters["sentence-transformers"].write(
		[sought, wordless, bare],
		join(dir, "st"),
		options,
	);
	expect(first).toMatchObject({ rows: 2, left: [{ id: "wordless" }, { id: "bare" }] });
	expect((await rows("st", "retriever.jsonl"))[1]).toEqual({
		anchor: "who?",
		positive: "b\nright too",
		negative_1: "c\nwrong",
		negative_2: "d\nwrong",
		negative_3: "c\nwrong",
	});
	await retrieverWriters.flagembedding.write([sought], join(dir, "flag"), options);
	expect(await rows("flag", "retriever.jsonl")).toEqual([
		{ query: "who?", pos: ["a\nright", "b\nright too"], neg: ["c\nwrong", "d\nwrong"] },
	]);
	await retrieverWriters.swift.write([sought], join(dir, "embedding"), options);
	expect((await rows("embedding", "retriever.jsonl"))[0]).toMatchObject({
		messages: [{ role: "user", content: "who?" }],
		positive_messages: [[{ role: "user", content: "a\nright" }]],
		negative_messages: [[{ content: "c\nwrong" }], [{ content: "d\nwrong" }]],
	});
});
