import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ParsedAction, type ParsedReact, parseReact, type ReactAction, renderAction } from "./parse.ts";

type Finish = Parameters<typeof parseReact>[1]["finish"];
const parse = (reply: string, { finish = "stop" as Finish, bare = false } = {}): ParsedReact =>
	parseReact(reply, { finish, bare });
const search = (query: string): ParsedAction => ({ is: "search", query });
const invalid = (code: string, tool?: string) =>
	expect.objectContaining({ is: "invalid", code, ...(tool && { tool }) });

const cases: ({ name: string; reply: string; finish?: Finish; bare?: boolean; action: unknown } & Partial<
	Omit<ParsedReact, "action">
>)[] = [
	{
		name: "a search",
		reply: "Thought 1: I need the river.\nAction 1: Search[river of Harnwick]",
		action: search("river of Harnwick"),
		thought: "I need the river.",
		text: "Thought 1: I need the river.\nAction 1: Search[river of Harnwick]",
		dropped: 0,
	},
	{ name: "a look-up", reply: "Thought 2: x\nAction 2: Lookup[opened]", action: { is: "lookup", word: "opened" } },
	{ name: "the end", reply: "Thought 3: x\nAction 3: Finish[1788]", action: { is: "finish", answer: "1788" } },
	{ name: "lower case, no number, bold", reply: "**Action:** search[漢字 “x”]", action: search("漢字 “x”") },
	{ name: "brackets within", reply: "Action 1: Search[list [of] things] and more", action: search("list [of] things") },
	{ name: "brackets that do not match", reply: "Action 1: Search[a [b]\nmore", action: search("a [b") },
	{
		name: "an observation of its own making, and what follows",
		reply: "Thought 1: x\nAction 1: Search[a]\nObservation 1: b\nThought 2: y\nAction 2: Finish[b]",
		action: search("a"),
		text: "Thought 1: x\nAction 1: Search[a]",
		dropped: "Observation 1: b\nThought 2: y\nAction 2: Finish[b]".length,
	},
	{ name: "two actions", reply: "Action 1: Search[a]\nAction 2: Search[b]", action: search("a"), dropped: 19 },
	{
		name: "an action behind an observation is none",
		reply: "Thought 1: x\nObservation 1: y\nAction 2: Finish[z]",
		action: invalid("no-action"),
		text: "Thought 1: x",
	},
	{
		name: "a phrase within a thought",
		reply: "Thought 1: I could Search[x] later.\nand more",
		action: invalid("no-action"),
		thought: "I could Search[x] later.\nand more",
		text: "Thought 1: I could Search[x] later.",
	},
	{ name: "the action alone where none was asked for", reply: "Search[x]", action: invalid("no-action") },
	{ name: "the action alone where it was asked for", reply: "Search[x]", bare: true, action: search("x") },
	{
		name: "a labelled one where it was asked for",
		reply: "Action 2: Finish[x]",
		bare: true,
		action: { is: "finish", answer: "x" },
	},
	{
		name: "reasoning in think tags",
		reply: "<think>Action 1: Finish[no]</think>Action 1: Search[yes]",
		action: search("yes"),
	},
	{ name: "reasoning that never ends", reply: "<think>Action 1: Finish[no]", action: invalid("no-action") },
	{ name: "an unknown action", reply: "Action 1: Fly[Paris]", action: invalid("unknown-tool", "Fly") },
	{ name: "an action in words", reply: "Action 1: I shall search for it", action: invalid("no-action") },
	{ name: "an empty query", reply: "Action 1: Search[ ]", action: invalid("empty-query", "Search") },
	{ name: "an empty answer", reply: "Action 1: Finish[]", action: invalid("empty-answer", "Finish") },
	{ name: "a bracket never closed", reply: "Action 1: Search[x", action: invalid("bad-arguments", "Search") },
	{ name: "a long query", reply: `Action 1: Search[${"a".repeat(2001)}]`, action: invalid("query-too-long") },
	{ name: "cut within the action", reply: "Action 1: Search[x", finish: "length", action: invalid("truncated") },
	{ name: "cut before it", reply: "Thought 1: so", finish: "length", action: invalid("truncated") },
	{ name: "nothing", reply: "", action: invalid("no-action") },
];

test.each(cases)("$name", ({ name: _, reply, finish, bare, ...wanted }) => {
	expect(parse(reply, { ...(finish && { finish }), ...(bare && { bare }) })).toMatchObject(wanted);
});

describe("properties", () => {
	const words = fc
		.string({ unit: "grapheme", minLength: 1, maxLength: 60 })
		.map((text) => text.trim())
		.filter((text) => text !== "" && !/[[\]]|[\r\n]|think>/.test(text));

	test("parse(render(action)) is the action, with a thought before it or a tail behind", () => {
		const action: fc.Arbitrary<ReactAction> = fc.oneof(
			words.map((query): ReactAction => ({ is: "search", query })),
			words.map((word): ReactAction => ({ is: "lookup", word })),
			words.map((answer): ReactAction => ({ is: "finish", answer })),
		);
		fc.assert(
			fc.property(action, words, (made, tail) => {
				const reply = `Thought 1: so\nAction 1: ${renderAction(made)}\n${tail}`;
				expect(parse(reply)).toMatchObject({ action: made, thought: "so", dropped: tail.length });
				expect(parse(renderAction(made), { bare: true }).action).toEqual(made);
			}),
			{ numRuns: 500 },
		);
	});

	test("any reply is read, and what is kept reads the same again", () => {
		const pieces = fc.array(
			fc.oneof(
				fc.constantFrom(
					"Action 1: ",
					"Thought 1: ",
					"\nObservation 1: ",
					"Search[",
					"Finish[",
					"]",
					"\n",
					"<think>",
					"</think>",
				),
				fc.string({ unit: "grapheme", maxLength: 8 }),
			),
			{ maxLength: 12 },
		);
		fc.assert(
			fc.property(pieces, fc.constantFrom<Finish>("stop", "length", "other"), fc.boolean(), (parts, finish, bare) => {
				const once = parse(parts.join(""), { finish, bare });
				if (once.action.is !== "invalid") expect(parse(once.text, { bare }).action).toEqual(once.action);
			}),
			{ numRuns: 1000 },
		);
	});

	test.each([
		"Action ",
		"Action 1: Search[",
		"-",
		"Thought",
		"[",
		"</think>",
	])("a reply of nothing but %j is read at once", (piece) => {
		const started = process.cpuUsage();
		parse(piece.repeat(20_000));
		parse(piece + " ".repeat(100_000), { bare: true });
		expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
	});
});
