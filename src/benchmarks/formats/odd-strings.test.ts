import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formats } from "#benchmarks";
import { isLong } from "../../../test/long.ts";
import { roundTripProblems } from "../../../test/support/benchmarks/round-trip.ts";
import { jsonElements } from "./json-elements.ts";
import { readRows } from "./rows.ts";
import { edgesOf, joinedSentences, segmented, sentencesAt } from "./sentences.ts";
import { answersFilledIn, answersNumbered, numbersIn } from "./step-references.ts";

let root: string;
let made = 0;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-odd-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function file(text: string, ending = "json"): Promise<string> {
	made += 1;
	const path = join(root, `${made}.${ending}`);
	await writeFile(path, text);
	return path;
}

/** Any text, with what breaks readers oftener than chance would have it. */
const odd = fc.oneof(
	fc.string({ unit: "binary", maxLength: 20 }),
	fc
		.array(
			fc.constantFrom(
				'"',
				"\\",
				"[",
				"]",
				"{",
				"}",
				",",
				"\n",
				"\u2028",
				"#1",
				"  ",
				"é",
				"日本",
				"👩‍🚀",
				"null",
				"'",
				"|",
			),
			{
				maxLength: 12,
			},
		)
		.map((parts) => parts.join("")),
);
const text = odd.filter((one) => one.trim() !== "");

describe("rows", () => {
	test("the elements of any JSON array, pretty or not, are read one by one", { tags: "longer" }, async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.jsonValue(), { maxLength: 8 }),
				fc.constantFrom(undefined, 2),
				async (values, indent) => {
					const path = await file(`\ufeff ${JSON.stringify(values, null, indent)}\n`);
					const found: unknown[] = [];
					for await (const { number, text: element, whole } of jsonElements(path, { mostBytes: 1_000_000 })) {
						expect([number, whole]).toEqual([found.length + 1, true]);
						found.push(JSON.parse(element));
					}
					expect(found).toEqual(JSON.parse(JSON.stringify(values)));
				},
			),
			{ numRuns: isLong ? 40 : 15 },
		);
	});

	test("a broken element costs itself alone, an overlong one is not kept", async () => {
		const rows = [];
		for await (const row of readRows([await file('[{"a": 1}, {"a": x}, {"a": 3}]')])) rows.push(row);
		expect(rows.map((row) => ("value" in row ? row.value : row.reason.slice(0, 8)))).toEqual([
			{ a: 1 },
			"not JSON",
			{ a: 3 },
		]);
		const texts = [];
		for await (const { text: element } of jsonElements(await file('["aaaaaaaaaa", "b"]'), { mostBytes: 6 }))
			texts.push(element);
		expect(texts).toEqual(["", '"b"']);
	});

	test("lines are numbered as an editor numbers them, whatever the file is called", async () => {
		const path = await file('{"a": 1}\n\n{"a": 2}\n', "json");
		const rows = [];
		for await (const row of readRows([path])) rows.push(row);
		expect(rows).toEqual([
			{ file: path, row: 1, value: { a: 1 } },
			{ file: path, row: 3, value: { a: 2 } },
		]);
	});

	test("a CSV row with more or fewer cells than the head is broken", async () => {
		const path = await file('question,answer\n"a, ""b""\nc",d\ne,f,g\nh\n', "csv");
		const rows = [];
		for await (const row of readRows([path])) rows.push("value" in row ? row.value : row.reason);
		expect(rows).toEqual([
			{ question: 'a, "b"\nc', answer: "d" },
			"3 cells under a head of 2",
			"1 cells under a head of 2",
		]);
	});

	test("what is no such file is told in one line", async () => {
		for (const path of [join(root, "nowhere.json"), root, await file("words"), await file("PAR1", "parquet")])
			await expect(async () => {
				for await (const _ of readRows([path])) break;
			}).rejects.toMatchObject({ code: "bad-file", exitCode: 2 });
	});
});

describe("sentences", () => {
	test("any sentences come back from their joined text", () => {
		fc.assert(
			fc.property(fc.array(odd, { maxLength: 6 }), (sentences) => {
				const joined = joinedSentences(sentences);
				expect(sentencesAt(joined, edgesOf(joined, sentences))).toEqual(sentences);
			}),
		);
	});
	test("a text without edges is cut without losing a character", () => {
		fc.assert(fc.property(odd, (one) => segmented(one, "en").join("") === one));
	});
	test("edges of ordinary sentences are places, not the sentences again", () => {
		expect(edgesOf("One. Two.", ["One.", " Two."])).toEqual([0, 4, 4, 9]);
		expect(edgesOf("One. Two.", ["One.", "Two."])).toEqual([0, 4, 5, 9]);
	});
});

describe("references to steps", () => {
	test("are filled in and found again", () => {
		fc.assert(
			fc.property(fc.stringMatching(/^[a-z]{3,8}$/), fc.stringMatching(/^[A-Z]{3,8}$/), (first, second) => {
				const question = "Who of #2 met #1?";
				expect(numbersIn(question)).toEqual([1, 2]);
				const filled = answersFilledIn(question, (number) => (number === 1 ? first : second));
				expect(filled).toBe(`Who of ${second} met ${first}?`);
				fc.pre(
					!first.includes(second.toLowerCase()) &&
						!second.toLowerCase().includes(first) &&
						!"who of met".includes(first) &&
						!"who of met".includes(second.toLowerCase()),
				);
				const needed = [
					{ number: 1, forms: [first] },
					{ number: 2, forms: [second] },
				];
				expect(answersNumbered(filled, needed)).toBe(question);
			}),
		);
		expect(numbersIn("#0 and #123 and no. 1")).toEqual([]);
	});
});

describe("rows with odd strings come back", () => {
	const paragraph = fc.tuple(odd, fc.array(odd, { maxLength: 4 }));
	const forms: Record<string, fc.Arbitrary<unknown>> = {
		hotpotqa: fc.record({
			...{ _id: fc.uuid(), question: text, answer: text, type: odd, level: odd },
			supporting_facts: fc.array(fc.tuple(odd, fc.nat(3)), { maxLength: 3 }),
			context: fc.array(paragraph, { minLength: 1, maxLength: 3 }),
		}),
		musique: fc.record({
			...{ id: fc.uuid(), question: text, answer: text, answer_aliases: fc.array(text, { maxLength: 3 }) },
			answerable: fc.boolean(),
			paragraphs: fc
				.array(fc.record({ title: odd, paragraph_text: odd, is_supporting: fc.boolean() }), { maxLength: 3 })
				.map((list) => list.map((one, idx) => ({ idx, ...one }))),
			question_decomposition: fc.array(
				fc.record({ id: fc.nat(), question: text, answer: text, paragraph_support_idx: fc.option(fc.nat(2)) }),
				{ maxLength: 3 },
			),
		}),
		flashrag: fc.record({
			...{ id: fc.uuid(), question: text, golden_answers: fc.array(text, { minLength: 1, maxLength: 3 }) },
			metadata: fc.dictionary(fc.stringMatching(/^x[a-z]{1,5}$/), fc.jsonValue(), { maxKeys: 3 }),
		}),
		"short-qa": fc.record({
			...{ idx: fc.nat(), question: text, answer: fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 })) },
			more: fc.jsonValue(),
		}),
		"multihop-rag": fc.record({
			...{ query: text, answer: text, question_type: fc.constantFrom("inference_query", "null_query") },
			evidence_list: fc.array(fc.record({ title: odd, url: odd, fact: text, author: odd }), { maxLength: 3 }),
		}),
		tracer: fc.record({
			hop_1: fc.record({ question: text, answer: text, doc: odd, final_question: text, final_answer: text }),
			hop_2: fc.record({
				...{ question: text, answer: text, doc: odd, final_question: text, final_answer: text },
				...{ optional_answers: fc.array(odd, { maxLength: 3 }), qa_type: fc.constantFrom("inference", "comparison") },
			}),
		}),
		webshaper: fc.record({
			...{ id: fc.uuid(), question: text, answer: text, urls: fc.array(odd, { maxLength: 2 }) },
			formalization: fc.array(fc.tuple(odd, odd, fc.constant("?")), { minLength: 1, maxLength: 3 }),
		}),
	};
	test.each(Object.keys(forms))("%s, with fields that every object inherits", async (name) => {
		const format = formats[name];
		const [row] = fc.sample(forms[name] ?? fc.constant({}), 1);
		if (!format) throw new Error(name);
		const inner = '"constructor": {"prototype": 1}, "prototype": null, "toString": "x"';
		const odd = `"__proto__": {"__proto__": [{"__proto__": 1}], ${inner}}, ${inner}`;
		const path = await file(`[${JSON.stringify(row).slice(0, -1)}, ${odd}}]`);
		expect(await roundTripProblems(format, [path])).toEqual([]);
		expect((await format.read?.([path]))?.refused).toEqual([]);
		expect("x" in {}).toBe(false);
	});

	test.each(Object.keys(forms))("%s", { tags: "longer" }, async (name) => {
		const format = formats[name];
		const rows = forms[name];
		if (!format || !rows) throw new Error(name);
		const given = fc.uniqueArray(rows, {
			...{ minLength: 1, maxLength: 4 },
			selector: (row) => {
				const { _id, id, idx, query } = row as Record<string, unknown>;
				return JSON.stringify(_id ?? id ?? idx ?? query ?? row);
			},
		});
		await fc.assert(
			fc.asyncProperty(given, async (list) => {
				const path = await file(JSON.stringify(list));
				expect(await roundTripProblems(format, [path])).toEqual([]);
			}),
			{ numRuns: isLong ? 12 : 4 },
		);
	});
});
