import { describe, expect, test } from "vitest";
import { agentProblems, agents, faultKinds, faultyWalker } from "#agents";
import { Fault, type InjectedLine, statementOf, type Task, type Trajectory, viewOf } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { scoreTrajectory } from "#scoring";
import { longTest } from "../../../test/long.ts";
import { inventedWorld } from "../../../test/support/agents/invented-world.ts";
import type { AgentContext } from "../agent-context.ts";
import { createPool } from "../pool.ts";
import type { Tools } from "../tools/tools.ts";
import { toyTasks } from "../toy-world.ts";
import { computed } from "./compute.ts";
import { askedQuestion, genericName, wordings } from "./wording.ts";

const world = inventedWorld(30);
const pool = createPool(world.evidence);
const byId = new Map(world.evidence.map((item) => [item.id, item]));
const textOf = (id: string) => {
	const item = byId.get(id);
	return item?.kind === "image" ? item.caption : (item?.text ?? "");
};

function toolsFor(task: Task): Tools {
	const flag = task.chain?.hops.flatMap(({ evidence }) => evidence).find((id) => id.startsWith("flag/"));
	const image = flag === undefined ? undefined : byId.get(flag);
	const { image_search_by_image } = createPool([], { images: image ? [[image]] : [] });
	return { ...pool, image_search_by_image };
}

function contextOf(task: Task, tools: Tools, repeat = 0): AgentContext {
	return {
		...{ tools, knowledge: {} as KnowledgeBase, setting: { name: "test", k: 5 }, repeat, gold: task },
		...{ signal: new AbortController().signal, imagePath: (file) => file },
	};
}

interface Walk {
	task: Task;
	trajectory: Trajectory;
	line: InjectedLine;
}

async function inject(
	faults: Fault[],
	{ share = 1, seed = 0, tasks = world.tasks }: { share?: number; seed?: number; tasks?: Task[] } = {},
): Promise<Walk[]> {
	const lines: InjectedLine[] = [];
	const log = async (line: InjectedLine) => void lines.push(line);
	const injected = faultyWalker({ tasks, faults, share, seed, log });
	const walks: Walk[] = [];
	for (const task of tasks) {
		const tools = injected.tools(toolsFor(task), task, 0);
		const trajectory = await injected.agent.answer(viewOf(task), contextOf(task, tools));
		const line = lines.at(-1);
		if (line?.task === task.id) walks.push({ task, trajectory, line });
	}
	return walks;
}

/** Walks in which the fault struck, with the hop that it says. */
function struck(walks: Walk[]) {
	return walks.flatMap(({ task, trajectory, line: { injected } }) => {
		if (injected.is !== "struck") return [];
		const hop = task.chain?.hops.find(({ id }) => id === injected.hop);
		return [{ task, trajectory, did: injected.did, hop }];
	});
}

const isRight = ({ task, trajectory }: { task: Task; trajectory: Trajectory }) =>
	scoreTrajectory(task, trajectory).outcome === "right";
const came = ({ steps }: Trajectory, upTo = steps.length) =>
	steps.slice(0, upTo).flatMap(({ results }) => results.map(({ id }) => id));

describe("the competent walker", () => {
	test("conforms, and is in no need of a model", async () => {
		expect(await agentProblems(agents.walker)).toEqual([]);
	});
	test("solves what can be found, hop after hop, by its own searches", async () => {
		for (const { task, trajectory, line } of await inject([])) {
			expect(isRight({ task, trajectory }), task.id).toBe(true);
			expect(line).toMatchObject({ injected: { is: "spared" }, missed: [] });
			const values = trajectory.steps.flatMap(({ subAnswer }) => subAnswer ?? []);
			expect(values).toEqual(task.chain?.hops.map(({ answer }) => answer.value));
		}
	});
	test("knows nothing whose evidence did not come back, tries other words, and abstains", async () => {
		const [task] = world.tasks;
		if (!task) throw new Error("no task");
		const blind = createPool(world.evidence.filter(({ id }) => id !== "city/0"));
		const { steps, answer, abstained } = await agents.walker.answer(viewOf(task), contextOf(task, blind));
		expect({ answer, abstained }).toEqual({ answer: null, abstained: true });
		const tries = steps.filter(({ subQuestion }) => subQuestion?.startsWith("Who founded"));
		expect(tries.length).toBeGreaterThan(1);
		expect(new Set(tries.map(({ call }) => call?.arguments.query)).size).toBe(tries.length);
		expect(tries.every(({ subAnswer }) => subAnswer === undefined)).toBe(true);
	});
	test.each(["its own alone", "all in one text"])("believes an answer that a result states: %s", async (which) => {
		const [task] = world.tasks;
		if (!task) throw new Error("no task");
		const hops = task.chain?.hops ?? [];
		const all = hops.map(({ question, answer }) => statementOf(question, answer.value)).join("\n");
		const telling: Tools = {
			...createPool([]),
			text_search: async ({ query }) => ({
				results: hops
					.filter(({ question }) => question === query)
					.map(({ question, answer }) => ({
						...{
							id: "told",
							score: 1,
							rank: 1,
							kind: "passage",
							document: "told",
							title: "",
							snippet: "",
							language: "en",
						},
						text: which === "all in one text" ? all : statementOf(question, answer.value),
					})),
			}),
		};
		const trajectory = await agents.walker.answer(viewOf(task), contextOf(task, telling));
		expect(isRight({ task, trajectory })).toBe(true);
	});
});

describe("each fault does what its log says", () => {
	test.each(Fault.options)("%s: conforms, names itself in no record, and strikes only what it can", async (fault) => {
		const injected = faultyWalker({ tasks: toyTasks, faults: [fault], share: 1, seed: 1 });
		expect(await agentProblems(injected.agent)).toEqual([]);
		expect(injected.agent.name).toBe(`walker with ${fault}`);
		for (const { task, trajectory, line } of await inject([fault])) {
			expect(JSON.stringify(trajectory)).not.toContain(fault);
			const able = faultKinds[fault].strikes(task, task.chain?.hops ?? []).length > 0;
			expect(line.injected.is === "cannot-strike").toBe(!able);
		}
	});
	test("image-search-off searches no image", async () => {
		const walks = struck(await inject(["image-search-off"]));
		expect(walks).toHaveLength(30);
		for (const { trajectory, hop } of walks) {
			expect(trajectory.steps.flatMap(({ call }) => call?.tool ?? [])).not.toContain("image_search_by_image");
			expect(trajectory.steps[0]?.call?.tool).toBe("text_search");
			expect(hop?.modality).toBe("image");
			expect(trajectory.answer).toBeNull();
		}
	});
	test("stop-early asks all but the last hop", async () => {
		const walks = struck(await inject(["stop-early"]));
		expect(walks).toHaveLength(90);
		for (const { task, trajectory, hop } of walks) {
			const retrieving = task.chain?.hops.filter(({ evidence }) => evidence.length > 0) ?? [];
			expect(hop?.id).toBe(retrieving.at(-1)?.id);
			expect(trajectory.steps).toHaveLength(retrieving.length - 1);
			expect(trajectory.answer).toBe(retrieving.at(-2)?.answer.value);
		}
	});
	test("misread takes a wrong value of the kind out of what came back", async () => {
		const walks = struck(await inject(["misread"]));
		expect(walks.length).toBeGreaterThan(60);
		for (const { task, trajectory, hop, did } of walks) {
			const at = trajectory.steps.findIndex(
				({ subAnswer }) => subAnswer !== undefined && did.startsWith(`read “${subAnswer}”`),
			);
			const value = trajectory.steps[at]?.subAnswer ?? "";
			expect(hop?.answer.accepted).not.toContain(value);
			expect(
				came(trajectory, at + 1).some((id) => textOf(id).includes(value)),
				`${task.id} ${did}`,
			).toBe(true);
			expect(came(trajectory, at + 1).some((id) => hop?.evidence.includes(id))).toBe(true);
			if (hop?.answer.type === "number") expect(value).toMatch(/\d/);
		}
		expect(walks.filter(isRight)).toEqual([]);
	});
	test("hallucinated-entity names what stood in nothing so far, and goes on with it", async () => {
		const walks = struck(await inject(["hallucinated-entity"]));
		expect(walks.length).toBeGreaterThan(50);
		for (const { trajectory, hop, did } of walks) {
			const at = trajectory.steps.findIndex(
				({ subAnswer }) => subAnswer !== undefined && did.startsWith(`read “${subAnswer}”`),
			);
			const value = trajectory.steps[at]?.subAnswer ?? "";
			expect(hop?.answer.accepted).not.toContain(value);
			expect(came(trajectory, at + 1).some((id) => textOf(id).includes(value))).toBe(false);
			const later = trajectory.steps.slice(at + 1);
			expect(later.length === 0 || later.some(({ subQuestion }) => subQuestion?.includes(value))).toBe(true);
		}
		expect(walks.filter(isRight)).toEqual([]);
	});
	test("broken-retriever brings other things for one hop, and sound ones for the others", async () => {
		const walks = struck(await inject(["broken-retriever"]));
		expect(walks.length).toBeGreaterThan(50);
		for (const { task, trajectory, hop } of walks) {
			expect(came(trajectory).some((id) => hop?.evidence.includes(id))).toBe(false);
			expect(came(trajectory).every((id) => byId.has(id))).toBe(true);
			const before =
				task.chain?.hops.slice(
					0,
					task.chain.hops.findIndex(({ id }) => id === hop?.id),
				) ?? [];
			for (const one of before)
				expect(
					came(trajectory).some((id) => one.evidence.includes(id)),
					task.id,
				).toBe(true);
		}
	});
	test("over-search searches on after it has all, and answers rightly", async () => {
		for (const { task, trajectory } of struck(await inject(["over-search"]))) {
			const last = trajectory.steps.findLastIndex(({ subAnswer }) => subAnswer !== undefined);
			expect(trajectory.steps.length - 1 - last).toBe(2);
			expect(isRight({ task, trajectory })).toBe(true);
		}
	});
	test("reversed-order asks for what it needs last, in generic words before", async () => {
		const walks = struck(await inject(["reversed-order"]));
		expect(walks).toHaveLength(60);
		for (const { trajectory, hop } of walks) {
			expect(trajectory.steps[0]?.subQuestion).toMatch(/the capital|the country|it\b/);
			expect(trajectory.steps.findIndex(({ subAnswer }) => subAnswer === hop?.answer.value)).toBe(-1);
		}
	});
});

describe("strikes", () => {
	const many = Array.from({ length: 8 }, (_, copy) =>
		world.tasks.map((task) => ({ ...task, id: `${task.id}-${copy}` })),
	).flat();
	test("are as many as the share says, within binomial limits, and each is drawn by itself", async () => {
		const walks = await inject(["stop-early"], { share: 0.3, tasks: many });
		const n = walks.length;
		expect(n).toBe(720);
		// four standard deviations: one chance in sixteen thousand
		expect(Math.abs(struck(walks).length - 0.3 * n)).toBeLessThan(4 * Math.sqrt(n * 0.3 * 0.7));
	});
	test("of several faults lie on disjoint tasks, and all faults get some", async () => {
		const walks = await inject([...Fault.options], { share: 0.3 });
		const faults = walks.flatMap(({ line: { injected } }) => (injected.is === "struck" ? [injected.fault] : []));
		expect(new Set(faults).size).toBe(Fault.options.length);
		expect(walks).toHaveLength(world.tasks.length);
	});
	longTest("are the same by the same seed and others by another", async () => {
		const lines = async (seed: number) => (await inject(["misread"], { share: 0.3, seed })).map(({ line }) => line);
		expect(await lines(3)).toEqual(await lines(3));
		expect(await lines(3)).not.toEqual(await lines(4));
	});
});

describe("wording", () => {
	const hops = world.tasks.find(({ id }) => id === "flag-0")?.chain?.hops ?? [];
	const asked = (known: [string, string][]) =>
		hops.slice(1).map((hop) => askedQuestion(hop, { hops, known: new Map(known) }));
	test("own answers stand in place of gold ones, generic words where there are none", () => {
		expect(
			asked([
				["a", "Ruritania"],
				["b", "Strelsau"],
			]),
		).toEqual(["What is the capital of Ruritania?", "Who founded Strelsau?"]);
		expect(asked([])).toEqual(["What is the capital of the country?", "Who founded the capital?"]);
	});
	test("a generic word is the kind that is asked for", () => {
		const questions = [
			"Who wrote it?",
			"What is the date of birth of Ada?",
			"¿Qué país recibió más?",
			"Lost! is on which album?",
		];
		expect(questions.map(genericName)).toEqual(["the person", "the date", "el país", "it"]);
	});
	test("other wordings are other words for the same, each once", () => {
		expect(wordings("How long is the coastline of Sudan in km?")).toEqual([
			"How long is the coastline of Sudan in km?",
			"long coastline Sudan km",
			"Sudan",
		]);
		expect(wordings("who?")).toEqual(["who?"]);
	});
});

test("computing goes on with what is believed", () => {
	const answer = { type: "string" as const, value: "", accepted: [""] };
	const of = (op: string, ...values: string[]) =>
		computed(
			{ answer, compute: { op: op as "add" } },
			values.map((value, n) => ({ value, of: `entity ${n}` })),
			{ language: "en" },
		);
	expect(of("add", "1,000 km", "36 km")).toBe("1036 km");
	expect(of("subtract", "5", "8")).toBe("-3");
	expect(of("mean", "46.5 years", "30.5 years")).toBe("38.5 years");
	expect(of("greater", "853 km", "910 km")).toBe("no");
	expect(of("earlier", "10 July 1973", "21 September 1991")).toBe("yes");
	expect(of("equal", "Poland", "Chad")).toBe("no");
	expect(of("argmax", "20.1 years", "44.8 years")).toBe("entity 1");
	expect(of("min", "7", "3")).toBe("3");
	expect(of("add", "none", "3")).toBeUndefined();
	expect(of("select", "a", "b")).toBeUndefined();
});
