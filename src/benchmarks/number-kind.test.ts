import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { withNumberKind } from "#benchmarks";
import type { Answer } from "#domain";
import { numberKind } from "./number-kind.ts";

type NumberAnswer = Extract<Answer, { type: "number" }>;

function answer(value: string, more: Partial<NumberAnswer["number"]> = {}): NumberAnswer {
	const scale = /million/.test(value) ? 1e6 : /billion/.test(value) ? 1e9 : 1;
	const number = Number(/-?[\d,.]*\d/.exec(value)?.[0].replaceAll(",", "")) * scale;
	return { type: "number", value, accepted: [value], number: { value: number, ...more } };
}

describe("what a number is", () => {
	test("is told by what is asked", () => {
		const kinds: [string | undefined, string, string][] = [
			["count", "204", "For the dataset that uses Prover9, how many examples in this dataset are used for evaluation?"],
			["count", "6", "How many letters are in the first name of the first man on the moon, whose height was 180 cm?"],
			["count", "26", "What is the sum of the digits of the year when the town was founded?"],
			["identifier", "116", "What is the ASCII code of the last letter of her name?"],
			["identifier", "23", "Which jersey number did he wear in the year 1996?"],
			["year", "2010", "What is the year 2 years after the year when the song was released?"],
			["year", "1848", "When did the general end his fight?"],
			["ordinal", "9", "What is the rank of the company with the largest revenue?"],
			["ordinal", "4", "On which page is the total revenue given?"],
			["share", "54.2", "What percentage of the people lived in cities?"],
			["money", "250", "What was the budget of the film about the tallest tower?"],
			["measure", "2844", "How long is the river?"],
			["measure", "12", "How many kilometres is the town from the sea?"],
			["measure", "12.5", "What is the average number of pages?"],
			[undefined, "7", "What does the sign say?"],
		];
		for (const [kind, value, question] of kinds) expect(numberKind(answer(value), question), question).toBe(kind);
	});

	test("is told by its unit before anything else", () => {
		for (const [value, kind] of [
			["120 km", "measure"],
			["8 %", "share"],
			["$4,000", "money"],
			["3.5 million euros", "money"],
			["128 pages", "count"],
		] as const)
			expect(numberKind(answer(value), "How many are there?"), value).toBe(kind);
		expect(numberKind(answer("120", { unit: "km²" }), "")).toBe("measure");
	});

	test("is a measure where the source states an interval, but never for what is counted, ranked or named", () => {
		const about = { range: [9, 11] as [number, number] };
		expect(numberKind(answer("10", about), "What does it come to?")).toBe("measure");
		expect(numberKind(answer("10", about), "What is the population of the hamlet?")).toBe("measure");
		expect(numberKind(answer("10"), "What is the population of the hamlet?")).toBe("count");
		expect(numberKind(answer("10", about), "How many floors does this building have?")).toBe("count");
		expect(numberKind(answer("10", { range: [10, 10] }), "What does it come to?")).toBeUndefined();
	});

	test("of several sentences the last question counts, and a name's dot ends none", () => {
		const long = "He sold over 5,500 copies at a price of 3 dollars. In what year was the last one sold?";
		expect(numberKind(answer("1931"), long)).toBe("year");
		expect(numberKind(answer("80000"), "How many people live in St. Gallen?")).toBe("count");
	});

	test("is set on numbers alone, and only where nothing is said yet", () => {
		const question = "How many towns?";
		const words: Answer = { type: "string", value: "7", accepted: ["7"] };
		expect(withNumberKind(words, question)).toBe(words);
		expect(withNumberKind(answer("7"), question).number.kind).toBe("count");
		expect(withNumberKind(answer("7", { kind: "ordinal" }), question).number.kind).toBe("ordinal");
		expect(withNumberKind(answer("7"), "?").number).toEqual({ value: 7 });
	});
});

/** Real questions with a number as their answer, by their place in the file: what a person says that the number is. */
const labelled = z
	.array(z.object({ file: z.string(), kinds: z.record(z.string(), z.array(z.number())) }))
	.parse(JSON.parse(readFileSync(join(import.meta.dirname, "fixtures/number-kinds.json"), "utf8")));
const Asked = z.object({ question: z.string(), answer: z.string().optional(), "answer-text": z.string().optional() });

describe.each(labelled)("real questions of $file", ({ file, kinds }) => {
	const path = join("../shared/data", file);
	test.skipIf(!existsSync(path))("have the kinds that a person reads in them", () => {
		const text = readFileSync(path, "utf8");
		const rows: unknown[] = file.endsWith(".jsonl")
			? text
					.trim()
					.split("\n")
					.map((line) => JSON.parse(line))
			: JSON.parse(text);
		for (const [kind, places] of Object.entries(kinds))
			for (const place of places) {
				const asked = Asked.parse(rows[place]);
				const found = numberKind(answer(asked.answer ?? asked["answer-text"] ?? ""), asked.question);
				expect(found ?? "none", asked.question).toBe(kind);
			}
	});
});
