import { describe, expect, test } from "vitest";
import { type Cell, createPool, drawnTasks, inject, injectedCells, injectedFaults, type Tools } from "#agents";
import { Chain, InjectedFault, Observability, QueryStyle, RunRecord, type Task, TruthLine } from "#domain";
import { isLong, longTest } from "../../../test/long.ts";
import { inventedWorld } from "../../../test/support/agents/invented-world.ts";
import { keywords, namesIn, noisy } from "./queries.ts";
import { rephrased } from "./rephrasings.ts";
import { questionOf } from "./walk.ts";

const world = inventedWorld(16);
const pool = createPool(world.evidence);
const byId = new Map(world.evidence.map((item) => [item.id, item]));
const signal = new AbortController().signal;

function toolsFor(task: Task): Tools {
	const flag = task.chain?.hops.flatMap(({ evidence }) => evidence).find((id) => id.startsWith("flag/"));
	const own = flag === undefined ? undefined : byId.get(flag);
	const others = world.evidence.filter(({ id, kind }) => kind === "image" && id !== flag).slice(0, 2);
	const { image_search_by_image } = createPool([], { images: own ? [[own, ...others]] : [] });
	return { ...pool, image_search_by_image };
}

interface Struck {
	task: Task;
	record: RunRecord;
	truth: TruthLine;
}

async function strike(cell: Cell, { seed = 1, most = 40 } = {}): Promise<Struck[]> {
	const struck: Struck[] = [];
	for (const task of drawnTasks(world.tasks, cell, seed).slice(0, most)) {
		const injected = await inject(task, cell, { tasks: world.tasks, tools: toolsFor, seed, signal });
		if (injected.is === "struck") struck.push({ task, record: injected.record, truth: injected.truth });
	}
	return struck;
}

const cell = (fault: InjectedFault, observability: Observability = "stated", style: QueryStyle = "verbatim") => ({
	...{ fault, observability, style },
});
const hopOf = ({ task, truth }: Struck) => task.chain?.hops.find(({ id }) => id === truth.hop);
const ids = ({ record }: Struck) => record.trajectory.steps.flatMap(({ results }) => results.map(({ id }) => id));
const textsOf = (struck: Struck) =>
	ids(struck).map((id) => {
		const item = byId.get(id);
		return `${item?.title} ${item?.kind === "image" ? item.caption : item?.text}`;
	});
const came = (struck: Struck) => hopOf(struck)?.evidence.some((id) => ids(struck).includes(id));

describe("every cell", () => {
	test("has a number of its own", () => {
		const { length } = InjectedFault.options;
		expect(injectedCells).toHaveLength(length * Observability.options.length * QueryStyle.options.length);
		expect(new Set(injectedCells.map((one) => JSON.stringify(one))).size).toBe(injectedCells.length);
		expect(Object.keys(injectedFaults)).toEqual(InjectedFault.options);
	});
	test.each(QueryStyle.options)("%s: valid records that show what they should and name no fault", {
		tags: "longer",
	}, async (style) => {
		for (const fault of InjectedFault.options)
			for (const observability of Observability.options)
				for (const { record, truth, task } of await strike(cell(fault, observability, style), {
					most: isLong ? 6 : 2,
				})) {
					expect(RunRecord.parse(record)).toEqual(record);
					expect(TruthLine.parse(truth)).toEqual(truth);
					expect(record.repeat).toBe(truth.repeat);
					expect(injectedCells[truth.repeat]).toEqual(cell(fault, observability, style));
					expect(JSON.stringify(record)).not.toContain(fault === "none" ? "natural" : fault);
					expect([null, ...(task.chain?.hops ?? []).map(({ id }) => id)]).toContain(truth.hop);
					const shows = new Set(
						record.trajectory.steps.flatMap((step) =>
							(["thought", "subQuestion", "subAnswer"] as const).filter((key) => step[key] !== undefined),
						),
					);
					if (observability !== "thought") expect(shows.has("thought")).toBe(false);
					if (observability !== "stated") expect(shows.has("subQuestion") || shows.has("subAnswer")).toBe(false);
				}
	});
	longTest("depends on its draw alone: the same again, another by another seed", async () => {
		const one = await strike(cell("misread", "thought", "noisy"));
		expect(await strike(cell("misread", "thought", "noisy"))).toEqual(one);
		const other = await strike(cell("misread", "thought", "noisy"), { seed: 2 });
		expect(other.map(({ record }) => record.trajectory.answer)).not.toEqual(
			one.map(({ record }) => record.trajectory.answer),
		);
	});
});

describe("what is said to have happened did happen", () => {
	test("none: every hop's evidence came back and the answer is right, but for misses that no fault made", async () => {
		const all = await strike(cell("none"));
		expect(all.length).toBeGreaterThan(30);
		for (const struck of all)
			if (struck.truth.natural) {
				expect(struck.truth.expected).toEqual(["retrieval-miss"]);
				expect(came(struck)).toBe(false);
			} else {
				expect(struck.record.trajectory.answer).toBe(struck.task.answer.value);
				expect(struck.truth).toMatchObject({ hop: null, expected: [], value: null });
			}
		expect(all.filter(({ truth }) => !truth.natural).length).toBeGreaterThan(25);
	});
	test("misread: a wrong value that stands in what came back", async () => {
		const all = await strike(cell("misread"));
		expect(all.length).toBeGreaterThan(10);
		for (const struck of all) {
			const { value } = struck.truth;
			expect(came(struck)).toBe(true);
			expect(hopOf(struck)?.answer.accepted).not.toContain(value);
			expect(textsOf(struck).some((text) => text.includes(value ?? "?"))).toBe(true);
			expect(struck.record.trajectory.steps.map(({ subAnswer }) => subAnswer)).toContain(value);
		}
	});
	test("hallucinated-entity: a name that stands in nothing that came back before it", async () => {
		for (const struck of await strike(cell("hallucinated-entity"))) {
			const { steps } = struck.record.trajectory;
			const at = steps.findIndex(({ subAnswer }) => subAnswer === struck.truth.value);
			expect(at).toBeGreaterThanOrEqual(0);
			const before = {
				...struck,
				record: { ...struck.record, trajectory: { ...struck.record.trajectory, steps: steps.slice(0, at + 1) } },
			};
			expect(textsOf(before).join(" ")).not.toContain(struck.truth.value);
		}
	});
	test.each([
		"bad-query",
		"broken-retriever",
		"tool-error",
		"wrong-modality",
		"skipped-hop",
		"stop-early",
		"reversed-order",
		"endless-repetition",
	] as const)("%s: the evidence of its hop did not come back", async (fault) => {
		const all = await strike(cell(fault));
		expect(all.length).toBeGreaterThan(0);
		for (const struck of all) expect(came(struck)).toBe(false);
	});
	test("tool-error: its searches failed", async () => {
		for (const { record, truth } of await strike(cell("tool-error")))
			expect(
				record.trajectory.steps.some(({ error, results }) => error && results.length === 0),
				truth.did,
			).toBe(true);
	});
	test("skipped-hop: no search asks it", async () => {
		for (const struck of await strike(cell("skipped-hop", "stated", "verbatim")))
			for (const { subQuestion } of struck.record.trajectory.steps)
				expect(subQuestion).not.toBe(hopOf(struck)?.question);
	});
	test("endless-repetition, no-answer: one search again and again, no answer", async () => {
		for (const { record } of await strike(cell("endless-repetition"))) {
			expect(record.trajectory).toMatchObject({ answer: null, stop: "turn-limit" });
			const queries = record.trajectory.steps.map(({ call }) => call?.arguments.query).slice(-6);
			expect(new Set(queries).size).toBe(1);
		}
		for (const { record } of await strike(cell("no-answer")))
			expect(record.trajectory).toMatchObject({ answer: null, stop: "turn-limit", abstained: false });
	});
	test("wrong-composition: a wrong answer of right hops", async () => {
		const all = await strike(cell("wrong-composition"));
		expect(all.length).toBeGreaterThan(10);
		for (const { record, task } of all) expect(task.answer.accepted).not.toContain(record.trajectory.answer);
	});
	test("format-failure: most calls are invalid", async () => {
		for (const { record } of await strike(cell("format-failure"))) {
			const calls = record.trajectory.steps.flatMap(({ call }) => call ?? []);
			expect(calls.filter(({ valid }) => !valid).length / calls.length).toBeGreaterThan(0.7);
		}
	});
	test("known-answer: right without a search; over-search: more than is needed", async () => {
		for (const { record, task } of await strike(cell("known-answer"))) {
			expect(record.trajectory.steps.some(({ call }) => call)).toBe(false);
			expect(record.trajectory.answer).toBe(task.answer.value);
		}
		const plain = new Map((await strike(cell("none"))).map(({ record }) => [record.task, record]));
		for (const { record, task } of await strike(cell("over-search"))) {
			expect(record.trajectory.answer).toBe(task.answer.value);
			const none = plain.get(record.task);
			if (none) expect(record.trajectory.steps.length).toBeGreaterThanOrEqual(none.trajectory.steps.length);
		}
	});
	test("wrong-image: reads another image that came back", async () => {
		const all = await strike(cell("wrong-image"));
		expect(all.length).toBeGreaterThan(3);
		for (const struck of all) {
			expect(textsOf(struck).join(" ")).toContain(`Flag of ${struck.truth.value}`);
			expect(struck.truth.expected).toEqual([came(struck) ? "misread" : "retrieval-miss"]);
		}
	});
	test("two-faults: names the first, and both", async () => {
		for (const { truth, task } of await strike(cell("two-faults"))) {
			const order = task.chain?.hops.map(({ id }) => id) ?? [];
			expect(truth.also).toHaveLength(1);
			for (const { hop } of truth.also) expect(order.indexOf(hop)).toBeGreaterThan(order.indexOf(truth.hop ?? ""));
		}
	});
});

describe("wordings", () => {
	test("a computing question names what the agent believes its operands are of", () => {
		const string = (value: string) => ({ type: "string", value, accepted: [value] });
		const { hops } = Chain.parse({
			hops: [
				{ id: "a", question: "Which flag is it?", modality: "image", evidence: ["e"], answer: string("Peru") },
				{
					...{ id: "b", question: "How old is Peru?", modality: "text", evidence: ["f"], answer: string("200") },
					needs: [{ hop: "a", role: "bridge" }],
				},
				{
					...{ id: "c", question: "Is Peru (200) old?", modality: "compute", answer: string("yes") },
					needs: [{ hop: "b", role: "operand" }],
				},
			],
			sink: "c",
		});
		const known = new Map([
			["a", { value: "Chile", right: false }],
			["b", { value: "150", right: false }],
		]);
		expect(hops.map((hop) => questionOf({ hops, known }, hop))).toEqual([
			"Which flag is it?",
			"How old is Chile?",
			"Is Chile (150) old?",
		]);
	});
	test("keywords are what is asked about and what of it", () => {
		const question = "Which city does Kurumoch International Airport serve?";
		expect(namesIn(question)).toEqual(["Kurumoch International Airport"]);
		expect(keywords(question, { names: namesIn(question), turn: 0 })).toBe("Kurumoch International Airport city serve");
		expect(keywords("¿Cuál es la población de Lima?", { names: ["Lima"], turn: 1 })).toBe("población Lima");
	});
	test("other words keep what is asked about; what no line fits stays", () => {
		expect(rephrased("What is the capital of Peru?", 0)).toBe("From what town is Peru governed?");
		expect(rephrased("¿Cuál es la mayor elevación de Chile?", 0)).toContain("Chile");
		expect(rephrased("Sing.", 0)).toBe("Sing.");
	});
	test("noise is lower case, and the same by the same seedKey", () => {
		const typed = noisy("What is the population of Nairobi?", { seedKey: "a", language: "en" });
		expect(typed).toBe(typed.toLowerCase());
		expect(noisy("What is the population of Nairobi?", { seedKey: "a", language: "en" })).toBe(typed);
	});
});
