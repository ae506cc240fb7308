import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agents, playsEpisodes, settingFor, toyEvidence, toyTasks } from "#agents";
import { type Evidence, type HopVerdict, itemOf, type RunManifest, type RunRecord, type Task } from "#domain";
import { fakeKnowledge } from "#knowledge";
import { ModelError, scriptedModel } from "#models";
import { scoreTrajectory } from "#scoring";
import {
	chainExamples,
	createEnvironment,
	spokenProtocols,
	TrainingExample,
	tasksToTrainOn,
	trajectoryExamples,
	verificationOf,
	walkedSettings,
} from "#training";
import { isLong } from "../../../test/long.ts";
import { factsOf, leaksIn } from "./answer-leak.ts";
import { copiesIn, mostCopied } from "./evidence-copy.ts";
import { exampleProblems } from "./example-checks.ts";

const chains = toyTasks.filter(({ id }) => id === "text-chain");
const [chain] = chains as [Task];
const manifest = { name: "toy" } as Parameters<typeof chainExamples>[0]["benchmark"]["manifest"];
const benchmark = { dir: "/benchmarks/toy", manifest, tasks: toyTasks };

const walked = (agent: keyof typeof agents, more: Partial<Parameters<typeof chainExamples>[0]> = {}) =>
	chainExamples({
		...{ benchmark, tasks: chains, knowledge: fakeKnowledge(toyEvidence), agent: agents[agent] },
		...{ setting: settingFor(agents[agent]), evidence: "gold" as const },
		...more,
	});

const walkedSetting = (agent: string) =>
	settingFor(agents[agent as keyof typeof agents], { name: walkedSettings[agent] });

const words = ({ messages }: Pick<TrainingExample, "messages">) =>
	messages.map(({ role, content }) => [
		role,
		content.map((part) => (part.type === "text" ? part.text : "[image]")).join(""),
	]);

describe("a chain walked", () => {
	test("in MC-Search's blocks, the evidence of each hop as the observation", async () => {
		const { examples, dropped } = await walked("stepwise");
		expect(dropped).toEqual([]);
		const [example] = examples as [TrainingExample];
		expect(TrainingExample.parse(example)).toEqual(example);
		expect(example.system).toContain("<Sub-Question>");
		expect(words(example)).toEqual([
			["user", "Question: Who founded the capital of Velmora?"],
			[
				"assistant",
				"<Thought> This has to be looked up.\n<Sub-Question> What is the capital of Velmora?\n<Search> Text Retrieval: capital Velmora",
			],
			["user", expect.stringMatching(/^Retrieved passage "Velmora": .*Tessin Bay/)],
			[
				"assistant",
				"<Sub-Answer> Tessin Bay\n<Thought> So far: What is the capital of Velmora? Tessin Bay.\n<Sub-Question> Who founded Tessin Bay?\n<Search> Text Retrieval: Tessin Bay founded",
			],
			["user", expect.stringContaining("Anna Rehn")],
			[
				"assistant",
				"<Sub-Answer> Anna Rehn\n<Thought> Known now: Who founded Tessin Bay? Anna Rehn. So the question can be answered.\n<End> Final Answer: Anna Rehn",
			],
		]);
		expect(example.messages.map(({ train, thoughtBy }) => [train, thoughtBy])).toEqual(
			[0, 1, 2].flatMap(() => [
				[false, undefined],
				[true, "template"],
			]),
		);
	});

	test.each(spokenProtocols)("in the words of %s", async (agent) => {
		const { examples, dropped } = await walked(agent as keyof typeof agents, { setting: walkedSetting(agent) });
		expect(dropped).toEqual([]);
		expect(examples[0]?.messages.filter(({ train }) => train)).toHaveLength(agent === "planner" ? 4 : 3);
		expect(examples[0]?.tools !== undefined).toBe(["function-calling", "planner", "arena"].includes(agent));
	});

	test("only the protocols that say so have a speech", async () => {
		const found: string[] = [];
		for (const agent of Object.values(agents).filter(playsEpisodes)) {
			const given = { benchmark, knowledge: fakeKnowledge(toyEvidence), agent, setting: walkedSetting(agent.name) };
			if ((await createEnvironment(given).open(chain.id)).speech) found.push(agent.name);
		}
		expect(found.toSorted()).toEqual(spokenProtocols.toSorted());
		await expect(walked("self-ask")).rejects.toMatchObject({ code: "no-speech" });
	});

	test("R-Search quotes, word for word, what its answer rests on", async () => {
		const { examples, dropped } = await walked("r-search");
		expect(dropped).toEqual([]);
		const said = words(examples[0] as TrainingExample);
		const [, quoted = ""] = /<original_evidence>(.*)<\/original_evidence>\n<answer>Anna Rehn<\/answer>$/s.exec(
			String(said.at(-1)?.[1]),
		) ?? ["", ""];
		// where the sentence names nothing that was asked for, the one before it says what it is about
		expect(quoted.split("\n")).toEqual([
			"Velmora is a country in the north.",
			"Its capital is Tessin Bay.",
			"Tessin Bay is a city.",
			"It was founded on 3 May 1712 by Anna Rehn.",
		]);
		const shown = said.filter(([role]) => role === "user").map(([, text]) => text);
		for (const line of quoted.split("\n")) expect(shown.some((text) => text?.includes(line))).toBe(true);
	});

	test("the planner plans with what nobody knows yet left open, and searches for each fact once", async () => {
		const { examples } = await walked("planner");
		const [example] = examples as [TrainingExample];
		const said = example.messages.filter(({ role }) => role === "assistant");
		expect(words({ messages: said.slice(0, 2) }).map(([, text]) => text)).toEqual([
			"1. What is the capital of Velmora? Key words: capital Velmora\n2. Who founded [result of step 1]? Key words: founded [result of step 1]",
			"There are no results yet. This has to be looked up. Next: What is the capital of Velmora?",
		]);
		expect(said.map(({ calls = [] }) => calls.map(({ name }) => name))).toEqual([
			[],
			["RAG_search"],
			["RAG_search"],
			["Final_Answer"],
		]);
	});

	test("Self-Ask reads off what it found before it asks on", async () => {
		const { examples } = await walked("self-ask", { setting: walkedSetting("self-ask") });
		const said = words(examples[0] as TrainingExample).filter(([role]) => role === "assistant");
		expect(said.map(([, text]) => text)).toEqual([
			"Follow up: What is the capital of Velmora?",
			"Intermediate answer: Tessin Bay\nFollow up: Who founded Tessin Bay?",
			"Intermediate answer: Anna Rehn\nSo the final answer is: Anna Rehn",
		]);
		// a turn without a thought is nobody's thought
		expect(examples[0]?.messages.some(({ thoughtBy }) => thoughtBy)).toBe(false);
	});

	test("with what a search really finds, a hop that is missed ends it", async () => {
		expect((await walked("stepwise", { evidence: "retrieved" })).examples).toHaveLength(1);
		const knowledge = { ...fakeKnowledge(toyEvidence), search: async () => [] };
		const { examples, dropped } = await walked("stepwise", { evidence: "retrieved", knowledge });
		expect(examples).toEqual([]);
		expect(dropped).toMatchObject([{ task: "text-chain", what: "hop-missed" }]);
	});

	test("a poor search goes before some, is not handed the evidence, and is followed by other words", async () => {
		const { id, chain: gold, ...rest } = chain;
		if (!gold) throw new Error("no chain");
		const [hop] = gold.hops;
		const tasks = Array.from({ length: 40 }, (_, at) => ({ ...rest, id: `${id}-${at}`, chain: gold }));
		const knowledge = fakeKnowledge(toyEvidence);
		const made = await chainExamples({
			...{ benchmark: { ...benchmark, tasks }, tasks, knowledge, agent: agents.stepwise, evidence: "gold" },
			setting: settingFor(agents.stepwise),
		});
		expect(made.dropped).toEqual([]);
		const turns = made.examples.map((example) => words(example).filter(([role]) => role === "assistant"));
		const longer = turns.filter(({ length }) => length > gold.hops.length + 1);
		expect(longer.length).toBeGreaterThan(0);
		expect(longer.length).toBeLessThan(20);
		const queries = new Set(turns.map(([first]) => String(first?.[1]).split("Text Retrieval: ")[1]));
		expect(queries.size, [...queries].join(" | ")).toBeGreaterThan(1);
		for (const [first, second] of longer) {
			if (!String(second?.[1]).includes(`<Sub-Question> ${hop?.question}`)) continue;
			expect(second?.[1]).not.toContain("<Sub-Answer>");
			expect(first?.[1]).not.toBe(second?.[1]);
		}
		// nothing tells how much is still to come
		expect(JSON.stringify(turns)).not.toMatch(/facts? (?:is|are) missing|\d of \d/);
	});

	test("a sub-answer that no text of its evidence states is not learnt", async () => {
		const { chain: gold } = chain;
		if (!gold) throw new Error("no chain");
		const wrong = { type: "string" as const, value: "Ostral Vale", accepted: ["Ostral Vale"] };
		const hops = gold.hops.map((hop, at) => (at === 0 ? { ...hop, answer: wrong } : hop));
		const task = { ...chain, chain: { ...gold, hops } };
		expect((await walked("stepwise", { tasks: [task] })).dropped).toMatchObject([{ what: "unstated-answer" }]);
		const allowed = await walked("stepwise", { tasks: [task], allow: ["unstated-answer"] });
		expect(allowed.noticed["unstated-answer"]).toBe(1);
	});

	test("is dropped by name where the protocol has no action or no turns for it", async () => {
		const short = { ...settingFor(agents.stepwise), limit: 1 };
		expect((await walked("stepwise", { setting: short })).dropped).toMatchObject([{ what: "over-budget" }]);
		const pages = {
			tasks: toyTasks.filter(({ chain: one }) => one?.hops.every(({ modality }) => modality === "page")),
		};
		for (const task of pages.tasks)
			expect((await walked("search-r1", { tasks: [task] })).dropped[0]?.what).toBe("no-action");
		const bare = { ...chain, chain: undefined };
		expect((await walked("stepwise", { tasks: [bare] })).dropped).toMatchObject([{ what: "no-chain" }]);
	});
});

describe("thoughts by a model", () => {
	const reply = (...thoughts: string[]) => scriptedModel([JSON.stringify({ thoughts })]);
	const good = [
		"The founder can only be found once the capital is known, so the capital comes first.",
		"The capital is Tessin Bay; what is missing is who founded that city.",
		"Tessin Bay is the capital and Anna Rehn founded it, so she is the answer.",
	];

	test("stand in the turns, marked", async () => {
		const { examples, noticed, usage } = await walked("stepwise", { model: reply(...good) });
		expect(examples[0]?.messages.flatMap(({ thoughtBy = [] }) => thoughtBy)).toEqual(["model", "model", "model"]);
		for (const thought of good) expect(JSON.stringify(examples)).toContain(thought);
		expect(noticed).toEqual({ "thoughts by model": 3 });
		expect(usage.calls).toBe(1);
	});

	test.each([
		["answer-leak", "The capital, Tessin Bay, is asked for first."],
		["answer-leak", "Anna Rehn will turn out to be the founder."],
		["protocol-marks", "I know it <answer>Anna Rehn</answer>"],
		["protocol-marks", "Never mind.\nAnswer: nobody"],
		["too-long", "so ".repeat(400)],
		["empty", "  "],
	])("%s: the fixed sentence stands instead", async (what, thought) => {
		const { examples, noticed } = await walked("stepwise", { model: reply(thought, ...good.slice(1)) });
		expect(noticed).toMatchObject({
			[`thought refused: ${what}`]: 1,
			"thoughts by template": 1,
			"thoughts by model": 2,
		});
		expect(words(examples[0] as TrainingExample)[1]?.[1]).toContain("This has to be looked up.");
	});

	test.each([
		["unreadable", scriptedModel(["no", "never"])],
		["wrong-number", reply("one")],
		[
			"no-reply",
			scriptedModel(() => {
				throw new ModelError("the provider is away");
			}),
		],
	])("%s costs the chain its thoughts, nothing else", async (what, model) => {
		const { examples, noticed } = await walked("stepwise", { model });
		expect(examples).toHaveLength(1);
		expect(noticed).toEqual({ [`thought refused: ${what}`]: 1, "thoughts by template": 3 });
	});

	test("no thought, whatever it holds, changes what the walk does", { tags: "longer" }, () =>
		fc.assert(
			fc.asyncProperty(
				fc.array(fc.string({ unit: "binary", maxLength: 80 }), { minLength: 3, maxLength: 3 }),
				async (said) => {
					const model = reply(...said);
					for (const agent of ["stepwise", "tagged", "hermes"] as const) {
						const { examples, dropped } = await walked(agent, { model });
						expect(dropped).toEqual([]);
						expect(examples[0]?.messages.filter(({ train }) => train)).toHaveLength(3);
					}
				},
			),
			{ numRuns: isLong ? 25 : 8 },
		),
	);
});

const said = (role: "user" | "assistant", text: string): TrainingExample["messages"][number] => ({
	...{ role, content: [{ type: "text", text }], train: role === "assistant" },
});
const talk = (...texts: string[]) => ({
	messages: texts.map((text, at) => said(at % 2 === 0 ? "user" : "assistant", text)),
});

describe("rules", () => {
	const facts = [{ hop: "b", forms: ["Anna Rehn", "Rehn"] }];

	test("answer-leak: said before it was shown, in any form, but for the last turn", () => {
		expect(leaksIn(talk("Who?", "Perhaps Rehn.", "Anna Rehn did.", "Anna Rehn"), facts)).toHaveLength(1);
		expect(leaksIn(talk("Who?", "Let us see.", "Anna Rehn did.", "Rehn, then.", "…", "Anna Rehn"), facts)).toEqual([]);
		expect(leaksIn(talk("Was it Anna Rehn?", "Was it Rehn?", "…", "yes"), facts)).toEqual([]);
		expect(leaksIn(talk("Who?", "The Rehnish style.", "…", "Anna Rehn"), facts)).toEqual([]);
		expect(leaksIn(talk("Who?", "Perhaps Rehn.", "…", "Rehn"), [{ hop: "b", forms: ["Rehn"], from: 0 }])).toEqual([]);
		// another hop with the same answer is known already
		const same = [...facts, { hop: "a", forms: ["Rehn"], from: 1 }];
		expect(leaksIn(talk("Who?", "Let us see.", "…", "Rehn; and who else?", "…", "Rehn"), same)).toEqual([]);
	});

	test.each([
		["Québec", "Is it Quebec?"],
		["Québec", '{"query":"Qu\\u00e9bec"}'],
		["Tessin Bay", '{"query":"where is\\nTessin\\nBay"}'],
		["Anna Rehn", "Is it An\u200bna Re\u00adhn?"],
	])("answer-leak: %s by %j", (form, turn) => {
		expect(leaksIn(talk("Who?", turn, form, form), [{ hop: "b", forms: [form] }])).toHaveLength(1);
		expect(leaksIn(talk(`Was it ${form}?`, turn, form, form), [{ hop: "b", forms: [form] }])).toEqual([]);
	});

	test.each([
		["number", "1,240,192 km²", "it has 1,240,192 of them", true],
		["number", "1,240,192 km²", "it has 1240192 of them", true],
		["number", "1.240.192 km²", "it has 1,240,192 of them", true],
		["number", "1,240,192 km²", "it has 1,240,193 of them", false],
		["number", "1994 m", "founded in 1994", false],
		["number", "12345.678 m", "about 12345.678", true],
		["string", "東京", "東京に行く", true],
		["string", "Bo", "ask Bo", false],
		["boolean", "yes", "yes", false],
	] as const)("answer-leak: a %s, %s, in %j: %j", async (type, value, turn, leaks) => {
		const hops = chain.chain?.hops.map((hop) => ({ ...hop, answer: { ...hop.answer, type, value, accepted: [] } }));
		const task = { ...chain, chain: { ...chain.chain, hops } } as Task;
		const example = talk("Who?", turn, "…", "?");
		expect(leaksIn(example, factsOf(task, example)).length > 0).toBe(leaks);
	});

	test("evidence-copy: more words in a row than a name has, in whatever punctuation", () => {
		const word = fc.stringMatching(/^[a-z]{3,8}$/);
		fc.assert(
			fc.property(fc.array(word, { minLength: 14, maxLength: 40 }), fc.nat(40), fc.nat(2), (text, from, kind) => {
				const start = from % (text.length - mostCopied - 1);
				const mark = [" ", ", ", "\n"][kind] ?? " ";
				const copied = text.slice(start, start + mostCopied + 1).join(mark);
				expect(copiesIn(talk("Q", "a", text.join(" "), `And so: ${copied.toUpperCase()}!`))).toHaveLength(1);
				const shorter = text.slice(start, start + mostCopied).join(mark);
				expect(copiesIn(talk("Q", "a", text.join(" "), `0 ${shorter} 0`))).toEqual([]);
				// what was not shown yet, and what the question says, is no evidence
				expect(copiesIn(talk(text.join(" "), copied, text.join(" "), "a"))).toEqual([]);
			}),
		);
	});

	const whole = { ...talk("Q", "t a", "o", "t b"), images: [] } as unknown as TrainingExample;
	const broken = (example: object, thoughts: (string | undefined)[] = ["t", "t"]) =>
		exampleProblems({ ...whole, ...example }, { facts: [], thoughts }).map(({ rule }) => rule);

	test("turns, images, thoughts and the mask", () => {
		const [q, a, o, b] = whole.messages as [never, never, never, never];
		const shows = (image: number) => ({ ...(q as object), content: [{ type: "image", image }] });
		const image = { id: "i", file: "/i.png" };
		expect(broken({})).toEqual([]);
		expect(broken({ messages: [a, o, b] })).toEqual(["alternation"]);
		expect(broken({ messages: [q, a, b] })).toEqual(["alternation"]);
		expect(broken({ messages: [q, a, o] })).toEqual(["alternation"]);
		const called = { ...(a as object), calls: [{ id: "1", name: "s", arguments: "{}" }] };
		const result = { role: "tool", content: [], train: false, callId: "1" };
		expect(broken({ messages: [q, called, result, b] })).toEqual([]);
		expect(broken({ messages: [q, called, o, b] })).toEqual(["alternation"]);
		expect(broken({ messages: [q, called, { ...result, callId: "2" }, b] })).toContain("alternation");
		expect(broken({ messages: [shows(0), a, o, b], images: [image] })).toEqual([]);
		expect(broken({ messages: [shows(1), a, o, b], images: [image] })).toEqual(["image-count", "image-count"]);
		expect(broken({}, ["t", undefined])).toEqual(["empty-thought"]);
		expect(broken({ messages: [{ ...(q as object), train: true }, a, o, b] })).toEqual(["train-mask"]);
	});
});

describe("tasks that may be trained on", () => {
	const of = (split?: string) => ({ ...chain, id: `t-${split}`, tags: { ...chain.tags, ...(split ? { split } : {}) } });
	const all = [of("train"), of("test"), of("validation"), of()];

	test("are those of the training split, unless others are named", () => {
		const ids = (wanted?: string[]) => tasksToTrainOn(all, wanted).tasks.map(({ id }) => id);
		expect(ids()).toEqual(["t-train"]);
		expect(ids(["test", "train"])).toEqual(["t-train", "t-test"]);
		expect(tasksToTrainOn(all).heldOut).toHaveLength(3);
	});

	test("are all where none says, and none where a split is asked for that nobody declares", () => {
		expect(tasksToTrainOn([of()])).toMatchObject({ declared: false, tasks: [{}], heldOut: [] });
		expect(tasksToTrainOn([of()], ["test"]).tasks).toEqual([]);
	});

	test("are verified by the last word of checks that still speak of them", async () => {
		const { aboutOf } = await import("#recipes");
		const item = itemOf(chain);
		const record = (check: string, verdict: "pass" | "fail" | "skipped", about = aboutOf(item)) =>
			({ check, version: 1, on: "item", verdict, about }) as const;
		const levelOf = (...checks: ReturnType<typeof record>[]) => verificationOf({ ...item, checks });
		expect(levelOf()).toBe("none");
		expect(levelOf(record("bridges-hidden", "pass"), record("every-hop-needed", "skipped"))).toBe("rules");
		expect(levelOf(record("have-first", "fail"), record("have-second", "pass"), record("have-first", "pass"))).toBe(
			"have",
		);
		expect(levelOf(record("have-second", "pass"), record("one-valued", "fail"))).toBe("none");
		expect(levelOf(record("have-second", "pass", "another item"))).toBe("none");
	});
});

describe("trajectories of a run", () => {
	const knowledge = fakeKnowledge(toyEvidence);
	const setting = settingFor(agents.tagged);
	const environment = createEnvironment({ benchmark, knowledge, agent: agents.tagged, setting });
	const look = (query: string) => `<think>${query}</think><text_search>${query}</text_search>`;
	const good = [
		look("capital of Velmora"),
		look("Who founded Tessin Bay?"),
		"<think>read</think><answer>Anna Rehn</answer>",
	];

	async function collected(
		played: string[][],
		{
			findings = [] as string[],
			verdict = "solved" as HopVerdict,
			...options
		}: Partial<Parameters<typeof trajectoryExamples>[1]> & { findings?: string[]; verdict?: HopVerdict } = {},
	) {
		const records: RunRecord[] = [];
		for (const [repeat, moves] of played.entries()) {
			const episode = await environment.open(chain.id);
			for (const text of moves) await episode.take({ is: "says", text });
			const key = { version: 1, task: chain.id, repeat, attempt: 0 } as const;
			records.push({ ...key, at: "", trajectory: episode.trajectory() });
		}
		const keyed = records.map(({ task, repeat, attempt, trajectory }) => ({
			...{ version: 1 as const, task, repeat, attempt },
			row: { scorer: "1", ...scoreTrajectory(chain, trajectory) },
			diagnosis: {
				...{
					diagnoser: "1",
					shows: "stated" as const,
					firstBroken: null,
					unobserved: [],
					primary: null,
					notJudged: [],
				},
				hops: [{ is: "judged" as const, hop: "a", verdict, aimed: [], brought: [], evidence: [] }],
				findings: findings.map((is) => ({ is: is as "lucky", steps: [], evidence: [], says: is })),
			},
		}));
		const run = {
			manifest: { id: "run", agent: { name: "tagged" }, benchmark: { name: "toy" }, setting } as unknown as RunManifest,
			...{ tasks: toyTasks, records, dir: join("/benchmarks", "toy"), knowledge },
			rows: keyed.map(({ row, diagnosis: _, ...key }) => ({ ...key, ...row })),
			diagnoses: keyed.map(({ row: _, diagnosis, ...key }) => ({ ...key, ...diagnosis, version: 2 as const })),
		};
		return trajectoryExamples(run, { tools: async () => [], ...options });
	}
	const reasons = async (...args: Parameters<typeof collected>) =>
		(await collected(...args)).dropped.map(({ what }) => what);

	test("are taken as they went over the wire", async () => {
		const { examples, dropped } = await collected([good]);
		expect(dropped).toEqual([]);
		expect(examples[0]).toMatchObject({
			id: "run-text-chain-0",
			source: { kind: "trajectory", run: "run", repeat: 0 },
		});
		expect(examples[0]?.messages.filter(({ train }) => train).map((one) => one.content[0])).toEqual(
			good.map((text) => ({ type: "text", text })),
		);
		expect(examples[0]?.messages.flatMap(({ thoughtBy = [] }) => thoughtBy)).toEqual(["agent", "agent", "agent"]);
	});

	test("the shortest of a task first", async () => {
		const longer = [look("Velmora and all that is known of it"), ...good];
		const { examples, dropped } = await collected([longer, good, good]);
		expect(examples.map(({ source }) => source.repeat)).toEqual([1]);
		expect(dropped.map(({ repeat, what }) => [repeat, what])).toEqual([
			[2, "more-than-per-task"],
			[0, "more-than-per-task"],
		]);
		expect((await collected([longer, good], { perTask: 2 })).examples).toHaveLength(2);
	});

	test("what is wrong, malformed or found fault with is not learnt from", async () => {
		const wrong = [...good.slice(0, 2), "<think>?</think><answer>Quill</answer>"];
		expect(await reasons([wrong])).toEqual(["outcome-wrong"]);
		expect(await reasons([["hm", ...good]])).toEqual(["malformed"]);
		const chatty = [`${good[0]} and then I shall`, ...good.slice(1)];
		expect(await reasons([chatty])).toEqual(["malformed"]);
		expect((await collected([chatty], { allow: ["malformed"] })).examples[0]?.messages[1]?.content).toEqual([
			{ type: "text", text: good[0] },
		]);
		expect(await reasons([good], { findings: ["lucky", "spurious-step"] })).toEqual(["lucky"]);
		expect(await reasons([good], { findings: ["lucky"], allow: ["lucky"] })).toEqual([]);
		expect(await reasons([good], { findings: ["spurious-step"] })).toEqual([]);
		expect(await reasons([good], { findings: ["known"] })).toEqual(["known"]);
		expect(await reasons([good], { findings: ["tool-failed"], verdict: "tool-failed" })).toEqual(["tool-failed"]);
	});

	test("a right answer over a hop of which nothing shows how it was read may be luck", async () => {
		expect(await reasons([good], { verdict: "unobserved" })).toEqual(["unobserved"]);
		expect(await reasons([good], { verdict: "unobserved", allow: ["unobserved"] })).toEqual([]);
		expect(await reasons([good], { verdict: "skipped-known" })).toEqual(["skipped-known"]);
	});

	test("what was known before it was found is not learnt from", async () => {
		const knowing = [look("Anna Rehn, capital of Velmora"), ...good.slice(1)];
		expect(await reasons([knowing])).toEqual(["answer-leak"]);
	});

	test("no gold reaches a conversation by its tags", async () => {
		const { examples } = await collected([good]);
		const { messages: _, ...rest } = examples[0] as TrainingExample;
		expect(JSON.stringify(rest)).not.toContain("Rehn");
	});
});

test("evidence that a step has brought before is not searched for again where there is other", async () => {
	const passage = (id: string, text: string): Evidence => ({
		...(toyEvidence.find(({ kind }) => kind === "passage") as Evidence & { kind: "passage" }),
		...{ id, document: id, title: id, text },
	});
	const both = "Velmora's capital is Tessin Bay. Who founded Tessin Bay? Anna Rehn founded Tessin Bay.";
	const hops = chain.chain?.hops.map((hop) => ({ ...hop, evidence: hop.id === "a" ? ["both"] : ["both", "other"] }));
	const task = { ...chain, chain: { ...chain.chain, hops } } as Task;
	const knowledge = fakeKnowledge([passage("both", both), passage("other", "Anna Rehn founded the city.")]);
	const { examples } = await walked("stepwise", {
		tasks: [task],
		benchmark: { ...benchmark, tasks: [task] },
		knowledge,
	});
	expect(words(examples[0] as TrainingExample)[4]?.[1]).toContain('"other"');
});
