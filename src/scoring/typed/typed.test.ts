import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { metrics } from "#scoring";
import { longTest } from "../../../test/long.ts";
import { infoseekNumberScore, readInfoseekNumber } from "./infoseek-number.ts";

const compute = (prediction: string | null, answer: object, more = {}) =>
	metrics.typed?.measure({ prediction, answer, ...more }).result;
const typed = (prediction: string, answer: object, more = {}) => compute(prediction, answer, more)?.value;

describe("numbers", () => {
	test("K is the kelvin sign where the gold is a temperature, and a thousand elsewhere", () => {
		const melting = { type: "number", value: "2,607 K", number: { value: 2607, unit: "K", range: [2580, 2633] } };
		for (const prediction of ["2,607 K", "2607K", "2,607 kelvins", "2334 °C", "about 2.6 thousand K"])
			expect([prediction, typed(prediction, melting)]).toEqual([prediction, 1]);
		for (const prediction of ["2,607 °C", "2.6 K"])
			expect([prediction, typed(prediction, melting)]).toEqual([prediction, 0]);
		expect(typed("5K", { type: "number", value: "5000", number: { value: 5000 } })).toBe(1);
	});
	const area = { type: "number", value: "1,285,216 km²", number: { value: 1285216, unit: "km²", tolerance: 0.1 } };
	test.each([
		"1,285,216 km²",
		"about 1.29 million square kilometres",
		"1.285.216 km²",
		"1,285,216",
		"1 285 216 km2",
		"1,29 millones de kilómetros cuadrados",
		"It is 496,225 square miles.",
		"128,521,600 hectares",
		"between 1.2 and 1.3 million km²",
		"The area (2021) is 1,285,216 km².",
		"In 2019 it was 1,285,216 km².",
		"one million two hundred and eighty-five thousand square kilometres",
	])("%j states 1,285,216 km²", (prediction) => {
		expect(typed(prediction, area)).toBe(1);
	});
	test.each([
		"1,285,216 km",
		"1285",
		"about 2 million km²",
		"between 1 and 900 million km²",
		"no idea",
		"",
		"12.85.216.1",
		"5 people",
	])("%j does not", (prediction) => {
		expect(typed(prediction, area)).toBe(0);
	});

	test.each([
		["12,5 %", 12.5],
		["12.5 percent", 12.5],
		["3 500", 3500],
		["3.500", 3500, "es"],
		["1,285", 1285],
		["1.285", 1.285],
		["2 mil millones", 2e9],
		["dos millones quinientos mil", 2500000],
		["treinta y cinco", 35],
		["twenty-five", 25],
		["half a million", 500000],
		["three point five", 3.5],
		["US$5.2 billion", 5.2e9],
		["−40 °C", -40],
		["1.2×10⁶", 1.2e6],
		["½", 0.5],
		["٣", 3],
		["0,125", 0.125],
	])("%j reads as %d", (prediction, expected, language = "en") => {
		const answer = { type: "number", value: String(expected), number: { value: expected, tolerance: 1e-9 } };
		expect(typed(prediction, answer, { language })).toBe(1);
	});

	test.each([
		"25 percent",
		"25 per cent",
		"25 por ciento",
		"25 %",
		"250 per mille",
		"250 por mil",
	])("%j is a share, and no length", (prediction) => {
		expect(typed(prediction, { type: "number", value: "0.25" })).toBe(1);
		expect(typed(prediction, { type: "number", value: "25 %" })).toBe(1);
		expect(typed(prediction, { type: "number", value: "25 km", number: { value: 25, unit: "km" } })).toBe(0);
	});
	test.each([
		"25 per km²",
		"25 people/km2",
		"25 habitantes por kilómetro cuadrado",
		"64.75 inhabitants per square mile",
	])("%j is a density", (prediction) => {
		expect(typed(prediction, { type: "number", value: "25", number: { value: 25, unit: "people per km²" } })).toBe(1);
		expect(typed(prediction, { type: "number", value: "25 %", number: { value: 25, unit: "%" } })).toBe(0);
	});

	test("gold and prediction are read by the same language, and the accepted text is right as it stands", () => {
		const spanish = { type: "number", value: "1.285 km" };
		expect(typed("1285 km", spanish, { language: "es" })).toBe(1);
		expect(typed("1.285 km", spanish, { language: "es" })).toBe(1);
		expect(typed("1.285 km", spanish, { language: "en" })).toBe(1);
		expect(typed("1285 km", spanish, { language: "en" })).toBe(0);
		const odd = { type: "number", value: "1.285 km", number: { value: 1285, unit: "km" } };
		for (const mode of ["hopscope", "relative-10", "absolute-0.1", "mmhops"])
			expect(compute(" 1.285  KM ", odd, { mode })).toMatchObject({ value: 1 });
		expect(typed("125", { type: "number", value: "12.5" })).toBe(0);
		expect(compute("A dozen", { type: "number", value: "12", accepted: ["dozen"] })).toMatchObject({ value: 1 });
	});

	test("relative-10 and absolute-0.1 are two readings, and the result names which", () => {
		const mode = "relative-10";
		const answer = { type: "number", value: "120", number: { value: 120 } };
		expect(compute("about 125 km", answer)).toMatchObject({ value: 0, mode: "hopscope", rule: "exact" });
		expect(compute("about 125 km", answer, { mode })).toMatchObject({ value: 1, rule: mode, gold: [108, 132] });
		expect(compute("125", answer, { mode: "absolute-0.1" })).toMatchObject({ value: 0, rule: "absolute-0.1" });
		expect(typed("120.05", answer, { mode: "absolute-0.1" })).toBe(1);
		expect(typed("108", answer, { mode })).toBe(1);
		expect(typed("107.9", answer, { mode })).toBe(0);
	});

	test("a negative gold has a sorted interval, which InfoSeek's script has not", () => {
		const answer = { type: "number", value: "-10", number: { value: -10 } };
		expect(typed("-10.5", answer, { mode: "relative-10" })).toBe(1);
		expect(typed("10.5", answer, { mode: "relative-10" })).toBe(0);
		expect(typed("-10", answer, { mode: "infoseek-2023" })).toBe(0);
	});

	test("the benchmark's own range counts, and its tolerance", () => {
		const answer = { type: "number", value: "100", number: { value: 100, range: [99, 101] } };
		expect(compute("95", answer)).toMatchObject({ value: 0, rule: "range" });
		expect(typed("100.9", answer, { mode: "absolute-0.1" })).toBe(1);
		expect(typed("104", { type: "number", value: "100", number: { value: 100, tolerance: 0.05 } })).toBe(1);
	});

	test("a predicted range is right inside the gold, or with intersection over union of a half", () => {
		const answer = { type: "number", value: "5", number: { value: 5, range: [4, 6] } };
		expect(typed("between 4.5 and 5", answer)).toBe(1);
		expect(typed("4 to 8", answer)).toBe(1);
		expect(typed("4 to 8.1", answer)).toBe(0);
		expect(typed("0-6", answer)).toBe(0);
	});

	test("what a caller of another language leaves out is read from the value", () => {
		expect(typed("120", { type: "number", value: "120", number: { value: 120 } })).toBe(1);
		expect(typed("120", { type: "number", value: 120 })).toBe(1);
		expect(typed("120 km", { type: "number", value: "120 km" })).toBe(1);
		expect(typed("120,000 m", { type: "number", value: "120 km" })).toBe(1);
		expect(typed("1", { type: "number", number: { range: [0.9, 1.1] } })).toBe(1);
		expect(compute("1", { type: "number", value: "many" })).toMatchObject({ value: null });
	});
});

describe("times", () => {
	const year = { type: "time", value: "1776", time: { iso: "1776", precision: "year" } };
	const day = { type: "time", value: "4 July 1776", time: { iso: "1776-07-04", precision: "day" } };
	test.each(["1776", "1775", "in 1777", "July 4, 1776", "around 1776."])("%j is within a year of 1776", (text) => {
		expect(typed(text, year, { mode: "relative-10" })).toBe(1);
		expect(typed(text, year)).toBe(/1775|1777/.test(text) ? 0 : 1);
	});
	test.each(["1774", "the 1770s", "17760", "unknown"])("%j is not", (text) => {
		expect(typed(text, year)).toBe(0);
	});
	test.each([
		"4 July 1776",
		"July 4, 1776",
		"1776-07-04",
		"4 de julio de 1776",
		"el 4 de julio del 1776",
		"the 4th of July, 1776",
		"04/07/1776",
	])("%j is that day", (text) => {
		expect(typed(text, day)).toBe(1);
	});
	test.each(["1776", "4 July 1777", "5 July 1776", "July 1776", "1776-04-08"])("%j is not that day", (text) => {
		expect(typed(text, day)).toBe(0);
	});
	test("mode mmhops accepts a bare year and the same day in a neighbouring year", () => {
		expect(typed("1776", day, { mode: "mmhops" })).toBe(1);
		expect(typed("4 July 1777", day, { mode: "mmhops" })).toBe(1);
		expect(typed("5 July 1776", day, { mode: "mmhops" })).toBe(0);
		expect(typed("1777", day, { mode: "mmhops" })).toBe(1);
		expect(typed("1778", day, { mode: "mmhops" })).toBe(0);
	});
	test("years before our era count through without a year 0", () => {
		const gold = { type: "time", value: "1 BC", time: { iso: "-0001", precision: "year" } };
		expect(typed("1 BC", gold)).toBe(1);
		expect(typed("AD 1", gold)).toBe(0);
		for (const mode of ["relative-10", "mmhops"]) expect(typed("AD 1", gold, { mode })).toBe(1);
		expect(typed("44 BC", { type: "time", value: "44 BC" })).toBe(1);
		expect(typed("44 a. C.", { type: "time", value: "44 BC" })).toBe(1);
		expect(typed("AD 44", { type: "time", value: "44 BC" })).toBe(0);
	});
	test("InfoSeek matches its listed forms only", () => {
		const gold = { type: "time", value: "1990", accepted: ["1990", "1989", "1991"] };
		expect(typed("1989", gold, { mode: "infoseek-2023" })).toBe(1);
		expect(typed("in 1990", gold, { mode: "infoseek-2023" })).toBe(0);
		expect(typed("in 1990", gold)).toBe(1);
	});
});

describe("other answers", () => {
	test("strings by exact match", () => {
		expect(typed("the Beatles", { type: "string", value: "Beatles" })).toBe(1);
		expect(typed("Los Angeles", { type: "string", value: "LA", accepted: ["LA", "Los Angeles"] })).toBe(1);
		expect(typed("London", { type: "string", value: "Paris" })).toBe(0);
	});
	test("yes or no by the first word", () => {
		expect(typed("Yes, both are.", { type: "boolean", value: "yes" })).toBe(1);
		expect(typed("Sí", { type: "boolean", value: true })).toBe(1);
		expect(typed("No.", { type: "boolean", value: "yes" })).toBe(0);
		expect(typed("Yes and no", { type: "boolean", value: "yes" })).toBe(0);
		expect(typed("No idea", { type: "boolean", value: "no" })).toBe(0);
		expect(typed("Norway", { type: "boolean", value: "no" })).toBe(0);
		for (const text of ["No, se encuentran en países distintos.", "No se encuentran en el mismo país"])
			expect([typed(text, { type: "boolean", value: "no" }), typed(text, { type: "boolean", value: "yes" })]).toEqual([
				1, 0,
			]);
		for (const text of ["No se sabe.", "No lo sé", "No se puede responder"])
			expect(typed(text, { type: "boolean", value: "no" })).toBe(0);
	});
	test("lists as sets", () => {
		const answer = { type: "list", items: ["Trinidad and Tobago", "Cuba", "Haiti"] };
		expect(typed("Cuba, Haiti, and Trinidad and Tobago", answer)).toBe(1);
		expect(typed("- Haiti\n- Cuba\n- Trinidad and Tobago", answer)).toBe(1);
		expect(compute("Cuba and Haiti", answer)).toMatchObject({ value: 0, common: 2, gold: 3 });
		expect(typed("Cuba, Haiti, Jamaica, Trinidad and Tobago", answer)).toBe(0);
	});
	test("items that hold a separator themselves are found before the text is split", () => {
		const cities = { type: "list", items: ["Paris", "Washington, D.C."] };
		for (const text of [
			"Paris; Washington, D.C.",
			"Washington, D.C. and Paris.",
			"1. Paris\n2. Washington DC",
			"Washington, D.C., Paris",
		])
			expect([text, typed(text, cities)]).toEqual([text, 1]);
		for (const text of [
			"Paris, Washington",
			"Paris; Washington, D.C.; Rome",
			"Paris; Washington; D.C.",
			"Paris; New Washington, D.C.",
		])
			expect([text, typed(text, cities)]).toEqual([text, 0]);
		const countries = { type: "list", items: ["Croatia", "Serbia", "the Bosnia and Herzegovina"] };
		expect(typed("Croatia, Bosnia and Herzegovina and Serbia", countries)).toBe(1);
		expect(compute("Croatia, Bosnia and Serbia", countries)).toMatchObject({ value: 0, common: 2 });
		const nested = { type: "list", items: ["Serbia", "Serbia and Montenegro"] };
		expect(typed("Serbia and Montenegro and Serbia", nested)).toBe(1);
		expect(typed("Serbia and Montenegro", nested)).toBe(0);
	});
	test("where there is no answer, declining is right", () => {
		expect(typed("I don't know.", { type: "none" })).toBe(1);
		expect(typed("I cannot answer this question. Too little is known.", { type: "none" })).toBe(1);
		expect(typed("Paris", { type: "none", value: "" })).toBe(0);
	});
	test("no prediction is unscored", () => {
		expect(compute(null, { type: "string", value: "x" })).toEqual({
			value: null,
			is: "unscored",
			reason: "no prediction",
		});
	});
});

describe("InfoSeek's script", () => {
	test.each([
		["10 million", 10],
		["US$5.2 billion", 5.2],
		["1/2", [1, 2]],
		["20 to 10", 20],
		["1,0000", 10000],
		["-5--3", [-5, -3]],
		[".5", 5],
		["", [0, 0]],
		["12,34", [12, 34]],
		["٣", 3],
	])("%j reads as %j", (text, expected) => {
		expect(readInfoseekNumber(text)).toEqual(expected);
	});
	const golden = "../shared/golden/infoseek.json";
	test.skipIf(!existsSync(golden))("agrees with the reference values", () => {
		const cases = JSON.parse(readFileSync(golden, "utf8"));
		for (const [text, expected] of cases.process_numerical_answer) expect(readInfoseekNumber(text)).toEqual(expected);
		for (const [prediction, gold, expected] of cases.metric_numerical_range)
			expect(infoseekNumberScore(prediction, gold)).toBe(expected);
		const { refs, preds, result } = cases.full_example;
		const values = refs.map((ref: { answer_eval: string[]; question_type: string }, index: number) => {
			const { prediction } = preds[index];
			const [low, high] = ref.answer_eval.map(Number);
			const answer =
				ref.question_type === "Numerical"
					? { type: "number", number: { range: [low, high] } }
					: { type: ref.question_type.toLowerCase(), value: ref.answer_eval[0], accepted: ref.answer_eval };
			return typed(prediction, answer, { mode: "infoseek-2023" });
		});
		expect(values).toEqual([1, 1, 0]);
		expect(result.unseen_question_score.score).toBe(50);
	});
});

longTest("any text gets a verdict, quickly, and any gold number is right against itself", () => {
	fc.assert(
		fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
			for (const answer of [
				{ type: "number", value: "5" },
				{ type: "time", value: "1900" },
				{ type: "list", items: ["a"] },
				{ type: "boolean", value: "no" },
				{ type: "none" },
			])
				expect([0, 1]).toContain(typed(text, answer));
		}),
	);
	fc.assert(
		fc.property(fc.integer({ min: -1e9, max: 1e9 }), (gold) => {
			expect(typed(String(gold), { type: "number", value: "x", number: { value: gold } })).toBe(1);
			expect(typed(gold.toLocaleString("en"), { type: "number", value: "x", number: { value: gold } })).toBe(1);
		}),
	);
	const started = process.cpuUsage();
	for (const text of ["1,".repeat(30_000), "1 000 ".repeat(20_000), "between ".repeat(9_000), " ".repeat(100_000)])
		for (const type of ["number", "time", "list", "none"]) typed(text, { type, value: "1900" });
	expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
});
