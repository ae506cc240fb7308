import { describe, expect, test } from "vitest";
import { agentProblems, agents, createTools } from "#agents";
import { type Task, viewOf } from "#domain";
import type { KnowledgeBase, Query } from "#knowledge";
import { scriptedModel } from "#models";
import { scoreTrajectory } from "#scoring";
import type { AgentContext } from "./agent-context.ts";
import { createPool } from "./pool.ts";
import { toyEvidence, toyTasks } from "./toy-world.ts";

const byId = new Map(toyEvidence.map((item) => [item.id, item]));
const knowledge = {
	evidence: async (id: string) => byId.get(id),
	file: async () => undefined,
} as unknown as KnowledgeBase;
const flag = toyEvidence.slice(0, 1);

const contextOf = (task: Task, more: Partial<AgentContext> = {}): AgentContext => ({
	tools: createPool(toyEvidence, { images: [flag] }),
	knowledge,
	setting: { name: "test", k: 3 },
	signal: new AbortController().signal,
	repeat: 0,
	gold: task,
	imagePath: (file) => file,
	...more,
});
const taskOf = (id: string): Task => {
	const task = toyTasks.find((one) => one.id === id);
	if (!task) throw new Error(id);
	return task;
};

describe("every agent keeps to the interface", () => {
	test.each(["gold-replay", "closed-book", "oracle", "extractive"] as const)("%s without a model", async (name) => {
		expect(await agentProblems(agents[name])).toEqual([]);
	});
	test.each(["closed-book", "oracle"] as const)("%s with a model", async (name) => {
		const model = () => scriptedModel(() => "Thinking.\nAnswer: Quill");
		expect(await agentProblems(agents[name], { model })).toEqual([]);
	});
	test.each(["tagged", "search-r1"] as const)("%s", async (name) => {
		const search = name === "tagged" ? "<text_search>Velmora</text_search>" : "<search>Velmora</search>";
		const model = () =>
			scriptedModel((_, n) => (n < 3 ? `<think>look</think>${search}` : "<think>done</think><answer>Quill</answer>"));
		expect(await agentProblems(agents[name], { model })).toEqual([]);
	});
	test("the kit finds what breaks the rules", async () => {
		const rude = { ...agents.extractive, name: "rude", answer: () => Promise.reject(new Error("no")) };
		expect((await agentProblems(rude)).some((line) => line.includes("threw"))).toBe(true);
		const greedy = {
			...agents.extractive,
			name: "greedy",
			answer: (view: Parameters<typeof agents.extractive.answer>[0], context: AgentContext) => {
				void context.gold;
				return agents.extractive.answer(view, { ...context, setting: { ...context.setting, limit: 10 } });
			},
		};
		const found = await agentProblems(greedy);
		expect(found.some((line) => line.includes("looked at the gold"))).toBe(true);
		expect(found.some((line) => line.includes("where 1 were allowed"))).toBe(true);
	});
});

describe("gold-replay", () => {
	test.each(["text-chain", "image-chain"])("scores full marks on %s", async (id) => {
		const task = taskOf(id);
		const { scores } = scoreTrajectory(task, await agents["gold-replay"].answer(viewOf(task), contextOf(task)));
		expect(scores.accuracy).toMatchObject({ value: 1 });
		expect(scores.hps).toMatchObject({ value: 1 });
		expect(scores["rollout-deviation"]).toMatchObject({ value: 0 });
	});
	test("walks hops after what they need, each with the tool of its modality", async () => {
		const task = taskOf("image-chain");
		const { steps } = await agents["gold-replay"].answer(viewOf(task), contextOf(task));
		expect(steps.map((step) => step.call?.tool)).toEqual(["image_search_by_image", "page_search"]);
		expect(steps[0]?.call?.arguments).toMatchObject({ image: 0 });
		expect(steps.map((step) => step.subAnswer)).toEqual(["Velmora", "Song of the Bay"]);
	});
	test("abstains where declining is right", async () => {
		const task = taskOf("unanswerable");
		const trajectory = await agents["gold-replay"].answer(viewOf(task), contextOf(task));
		expect(trajectory).toMatchObject({ answer: null, abstained: true, steps: [] });
	});
});

describe("closed-book", () => {
	const task = taskOf("text-chain");
	test("without a model abstains and says why", async () => {
		const trajectory = await agents["closed-book"].answer(viewOf(task), contextOf(task));
		expect(trajectory).toMatchObject({ answer: null, abstained: true, stop: "answered", steps: [] });
		expect(JSON.stringify(trajectory.messages)).toContain("no model");
	});
	test("asks a model with the question alone", async () => {
		const seen: string[] = [];
		const model = scriptedModel((request) => {
			seen.push(JSON.stringify(request.messages));
			return "I recall.\n**Answer:** Anna Rehn";
		});
		const trajectory = await agents["closed-book"].answer(viewOf(task), contextOf(task, { model }));
		expect(trajectory).toMatchObject({ answer: "Anna Rehn", abstained: false, usage: { calls: 1 } });
		expect(seen.join()).not.toContain("Tessin");
	});
	test("a model that does not know, or fails, is no answer", async () => {
		const unsure = scriptedModel(["Hm.\nAnswer: unknown"]);
		const failing = scriptedModel([]);
		expect(await agents["closed-book"].answer(viewOf(task), contextOf(task, { model: unsure }))).toMatchObject({
			answer: null,
			abstained: true,
		});
		expect(await agents["closed-book"].answer(viewOf(task), contextOf(task, { model: failing }))).toMatchObject({
			stop: "error",
			error: { boundary: "model" },
		});
	});
});

describe("oracle", () => {
	test("reads the gold evidence by rules and searches nothing", async () => {
		const task = taskOf("text-chain");
		const tools = createPool([]);
		const trajectory = await agents.oracle.answer(viewOf(task), contextOf(task, { tools }));
		expect(trajectory.answer).toBe("Anna Rehn");
		expect(trajectory.steps.every((step) => step.call === undefined)).toBe(true);
		expect(trajectory.steps.some((step) => step.results.length > 0)).toBe(true);
	});
	test("hands a model the gold evidence", async () => {
		const task = taskOf("text-chain");
		const seen: string[] = [];
		const model = scriptedModel((request) => {
			seen.push(JSON.stringify(request.messages));
			return "Answer: Anna Rehn";
		});
		const trajectory = await agents.oracle.answer(viewOf(task), contextOf(task, { model }));
		expect(seen.join()).toContain("founded on 3 May 1712");
		expect(trajectory).toMatchObject({
			answer: "Anna Rehn",
			steps: [{ results: [{ rank: 1 }, { rank: 2 }, { rank: 3 }] }],
		});
	});
});

describe("tools", () => {
	const view = viewOf(taskOf("image-chain"));
	const asked: Query[] = [];
	const base = {
		evidence: async (id: string) => byId.get(id),
		search: async (query: Query) => {
			asked.push(query);
			return [
				{
					id: "velmora/article",
					score: 2,
					rank: 1,
					kind: "passage",
					document: "velmora",
					title: "Velmora",
					snippet: "",
					language: "en",
				},
			];
		},
	} as unknown as KnowledgeBase;
	const tools = createTools(base, view, (file) => `/images/${file}`);

	test("carry the whole text, and reach the index within bounds", async () => {
		const { results } = await tools.text_search({ query: `  ${"word ".repeat(2000)}`, k: 1e9 });
		expect(results[0]?.text).toContain("Its capital is Tessin Bay");
		expect(asked.at(-1)).toMatchObject({ target: "passage", k: 100 });
		expect(asked.at(-1)?.text?.length).toBeLessThanOrEqual(2000);
		await tools.image_search_by_image({ image: 0, k: 0 });
		expect(asked.at(-1)).toEqual({ image: "/images/question.png", target: "image", k: 1 });
	});
	test("refuse an empty query and an image that is not there", async () => {
		await expect(tools.page_search({ query: " ", k: 3 })).rejects.toMatchObject({ code: "bad-call" });
		await expect(tools.image_search_by_image({ image: 4, k: 3 })).rejects.toMatchObject({ code: "bad-call" });
	});
});
