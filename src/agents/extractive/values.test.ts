import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entityOfCaption } from "./captions.ts";
import { partsOf } from "./passage-parts.ts";
import { datesIn, dayNumber, quantitiesIn } from "./quantities.ts";
import { agree, calculate, readValue, transformed } from "./values.ts";

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
	test("letters and days", () => {
		const on = (transform: Parameters<typeof transformed>[0], text: string) =>
			transformed(transform, value(text))?.text;
		expect(on({ do: "name-part", part: "last" }, "Anna Rehn")).toBe("Rehn");
		expect(on({ do: "letter", at: "last", among: "vowels" }, "Quito")).toBe("o");
		expect(on({ do: "count", what: "letters", unique: true }, "Anna")).toBe("2");
		expect(on({ do: "code", base: 10 }, "t")).toBe("116");
		expect(on({ do: "shift", amount: 4, unit: "month", result: "date" }, "January 22, 1982")).toBe("1982-05-22");
		expect(on({ do: "shift", amount: 1, unit: "month", result: "date" }, "31 January 2023")).toBe("2023-02-28");
		expect(on({ do: "shift", amount: -1, unit: "day", result: "date" }, "1 March 2024")).toBe("2024-02-29");
		expect(on({ do: "weekday" }, "27 June 1839")).toBe("Thursday");
		expect(on({ do: "weekday" }, "1839")).toBeUndefined();
	});
	test("days shift there and back", () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 9000 }), fc.integer({ min: -4000, max: 4000 }), (start, amount) => {
				const from = new Date(Date.UTC(1990, 0, 1) + start * 86_400_000).toISOString().slice(0, 10);
				const there = transformed({ do: "shift", amount, unit: "day", result: "date" }, value(from));
				const [a] = datesIn(from);
				expect(there?.date && a && dayNumber(there.date) - dayNumber(a)).toBe(amount);
			}),
		);
	});
});

describe("captions", () => {
	test.each([
		["Crest of Velmora", "Velmora"],
		["Velmora (crest)", "Velmora"],
		["Outline map of the Isle of Man", "Isle of Man"],
		["Velmora, outline without names", "Velmora"],
		["United Towns of the North", "United Towns of the North"],
		["Escudo de Velmora", "Velmora"],
	])("%s", (title, name) => expect(entityOfCaption(title, "")).toBe(name));
	test("a title that says nothing yields to the caption", () => {
		expect(entityOfCaption("image 12", "Crest of Velmora")).toBe("Velmora");
		expect(entityOfCaption("", "")).toBeUndefined();
	});
});
