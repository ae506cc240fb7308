import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { partsOf } from "./passage-parts.ts";
import { datesIn, quantitiesIn } from "./quantities.ts";
import { agree, calculate, readValue } from "./values.ts";

describe("numbers and dates in text", () => {
	test.each([
		["It covers 1,285,216 km² in all.", "en", 1285216, "km²"],
		["Ocupa 1.285.216 km².", "es", 1285216, "km²"],
		["Mide 1.285 km.", "es", 1285, "km"],
		["It is 1.285 km long.", "en", 1.285, "km"],
		["Mide 3,5 m.", "es", 3.5, "m"],
		["about 2.5 million people", "en", 2_500_000, "people"],
		["48 200 inhabitants", "en", 48200, "inhabitants"],
		["a share of 34.6% then", "en", 34.6, "%"],
		["−12 m below", "en", -12, "m"],
	])("%s", (text, language, value, unit) => {
		expect(quantitiesIn(text, { language })[0]).toMatchObject({ value, unit });
	});
	test.each([
		["born 3 November 1929 in Lima", { year: 1929, month: 11, day: 3 }],
		["on November 3, 1929.", { year: 1929, month: 11, day: 3 }],
		["el 3 de noviembre de 1929", { year: 1929, month: 11, day: 3 }],
		["1929-11-03", { year: 1929, month: 11, day: 3 }],
		["in June 1995", { year: 1995, month: 6 }],
		["founded in 1978,", { year: 1978 }],
	])("%s", (text, date) => expect(datesIn(text)[0]).toMatchObject(date));
	test("an impossible date is no date", () => {
		expect(datesIn("1999-45-99").filter((date) => date.month !== undefined)).toEqual([]);
	});
	test("any text is read in bounded time, and what is found lies in it", () => {
		fc.assert(
			fc.property(fc.string({ maxLength: 400 }), (text) => {
				for (const found of [...quantitiesIn(text), ...datesIn(text)]) {
					expect(found.start).toBeGreaterThanOrEqual(0);
					expect(found.end).toBeLessThanOrEqual(text.length);
				}
			}),
		);
		const started = process.cpuUsage();
		for (const text of ["1,".repeat(50_000), "1 ".repeat(50_000), "January ".repeat(20_000), "9".repeat(100_000)]) {
			quantitiesIn(text);
			datesIn(text);
			partsOf(text);
		}
		expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
	});
});

describe("what is computed", () => {
	const value = (text: string) => readValue(text);
	test("arithmetic keeps the unit", () => {
		expect(calculate("sum", [value("3 km"), value("4.5 km")])).toMatchObject({ text: "7.5 km" });
		expect(calculate("difference", [value("3 km"), value("10 km")])).toMatchObject({ text: "7 km" });
		expect(calculate("mean", [value("1 m"), value("2 m"), value("6 m")])).toMatchObject({ text: "3 m" });
		expect(calculate("ratio", [value("9 km"), value("3 km")])).toMatchObject({ text: "3" });
		expect(calculate("ratio", [value("9"), value("0")])).toBeUndefined();
		expect(calculate("sum", [value("many"), value("3")])).toBeUndefined();
	});
	test("years between dates", () => {
		expect(calculate("difference", [value("3 May 1712"), value("1 June 1750")])).toMatchObject({ text: "38" });
	});
	test("agreement", () => {
		expect(agree(value("the Netherlands"), value("Netherlands"))).toBe(true);
		expect(agree(value("Peru"), value("Chile"))).toBe(false);
		expect(agree(value("1,000"), value("1000"))).toBe(true);
	});
});
