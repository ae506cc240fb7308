import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProgramLine } from "./program-messages.ts";
import { parseLine } from "./report.ts";

describe("a line of a program", () => {
	const good: [string, unknown][] = [
		['{"final": {"answer": "Quill"}}', { final: { answer: "Quill", stop: "answered" } }],
		['{"final": {"answer": 12.5}}', { final: { answer: "12.5", stop: "answered" } }],
		['{"final": {"answer": true, "cited": ["a"]}}', { final: { answer: "yes", cited: ["a"], stop: "answered" } }],
		[
			'{"final": {"answer": null, "abstained": true, "stop": "turn-limit"}}',
			{ final: { answer: null, abstained: true, stop: "turn-limit" } },
		],
		['{"error": "no GPU"}', { error: "no GPU" }],
		['  {"step": {"thought": "日本語 ½ 🗺"}}  ', { step: { thought: "日本語 ½ 🗺", results: [], ms: 0 } }],
		[
			'{"step": {"call": {"tool": "text_search"}, "results": ["a", {"id": "b", "score": 2, "rank": 9}], "more": 1}}',
			{
				step: {
					call: { tool: "text_search", arguments: {}, valid: true },
					results: ["a", { id: "b", score: 2 }],
					ms: 0,
				},
			},
		],
	];
	test.each(good)("%s", (line, expected) => {
		expect(parseLine(line)).toEqual(expected);
	});

	const bad: [string, string][] = [
		['{"final": {"answer": "cut', "is no JSON"],
		["{}", "is neither a step, a final nor an error"],
		['{"steps": []}', "is neither a step, a final nor an error"],
		['{"final": {}}', "is no valid final: answer"],
		['{"final": {"answer": {}}}', "is no valid final: answer"],
		['{"final": {"answer": "x", "stop": "error"}}', "is no valid final: stop"],
		['{"step": {"results": [{"id": ""}]}}', "is no valid step: results.0"],
		['{"step": {"results": [7]}}', "is no valid step: results.0"],
		['{"step": {"call": {"arguments": {}}}}', "is no valid step: call.tool"],
		['{"step": {"ms": -1}}', "is no valid step: ms"],
		['{"step": 1}', "is no valid step"],
		['{"step": {}, "final": {"answer": "x"}}', "is no valid step: unknown fields"],
		['{"error": {"deep": true}}', "is no valid error"],
		[`{"final": {"answer": "${"x".repeat(100_001)}"}}`, "is no valid final: answer"],
	];
	test.each(bad)("%s", (line, problem) => {
		expect(parseLine(line)).toContain(problem);
	});

	test("arguments keep every name that a program gives them", () => {
		for (const name of ["__proto__", "constructor", "prototype", "toString"]) {
			const call = {
				tool: " ",
				arguments: JSON.parse(`{"${name}": "", "a": {"${name}": {"polluted": 1}}}`),
				valid: false,
			};
			const said = parseLine(JSON.stringify({ step: { call } }));
			expect(JSON.stringify(said)).toBe(JSON.stringify({ step: { call, results: [], ms: 0 } }));
			expect(said).not.toHaveProperty("step.call.arguments.polluted");
			expect("polluted" in {}).toBe(false);
		}
	});

	test("whatever it is, reading it never throws, and what is read can be written and read again", () => {
		fc.assert(
			fc.property(fc.oneof(fc.json(), fc.string()), (line) => {
				const said = parseLine(line);
				if (typeof said !== "string") expect(ProgramLine.parse(said)).toEqual(said);
			}),
		);
		const step = fc.record(
			{
				thought: fc.string({ unit: "grapheme" }),
				subAnswer: fc.string(),
				call: fc.record({
					tool: fc.string({ minLength: 1, maxLength: 100 }),
					arguments: fc.dictionary(fc.string(), fc.string()),
					valid: fc.boolean(),
				}),
			},
			{ requiredKeys: [] },
		);
		fc.assert(
			fc.property(step, (made) => {
				expect(parseLine(JSON.stringify({ step: made }))).toEqual(
					JSON.parse(JSON.stringify({ step: { results: [], ms: 0, ...made } })),
				);
			}),
			{ examples: [[{ call: { tool: " ", arguments: JSON.parse('{"__proto__": ""}'), valid: false } }]] },
		);
	});
});
