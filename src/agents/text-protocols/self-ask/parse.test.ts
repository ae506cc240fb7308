import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ParsedSelfAsk, parseSelfAsk, type SelfAskAction } from "./parse.ts";

const renderSelfAsk = (action: SelfAskAction) =>
	action.is === "follow-up" ? `Follow up: ${action.question}` : `So the final answer is: ${action.answer}`;

type Finish = Parameters<typeof parseSelfAsk>[1]["finish"];
type Expects = Parameters<typeof parseSelfAsk>[1]["expects"];
const parse = (reply: string, { finish = "stop" as Finish, expects = undefined as Expects } = {}): ParsedSelfAsk =>
	parseSelfAsk(reply, { finish, expects });
const ask = (question: string) => ({ is: "follow-up", question });
const final = (answer: string) => ({ is: "final", answer });
const invalid = (code: string) => expect.objectContaining({ is: "invalid", code });

const cases: ({ name: string; reply: string; finish?: Finish; expects?: Expects; action: unknown } & Partial<
	Omit<ParsedSelfAsk, "action">
>)[] = [
	{ name: "a follow-up question", reply: "Follow up: Who built it?", action: ask("Who built it?"), dropped: 0 },
	{ name: "with a hyphen, in bold", reply: "**Follow-up question:** 誰が建てた?", action: ask("誰が建てた?") },
	{
		name: "the seed repeated before it",
		reply: "Are follow up questions needed here: Yes.\nFollow up: Who?",
		action: ask("Who?"),
		thought: "Are follow up questions needed here: Yes.",
	},
	{
		name: "an intermediate answer of its own making behind it",
		reply: "Follow up: Who?\nIntermediate answer: Ada\nSo the final answer is: Ada",
		action: ask("Who?"),
		text: "Follow up: Who?",
		dropped: "Intermediate answer: Ada\nSo the final answer is: Ada".length,
	},
	{
		name: "lines that end as on Windows",
		reply: "Thinking.\r\nFollow up: Who?\r\nmore",
		action: ask("Who?"),
		thought: "Thinking.",
		dropped: 4,
	},
	{ name: "two follow-up questions", reply: "Follow up: a?\nFollow up: b?", action: ask("a?"), dropped: 13 },
	{ name: "the final answer", reply: "So the final answer is: Perrin Voss", action: final("Perrin Voss") },
	{ name: "a negative one", reply: "So the final answer is: -5 °C", action: final("-5 °C") },
	{
		name: "behind a thought",
		reply: "Both are known.\nSo, the final answer is: no",
		action: final("no"),
		thought: "Both are known.",
	},
	{ name: "the label within a sentence", reply: "The final answer is not known.", action: invalid("no-action") },
	{ name: "neither", reply: "I would ask a follow up: question.", action: invalid("no-action") },
	{
		name: "no questions needed, and no answer",
		reply: "Are follow up questions needed here: No.",
		action: invalid("no-action"),
	},
	{
		name: "an answer that nobody asked for",
		reply: "Intermediate answer: x\nFollow up: y",
		action: invalid("no-action"),
		text: "",
	},
	{
		name: "an answer read off the context",
		reply: "Tessin Bay\nFollow up: Who founded it?",
		expects: "intermediate",
		action: ask("Who founded it?"),
		subAnswer: "Tessin Bay",
	},
	{
		name: "the same with its label",
		reply: "Intermediate answer: Tessin Bay\nSo the final answer is: x",
		expects: "intermediate",
		action: final("x"),
		subAnswer: "Tessin Bay",
	},
	{
		name: "a bare answer where the label was given",
		reply: " Anna Rehn\nand more",
		expects: "final",
		action: final("Anna Rehn"),
		dropped: 8,
	},
	{ name: "a question where the answer was asked for", reply: "Follow up: x?", expects: "final", action: ask("x?") },
	{ name: "an empty question", reply: "Follow up:", action: invalid("empty-query") },
	{ name: "an empty answer", reply: "So the final answer is: ", action: invalid("empty-answer") },
	{ name: "reasoning in think tags", reply: "<think>Follow up: no</think>Follow up: yes", action: ask("yes") },
	{ name: "reasoning that never ends", reply: "<think>Follow up: no", action: invalid("no-action") },
	{ name: "cut within the question", reply: "Follow up: who bui", finish: "length", action: invalid("truncated") },
	{ name: "cut behind it", reply: "Follow up: who?\nInterm", finish: "length", action: ask("who?") },
	{ name: "cut before it", reply: "Well", finish: "length", action: invalid("truncated") },
	{ name: "a long question", reply: `Follow up: ${"a".repeat(2001)}`, action: invalid("query-too-long") },
	{ name: "nothing", reply: "", expects: "final", action: invalid("no-action") },
];

test.each(cases)("$name", ({ name: _, reply, finish, expects, ...wanted }) => {
	expect(parse(reply, { ...(finish && { finish }), ...(expects && { expects }) })).toMatchObject(wanted);
});

describe("properties", () => {
	const words = fc
		.string({ unit: "grapheme", minLength: 1, maxLength: 60 })
		.map((text) => text.trim())
		.filter((text) => text !== "" && !/^[:\s*_]|[\r\n]|think>/.test(text));

	test("parse(render(action)) is the action", () => {
		const action: fc.Arbitrary<SelfAskAction> = fc.oneof(
			words.map((question): SelfAskAction => ({ is: "follow-up", question })),
			words.map((answer): SelfAskAction => ({ is: "final", answer })),
		);
		fc.assert(
			fc.property(action, words, (made, tail) => {
				expect(parse(`${renderSelfAsk(made)}\n${tail}`)).toMatchObject({ action: made, dropped: tail.length });
			}),
			{ numRuns: 500 },
		);
	});

	test("any reply is read; what is kept begins it", () => {
		const pieces = fc.array(
			fc.oneof(
				fc.constantFrom(
					"Follow up: ",
					"So the final answer is: ",
					"Intermediate answer: ",
					"\n",
					"<think>",
					"</think>",
				),
				fc.string({ unit: "grapheme", maxLength: 8 }),
			),
			{ maxLength: 12 },
		);
		const options = fc.record({
			finish: fc.constantFrom<Finish>("stop", "length", "other"),
			expects: fc.constantFrom<Expects>(undefined, "intermediate", "final"),
		});
		fc.assert(
			fc.property(pieces, options, (parts, given) => {
				const reply = parts.join("");
				const once = parse(reply, given);
				expect(reply.startsWith(once.text)).toBe(true);
				if (given.finish === "stop" && once.action.is !== "invalid")
					expect(parse(once.text, given).action).toEqual(once.action);
			}),
			{ numRuns: 1000 },
		);
	});

	test.each([
		"Follow up ",
		"So the final answer is ",
		"-",
		"\n",
	])("a reply of nothing but %j is read at once", (piece) => {
		const started = process.cpuUsage();
		parse(piece.repeat(20_000));
		parse(piece + " ".repeat(100_000));
		expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
	});
});
