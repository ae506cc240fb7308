import { expect, test } from "vitest";
import { Evidence, noUsage, type RunRecord, Task } from "#domain";
import { type Rubric, rubrics, shownOf } from "#scoring";
import { firstOf } from "./shown-order.ts";

const evidenceOf = (n: number) =>
	Evidence.parse({
		...{ kind: "passage", id: `e${n}`, document: `d${n}`, title: `Title ${n}`, text: `Text ${n}.` },
		...{ sha256: "0".repeat(64), provenance: { source: "test" } },
	});
const task = Task.parse({
	...{
		id: "t",
		question: "How far?",
		answer: { type: "number", value: "120 km", accepted: ["120 km"], number: { value: 120, unit: "km" } },
	},
	chain: {
		sink: "h2",
		hops: [
			{
				id: "h1",
				question: "From where?",
				modality: "image",
				evidence: ["e0"],
				answer: { type: "string", value: "Ulm", accepted: ["Ulm"] },
			},
			{
				...{ id: "h2", question: "How far?", modality: "compute", needs: [{ hop: "h1", role: "operand" }] },
				answer: { type: "string", value: "120 km", accepted: ["120 km"] },
			},
		],
	},
});
const results = (...ids: string[]) => ids.map((id, at) => ({ id, score: 1, rank: at + 1 }));
const record: RunRecord = {
	...{ version: 1, task: "t", repeat: 0, attempt: 0, at: "" },
	trajectory: {
		steps: [
			{ index: 0, thought: "Hm.", results: [], ms: 0 },
			{
				...{ index: 1, subQuestion: "Which town?", subAnswer: "Ulm", ms: 0, results: results("e1", "gone") },
				call: { tool: "image_search_by_text", arguments: { query: "town", k: 1 }, valid: true },
			},
			{ index: 2, call: { tool: "crop", arguments: { box: [1, 2] }, valid: false }, results: [], ms: 0 },
		],
		...{ answer: "about 125 km", abstained: false, stop: "answered", usage: noUsage, ms: 0, messages: [] },
	},
};
const look = async (name: string, more: Partial<RunRecord["trajectory"]> = {}, what = task) => {
	const asked: string[] = [];
	const { shown } = await shownOf(
		{ task: what, record: { ...record, trajectory: { ...record.trajectory, ...more } } },
		{
			...{ rubric: rubrics[name] as Rubric, seed: 0, run: 0 },
			async evidence(id) {
				asked.push(id);
				return id === "gone" ? undefined : evidenceOf(Number(id.slice(1)));
			},
		},
	);
	return { shown, asked };
};

test("a rubric of steps sees the gold chain and the steps made, by titles and never by ids", async () => {
	const { shown } = await look("mc-search");
	expect(shown.goldSteps).toEqual([
		{ question: "From where?", search: "image", answer: "Ulm", found: ["Title 0"] },
		{ question: "How far?", search: "compute", answer: "120 km", found: [] },
	]);
	expect(shown.steps).toEqual([
		{ question: "Which town? / town", search: "image_search_by_text", answer: "Ulm", found: ["Title 1", "(untitled)"] },
		{ question: "", search: "crop (failed)", answer: "", found: [] },
	]);
	expect(shown.evidence).toEqual([]);
	const { chain: _, ...chainless } = task;
	expect((await look("mc-search", { answerOnly: true }, chainless as Task)).shown).not.toHaveProperty("steps");
	expect((await look("mc-search", {}, chainless as Task)).shown).not.toHaveProperty("goldSteps");
});
test("a rubric of answers looks nothing up", async () => {
	const { shown, asked } = await look("tracer");
	expect(asked).toEqual([]);
	expect(shown).toMatchObject({ reference: ["120 km"], submitted: "about 125 km", evidence: [], typedRight: false });
	expect(shown).not.toHaveProperty("steps");
});
test("the typed metric is told where it can compare", async () => {
	expect((await look("tracer", { answer: "300 km" })).shown.typedRight).toBe(false);
	expect((await look("tracer", { answer: null })).shown).not.toHaveProperty("typedRight");
	expect((await look("tracer", { abstained: true })).shown.typedRight).toBe(false);
	const list = { ...task, answer: { type: "list", value: ";", accepted: [";"], items: [] } } as unknown as Task;
	expect((await look("tracer", {}, list)).shown).not.toHaveProperty("typedRight");
	const none = { ...task, answer: { type: "none", value: "none", accepted: ["none"] } } as Task;
	expect((await look("tracer", { abstained: true }, none)).shown).toMatchObject({ typedRight: true, reference: [] });
});
test("either answer comes first about half of the time", () => {
	const first = Array.from({ length: 2000 }, (_, n) => firstOf([0, `task ${n}`, 0, 0]));
	const share = first.filter((one) => one === "reference").length / first.length;
	// four standard errors of a fair coin
	expect(Math.abs(share - 0.5)).toBeLessThan(4 * Math.sqrt(0.25 / 2000));
});
