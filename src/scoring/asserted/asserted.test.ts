import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { metrics } from "#scoring";
import { longTest } from "../../../test/long.ts";

const typed = (prediction: string, answer: object, more: object = {}) =>
	metrics.typed?.measure({ prediction, answer, ...more }).result;
const S = (...accepted: string[]) => ({ type: "string", value: accepted[0], accepted });
const N = (value: number, number: object = {}) => ({
	type: "number",
	value: String(value),
	number: { value, ...number },
});
const B = (value: "yes" | "no") => ({ type: "boolean", value });
const T = (iso: string, precision: string) => ({ type: "time", value: iso, time: { iso, precision } });
const L = (...items: string[]) => ({ type: "list", items });

type Case = [gold: object, reply: string, value: 0 | 1, more?: object];
const cases: Case[] = [
	[L("Croatia", "Serbia", "the Bosnia and Herzegovina"), "Croatia, Bosnia and Herzegovina and Serbia", 1],
	[L("Paris", "Washington, D.C."), "Paris; Washington, D.C.", 1],
	[L("Paris", "Washington, D.C."), "1. Paris\n2. Washington DC", 1],
	[L("Paris", "Washington, D.C."), "Paris; New Washington, D.C.", 0],
	[L("Paris", "Washington, D.C."), "Paris, Washington", 0],
	[L("Paris", "Washington, D.C."), "Paris; Washington; D.C.", 0],
	[L("Serbia", "Serbia and Montenegro"), "Serbia and Montenegro", 0],
	[L("Serbia", "Serbia and Montenegro"), "Serbia and Montenegro and Serbia", 1],
	[N(3), "2 + 1 = 3", 1],
	[N(90, { unit: "minutes", kind: "measure" }), "1 h 30 min", 1],
	[N(1000), "10^3", 1],
	[N(10), "10^3", 0],
	[N(1.5e6), "1.5M people", 1],
	[N(116), "the ASCII code of the 2nd letter is 116", 1],
	[N(2), "the ASCII code of the 2nd letter is 116", 0],
	[N(120, { unit: "km", kind: "measure" }), "either 120 or 450 km", 0],
	[N(120, { unit: "km" }), "more than 120", 0],
	[N(120, { unit: "km" }), "not 120 km but 300 km", 0],
	[N(300, { unit: "km" }), "not 120 km but 300 km", 1],
	[T("1989", "year"), "1989 or 1975", 0],
	[T("1989", "year"), "not 1989 but 1961", 0],
	[T("1961", "year"), "not 1989 but 1961", 1],
	[B("yes"), "No doubt: yes", 1],
	[B("no"), "No doubt: yes", 0],
	[B("no"), "It is not landlocked", 1, { question: "Is Kenya landlocked?" }],
	[B("yes"), "It is not landlocked", 0, { question: "Is Kenya landlocked?" }],
	[B("yes"), "Yes and no", 0],
	[B("no"), "Yes and no", 0],
	[S("C++"), "C#", 0],
	[S("C"), "C++", 0],
	[S("+"), "−", 0],
	[S("+"), "", 0],
	[S("."), "", 0],
	[S("+"), ".", 0],
	[S("Matt Flynn"), "Flynn, Matt", 1],
	[S("USA"), "U.S.A.", 1],
	[S("H2O"), "H₂O", 1],
	[S("J. K. Rowling"), "Joanne K. Rowling", 1],
	[S("Zürich"), "Zu\u0308rich", 1],
	[S("Paris"), "\\boxed{Paris}", 1],
	[S("Paris"), "<answer>**Paris** [1]</answer>", 1],
	[S("Paris"), "The answer is Paris.", 1],
	[N(5.91, { unit: "million" }), "5.9 million", 1, { mode: "mmhops", question: "What is the population in millions?" }],
	[N(5.91, { unit: "million" }), "5.91", 1, { mode: "mmhops", question: "in millions?" }],
	[N(5.91, { unit: "million" }), "5.9 million", 1, { question: "population in millions?" }],
	[N(5910000), "5.91", 1, { question: "What is the population of Denmark in millions?" }],
	[N(5910000), "5.91", 0, { question: "What is the population of Denmark?" }],
	[
		{ type: "number", value: "5.91 million", number: { range: [5.319, 6.501], unit: "million" } },
		"5.9 million",
		1,
		{ question: "in millions" },
	],
	[
		{ type: "number", value: "5.91 million", number: { range: [5.319, 6.501], unit: "million" } },
		"5.91",
		1,
		{ question: "in millions" },
	],
	[{ type: "number", value: "five to six million", number: { range: [5e6, 6e6] } }, "five to six million", 1],
	[{ type: "number", value: "-", number: { range: [5e6, 6e6] } }, "five to six million", 1],
	[{ type: "number", value: "Five to six hundred thousand" }, "42", 0],
	[{ type: "number", value: "Five to six hundred thousand" }, "550,000", 1],
	[T("1981-01-01", "day"), "1981", 1, { mode: "mmhops" }],
	[T("1981-01-01", "day"), "1980", 1, { mode: "mmhops" }],
	[T("1981-01-01", "day"), "1 January 1982", 1, { mode: "mmhops" }],
	[T("1981-01-01", "day"), "2 January 1981", 0, { mode: "mmhops" }],
	[T("2020-12", "month"), "2020", 1, { mode: "mmhops" }],
	[N(2020, { kind: "year" }), "1930", 0],
	[N(15, { kind: "count" }), "16", 0],
	[N(15, { kind: "count", tolerance: 0.1 }), "16", 0],
	[N(100, { kind: "measure", tolerance: 0.05 }), "104", 1],
	[N(245), "zweihundertfünfundvierzig", 1, { language: "de" }],
	[T("1989-11-09", "day"), "9. November 1989", 1, { language: "de" }],
	[T("1990-10-03", "day"), "am 3. Oktober 1990", 1, { language: "de" }],
	[B("yes"), "Ja, beide.", 1, { language: "de" }],
	[N(3.5e9, { unit: "EUR" }), "3,5 Milliarden Euro", 1, { language: "de" }],
	[N(5e6), "about 5 million people", 1],
	[N(12), "12 (in 2019)", 1],
	[N(4, { kind: "ordinal" }), "the fourth", 1],
	[{ type: "number", value: "0101", number: { value: 101, kind: "identifier" } }, "101", 0],
	[{ type: "number", value: "0101", number: { value: 101, kind: "identifier" } }, "It is 0101.", 1],
	[S("Tiberius"), "Caligula or Tiberius", 0],
	[S("Paris"), "Lyon, not Paris", 0],
	[S("Paris"), "not Paris but Lyon", 0],
	[S("Paris"), "Paris and London", 0],
	[S("Paris"), "Paris Hilton", 0],
	[S("Paris"), "the mayor of Paris", 0],
	[S("Paris"), "Paris, London", 0],
	[S("Paris"), "Paris, France", 1],
	[S("Paris"), "It is Paris, the capital of France.", 1],
	[{ type: "none" }, "The document does not say.", 1],
	[{ type: "none" }, "Not stated, but probably Paris.", 0],
	[N(2e6, { kind: "count" }), "2", 0],
	[N(18, { kind: "count" }), "18", 1],
	[{ type: "number", value: "2 million", number: { value: 2000000, kind: "count" } }, "2", 0],
	[
		N(206, { kind: "count" }),
		"There are 206 bones in the adult human body.",
		1,
		{ question: "How many bones does an adult human have?" },
	],
	[N(12), "between 10 and 14", 0],
	[N(30), "It rose from 20 to 30.", 0],
	[N(3), "3 of 5", 1],
	[N(25, { unit: "%", kind: "share" }), "0.25", 1],
	[N(5), "5th", 0],
	[N(1776, { kind: "year" }), "in 1776 AD", 1],
	[N(37.5, { unit: "°C", kind: "measure" }), "99.5 °F", 1],
	[N(1000, { kind: "count" }), "a thousand", 1],
	[N(6, { kind: "count" }), "half a dozen", 1],
	[N(15, { kind: "count" }), "fifteen (15)", 1],
	[N(4, { kind: "count" }), "four to five", 0],
	[N(4, { kind: "count" }), "4, maybe 5", 0],
	[N(4, { kind: "count" }), "probably 4", 1],
	[N(4, { kind: "count" }), "Not 4.", 0],
	[N(4, { kind: "count" }), "It isn't 4", 0],
	[N(4, { kind: "count" }), "5, not 4", 0],
	[N(5, { kind: "count" }), "5, not 4", 1],
	[N(4, { kind: "count" }), "4+", 0],
	[N(4, { kind: "count" }), "nearly 4", 0],
	[N(4, { kind: "count" }), "4.0", 1],
	[N(-5, { unit: "°C" }), "minus 5 degrees Celsius", 1],
	[N(-5, { unit: "°C" }), "5 °C", 0],
	[N(1234567, { kind: "count" }), "1.2 million", 0],
	[N(1234567, { kind: "count" }), "1,234,567 people", 1],
	[N(8848.86, { unit: "m", kind: "measure" }), "8,849 m", 1],
	[N(8848.86, { unit: "m", kind: "measure" }), "29,032 ft", 1],
	[N(8848.86, { unit: "m", kind: "measure" }), "8,848 km", 0],
	[N(12, { kind: "count" }), "12 to 1", 0],
	[N(12, { kind: "count" }), "12/13", 0],
	[N(1969, { kind: "year" }), "the 1960s", 0],
	[N(1969, { kind: "year" }), "1968/69", 0],
	[N(1969, { kind: "year" }), "July 20, 1969", 1],
	[N(1969, { kind: "year" }), "1968–1969", 0],
	[N(20, { kind: "count" }), "July 20, 1969", 0],
	[N(3, { kind: "count" }), "There were 5 at first, then 3.", 0],
	[N(3, { kind: "count" }), "3 (three)", 1],
	[N(300, { unit: "km" }), "300 miles", 0],
	[N(300, { unit: "km" }), "300", 1],
	[N(300, { unit: "USD", kind: "money" }), "€300", 0],
	[N(300, { unit: "USD", kind: "money" }), "300 US dollars", 1],
	[N(0.25, { kind: "share" }), "25%", 1],
	[N(7, { kind: "count" }), "The total is 3 + 4 = 7.", 1],
	[N(7, { kind: "count" }), "7 = 3 + 4", 0],
];

describe("the asserted answer", () => {
	test.each(cases)("of %j against %j is scored %d", (gold, reply, value, more = {}) => {
		expect(typed(reply, gold, more)?.value).toBe(value);
	});

	test("is found in sentences by what the question asks", () => {
		const question = "Who directed the film that won the prize in Venice?";
		for (const reply of [
			"The film was directed by Agnès Varda.",
			"Agnès Varda directed the film.",
			"Therefore, the director of the film that won the prize in Venice is **Agnès Varda**.",
			"A. Varda",
			"Varda",
			'{"answer": "Agnes Varda"}',
		])
			expect([reply, typed(reply, S("Agnès Varda"), { question })?.value]).toEqual([reply, 1]);
		for (const reply of [
			"Agnès Varda or Louis Malle",
			"Louis Malle, not Agnès Varda",
			"The film was not directed by Agnès Varda.",
			"Agnès Varda's husband",
			"Rosalie Varda",
			"I am not sure whether it was Agnès Varda.",
			"",
		])
			expect([reply, typed(reply, S("Agnès Varda"), { question })?.value]).toEqual([reply, 0]);
		const father = { question: "Who is the father of Sigmund Freud?" };
		expect(typed("Freud", S("Jacob Freud"), father)?.value).toBe(0);
		expect(typed("Jacob Freud", S("Jacob Freud"), father)?.value).toBe(1);
	});
	test("of a passive sentence is who did it", () => {
		const question = "Who succeeded the emperor?";
		expect(typed("Tiberius was succeeded by Caligula.", S("Tiberius"), { question })?.value).toBe(0);
		expect(typed("Augustus was succeeded by Tiberius.", S("Tiberius"), { question })?.value).toBe(1);
	});
	test("of a text that is a date or a number is read as one", () => {
		expect(typed("27 July 1953", S("July 27, 1953"))?.value).toBe(1);
		expect(typed("July 1953", S("July 27, 1953"))?.value).toBe(0);
		expect(typed("320 kilometres per hour", S("320 km/h"))?.value).toBe(1);
		expect(typed("Boeing 474", S("Boeing 747"))?.value).toBe(0);
	});
	test("a published mode keeps its reading", () => {
		const year = N(2020);
		expect(typed("1930", year, { mode: "relative-10" })?.value).toBe(1);
		expect(typed("1930", year)?.value).toBe(0);
		expect(typed("Q#", S("Q"), { mode: "relative-10" })?.value).toBe(1);
		expect(typed("Q#", S("Q"))?.value).toBe(0);
	});
});

describe("mode mmhops", () => {
	const mode = "mmhops";
	test("gives measures a tenth and counts nothing", () => {
		expect(typed("125 km", N(120, { unit: "km", kind: "measure" }), { mode })?.value).toBe(1);
		expect(typed("16", N(15, { kind: "count" }), { mode })?.value).toBe(0);
		expect(typed("either 120 or 450 km", N(120, { unit: "km" }), { mode })?.value).toBe(0);
	});
	test("compares strings by exact match", () => {
		expect(typed("the Beatles!", S("Beatles"), { mode })?.value).toBe(1);
		expect(typed("It was the Beatles.", S("Beatles"), { mode })?.value).toBe(0);
	});
});

test("mode tracer-official compares with the record's final answer alone", () => {
	const answer = { type: "string", value: "118,218 entries", accepted: ["118,218 entries", "118218"] };
	expect(typed("118218", answer, { mode: "tracer-official" })?.value).toBe(0);
	expect(typed("118,218 Entries.", answer, { mode: "tracer-official" })?.value).toBe(1);
	expect(typed("118218", answer)?.value).toBe(1);
});

/** Worked by hand through `eval_score.py`. */
describe("mode mmlongbench", () => {
	const mode = "mmlongbench";
	const whole = { type: "number", value: "204", accepted: ["204"], number: { value: 204 } };
	const float = { type: "number", value: "56.8", accepted: ["56.8"], number: { value: 56.8 } };
	const list = (value: string, ...items: string[]) => ({ type: "list", value, accepted: [value], items });
	test.each<[object, string, number]>([
		[whole, "204", 1],
		[whole, "204.9", 1],
		[whole, "204 examples", 0],
		[float, "56.8%", 1],
		[float, "0.568", 1],
		[float, "5680", 1],
		[float, "57.2", 1],
		[float, "58", 0],
		[float, "$56.8 (F1)", 1],
		[S("ProofWriter"), "proofwriter", 1],
		[S("ProofWriter"), "ProofWriters", 1 - 1 / 12],
		[S("ProofWriter"), "FOLIO", 0],
		[S("page 12"), "page 13", 0],
		[S("2021-05"), "2021-06", 0],
		[{ type: "boolean", value: "yes", accepted: ["Yes"] }, "yes", 1],
		[{ type: "none", value: "Not answerable", accepted: ["Not answerable"] }, "not answerable", 1],
		[{ type: "none", value: "Not answerable", accepted: ["Not answerable"] }, "204", 0],
		[list("['64.3', '62.4']", "64.3", "62.4"), "['62.4', '64.3']", 1],
		[list("['64.3', '62.4']", "64.3", "62.4"), "['62.4', '64.4']", 0],
		[list("['Fact Checker']", "Fact Checker"), "Fact Checker", 1],
		[list("['Fact Checker']", "Fact Checker"), "['Fact Checker', 'x']", 0],
	])("scores %j against %j as %d", (answer, reply, value) => {
		expect(typed(reply, answer, { mode })?.value).toBeCloseTo(value, 12);
	});
});

describe("hostile replies", () => {
	const golds = [S("Paris"), N(5, { unit: "km" }), T("1900", "year"), B("no"), L("a", "b and c"), { type: "none" }];
	const pieces = [
		"**",
		"(",
		"[1]",
		"not ",
		"the answer is ",
		"\\boxed{",
		"<answer>",
		"1 or ",
		"a, ",
		"Paris ",
		"=1",
		"1:1",
		"$1 ",
		"`",
		"1.",
		"\n- ",
		"_x_ ",
		"of the ",
		"\ud800",
		"and a half ",
	];
	longTest("of 100,000 characters are read in bounded time", () => {
		const started = process.cpuUsage();
		for (const piece of pieces)
			for (const gold of golds)
				expect([0, 1]).toContain(typed(piece.repeat(100_000 / piece.length), gold, { question: "Who is it?" })?.value);
		expect(process.cpuUsage(started).user / 1000).toBeLessThan(60_000);
	});
	test("get a verdict, whatever they hold", () => {
		const part = fc.oneof(
			fc.constantFrom(...pieces, "__proto__", "constructor", "toString", "5", "km", "1900"),
			fc.string({ unit: "binary", maxLength: 6 }),
		);
		fc.assert(
			fc.property(fc.array(part, { maxLength: 12 }), fc.array(part, { maxLength: 4 }), (reply, question) => {
				for (const gold of golds)
					expect([0, 1]).toContain(typed(reply.join(""), gold, { question: question.join("") })?.value);
				for (const mode of ["mmhops", "mmlongbench", "tracer-official"])
					expect(typed(reply.join(""), golds[0] ?? {}, { mode })?.value).not.toBeNaN();
			}),
			{ numRuns: 100 },
		);
	});
	test("a gold is right against itself", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }), (text) => {
				if (text.trim() !== "") expect(typed(text, S(text))?.value).toBe(1);
			}),
		);
	});
});

const trajectories = "../shared/data/trajectories/r1searcher_bamboogle_qwen.jsonl";
test.skipIf(!existsSync(trajectories))("a real run is scored nearer its judge than by exact match", () => {
	const rows = readFileSync(trajectories, "utf8")
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	let [agreed, exact] = [0, 0];
	for (const { question, answer, pred_ans: said, gpt4o_output: judged } of rows) {
		if (Number(typed(said, S(answer), { question })?.value === 1) === Number(judged === "True")) agreed += 1;
		if (Number(typed(said, S(answer), { mode: "relative-10" })?.value === 1) === Number(judged === "True")) exact += 1;
	}
	expect(agreed).toBeGreaterThan(exact);
	expect(agreed / rows.length).toBeGreaterThan(0.95);
});
