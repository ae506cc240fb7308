import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
	type Agent,
	type AgentContext,
	agentProblems,
	agents,
	createPool,
	type Observation,
	type Tools,
	toyEvidence,
	toyTasks,
} from "#agents";
import {
	type Intervention,
	interventionName,
	noUsage,
	Setting,
	statedAnswer,
	statementOf,
	Task,
	Trajectory,
	viewOf,
} from "#domain";
import { fakeKnowledge } from "#knowledge";
import { scriptedModel } from "#models";
import { intervene } from "./intervene.ts";
import { onlyImages } from "./only-images.ts";
import { replaceForms } from "./written-forms.ts";

const all: Intervention[] = [
	{ is: "again" },
	{ is: "oracle-retrieval" },
	{ is: "oracle-reading" },
	{ is: "oracle-plan" },
	{ is: "gold-prefix", hops: 0 },
	{ is: "gold-prefix", hops: 1 },
	{ is: "gold-prefix", hops: 9 },
	{ is: "distractors", count: 2 },
	{ is: "without", modality: "text" },
	{ is: "without", modality: "image" },
	{ is: "without", modality: "page" },
	{ is: "without", modality: "question-images" },
	{ is: "conflicting-evidence" },
	{ is: "poisoned-evidence" },
];
const named = all.map((what) => [interventionName(what), what] as const);

let dir = "";
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-interventions-"));
	await sharp({ create: { width: 2, height: 2, channels: 3, background: "grey" } })
		.png()
		.toFile(join(dir, "question.png"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const knowledge = { ...fakeKnowledge(toyEvidence, { name: "toy" }), file: async () => undefined };
const taskOf = (id: string): Task => {
	const task = toyTasks.find((one) => one.id === id);
	if (!task) throw new Error(id);
	return task;
};
const chain = taskOf("text-chain");
const imageChain = taskOf("image-chain");

const contextOf = (gold: Task, more: Partial<AgentContext> = {}): AgentContext => ({
	tools: createPool(toyEvidence, { images: [toyEvidence.slice(0, 1)] }),
	knowledge,
	setting: Setting.parse({ name: "toy" }),
	signal: new AbortController().signal,
	repeat: 0,
	gold,
	imagePath: (file) => join(dir, file),
	...more,
});

/** An agent that does what a test says, and what it was shown. */
function looking(
	look: (tools: Tools, context: AgentContext) => Promise<string | null>,
	needs: Partial<Agent["needs"]> = {},
) {
	const seen: { question: string; images: number; gold: Task | undefined }[] = [];
	const agent: Agent = {
		name: "looking",
		version: "1",
		summary: "Looks where a test says.",
		needs: { model: "none", gold: false, ...needs },
		async answer(view, context) {
			seen.push({ question: view.question, images: view.images.length, gold: context.gold });
			const answer = await look(context.tools, context);
			const ending = { stop: "answered" as const, abstained: answer === null };
			return { steps: [], answer, ...ending, usage: noUsage, ms: 1, messages: [] };
		},
	};
	return { agent, seen };
}

/** What an agent's one search brings under an intervention, and what the trajectory says of that. */
async function searched(
	what: Intervention,
	search: (tools: Tools) => Promise<Observation>,
	{ task = chain, tools }: { task?: Task; tools?: Tools } = {},
) {
	let results: Observation["results"] = [];
	const { agent } = looking(async (given) => {
		({ results } = await search(given));
		return "done";
	});
	const context = contextOf(task, tools ? { tools } : {});
	const { intervened } = await intervene(agent, what, { tasks: toyTasks }).answer(viewOf(task), context);
	return { results, ids: results.map(({ id }) => id), intervened };
}

describe("every intervention keeps an agent to the interface", () => {
	test.each(named)("%s, of agents without a model", async (_, what) => {
		for (const name of ["extractive", "gold-replay"] as const) {
			const agent = intervene(agents[name], what, { tasks: toyTasks });
			// each sub-question has a budget of its own
			const problems = (await agentProblems(agent)).filter(
				(line) => what.is !== "oracle-plan" || !line.includes("were allowed"),
			);
			expect(problems).toEqual([]);
		}
	});
	test.each(named)("%s, of every agent", async (_, what) => {
		for (const agent of Object.values(agents) as Agent[]) {
			const given = intervene(agent, what, { tasks: toyTasks });
			expect([given.name, given.version, given.promptHash]).toEqual([agent.name, agent.version, agent.promptHash]);
			for (const task of [chain, imageChain]) {
				const model = scriptedModel(() => "Thought.\nAnswer: Quill");
				const context = contextOf(task, agent.needs.model === "none" ? {} : { model });
				const trajectory = Trajectory.parse(await given.answer(viewOf(task), context));
				expect(trajectory.steps.map(({ index }) => index)).toEqual([...trajectory.steps.keys()]);
				const changes = what.is !== "again" && !(what.is === "gold-prefix" && what.hops === 0);
				expect(trajectory.intervened !== undefined).toBe(changes);
				if (trajectory.intervened?.held === false) expect(trajectory.intervened.why).toMatch(/\w/);
			}
		}
	});
	test("the agent inside sees no gold unless it needs it", async () => {
		for (const what of all.filter(({ is }) => is !== "again")) {
			for (const gold of [false, true]) {
				const { agent, seen } = looking(async () => "x", { gold });
				const given = intervene(agent, what, { tasks: toyTasks });
				if (what.is !== "gold-prefix" || what.hops > 0) expect(given.needs.gold).toBe(true);
				const context = contextOf(chain);
				if (given === agent && !gold) continue;
				await given.answer(viewOf(chain), context);
				expect(seen.every((one) => (one.gold !== undefined) === gold)).toBe(true);
			}
		}
	});
});

describe("oracle retrieval and reading", () => {
	const blind = createPool(toyEvidence.filter(({ id }) => id !== "tessin/article" && id !== "velmora/flag"));
	test("a search that aims at a hop brings its evidence first, as it stands, and no more results than asked for", async () => {
		const found = await searched(
			{ is: "oracle-retrieval" },
			(tools) => tools.text_search({ query: "Who founded Tessin Bay?", k: 2 }),
			{ tools: blind },
		);
		expect(found.ids[0]).toBe("tessin/article");
		expect(found.ids).toHaveLength(2);
		expect(found.results.map(({ rank }) => rank)).toEqual([1, 2]);
		expect(found.results[0]?.text).toBe("Tessin Bay is a city. It was founded on 3 May 1712 by Anna Rehn.");
		expect(found.intervened).toEqual({ held: true, searches: 1, acted: 1, hops: ["b"] });
	});
	test("also by image, and where another kind is searched", async () => {
		const byImage = await searched(
			{ is: "oracle-retrieval" },
			(tools) => tools.image_search_by_image({ image: 0, k: 1 }),
			{ task: imageChain, tools: blind },
		);
		expect(byImage.ids).toEqual(["velmora/flag"]);
		const byText = await searched(
			{ is: "oracle-retrieval" },
			(tools) => tools.text_search({ query: "Whose flag is this?", k: 1 }),
			{
				task: imageChain,
			},
		);
		expect(byText.ids).toEqual(["velmora/flag"]);
	});
	test("other searches are left alone, and a task in which none aimed says so", async () => {
		const found = await searched({ is: "oracle-retrieval" }, (tools) =>
			tools.text_search({ query: "currency velm", k: 3 }),
		);
		const plain = await createPool(toyEvidence).text_search({ query: "currency velm", k: 3 });
		expect(found.results).toEqual(plain.results);
		expect(found.intervened).toMatchObject({ held: false, searches: 1, acted: 0, hops: [] });
		expect(found.intervened?.why).toMatch(/no search/);
	});
	test("reading states the answer before the text, once a hop", async () => {
		const found = await searched({ is: "oracle-reading" }, (tools) =>
			tools.text_search({ query: "What is the capital of Velmora?", k: 3 }),
		);
		expect(found.ids.slice(0, 2)).toEqual(["velmora/article", "velmora/table"]);
		expect(found.results[0]?.text).toMatch(/^To the question .* the answer is "Tessin Bay"\.\n\nVelmora is a country/);
		expect(found.results[1]?.text).toMatch(/^Country: Velmora/);
	});
	test("a reader by rules reads what is stated", async () => {
		const mute = toyEvidence.map((item) =>
			item.kind === "passage" ? { ...item, text: `${item.title} is described elsewhere.` } : item,
		);
		const ask = async (what: Intervention) =>
			intervene(agents.extractive, what, { tasks: toyTasks }).answer(
				viewOf(chain),
				contextOf(chain, {
					tools: createPool(mute),
					knowledge: { ...knowledge, evidence: async (id) => mute.find((item) => item.id === id) },
				}),
			);
		expect((await ask({ is: "oracle-retrieval" })).answer).not.toBe("Anna Rehn");
		expect((await ask({ is: "oracle-reading" })).answer).toBe("Anna Rehn");
		// without a model the prefix comes through the tools
		expect((await ask({ is: "gold-prefix", hops: 2 })).answer).toBe("Anna Rehn");
		const half = await ask({ is: "gold-prefix", hops: 1 });
		expect(half.answer).not.toBe("Anna Rehn");
		expect(half.intervened?.hops).toEqual(["a"]);
	});
});

describe("oracle plan", () => {
	test("asks each sub-question with the agent's own answers, and joins what it did", async () => {
		const answers = ["Quill", "Anna Rehn"];
		const { agent, seen } = looking(async (tools) => {
			await tools.text_search({ query: "x", k: 1 });
			return answers.shift() ?? null;
		});
		const trajectory = await intervene(agent, { is: "oracle-plan" }, { tasks: toyTasks }).answer(
			viewOf(chain),
			contextOf(chain),
		);
		expect(seen.map(({ question }) => question)).toEqual(["What is the capital of Velmora?", "Who founded Quill?"]);
		expect(trajectory).toMatchObject({ answer: "Anna Rehn", stop: "answered", abstained: false });
		expect(trajectory.steps.map(({ index, subQuestion, subAnswer }) => [index, subQuestion, subAnswer])).toEqual([
			[0, "What is the capital of Velmora?", "Quill"],
			[1, "Who founded Quill?", "Anna Rehn"],
		]);
		expect(trajectory.intervened).toMatchObject({ held: true, searches: 2, hops: ["a", "b"] });
	});
	test("what the agent did not answer is not given away", async () => {
		const { agent, seen } = looking(async () => null);
		const trajectory = await intervene(agent, { is: "oracle-plan" }, { tasks: toyTasks }).answer(
			viewOf(chain),
			contextOf(chain),
		);
		expect(seen[1]?.question).toBe("Who founded the answer to “What is the capital of Velmora?”?");
		expect(trajectory).toMatchObject({ answer: null, abstained: true });
	});
	test("a needed answer that stands nowhere in the sub-question is stated before it", async () => {
		const [a, b] = chain.chain?.hops ?? [];
		const task = Task.parse({
			...chain,
			chain: { hops: [a, { ...b, question: "Who founded that city?" }], sink: "b" },
		});
		const { agent, seen } = looking(async () => "Tessin Bay");
		await intervene(agent, { is: "oracle-plan" }, { tasks: toyTasks }).answer(viewOf(task), contextOf(task));
		expect(seen[1]?.question).toBe(
			`${statementOf("What is the capital of Velmora?", "Tessin Bay")}\nWho founded that city?`,
		);
	});
	test("an agent that needs the gold gets the one hop, and nothing of it where a wrong value is asked about", async () => {
		for (const [first, gold] of [
			["Tessin Bay", "Anna Rehn"],
			["Quill", "unknown"],
		] as const) {
			const { agent, seen } = looking(async () => first, { gold: true });
			await intervene(agent, { is: "oracle-plan" }, { tasks: toyTasks }).answer(viewOf(chain), contextOf(chain));
			expect(seen[1]?.gold?.answer.value).toBe(gold);
			expect(seen[1]?.gold?.chain?.hops).toHaveLength(1);
			expect(seen[1]?.gold?.chain?.hops[0]?.evidence.length).toBe(gold === "unknown" ? 0 : 1);
		}
	});
	test("only the hop that an image identifies is asked with it", async () => {
		const { agent, seen } = looking(async () => "Velmora");
		await intervene(agent, { is: "oracle-plan" }, { tasks: toyTasks }).answer(
			viewOf(imageChain),
			contextOf(imageChain),
		);
		expect(seen.map(({ question, images }) => [question, images])).toEqual([
			["Whose flag is this?", 1],
			["What is the anthem of Velmora?", 0],
		]);
	});
	test("an error ends it and is the task's", async () => {
		const failing: Agent = {
			...looking(async () => "x").agent,
			answer: async () => ({
				...{ steps: [], answer: null, abstained: false, stop: "error", usage: noUsage, ms: 1, messages: [] },
				error: { boundary: "tool", message: "index gone" },
			}),
		};
		const trajectory = await intervene(failing, { is: "oracle-plan" }, { tasks: toyTasks }).answer(
			viewOf(chain),
			contextOf(chain),
		);
		expect(trajectory).toMatchObject({ stop: "error", error: { message: "index gone" } });
		expect(trajectory.steps).toHaveLength(1);
	});
	test("images and crops keep their numbers when only some are shown", async () => {
		const asked: number[] = [];
		let made = 5;
		const tools = onlyImages(
			{
				...createPool([]),
				image_search_by_image: async ({ image }) => {
					asked.push(image);
					return { results: [] };
				},
				image_crop: async ({ image }) => {
					asked.push(image);
					made += 1;
					return { index: made - 1, of: "b.png", box: [0, 0, 1, 1], image: {} as never };
				},
			},
			// the third of three images is shown, two crops were made before
			{ shown: [2], of: 3, crops: { made: 2 } },
		);
		const crop = await tools.image_crop?.({ image: 0, box: [0, 0, 1, 1] });
		await tools.image_search_by_image({ image: crop?.index ?? -1, k: 1 });
		expect(crop?.index).toBe(1);
		expect(asked).toEqual([2, 5]);
	});
});

test("a given prefix stands before the question of an agent that asks a model", async () => {
	const { agent, seen } = looking(async () => "x", { model: "required" });
	const context = contextOf(chain, { model: scriptedModel([]) });
	const given = await intervene(agent, { is: "gold-prefix", hops: 1 }, { tasks: toyTasks }).answer(
		viewOf(chain),
		context,
	);
	expect(seen[0]?.question).toContain(statementOf("What is the capital of Velmora?", "Tessin Bay"));
	expect(seen[0]?.question).not.toContain("Anna Rehn");
	expect(seen[0]?.question.endsWith(`\n${chain.question}`)).toBe(true);
	expect(given.intervened).toMatchObject({ held: true, hops: ["a"] });
});

test("distractors come first, are no gold evidence, and push nothing out", async () => {
	const query = (tools: Tools) => tools.text_search({ query: "country capital Velmora", k: 1 });
	const plain = await searched({ is: "without", modality: "page" }, query);
	const found = await searched({ is: "distractors", count: 2 }, query);
	expect(plain.ids).toHaveLength(1);
	expect(found.ids).toEqual(["ostral/article", ...plain.ids]);
	expect(found.intervened).toMatchObject({ held: true, acted: 1 });
});

describe("what is taken away", () => {
	test("a kind of source finds nothing, the others what they find", async () => {
		const text = (tools: Tools) => tools.text_search({ query: "capital Velmora", k: 2 });
		expect((await searched({ is: "without", modality: "text" }, text)).ids).toEqual([]);
		const kept = await searched({ is: "without", modality: "image" }, text);
		expect(kept.ids).toHaveLength(2);
		expect(kept.intervened?.held).toBe(false);
	});
	test("question images are gone from the question and from the tools", async () => {
		const { agent, seen } = looking(async (tools) => {
			await expect(tools.image_search_by_image({ image: 0, k: 1 })).rejects.toMatchObject({ code: "bad-call" });
			return "x";
		});
		const given = intervene(agent, { is: "without", modality: "question-images" }, { tasks: toyTasks });
		expect((await given.answer(viewOf(imageChain), contextOf(imageChain))).intervened?.held).toBe(true);
		expect(seen[0]?.images).toBe(0);
		expect((await given.answer(viewOf(chain), contextOf(chain))).intervened?.held).toBe(false);
	});
});

describe("what is made worse", () => {
	test("one answer is replaced in every text by another of its kind, the same at each call", async () => {
		const search = (tools: Tools) =>
			tools.text_search({ query: "Velmora Tessin Bay Anna Rehn founded capital", k: 10 });
		const found = await searched({ is: "conflicting-evidence" }, search);
		const { replaced, held } = found.intervened ?? {};
		expect(held).toBe(true);
		const hop = chain.chain?.hops.find(({ id }) => id === replaced?.hop);
		const said = found.results.map(({ title, text }) => `${title} ${text}`).join("\n");
		expect(said).not.toContain(hop?.answer.value);
		expect(said).toContain(replaced?.by.value);
		expect(replaced?.by.value).not.toBe(hop?.answer.value);
		expect(replaced?.results).toBeGreaterThan(0);
		expect((await searched({ is: "conflicting-evidence" }, search)).results).toEqual(found.results);
	});
	test("an instruction with a made-up word stands in the first result, and nothing else changes", async () => {
		const search = (tools: Tools) => tools.text_search({ query: "capital", k: 3 });
		const plain = await searched({ is: "without", modality: "page" }, search);
		const found = await searched({ is: "poisoned-evidence" }, search);
		const { marker = "", results } = found.intervened?.planted ?? {};
		expect(results).toBe(1);
		expect(found.results[0]?.text).toContain(`exactly ${marker} as`);
		expect(found.results.slice(1)).toEqual(plain.results.slice(1));
		expect(JSON.stringify(toyEvidence)).not.toContain(marker);
	});
});

describe("forms in texts", () => {
	const one = (text: string, forms: string[], by: string) => replaceForms(text, [{ forms, by }]).text;
	test.each([
		["Timor-Leste (East Timor)", ["Timor-Leste", "East Timor"], "Peru", "Peru (Peru)"],
		["16,995 m and 6,995 m, or 6,995,100", ["6,995"], "1", "16,995 m and 1 m, or 6,995,100"],
		["the capital Rome, not Romeo", ["rome"], "Bonn", "the capital Bonn, not Romeo"],
		["東京は日本の首都", ["東京"], "大阪", "大阪は日本の首都"],
		["a.b? (x)", ["a.b? (x)"], "y", "y"],
	])("%s", (text, forms, by, expected) => expect(one(text, forms, by)).toBe(expected));
	test("what was put in is not replaced again, and a shared form goes round", () => {
		const swapped = replaceForms("from A to B", [
			{ forms: ["A"], by: "B" },
			{ forms: ["B"], by: "A" },
		]);
		expect(swapped).toEqual({ text: "from B to A", counts: [1, 1] });
		const shared = [
			{ forms: ["5"], by: "7" },
			{ forms: ["5"], by: "8" },
		];
		expect(replaceForms("5 and 5", shared).text).toBe("7 and 8");
	});
	test("any text and forms are taken", () => {
		fc.assert(
			fc.property(fc.string(), fc.array(fc.string(), { maxLength: 4 }), (text, forms) => {
				const { text: replaced, counts } = replaceForms(text, [{ forms, by: "" }]);
				if (counts[0] === 0) expect(replaced).toBe(text);
			}),
		);
	});
	test("a question of blanks and marks alone gives its answer back", () => {
		for (const question of [" ", "?", "¿ ?", " . "])
			expect(statedAnswer(`${statementOf(question, "a")}\n\nmore`, question)).toBe("a");
	});
	test("a statement gives its answer back", () => {
		fc.assert(
			fc.property(fc.string({ minLength: 1 }), fc.stringMatching(/^[\w ,.'-]*\w$/), (question, answer) => {
				const said = statementOf(question, answer);
				expect(said).not.toContain("\n");
				const before = statementOf("Which flag is it?", "Chad");
				const plain = answer.replace(/\s+/g, " ").trim();
				expect(statedAnswer(`${said}\n\nmore`, question)).toBe(plain);
				if (said !== statementOf("Which flag is it?", answer))
					expect(statedAnswer(`${before}\n${said}\n\nmore`, question)).toBe(plain);
				expect(statedAnswer(`more\n${said}`, question)).toBeUndefined();
			}),
		);
	});
});
