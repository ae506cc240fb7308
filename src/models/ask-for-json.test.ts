import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { askForJson, type ChatMessage, type ChatRequest, ModelError, type ScriptedReply, scriptedModel } from "#models";
import { jsonObjects } from "./first-json.ts";

const messages: ChatMessage[] = [{ role: "user", content: [{ type: "text", text: "Who?" }] }];
const schema = z.object({ name: z.string(), age: z.number().int().min(0) });
const good = '{"name":"Ada","age":36}';

async function asked(replies: ScriptedReply[]) {
	const requests: ChatRequest[] = [];
	const model = scriptedModel((request, n) => {
		requests.push(request);
		const reply = replies[n];
		if (reply === undefined) throw new ModelError("asked too often");
		return reply;
	});
	return { got: await askForJson(model, { messages, maxTokens: 50 }, { name: "person", schema }), requests };
}

describe("a value", () => {
	test.each([
		["plain", good],
		["in a code fence", `Here it is:\n\`\`\`json\n${good}\n\`\`\`\nDone.`],
		["between sentences with braces", `I use {braces} and "quotes. ${good} }`],
		["behind thoughts", `<think>Perhaps {"name":"Bob","age":1}?</think>\n${good}`],
		["behind an object that does not fit", `{"thought":"hm"} ${good}`],
	])("%s", async (_name, reply) => {
		const { got, requests } = await asked([reply]);
		expect(got).toMatchObject({ is: "value", value: { name: "Ada", age: 36 } });
		expect(requests).toHaveLength(1);
		expect(requests[0]).toMatchObject({
			maxTokens: 50,
			output: { name: "person", schema: { type: "object", required: ["name", "age"], additionalProperties: false } },
		});
		expect(got.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
	});
});

test("of several objects that fit the first counts; where one alone may stand, they must agree", async () => {
	const other = '{"name":"Bob","age":1}';
	const { got } = await asked([`${other} ${good}`]);
	expect(got).toMatchObject({ is: "value", value: { name: "Bob" } });
	const sole = (...replies: string[]) =>
		askForJson(scriptedModel(replies), { messages }, { name: "person", schema, sole: true });
	expect(await sole(`It quotes ${other}. ${good}`, good)).toMatchObject({ is: "value", value: { name: "Ada" } });
	expect(await sole(`${good} ${other}`, `${good} ${other}`)).toMatchObject({ is: "misfit" });
	expect((await sole(`${good} that is ${good}`)).replies).toHaveLength(1);
});

test("one repair turn says what was wrong; both replies count", async () => {
	const { got, requests } = await asked(['{"name":"Ada","age":-1}', good]);
	expect(got).toMatchObject({ is: "value", value: { name: "Ada", age: 36 } });
	expect(got.replies).toHaveLength(2);
	expect(got.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
	const told = requests[1]?.messages.at(-1)?.content[0];
	expect(told).toMatchObject({ type: "text", text: expect.stringMatching(/age: .*"name"/s) });
});

test.each<[string, ScriptedReply[], RegExp, number]>([
	["no object twice", ["I do not know.", "Still not."], /no JSON object/, 2],
	["a misfit twice", ['{"name":1}', '{"name":2}'], /name: .*; age: /, 2],
	["a refusal", [{ text: "No.", finish: "other" }], /refused/, 1],
	[
		"cut off twice",
		[
			{ text: '{"name":"A', finish: "length" },
			{ text: "{", finish: "length" },
		],
		/cut by the token limit/,
		2,
	],
])("%s is a misfit, and nothing is thrown", async (_name, replies, problem, count) => {
	const { got } = await asked(replies);
	expect(got).toMatchObject({ is: "misfit", problem: expect.stringMatching(problem) });
	expect(got.replies).toHaveLength(count);
});

test("a model's failure and an abort are the caller's", async () => {
	await expect(asked([])).rejects.toThrow(ModelError);
	const reason = new Error("enough");
	const asking = askForJson(
		scriptedModel([good]),
		{ messages },
		{ name: "x", schema },
		{ signal: AbortSignal.abort(reason) },
	);
	await expect(asking).rejects.toBe(reason);
});

describe("objects in text", () => {
	const object = fc.dictionary(fc.string(), fc.jsonValue());
	const prose = fc.string().map((text) => text.replace(/[{}<"]/g, ""));

	test("are found wherever they stand, in order", () => {
		fc.assert(
			fc.property(prose, fc.array(fc.tuple(object, prose), { minLength: 1, maxLength: 4 }), (before, parts) => {
				const text = before + parts.map(([value, after]) => JSON.stringify(value) + after).join("");
				const found = [...jsonObjects(text)].map((value) => JSON.stringify(value));
				expect(found).toEqual(parts.map(([value]) => JSON.stringify(JSON.parse(JSON.stringify(value)))));
			}),
		);
	});

	test("any text is read without an error, and only what it holds is found", () => {
		const noise = fc.array(
			fc.constantFrom("{", "}", '"', "\\", ":", "a", "[", "]", ",", "```json\n", "</think>", '{"a":1}'),
		);
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string(),
					noise.map((parts) => parts.join("")),
				),
				(text) => {
					for (const value of jsonObjects(text)) expect(typeof value).toBe("object");
				},
			),
		);
	});

	test("hostile text is given up on in time", () => {
		const started = process.cpuUsage();
		expect([...jsonObjects("{".repeat(4_000_000))]).toEqual([]);
		expect([...jsonObjects('{"'.repeat(2_000_000))]).toEqual([]);
		expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
	});
});
