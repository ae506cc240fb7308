import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ToolRequest } from "#models";
import { declarations, type PlannerAction, readCalls } from "./calls.ts";

/** An action as a model should call it. */
const renderAction = (action: PlannerAction, id: string) =>
	action.is === "search"
		? { id, name: "RAG_search", arguments: JSON.stringify({ query: action.query, topk: action.topk }) }
		: { id, name: "Final_Answer", arguments: JSON.stringify({ answer: action.answer }) };

const search = (text: string, id = "c"): ToolRequest => ({ id, name: "RAG_search", arguments: text });
const answer = (text: string, id = "c"): ToolRequest => ({ id, name: "Final_Answer", arguments: text });
const found = (query: string, k: number, asked?: number) => ({
	...{ is: "call", tool: "text_search", arguments: { query, k }, id: "c" },
	...(asked === undefined ? {} : { asked }),
});
const invalid = (code: string) => expect.objectContaining({ is: "invalid", code });

const cases: { name: string; calls: ToolRequest[]; left?: number; read: unknown }[] = [
	{ name: "a search", calls: [search('{"query": "Velmora", "topk": 3}')], read: [found("Velmora", 3, 3)] },
	{ name: "no topk", calls: [search('{"query": "漢 “½”"}')], read: [found("漢 “½”", 5)] },
	{ name: "topk null", calls: [search('{"query": "a", "topk": null}')], read: [found("a", 5)] },
	{ name: "topk as text", calls: [search('{"query": "a", "topk": "7"}')], read: [found("a", 7, 7)] },
	{ name: "more than may be shown", calls: [search('{"query": "a", "topk": 1000}')], read: [found("a", 20, 1000)] },
	{ name: "topk 0", calls: [search('{"query": "a", "topk": 0}')], read: [invalid("bad-arguments")] },
	{ name: "topk in words", calls: [search('{"query": "a", "topk": "many"}')], read: [invalid("bad-arguments")] },
	{ name: "an empty query", calls: [search('{"query": "  "}')], read: [invalid("empty-query")] },
	{ name: "no query", calls: [search("{}")], read: [invalid("bad-arguments")] },
	{ name: "no arguments", calls: [search("")], read: [invalid("bad-arguments")] },
	{ name: "a list", calls: [search('["a"]')], read: [invalid("bad-arguments")] },
	{
		name: "a long query",
		calls: [search(JSON.stringify({ query: "a".repeat(2001) }))],
		read: [invalid("query-too-long")],
	},
	{ name: "JSON as Python writes it", calls: [search("{'query': 'a', 'topk': None,}")], read: [found("a", 5)] },
	{ name: "cut JSON", calls: [search('{"query": "a')], read: [invalid("bad-json")] },
	{ name: "an unknown function", calls: [{ id: "c", name: "web", arguments: "{}" }], read: [invalid("unknown-tool")] },
	{ name: "an answer", calls: [answer('{"answer": " Quill "}')], read: "Quill" },
	{ name: "a number for an answer", calls: [answer('{"answer": 1712}')], read: "1712" },
	{ name: "an empty answer", calls: [answer('{"answer": ""}')], read: [invalid("empty-answer")] },
	{ name: "an answer without its field", calls: [answer('{"text": "x"}')], read: [invalid("bad-arguments")] },
	{
		name: "two searches",
		calls: [search('{"query": "a"}'), search('{"query": "b"}')],
		read: [found("a", 5), found("b", 5)],
	},
	{
		name: "a search, then an answer that has not seen it",
		calls: [search('{"query": "a"}'), answer('{"answer": "b"}')],
		read: [found("a", 5), invalid("two-actions")],
	},
	{ name: "an answer, then a search", calls: [answer('{"answer": "b"}'), search('{"query": "a"}')], read: "b" },
	{
		name: "more searches than are left",
		calls: [search('{"query": "a"}'), search('{"query": "b"}')],
		left: 1,
		read: [found("a", 5), invalid("no-search-left")],
	},
];

describe("recorded calls", () => {
	test.each(cases)("$name", ({ calls, left = 10, read }) => {
		expect(readCalls(calls, { left })).toEqual(
			typeof read === "string" ? { is: "answer", answer: read } : { is: "calls", calls: read },
		);
	});
	test("k is the model's to choose: the tool asks for it and names no default", () => {
		const [tool] = declarations;
		expect(tool?.parameters).toMatchObject({ required: ["query", "topk"] });
		expect(JSON.stringify(tool)).not.toMatch(/default|\b5\b/);
	});

	test("an invalid call keeps its id, for every call has to be answered", () => {
		const read = readCalls([search("{", "one"), { id: "two", name: "x", arguments: "" }], { left: 10 });
		expect(read.is === "calls" && read.calls.map(({ id }) => id)).toEqual(["one", "two"]);
	});
});

describe("properties", () => {
	test("any text for arguments is read, with an outcome for every call", () => {
		const request = fc.record({
			id: fc.string(),
			name: fc.constantFrom("RAG_search", "Final_Answer", "other", ""),
			arguments: fc.oneof(fc.string(), fc.json()),
		});
		fc.assert(
			fc.property(fc.array(request, { minLength: 1, maxLength: 4 }), (calls) => {
				const read = readCalls(calls, { left: 2 });
				if (read.is === "calls") expect(read.calls).toHaveLength(calls.length);
			}),
			{ numRuns: 500 },
		);
	});

	test("read(render(action)) is the action", () => {
		const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 100 }).map((text) => text.trim());
		const filled = words.filter((text) => text !== "");
		const action: fc.Arbitrary<PlannerAction> = fc.oneof(
			fc.record({ is: fc.constant("search" as const), query: filled, topk: fc.integer({ min: 1, max: 20 }) }),
			fc.record({ is: fc.constant("final" as const), answer: filled }),
		);
		fc.assert(
			fc.property(action, (made) => {
				const read = readCalls([renderAction(made, "c")], { left: 1 });
				if (made.is === "final") expect(read).toEqual({ is: "answer", answer: made.answer });
				else expect(read).toEqual({ is: "calls", calls: [found(made.query, made.topk, made.topk)] });
			}),
		);
	});
});
