import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { finalAnswer } from "./final-answer.ts";
import { type HermesReply, parseHermes, writeCall } from "./hermes.ts";
import { argumentsOf, tolerantJson } from "./read-calls.ts";

const call = (name: string, args: unknown) => ({ is: "call", call: { name, arguments: args } });
const answer = (text: string) => ({ is: "answer", text });
const search = '<tool_call>\n{"name": "search", "arguments": {"query": "x"}}\n</tool_call>';

/** Replies as models write them, good and broken, with what they come to. */
const cases: { name: string; reply: string; cut?: boolean; acts: unknown[]; rest?: Partial<HermesReply> }[] = [
	{
		name: "a thought and a call",
		reply: `<think>who?</think>\n${search}`,
		acts: [call("search", { query: "x" })],
		rest: { thought: "who?", plain: "", inThought: false },
	},
	{
		name: "thinking",
		reply: `<thinking>who?</thinking>${search}`,
		acts: [call("search", { query: "x" })],
		rest: { thought: "who?" },
	},
	{
		name: "words before a call",
		reply: `I look it up. ${search}`,
		acts: [call("search", { query: "x" })],
		rest: { plain: "I look it up." },
	},
	{
		name: "two calls",
		reply: `${search}\n${search.replace("x", "y")}`,
		acts: [call("search", { query: "x" }), call("search", { query: "y" })],
	},
	{
		name: "a call and an answer",
		reply: `${search}<answer>b</answer>`,
		acts: [call("search", { query: "x" }), answer("b")],
	},
	{
		name: "an answer",
		reply: "<think>so</think>\n<answer>\nThe **Derby**\n</answer>",
		acts: [answer("The **Derby**")],
	},
	{ name: "no act", reply: "It is Paris.", acts: [], rest: { plain: "It is Paris." } },
	{ name: "an empty reply", reply: "", acts: [], rest: { plain: "", thought: "" } },
	{
		name: "a call within a thought does not act",
		reply: `<think>${search}</think><answer>b</answer>`,
		acts: [answer("b")],
	},
	{ name: "a thought that never ends", reply: `<think>${search}`, acts: [], rest: { inThought: true } },
	{
		name: "a thought that the chat template opened",
		reply: `maybe ${search} no\n</think>\n<answer>b</answer>`,
		acts: [answer("b")],
		rest: { plain: "" },
	},
	{
		name: "a result that the model made up ends the reply",
		reply: `${search}\n<tool_response>Paris</tool_response><answer>Paris</answer>`,
		acts: [call("search", { query: "x" })],
	},
	{
		name: "a call whose end the server kept",
		reply: '<tool_call>{"name": "search", "arguments": {"query": "x"}}',
		acts: [{ ...call("search", { query: "x" }), restored: "</tool_call>" }],
	},
	{
		name: "a call that was cut",
		reply: '<tool_call>{"name": "search", "arguments": {"que',
		cut: true,
		acts: [{ is: "call", call: { name: "search", arguments: undefined, cut: true }, restored: "" }],
	},
	{
		name: "an answer that was cut",
		reply: "<answer>The Lo",
		cut: true,
		acts: [{ is: "answer", text: "The Lo", cut: true }],
	},
	{ name: "no JSON", reply: "<tool_call>search for x</tool_call>", acts: [call("", undefined)] },
	{ name: "a list", reply: "<tool_call>[1]</tool_call>", acts: [call("", undefined)] },
	{
		name: "broken JSON with a name",
		reply: '<tool_call>{"name": "search", "arguments": {"query": "x"</tool_call>',
		acts: [call("search", undefined)],
	},
	{ name: "no arguments", reply: '<tool_call>{"name": "look"}</tool_call>', acts: [call("look", {})] },
	{
		name: "a name that is no text",
		reply: '<tool_call>{"name": 5, "arguments": {}}</tool_call>',
		acts: [call("", {})],
	},
	{
		name: "arguments as JSON in a string",
		reply: '<tool_call>{"name": "search", "arguments": "{\\"query\\": \\"x\\"}"}</tool_call>',
		acts: [call("search", { query: "x" })],
	},
	{
		name: "Python's quotes, words and commas",
		reply:
			"<tool_call>{'name': 'search', 'arguments': {'query': 'l\\'île \"x\"', 'all': True, 'k': None,},}</tool_call>",
		acts: [call("search", { query: 'l\'île "x"', all: true, k: null })],
	},
	{
		name: "line breaks in a string, unicode",
		reply: '<tool_call>{"name": "search", "arguments": {"query": "東京\n🗼 // no comment"}}</tool_call>',
		acts: [call("search", { query: "東京\n🗼 // no comment" })],
	},
	{
		name: "a tag within a string",
		reply: writeCall("search", { query: "<answer>b</answer>" }),
		acts: [call("search", { query: "<answer>b</answer>" })],
	},
	{
		name: "a fenced call",
		reply: '<tool_call>\n```json\n{"name": "a", "arguments": {}}\n```\n</tool_call>',
		acts: [call("a", {})],
	},
	{
		name: "a call without tags",
		reply: '```json\n{"name": "search", "arguments": {"query": "x"}}\n```',
		acts: [call("search", { query: "x" })],
	},
	{ name: "JSON that is no call", reply: '{"answer": "x"}', acts: [], rest: { plain: '{"answer": "x"}' } },
	{ name: "only ends", reply: "</tool_call></answer>", acts: [] },
];

test.each(cases)("$name", ({ reply, cut = false, acts, rest }) => {
	const parsed = parseHermes(reply, { cut });
	expect(parsed.acts).toMatchObject(acts);
	expect(parsed.acts).toHaveLength(acts.length);
	if (rest) expect(parsed).toMatchObject(rest);
});

describe("properties", () => {
	const pieces = [
		"<think>",
		"</think>",
		"<thinking>",
		"</thinking>",
		"<tool_call>",
		"</tool_call>",
		"<answer>",
		"</answer>",
	];
	const texts = fc
		.array(
			fc.oneof(
				fc.constantFrom(...pieces, "<tool_response>", '{"name":"a","arguments":{}}'),
				fc.string({ unit: "binary", maxLength: 9 }),
			),
			{
				maxLength: 14,
			},
		)
		.map((parts) => parts.join(""));

	test("any text is read, and no act ends behind it", () => {
		fc.assert(
			fc.property(texts, fc.boolean(), (reply, cut) => {
				const { acts, text } = parseHermes(reply, { cut });
				expect(reply.startsWith(text)).toBe(true);
				let before = 0;
				for (const { end } of acts) {
					expect(end).toBeGreaterThanOrEqual(before);
					before = end;
				}
				expect(before).toBeLessThanOrEqual(text.length);
			}),
			{ numRuns: 800 },
		);
	});

	test("a call that is written is the call that is read", () => {
		const names = fc.stringMatching(/^[a-z_]{1,20}$/);
		const args = fc.dictionary(
			fc.stringMatching(/^[a-z_]{1,9}$/),
			fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean()),
		);
		fc.assert(
			fc.property(names, args, (name, given) => {
				fc.pre(!/<\/tool_call>/.test(JSON.stringify(given)) && !Object.hasOwn(given, "__proto__"));
				expect(parseHermes(`<think>t</think>${writeCall(name, given)} tail`, { cut: false }).acts).toMatchObject([
					{ is: "call", call: { name, arguments: { ...given } } },
				]);
			}),
		);
	});

	test("JSON is read as JSON", () => {
		fc.assert(fc.property(fc.json(), (text) => void expect(tolerantJson(text)).toEqual(JSON.parse(text) ?? undefined)));
	});
});

test.each([
	"<tool_call>",
	"<think>",
	'<tool_call>{"a":"',
	"/*",
	'\\"',
	", ",
	'{"name":"a","arguments"',
	"{'",
])("a megabyte of %s is read at once", (piece) => {
	const started = process.cpuUsage();
	parseHermes(piece.repeat(1_000_000 / piece.length), { cut: false });
	parseHermes(`<tool_call>${piece.repeat(9000 / piece.length)}</tool_call>`, { cut: false });
	parseHermes(piece.repeat(9000 / piece.length), { cut: false });
	expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
});

test.each(["</think>", "</thinking>", "<think></think>", "</think><think>"])("many %j are one thought", (piece) => {
	const { thought, acts } = parseHermes(`${piece.repeat(100_000 / piece.length)}x`, { cut: false });
	expect(thought.length).toBeLessThanOrEqual(20_000);
	expect(acts).toEqual([]);
});

test.each([" ", "*", "* ", "_"])("an answer or arguments drowned in %j are read at once", (piece) => {
	const drowned = `x${piece.repeat(100_000 / piece.length)}x`;
	const started = process.cpuUsage();
	expect(finalAnswer(drowned)).toMatch(/^x/);
	expect(finalAnswer(`Answer: ${drowned}`)).toMatch(/^x/);
	expect(parseHermes(`<tool_call>${drowned}</tool_call>`, { cut: false }).acts).toHaveLength(1);
	expect(argumentsOf(drowned.repeat(20))).toBeUndefined();
	expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
});

test.each([
	["I reason.\nAnswer: The Loire", "The Loire"],
	["Answer: no\nBut wait.\n**Final answer:** yes", "yes"],
	["The Loire", "The Loire"],
	["**Answer:** 5 km²\n", "5 km²"],
	["Answer:", ""],
	["", ""],
	["Answer: The Loire\n\nIt rises in the Ardèche.", "The Loire"],
	["Answer:\n\n- the Loire\n- the Seine", "- the Loire\n- the Seine"],
])("%j answers %j", (reply, expected) => expect(finalAnswer(reply)).toBe(expected));

/** Conversations of a real model with two tools of the web, results and all. */
const transcripts = new URL("../../../../shared/data/trajectories/webdancer_sample.jsonl", import.meta.url);
describe.skipIf(!existsSync(transcripts))("real transcripts", () => {
	const replies = existsSync(transcripts)
		? readFileSync(transcripts, "utf8")
				.trim()
				.split("\n")
				.flatMap((line) => (JSON.parse(line) as { messages: { role: string; content: string }[] }).messages.slice(2))
				.flatMap(({ role, content }) => (role === "assistant" ? [content] : []))
		: [];
	const count = (read: (reply: string) => string) => {
		const counts: Record<string, number> = {};
		for (const reply of replies) counts[read(reply)] = (counts[read(reply)] ?? 0) + 1;
		return counts;
	};
	const kind = ({ acts, inThought }: HermesReply) =>
		acts
			.map((act) => (act.is === "call" ? `${act.call.name}(${Object.keys(act.call.arguments ?? {}).join()})` : act.is))
			.join("+") || (inThought ? "thought" : "nothing");

	test("every turn gives its call or its answer", () => {
		expect(count((reply) => kind(parseHermes(reply, { cut: false })))).toEqual({
			"search(query)": 202,
			"visit(url,goal)": 18,
			answer: 198,
		});
		for (const reply of replies) expect(parseHermes(reply, { cut: false }).thought).not.toBe("");
	});

	test("and so it does when the server keeps the last tag", () => {
		const kept = (reply: string) => reply.replace(/\s*<\/(tool_call|answer)>\s*$/, "");
		expect(count((reply) => kind(parseHermes(kept(reply), { cut: false })))).toEqual({
			"search(query)": 202,
			"visit(url,goal)": 18,
			answer: 198,
		});
	});

	test("cut in the middle of the thought, none acts", () => {
		const half = (reply: string) => reply.slice(0, reply.indexOf("</think>") / 2);
		expect(count((reply) => kind(parseHermes(half(reply), { cut: true })))).toEqual({ thought: 418 });
	});
});
