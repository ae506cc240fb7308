import { describe, expect, test } from "vitest";
import { readValue } from "../reading/values.ts";
import type { Observation } from "../tools/tools.ts";
import { entityOfCaption } from "./captions.ts";
import { judge, read, type Sought } from "./read.ts";
import { splitTransform } from "./transform.ts";

const results = (...passages: [title: string, text: string][]): Observation["results"] =>
	passages.map(([title, text], index) => ({
		id: `p${index}`,
		score: 1,
		rank: index + 1,
		kind: "passage",
		document: title,
		title,
		snippet: "",
		language: "en",
		text,
	}));
const best = (found: Observation["results"], sought: Partial<Sought> & { words: string; known: string }) =>
	read(found, { want: "any", given: [], ...sought })[0]?.text;

describe("spans of sentences", () => {
	const rehn: [string, string] = [
		"Anna Rehn",
		"Anna Rehn (3 May 1901 – 9 June 1980) was a painter born in Quill. She was the daughter of Ole Rehn and Ida Sand. In 1930 she married Karl Voss.",
	];
	test.each([
		["married", "person", "Karl Voss"],
		["painter born", "any", "Quill"],
	] as const)("%s", (words, want, answer) =>
		expect(best(results(rehn), { words, known: "Anna Rehn", want })).toBe(answer));

	test("a neighbour's fact is not the subject's", () => {
		const found = results(["Velmora", "To the south lies Ostral, whose capital is Quill. Its capital is Tessin Bay."]);
		expect(best(found, { words: "capital", known: "Velmora" })).toBe("Tessin Bay");
		expect(best(found, { words: "capital", known: "Ostral" })).toBe("Quill");
	});
	test("a passage's subject answers from the other end", () => {
		const found = results(["Velmora", "Velmora is a country. Its capital is Tessin Bay."]);
		expect(best(found, { words: "country capital", known: "Tessin Bay" })).toBe("Velmora");
	});
	test("what opens a sentence is no name because of it", () => {
		const found = results(["Velmora", "Visitors arrive by ship. The main harbour is Quill."]);
		expect(best(found, { words: "harbour", known: "Velmora" })).toBe("Quill");
	});
	test("units and years asked for keep out other numbers", () => {
		const found = results(["Velmora", "In 2015 Velmora had 48,200 inhabitants. Velmora has a coast of 310 km."]);
		expect(best(found, { words: "population in 2015", known: "Velmora", want: "number" })).toContain("48,200");
		expect(best(found, { words: "kilometres of coast", known: "Velmora", want: "number" })).toBe("310 km");
	});
	test("nothing about the known name is hardly a guess", () => {
		const [reading] = read(results(["Ostral", "Its capital is Quill."]), {
			words: "capital",
			known: "Velmora",
			want: "any",
			given: [],
		});
		expect(reading?.score ?? -1).toBeLessThan(1.5);
	});
});

describe("rows", () => {
	const sheet: [string, string] = [
		"Fact sheet",
		"Fact sheet\nVelmora\nCapital: Tessin Bay\nAnthem: Song of the Bay\nOstral\nCapital: Quill\nAnthem: Southern Light",
	];
	const table: [string, string] = [
		"The north",
		"Country | Capital | Population\nVelmora | Tessin Bay | 48,200\nOstral | Quill | 9,100",
	];
	test("belong to the heading above them", () => {
		expect(best(results(sheet), { words: "anthem", known: "Ostral" })).toBe("Southern Light");
		expect(best(results(sheet), { words: "country capital", known: "Quill" })).toBe("Ostral");
	});
	test("of a table are read by their columns", () => {
		expect(best(results(table), { words: "population", known: "Ostral", want: "number" })).toBe("9,100");
		expect(best(results(table), { words: "country capital", known: "Tessin Bay" })).toBe("Velmora");
	});
});

describe("yes or no", () => {
	const found = results(
		["Velmora", "Velmora has no railway. It has a harbour."],
		["Ostral", "Country: Ostral\nHarbour: no"],
	);
	test.each([
		["a harbour", "Velmora", "yes"],
		["a railway", "Velmora", "no"],
		["without a railway", "Velmora", "yes"],
		["a harbour", "Ostral", "no"],
		["a university", "Ostral", undefined],
	])("%s, %s", (words, known, answer) => expect(judge(found, { words, known })).toBe(answer));
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

describe("what is made of an answer", () => {
	const made = (question: string, text: string) => splitTransform(question)?.transform(readValue(text));
	test.each([
		["What is the last name of Ida?", "Anna Rehn", "Rehn"],
		["What is the last vowel in the name of Lima?", "Quito", "o"],
		["How many unique letters are there in the name of Ida?", "Anna", "2"],
		["What is the ASCII code of Ida?", "t", "116"],
		["What is the date 4 months after Ida was born?", "January 22, 1982", "1982-05-22"],
		["What is the date one month after Ida was born?", "31 January 2023", "2023-02-28"],
		["What is the date 1 day before Ida was born?", "1 March 2024", "2024-02-29"],
		["What is the date two weeks after Ida was born?", "1982", undefined],
	])("%s", (question, text, result) => expect(made(question, text)).toBe(result));
});
