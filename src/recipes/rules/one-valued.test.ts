import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Answer, type Hop, type Item, itemOf } from "#domain";
import { buildGraph, createGraph } from "#graph";
import { booleanAnswer, numberAnswer, stringAnswer, type TypedGraph, timeAnswer } from "#recipes";
import { computedRight } from "./computed-right.ts";
import { oneValued } from "./one-valued.ts";
import { valuesOfGraph, valuesOfTypedGraph } from "./value-graph.ts";

const hop = (id: string, question: string, answer: Answer, more: Partial<Hop> = {}): Hop => ({
	...{ id, question, modality: "text", needs: [], evidence: [`e-${id}`], answer },
	...more,
});
function itemWith(...hops: Hop[]): Item {
	const last = hops.at(-1) as Hop;
	const task = {
		id: "t",
		question: "?",
		images: [],
		answer: last.answer,
		tags: { language: "en" },
		source: "",
		rights: "",
	};
	return itemOf({ ...task, chain: { hops, sink: last.id } });
}

/** Peru has one capital and three neighbours; two rivers are called Bravo. */
const claims = [
	["Peru", "capital", "Lima"],
	["Peru", "borders", "Chile"],
	["Peru", "borders", "Bolivia"],
	["Peru", "borders", "Ecuador"],
	["Lima", "river", "Rímac"],
	["Chile", "capital", "Santiago"],
].map(([subject = "", relation = "", object = ""]) => ({
	...{ subject: { name: subject }, relation, object: { name: object }, directed: true },
	statement: { evidence: `${subject}-${object}`, basis: "source" as const, origin: "test" },
}));
const graph = createGraph(buildGraph({ claims }));
const typed: Pick<TypedGraph, "entities" | "facts"> = {
	entities: new Map(
		["Peru", "Lima", "Chile", "Bolivia", "Ecuador", "Rímac", "Santiago"].map((name) => [
			name,
			{ id: name, type: "place", names: { en: name, es: name }, aliases: { en: [], es: [] }, depictions: [] },
		]),
	),
	facts: claims.map(({ subject, relation, object }) => ({
		...{ subject: subject.name, relation, object: { entity: object.name }, statements: [] },
	})),
};

describe.each([
	["a knowledge base's graph", oneValued(valuesOfGraph(graph))],
	["a typed graph", oneValued(valuesOfTypedGraph(typed))],
])("the graph test over %s", (_, check) => {
	const capital = hop("h1", "What is the capital of Peru?", stringAnswer("Lima"), { relation: "capital" });
	test("one value passes, forward, inverse and over a bridge", () => {
		expect(check.look(itemWith(capital)).verdict).toBe("pass");
		const inverse = hop("h1", "Which country's capital is Lima?", stringAnswer("Peru"), { relation: "capital" });
		expect(check.look(itemWith(inverse)).verdict).toBe("pass");
		const river = hop("h2", "Which river is there?", stringAnswer("Rímac"), {
			...{ relation: "river", needs: [{ hop: "h1", role: "bridge" }] },
		});
		expect(check.look(itemWith(capital, river))).toMatchObject({ verdict: "pass", score: 2 });
	});

	test("several values fail, and so does a value that the graph does not give", () => {
		const neighbour = hop("h1", "Which country borders Peru?", stringAnswer("Chile"), { relation: "borders" });
		expect(check.look(itemWith(neighbour))).toMatchObject({
			verdict: "fail",
			reason: "many_valued",
			on: { hop: "h1" },
		});
		const wrong = hop("h1", "What is the capital of Peru?", stringAnswer("Cusco"), { relation: "capital" });
		expect(check.look(itemWith(wrong))).toMatchObject({ verdict: "fail", reason: "not_grounded" });
	});

	test("what the graph does not know is not judged, and never passed", () => {
		const anthem = hop("h1", "What is the anthem of Peru?", stringAnswer("Somos libres"), { relation: "anthem" });
		expect(check.look(itemWith(anthem)).verdict).toBe("not-applicable");
	});
});

test("a closed graph takes what it lacks for wrong", () => {
	const river = hop("h1", "Which river is in Santiago?", stringAnswer("Mapocho"), { relation: "river" });
	expect(oneValued(valuesOfGraph(graph)).look(itemWith(river)).verdict).toBe("not-applicable");
	expect(oneValued(valuesOfGraph(graph), { closed: true }).look(itemWith(river))).toMatchObject({
		reason: "not_grounded",
	});
});

describe("computing again", () => {
	const check = computedRight();
	const operands = (a: Answer, b: Answer) => [hop("a", "a?", a), hop("b", "b?", b)];
	const compute = (op: NonNullable<Hop["compute"]>["op"], answer: Answer): Hop => ({
		...hop("c", "c?", answer, { modality: "compute", evidence: [], compute: { op } }),
		needs: [
			{ hop: "a", role: "operand" },
			{ hop: "b", role: "operand" },
		],
	});
	const whole = (value: number) => numberAnswer(value, { languages: ["en"] });

	test("sums and differences of whole numbers are right only as they are", () => {
		const numbers = fc.integer({ min: 1, max: 100_000 });
		fc.assert(
			fc.property(numbers, numbers, fc.integer({ min: -3, max: 3 }), (a, b, off) => {
				const item = itemWith(...operands(whole(a), whole(b)), compute("add", whole(a + b + off)));
				expect(check.look(item).verdict).toBe(off === 0 ? "pass" : "fail");
				if (a === b) return;
				const apart = itemWith(...operands(whole(a), whole(b)), compute("difference", whole(Math.abs(a - b) + off)));
				expect(check.look(apart).verdict).toBe(off === 0 ? "pass" : "fail");
			}),
			{ numRuns: 100 },
		);
	});

	test("years are compared as years: 1938 is earlier than 1958, twenty years apart", () => {
		const years = operands(timeAnswer("1938"), timeAnswer("1958"));
		expect(check.look(itemWith(...years, compute("earlier", booleanAnswer(true)))).verdict).toBe("pass");
		expect(check.look(itemWith(...years, compute("earlier", booleanAnswer(false))))).toMatchObject({
			...{ verdict: "fail", reason: "arithmetic_wrong" },
		});
		expect(check.look(itemWith(...years, compute("difference", whole(20)))).verdict).toBe("pass");
		expect(check.look(itemWith(...years, compute("difference", whole(22)))).verdict).toBe("fail");
	});

	test("different units have no difference, as 1.5 m and 150 cm have none here", () => {
		const mixed = operands(numberAnswer(1.5, { unit: "m" }), numberAnswer(150, { unit: "cm" }));
		expect(check.look(itemWith(...mixed, compute("difference", whole(148)))).verdict).toBe("fail");
	});
});
