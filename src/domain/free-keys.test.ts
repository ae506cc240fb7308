import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
	countName,
	freeObject,
	freeRecord,
	grouped,
	Json,
	ownField,
	ScoreRow,
	Step,
	setField,
	Task,
	tally,
} from "#domain";

/** Names that every object inherits something under, and ones that nothing is called. */
const odd = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "", "0", "a"];
const name = fc.oneof(fc.constantFrom(...odd), fc.string());
/** As JSON is read: `__proto__` is a field like any other. */
const recordOf = <Value>(value: fc.Arbitrary<Value>) =>
	fc
		.array(fc.tuple(name, value), { maxLength: 6 })
		.map((fields): Record<string, Value> => JSON.parse(JSON.stringify(Object.fromEntries(fields))));
const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
	value: fc.oneof({ depthSize: "small" }, fc.string(), fc.integer(), fc.boolean(), fc.constant(null), tie("object")),
	object: recordOf(tie("value")),
})).object;

const text = (value: unknown) => JSON.stringify(value);
const hostile = '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, "a": 1}';

function unpolluted(value: unknown): void {
	expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
	expect("polluted" in {}).toBe(false);
	expect("polluted" in (value as object)).toBe(false);
}

describe("records with free names", () => {
	test("every field comes back in its place, and none changes what the record inherits", () => {
		fc.assert(
			fc.property(json, (value) => {
				for (const schema of [Json, freeRecord(z.unknown()), freeRecord(Json), freeObject({}), freeObject({}, Json)]) {
					const parsed = schema.parse(value);
					expect(text(parsed)).toBe(text(value));
					expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
				}
			}),
		);
		for (const schema of [Json, freeRecord(z.unknown()), freeObject({})]) {
			const parsed = schema.parse(JSON.parse(hostile));
			expect(text(parsed)).toBe(text(JSON.parse(hostile)));
			unpolluted(parsed);
		}
	});

	test("values and names are checked and changed as in all other fields", () => {
		const counts = freeRecord(z.number().transform((value) => value + 1));
		expect(text(counts.parse(JSON.parse('{"a": 1, "__proto__": 2, "b": 3}')))).toBe('{"a":2,"__proto__":3,"b":4}');
		const bad = counts.safeParse(JSON.parse('{"__proto__": "x", "constructor": "y"}'));
		expect(bad.error?.issues.map(({ path, code }) => [path, code])).toEqual([
			[["constructor"], "invalid_type"],
			[["__proto__"], "invalid_type"],
		]);
		expect(freeRecord(z.string().max(3), z.number()).safeParse(JSON.parse('{"__proto__": 1}')).success).toBe(false);
		for (const value of [null, undefined, 1, "x", [1], new Date(0)])
			expect(freeRecord(z.unknown()).safeParse(value).success).toBe(false);
	});

	test("an object keeps what its shape does not name, of the type of the rest", () => {
		const Tags = freeObject({ language: z.string().default("und") }, z.string());
		expect(text(Tags.parse(JSON.parse('{"__proto__": "x", "b": "y"}')))).toBe(
			'{"__proto__":"x","b":"y","language":"und"}',
		);
		expect(Tags.safeParse(JSON.parse('{"__proto__": 1}')).error?.issues[0]?.path).toEqual(["__proto__"]);
		expect(Tags.safeParse(null).success).toBe(false);
		const extended = freeObject({ a: z.number() }).extend({ b: z.number() });
		expect(text(extended.parse(JSON.parse('{"a": 1, "b": 2, "__proto__": 3}')))).toBe('{"a":1,"b":2,"__proto__":3}');
	});

	test("they say of themselves what zod's own say", () => {
		const said = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input" });
		expect(said(freeRecord(z.number()))).toEqual(said(z.record(z.string(), z.number())));
		expect(said(freeObject({ a: z.string() }))).toEqual(said(z.looseObject({ a: z.string() })));
		expect(said(freeObject({ a: z.string() }, z.string()))).toEqual(
			said(z.object({ a: z.string() }).catchall(z.string())),
		);
		expect(said(z.object({ x: Json }))).toEqual(said(z.object({ x: z.json() })));
	});

	const fields = '{"__proto__": "1", "constructor": "2", "prototype": "3", "toString": "4"}';
	test("the shapes that reach disk keep such fields", () => {
		const call = { tool: " ", arguments: JSON.parse(fields), valid: false };
		expect(text(Step.parse({ index: 0, call }).call)).toBe(text(call));
		const task = {
			id: "t",
			question: "Which?",
			answer: { type: "string", value: "x", accepted: ["x"] },
			tags: { language: "en", ...JSON.parse(fields) },
			native: { x: JSON.parse(fields), ...JSON.parse(fields) },
		};
		const read = Task.parse(task);
		expect([text(read.tags), text(read.native)]).toEqual([text(task.tags), text(task.native)]);
		const scores = Object.fromEntries(
			Object.keys(JSON.parse(fields)).map((metric) => [metric, { is: "scored", value: 1 }]),
		);
		const row = { version: 1, task: "t", repeat: 0, attempt: 0, scorer: "s", outcome: "right", scores };
		expect(text(ScoreRow.parse(row).scores)).toBe(text(scores));
	});
});

test("no schema has a record of free names that loses one", () => {
	const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
		(file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.endsWith("free-keys.ts"),
	);
	expect(sources.length).toBeGreaterThan(100);
	const losing = sources.filter((file) =>
		/z\s*\.(?:record\(z\.string|json\()/.test(readFileSync(join("src", file), "utf8")),
	);
	expect(losing).toEqual([]);
});

describe("counting and looking up by free names", () => {
	test("a tally counts every name, whatever objects inherit", () => {
		fc.assert(
			fc.property(fc.array(name), (names) => {
				const counts = tally(names);
				const groups = grouped(names, (one) => one);
				expect(Object.entries(counts).sort()).toEqual([...groups].map(([key, { length }]) => [key, length]).sort());
				expect(Object.getPrototypeOf(counts)).toBe(Object.prototype);
			}),
		);
		expect(Object.entries(tally(["constructor", "__proto__", "constructor"]))).toEqual([
			["constructor", 2],
			["__proto__", 1],
		]);
		const counts = {};
		countName(counts, "toString", 3);
		countName(counts, "toString");
		expect(Object.entries(counts)).toEqual([["toString", 4]]);
	});

	test("a field is the record's own or none", () => {
		for (const each of odd) {
			const record: Record<string, number> = {};
			expect(ownField(record, each)).toBeUndefined();
			setField(record, each, 1);
			setField(record, each, 2);
			expect(ownField(record, each)).toBe(2);
			expect(Object.keys(record)).toEqual([each]);
			expect(text(JSON.parse(text(record)))).toBe(text(record));
			unpolluted(record);
		}
	});
});
