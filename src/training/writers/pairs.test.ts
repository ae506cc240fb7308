import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
	type PreferencePair,
	preferenceWriters,
	type RetrieverPair,
	rereaderOf,
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
	// ms-swift 4.6.0 tells the rejected side no tools but its own, so that its prompt would be another
	const tools = [{ name: "text_search", description: "Searches.", parameters: { type: "object" } }];
	await preferenceWriters.swift.write([{ ...pair, tools }], join(dir, "swift-tools"));
	const [told] = await rows("swift-tools", "preferences.jsonl");
	expect(JSON.parse(told.tools)).toEqual(tools);
	expect(told.rejected_tools).toBe(told.tools);
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
	const options = { negatives: 2 };
	const first = await retrieverWriters["sentence-transformers"].write(
		[sought, wordless, bare],
		join(dir, "st"),
		options,
	);
	expect(first).toMatchObject({ rows: 2, left: [{ id: "wordless" }, { id: "bare" }] });
	const alike = { ...sought, negatives: [negative("c", 1), negative("c", 2)] };
	const again = await retrieverWriters["sentence-transformers"].write([alike], join(dir, "alike"), options);
	expect(again).toMatchObject({ rows: 0, left: [{ id: "one", reason: expect.stringContaining("1 distinct") }] });
	expect((await rows("st", "retriever.jsonl"))[1]).toEqual({
		anchor: "who?",
		positive: "b\nright too",
		negative_1: "c\nwrong",
		negative_2: "d\nwrong",
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

type Change = (row: Record<string, never>) => object;
const message = (content: string, role = "user") => ({ role, content });
const shown = { role: "user", content: [{ type: "image", text: "" }] };

/** Every change was made to one row of six, and the trainer's own loader run on them: what it did is the effect. */
async function effectsOf(to: string, file: string, change: Change) {
	const [first, ...others] = await rows(to, file);
	const changed = [{ ...first, ...change(first) }, ...others];
	await writeFile(join(dir, to, file), changed.map((row) => JSON.stringify(row)).join("\n"));
	const { problems, whole } = (await (await rereaderOf(join(dir, to)))?.reread(join(dir, to))) ?? {};
	return [problems?.map(({ reason, effect }) => `${reason} ${effect}`), whole];
}

describe("what a trainer makes of broken pairs is foreseen", () => {
	const other = { ...pair, id: "two" };
	const changes: [form: "swift" | "trl", reason: string[], change: Change][] = [
		["swift", [], () => ({})],
		["swift", ["no-rejected alters"], () => ({ rejected_messages: undefined })],
		["swift", ["no-rejected alters"], () => ({ rejected_messages: [] })],
		["swift", ["same-sides alters"], ({ messages }) => ({ rejected_messages: messages })],
		["swift", ["unknown-role drops"], () => ({ rejected_messages: [message("?", "zebra")] })],
		["swift", ["wrong-shape drops"], () => ({ rejected_messages: [{ role: "user", content: null }] })],
		["swift", ["missing-image drops", "fewer-marks alters"], () => ({ rejected_images: ["images/none.png"] })],
		["swift", ["tools-differ alters"], () => ({ tools: "[]" })],
		["trl", [], () => ({})],
		["trl", ["unknown-role stops"], () => ({ prompt: [message("?", "human")] })],
		["trl", ["image-count stops"], () => ({ prompt: [shown] })],
		["trl", ["image-count stops", "missing-image stops"], () => ({ images: ["images/none.png"] })],
		["trl", ["image-in-reply stops"], () => ({ chosen: [{ ...shown, role: "assistant" }] })],
		["trl", ["wrong-shape stops"], () => ({ prompt: [] })],
		["trl", ["wrong-shape stops"], () => ({ rejected: null })],
		["trl", ["same-sides alters"], ({ rejected }) => ({ chosen: rejected })],
		["trl", ["answer-cut cuts"], () => ({ prompt: [message("a ".repeat(4000))] })],
	];
	test.each(changes.map((one, at) => [at, ...one] as const))("%i %s %j", async (at, form, foreseen, change) => {
		const to = `broken-${at}`;
		await preferenceWriters[form].write([pair, other], join(dir, to));
		expect(await effectsOf(to, "preferences.jsonl", change)).toEqual([foreseen, foreseen.length === 0 ? 2 : 1]);
	});

	const columns: [keyof typeof retrieverWriters, string[], Change][] = [
		["sentence-transformers", [], () => ({})],
		["sentence-transformers", ["wrong-shape stops"], () => ({ positive: 3 })],
		["sentence-transformers", ["empty-text alters"], () => ({ positive: "" })],
		["flagembedding", [], () => ({})],
		["flagembedding", ["no-negative stops"], () => ({ neg: [] })],
		["flagembedding", ["wrong-shape stops"], () => ({ pos: [] })],
		["flagembedding", ["positive-again alters"], () => ({ neg: ["a\nright"] })],
		["swift", [], () => ({})],
		["swift", ["no-positive drops"], () => ({ positive_messages: [], positive_images: [] })],
		["swift", ["no-negative drops"], () => ({ negative_messages: undefined })],
		["swift", ["image-lists drops"], () => ({ negative_images: [[]] })],
		["swift", ["more-marks alters"], () => ({ messages: [message("<image>")] })],
		["swift", ["unknown-role drops"], () => ({ positive_messages: [[message("?", "zebra")]] })],
	];
	test.each(columns.map((one, at) => [at, ...one] as const))("%i %s %j", async (at, form, foreseen, change) => {
		const to = `retriever-${at}`;
		const positives = sought.positives.slice(0, 1);
		await retrieverWriters[form].write([{ ...sought, positives }, sought], join(dir, to), { negatives: 2 });
		const [problems, whole] = await effectsOf(to, "retriever.jsonl", change);
		const count = (await rows(to, "retriever.jsonl")).length;
		expect([problems, whole]).toEqual([foreseen, foreseen.length === 0 ? count : count - 1]);
	});

	test("columns count by their place: a name in front of them is taken for the query", async () => {
		const to = join(dir, "columns");
		await retrieverWriters["sentence-transformers"].write([sought], to, { negatives: 2 });
		const [first, second] = await rows("columns", "retriever.jsonl");
		const write = (...lines: object[]) =>
			writeFile(join(to, "retriever.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
		const reread = () => retrieverWriters["sentence-transformers"].reread(to);
		await write({ id: "1", ...first }, { id: "2", ...second });
		expect(await reread()).toMatchObject({ rows: 2, alters: 2, problems: [{ reason: "column-order" }] });
		const { negative_2: _, ...fewer } = second;
		await write(first, fewer);
		expect(await reread()).toMatchObject({ whole: 1, stops: 1, problems: [{ reason: "other-columns" }] });
	});
});
