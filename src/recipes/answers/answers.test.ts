import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Answer } from "#domain";
import { isTypedRight } from "#scoring";
import { isoDate, timeForms, yearlessForms } from "./time-forms.ts";
import { type ReadingOptions, typedAnswer, withAliases } from "./typed-answer.ts";

const read = (text: string, options: ReadingOptions = {}): Answer => {
	const answer = typedAnswer(text, options);
	if ("vague" in answer) throw new RangeError(answer.vague);
	return answer;
};

describe("MMhops-R1's examples of answer types and forms", () => {
	test.each([
		["1897", "When did the Brooklyn Museum open?", "time"],
		["50% to 80%", "What percentage of all genera of land plants were angiosperms?", "number"],
		["Two", "How many living subdivisions does Cryptobranchoidea have?", "number"],
		["Zebedee", "Who was John the Apostle's father?", "string"],
		["16th century", "When did the dominance of Gothic architecture begin to wane?", "string"],
		["4th", "Which?", "string"],
		["1 January 1981", "When did Greece become the tenth member of the European Communities?", "time"],
	])("%s", (text, question, type) => expect(read(text, { question }).type).toBe(type));

	test.each([
		["¿En qué año abrió el museo?", "time"],
		["Quand le musée a-t-il ouvert ?", "time"],
		["Wann wurde das Museum eröffnet?", "time"],
		["この博物館は何年に開館しましたか", "time"],
		["¿Cuántas piezas tiene el museo?", "number"],
		["Wie viele Stücke hat das Museum?", "number"],
	])("1897 is what is asked for: %s", (question, type) => expect(read("1897", { question }).type).toBe(type));

	test("an estimate is vague", () => {
		for (const text of ["almost 60", "about 1,000 km", "several", "more than two hundred", "many species", ""])
			expect(typedAnswer(text), text).toHaveProperty("vague");
		for (const text of ["About Schmidt", "Some Like It Hot", "Over the Rainbow", "Around the World"])
			expect(typedAnswer(text), text).toMatchObject({ type: "string" });
	});
	test("numbers, with unit and range", () => {
		expect(read("77%")).toMatchObject({ value: "77%", number: { value: 77, unit: "%" } });
		expect(read("50% to 80%")).toMatchObject({ number: { value: 65, range: [50, 80], unit: "%" } });
		expect(read("21 to 35 (°C)")).toMatchObject({ number: { value: 28, range: [21, 35], unit: "°C" } });
		expect(read("54 cm")).toMatchObject({ value: "54 cm", number: { value: 54, unit: "cm" } });
		expect(read("Two")).toMatchObject({ value: "2", number: { value: 2 } });
		const denmark = read("5.91 million", { scaled: true });
		expect(denmark).toMatchObject({ value: "5.91 million", number: { value: 5_910_000 } });
		for (const said of ["5.91 million", "5,910,000", "5.91"]) expect(isTypedRight(said, denmark), said).toBe(true);
		expect(isTypedRight("5.91", read("5.91 million"))).toBe(false);
	});
	test("a day of every year", () => {
		expect(yearlessForms({ month: 11, day: 4 })).toEqual([
			"4 November",
			"November 4",
			"4th November",
			"November 4th",
			"4 11",
			"11 4",
		]);
		expect(read("4 November")).toMatchObject({ type: "string", value: "4 November" });
		expect(read("November 4th").accepted).toContain("4 November");
	});
	test("where the published lists take a wrong day for right, the typed time does not", () => {
		const greece = read("1 January 1981");
		for (const said of ["January 1, 1981", "1981-01-01", "1 Jan 1981"])
			expect(isTypedRight(said, greece), said).toBe(true);
		for (const said of ["1981", "1 January 1980", "2 January 1981"])
			expect(isTypedRight(said, greece), said).toBe(false);
		expect(isTypedRight("1898", read("1897"))).toBe(false);
	});
});

describe("AgenticRAGTracer's forms", () => {
	test("dates, shares, money and units are written in one way", () => {
		expect(read("January 26, 1977").value).toBe("1977-01-26");
		for (const form of ["1977-01-26", "1977 01 26", "1977.01.26", "January 26, 1977", "26 Jan 1977", "Jan 26, 1977"])
			expect(timeForms({ year: 1977, month: 1, day: 26 })).toContain(form);
		expect(read("eight percent").value).toBe("8%");
		expect(read("8 percent").value).toBe("8%");
		expect(read("1000 dollars").value).toBe("$1,000");
		expect(read("$1,000")).toMatchObject({ value: "$1,000", number: { value: 1000, unit: "$" } });
		expect(read("5kg").accepted).toEqual(expect.arrayContaining(["5 kg", "5kg"]));
		expect(read("4,586 K", { question: "What is the effective temperature of Omega Persei?" })).toMatchObject({
			number: { value: 4586, unit: "K" },
		});
		expect(read("118,218 entries")).toMatchObject({ type: "number", number: { value: 118218 } });
		expect(read("The 9th edition.")).toMatchObject({ type: "string", value: "The 9th edition" });
		expect(read("yes")).toMatchObject({ type: "boolean", value: "yes" });
	});
	test("a number keeps its unit, and what it counts where that is wanted", () => {
		// no question says so, yet no amount of thousands is written like this
		expect(read("4,586 K")).toMatchObject({ value: "4,586 K", number: { value: 4586, unit: "K" } });
		expect(read("5,421 kelvins", { question: "How hot is it?" }).value).toBe("5,421 K");
		expect(read("586 K", { question: "How many were sold?" })).toMatchObject({ number: { value: 586_000 } });
		const counted = (text: string) => read(text, { question: "How many has it?", counted: true });
		expect(counted("118,218 entries")).toMatchObject({
			...{ value: "118,218 entries", number: { value: 118_218, unit: "entries", kind: "count" } },
			accepted: ["118,218 entries", "118,218entries", "118,218", "118218"],
		});
		expect(counted("3.5 million people")).toMatchObject({ value: "3.5 million people", number: { unit: "people" } });
		expect(counted("10 to 12 houses")).toMatchObject({ number: { range: [10, 12], unit: "houses" } });
		expect(counted("twenty-seven cardinals")).toMatchObject({ number: { value: 27, unit: "cardinals" } });
		for (const bare of ["27", "1,000", "3.5 million", "twelve"])
			expect(counted(bare)).toMatchObject({ type: "number", number: expect.not.objectContaining({ unit: "" }) });
		for (const said of ["118218", "118,218", "118,218 entries", "It has 118,218 entries."])
			expect(isTypedRight(said, counted("118,218 entries")), said).toBe(true);
		expect(isTypedRight("118,000 entries", counted("118,218 entries"))).toBe(false);
	});
	test("names that look like numbers are names", () => {
		for (const text of ["7 Seconds", "Blink-182", "The 39 Steps", "16th Army", "U2", "Boeing 747", "July 1-27, 1886"])
			expect(read(text).type, text).toBe("string");
		expect(read("2001", { question: "Which film did Kubrick direct?" }).type).toBe("number");
	});
	test("other names come after the own one, none that is another answer", () => {
		const city = withAliases(read("New York City"), ["NYC", " The Big Apple ", "NYC", "?", "Venice"], ["venice"]);
		expect(city.accepted).toEqual(["New York City", "NYC", "The Big Apple"]);
		expect(withAliases(read("1897"), ["the year 97"]).accepted).not.toContain("the year 97");
	});
});

describe("properties", () => {
	test("what is written as accepted is right", () => {
		const date = fc.record({
			year: fc.integer({ min: 1000, max: 2100 }),
			month: fc.integer({ min: 1, max: 12 }),
			day: fc.integer({ min: 1, max: 28 }),
		});
		fc.assert(
			fc.property(date, (day) => {
				const answer = read(isoDate(day));
				expect(answer.type).toBe("time");
				for (const form of timeForms(day)) expect(isTypedRight(form, answer), form).toBe(true);
			}),
		);
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 999_999 }),
				fc.constantFrom("", " km", "%", " kg", " people"),
				(value, unit) => {
					const answer = read(`${value}${unit}`, { question: "How many?" });
					expect(answer).toMatchObject({ type: "number", number: { value } });
					for (const form of answer.accepted) expect(isTypedRight(form, answer), form).toBe(true);
				},
			),
		);
	});
	test("any text is read or vague, and its own words are right", () => {
		fc.assert(
			fc.property(fc.string({ minLength: 1, maxLength: 40 }), (text) => {
				const answer = typedAnswer(text);
				if (!("vague" in answer)) expect(answer.accepted).toContain(answer.value);
			}),
		);
	});
});
