import { describe, expect, test } from "vitest";
import type { Evidence } from "#domain";
import { buildGraph, createGraph } from "#graph";
import { composeTasks, phrasesOfGraph } from "#recipes";
import { englishPhrases } from "./generated-phrases.ts";
import { literalAnswer, literalFormOf } from "./literal.ts";
import { typedGraph } from "./typed-graph.ts";

type Fact = [subject: string, relation: string, object: string, type?: string | undefined];
const people = Array.from({ length: 12 }, (_, n) => `Ada ${String.fromCharCode(65 + n)}smith`);
const facts: Fact[] = people.flatMap((name, n): Fact[] => [
	[name, "was born in", `Town ${String.fromCharCode(65 + n)}`, "city"],
	[`Town ${String.fromCharCode(65 + n)}`, "population", String(1000 + n * 377), "number"],
	[name, "friend", people[(n + 1) % 12] ?? "", "person"],
	[name, "friend", people[(n + 2) % 12] ?? "", "person"],
]);

function graphOf(all: Fact[], basis: "quote" | "source" | "mention" = "source") {
	const claims = all.map(([subject, relation, object, type]) => ({
		subject: { name: subject, type: subject.startsWith("Town") ? "city" : "person" },
		...{ relation, object: { name: object, ...(type ? { type } : {}) }, directed: true },
		statement: { evidence: `${subject} ${relation}`, basis, origin: "test" },
	}));
	return createGraph(buildGraph({ claims }));
}
const evidence = async (id: string): Promise<Evidence> => ({
	...{ kind: "passage", id, document: id, title: id, language: "en", text: id, form: "prose" },
	...{ sha256: "0".repeat(64), provenance: { source: "test" } },
});
const none = { phrases: { tables: {}, relations: {} }, evidence, file: async () => undefined };

describe("a knowledge base's graph, typed", () => {
	test("what a relation determines is counted, and what it does not is not followed", async () => {
		const graph = await typedGraph(graphOf(facts), none);
		expect(graph.relations["was born in"]).toMatchObject({
			from: "person",
			to: "city",
			single: true,
			inverseSingle: true,
		});
		expect(graph.relations.population).toMatchObject({ to: "number", single: true, inverseSingle: false });
		expect(graph.relations.friend).toMatchObject({ single: false });
		const questions = composeTasks(graph, { seed: 1, tasks: 20, ladders: 0, spanish: 0 }).map(
			({ task }) => task.question,
		);
		expect(questions.length).toBeGreaterThan(5);
		expect(questions.filter((question) => question.includes("friend"))).toEqual([]);
		expect(questions.join("\n")).toMatch(/the population of the city that Ada [A-L]smith was born in/);
	});

	test("facts that are tied by mention alone are told nowhere, and count all the same", async () => {
		const graph = await typedGraph(graphOf(facts, "mention"), none);
		expect(graph.facts.length).toBe(facts.length);
		expect(graph.facts.every(({ statements }) => statements.length === 0)).toBe(true);
		expect(composeTasks(graph, { seed: 1, tasks: 20, ladders: 0, spanish: 0 })).toEqual([]);
	});

	test("a value that is no number of its relation is never guessed at", async () => {
		const phrases = { tables: {}, relations: { population: { to: "number" } } };
		const odd = facts.map(
			([s, r, o, t]): Fact => (s === "Town A" ? [s, r, "about a thousand or so", t] : [s, r, o, t]),
		);
		const graph = await typedGraph(graphOf(odd), { ...none, phrases });
		const unparseable = graph.facts.filter(
			({ relation, statements }) => relation === "population" && statements.length === 0,
		);
		expect(unparseable.length).toBe(1);
	});

	test("phrases for a person to mend stand for every relation", () => {
		const { relations } = phrasesOfGraph(graphOf(facts));
		expect(Object.keys(relations).sort()).toEqual(["friend", "population", "was born in"]);
		expect(relations["was born in"]).toMatchObject({ inverseQuestion: ["Which person was born in {}?"] });
	});
});

test.each([
	["captain", "ship", "person", "What is the captain of {}?"],
	["home_port", "ship", "port", "What is the home port of {}?"],
	["was born in", "person", "city", "Which city is it that {} was born in?"],
	["discovered", "moon", "time", "When was {} discovered?"],
	["died", "person", "time", "When did {} die?"],
	["opened on", "bridge", "time", "Which date is it that {} opened on?"],
])("%s is asked for in English", (name, from, to, question) => {
	expect(englishPhrases({ name, from, to }).question).toEqual([question]);
});

test("values are read as what they are, or not at all", () => {
	expect(literalAnswer("1,285", "number", { unit: "km" })).toMatchObject({
		type: "number",
		number: { value: 1285, unit: "km" },
	});
	expect(literalAnswer("12 km", "number")).toMatchObject({ number: { value: 12, unit: "km" } });
	expect(literalAnswer("12 to 15", "number")).toBeUndefined();
	expect(literalAnswer("1821-07-28", "time")).toMatchObject({ time: { iso: "1821-07-28", precision: "day" } });
	expect(literalAnswer("16th century", "time")).toBeUndefined();
	expect(literalFormOf(["1877", "1610"], "discovered")?.type).toBe("time");
	expect(literalFormOf(["1877", "1610"], "diameter")?.type).toBe("number");
	expect(literalFormOf(["1877", "soon"], "discovered")).toBeUndefined();
});
