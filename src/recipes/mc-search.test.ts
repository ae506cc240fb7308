import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chainProblems, type Evidence, type Item, type Task, taskOf, topologyOf } from "#domain";
import { fakeKnowledge, type KnowledgeBase } from "#knowledge";
import { ModelError } from "#models";
import { type Build, runRecipe } from "#recipes";
import { sha256 } from "#store";
import { longTest } from "../../test/long.ts";
import { mcSearchCast } from "../../test/support/recipes/mc-search-players.ts";
import { newItem } from "./engine/new-item.ts";
import { chainOfReply } from "./mc-search/generate-chain.ts";
import { ChainReply } from "./mc-search/prompts.ts";
import { regenerationAgreement } from "./mc-search/regenerated.ts";
import { topologies } from "./mc-search/topologies.ts";
import { mcSearch } from "./mc-search.ts";
import { noTrivialConcatenation } from "./rules/distinct-hops.ts";

type Parts = Parameters<typeof mcSearchCast>[0];

/** Three harbours: of each two pictures, and texts that lead from what one shows to another name. */
const harbours = [
	["Skerry", "Gullen", "Halden", "Norwick", "Corvane"],
	["Brisk", "Fenlight", "Ostrow", "Mardale", "Tesvik"],
	["Anvil", "Quern", "Pelham", "Lydgate", "Sandvar"],
].map(([tower, ferry, engineer, town, banner], at) => ({
	document: `harbour-${at + 1}`,
	texts: {
		built: `Tower plans were drafted by ${engineer} during stormy winters. The ${tower} beacon was designed by ${engineer} during stormy winters.`,
		born: `Records mention that ${engineer} moved from lovely ${town} beside running streams.`,
		fair: `The market of ${town} trades woollen goods with ${banner} traders every autumn.`,
		crew: `Among the sailors the ferry ${ferry} is always steered by ${engineer} during summer.`,
	},
	images: {
		tower: `A stone tower called ${tower} beside grey water`,
		ferry: `A broad ferry called ${ferry} beside calm water`,
		banner: `Market stalls in ${town} below a painted ${banner} banner`,
	},
}));

let dir: string;
const files: Record<string, string> = {};
const evidence: Evidence[] = [];
let knowledge: KnowledgeBase;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-mc-search-"));
	for (const [at, { document, texts, images }] of harbours.entries()) {
		const common = { document, title: document, language: "en", provenance: { source: "test", licence: "CC0-1.0" } };
		for (const [name, text] of Object.entries(texts))
			evidence.push({
				...common,
				kind: "passage",
				id: `${document}/${name}`,
				text,
				form: "prose",
				sha256: sha256(text),
			});
		for (const [index, [name, caption]] of Object.entries(images).entries()) {
			const id = `${document}/${name}`;
			files[id] = join(dir, `${document}-${name}.png`);
			const background = { r: 60 * at, g: 80 * index, b: 120 };
			await sharp({ create: { width: 40, height: 30, channels: 3, background } }).toFile(files[id]);
			const size = { width: 40, height: 30, file: `${document}-${name}.png` };
			evidence.push({ ...common, ...size, kind: "image", id, caption, sha256: sha256(caption) });
		}
	}
	knowledge = fakeKnowledge(evidence, { files });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

let builds = 0;
const settings = { hops: [2, 4], perCluster: 5, mostImages: 3, related: [] };
function make(
	more: Parts = {},
	{
		params = {},
		seeds = [] as Task[],
		cast = mcSearchCast(more),
	}: { params?: object; seeds?: Task[]; cast?: object } = {},
): Promise<Build> {
	builds += 1;
	const stream = async function* () {
		yield* evidence;
	};
	const models = cast as ReturnType<typeof mcSearchCast>;
	const given = { knowledge, evidence: stream, seeds };
	return runRecipe(mcSearch, given, join(dir, `made-${builds}`), { models, params: { ...settings, ...params } });
}

const rowOf = ({ funnel }: Build, stage: string) => funnel.rows.find((row) => row.stage === stage);
const lookOf = (item: Item | undefined, name: string) => item?.checks.findLast(({ check }) => check === name);

describe("chains over harbours", () => {
	test("all five shapes, each what it was asked to be, over evidence that states every hop", async () => {
		const build = await make({}, { params: { regenerated: 1 } });
		expect(build.funnel.faults).toBe(0);
		const made = new Set(build.items.map((item) => topologyOf(item.chain)));
		expect([...made].sort()).toEqual([...topologies].sort());
		const byId = new Map(evidence.map((one) => [one.id, one]));
		for (const item of build.items) {
			expect(chainProblems(taskOf(item), { resolves: (id) => byId.has(id) })).toEqual([]);
			const used = item.chain.hops.flatMap((hop) => hop.evidence);
			expect(new Set(used).size).toBe(used.length);
			for (const {
				modality,
				evidence: [id = ""],
			} of item.chain.hops)
				expect(byId.get(id)?.kind).toBe(modality === "image" ? "image" : "passage");
			// the images a question starts from go with it, those its steps lead to do not
			const starts = item.chain.hops.filter(({ modality, needs }) => modality === "image" && needs.length === 0);
			expect(item.images.map(({ id }) => id)).toEqual(starts.flatMap((hop) => hop.evidence));
			expect(item.answer.keyEntities).toEqual([item.answer.value]);
			for (const name of ["have-first", "have-second"]) {
				const trials = lookOf(item, name)?.trials ?? [];
				expect(trials.map(({ condition }) => condition)).toEqual([
					"everything",
					...item.chain.hops.map(({ id }) => `without ${id}`),
				]);
				expect(trials.map(({ score }) => score)).toEqual([1, ...item.chain.hops.map(() => 0)]);
			}
			expect(lookOf(item, "have-first")?.models).toEqual(["player-verifier-a"]);
			expect(lookOf(item, "have-second")?.models).toEqual(["player-generator"]);
			// the captions of these pictures name what they show
			expect(lookOf(item, "hops-not-given-away")?.verdict).toBe(item.images.length > 0 ? "fail" : "pass");
			expect(item.notes.regenerated).toMatchObject({ model: "player-regenerator", ours: 4.75, theirs: 4.75 });
		}
		expect(rowOf(build, "have-first")?.published?.rate).toBeCloseTo(0.229, 3);
	});

	test("the second look is the generator's as published, or a verifier's of its own", async () => {
		const { "verifier-b": other, ...cast } = mcSearchCast();
		expect((await make({}, { params: textOnly, cast })).items.length).toBeGreaterThan(0);
		const all = { ...cast, "verifier-b": other };
		const own = await make({}, { params: { ...textOnly, secondBy: "verifier-b", utilityThen: 0.5 }, cast: all });
		expect(own.items.length).toBeGreaterThan(0);
		for (const item of own.items) {
			expect(lookOf(item, "have-first")).toMatchObject({ models: ["player-verifier-a"], threshold: 0.1 });
			expect(lookOf(item, "have-second")).toMatchObject({ models: ["player-verifier-b"], threshold: 0.5 });
		}
	});

	longTest("an item whose steps a clue gives away is flagged, or dropped where that is set", async () => {
		const shown = (build: Build) => build.items.filter(({ images }) => images.length > 0);
		const flagged = await make();
		expect(shown(flagged).length).toBeGreaterThan(0);
		for (const item of shown(flagged))
			expect(lookOf(item, "hops-not-given-away")).toMatchObject({
				...{ verdict: "fail", reason: "clue_recoverable", on: { hop: "h1" } },
				detail: expect.stringContaining("the caption of harbour-"),
			});
		const dropped = await make({}, { params: { givenAway: "drop" } });
		expect(shown(dropped)).toEqual([]);
		expect(dropped.items.length).toBe(flagged.items.length - shown(flagged).length);
	});

	test("clusters of ready questions are what these were given with", async () => {
		const task: Task = {
			...{
				id: "q1",
				question: "Who designed the beacon?",
				images: [],
				tags: { language: "en" },
				source: "s",
				rights: "",
			},
			answer: { type: "string", value: "Halden", accepted: ["Halden"] },
			context: ["harbour-1/built", "harbour-1/tower", "harbour-1/born"],
		};
		const { items } = await make({}, { params: { clusters: "seeds" }, seeds: [task] });
		expect(items.length).toBeGreaterThan(0);
		for (const item of items) {
			expect(item.cluster).toBe("q1");
			for (const id of item.chain.hops.flatMap((hop) => hop.evidence)) expect(task.context).toContain(id);
		}
	});

	longTest("a drawn share is made anew; the draw follows the seed", async () => {
		const count = async (seed: number) => {
			builds += 1;
			const stream = async function* () {
				yield* evidence;
			};
			const options = { models: mcSearchCast(), seed, params: { ...settings, regenerated: 0.5 } };
			const build = await runRecipe(mcSearch, { knowledge, evidence: stream }, join(dir, `seed-${builds}`), options);
			return build.items.map(({ notes }) => notes.regenerated !== undefined);
		};
		const once = await count(1);
		expect(await count(1)).toEqual(once);
		expect(new Set(once).size).toBe(2);
	});
});

const line = (...steps: { ask: string; on: string; answer: string; after?: number[]; modality?: string }[]) => ({
	question: "What does it all come to?",
	answer: steps.at(-1)?.answer ?? "",
	graph_type: "text-only-chain",
	subqa_chain: steps.map(({ ask, on, answer, after = [], modality = "text" }) => ({
		...{ subquestion: ask, modality, supporting_fact_id: on, answer, builds_on: after },
	})),
});

const textOnly = {
	mix: {
		...{ "image-initiated-chain": 0, "text-only-chain": 1, "image-text-fork": 0, "multi-image-fork": 0 },
		"text-initiated-chain": 0,
	},
	perCluster: 1,
};
const first = (id: string, at: number) => `harbour-${at}/${id}`;

describe("what the recipe must catch", () => {
	const steps = (at: number) => [
		{ ask: "Who designed the beacon?", on: first("built", at), answer: "Halden" },
		{ ask: "Where is Halden from?", on: first("born", at), answer: "Norwick", after: [1] },
	];
	const chainOf = (make: (at: number) => object) => ({
		"generate-chain": ({ material }: { material: Readonly<Record<string, string>> }) =>
			make(Number(/harbour-(\d)/.exec(material.texts ?? "")?.[1])),
	});
	/** A solver that needs the second step's evidence alone. */
	const needs = (...words: string[]): Parts => ({
		"answer-from-evidence": ({ material }) => ({
			answer: words.every((word) => material.evidence?.includes(word)) ? "Norwick" : null,
		}),
	});
	const scored = { "score-chain": () => ({ factual: 5, necessity: 5, clarity: 5, alignment: 5, comment: "" }) };

	test.each<[string, Parts, string, string, params?: object]>([
		[
			"evidence from elsewhere",
			chainOf(() =>
				line(...steps(1)).subqa_chain
					? {
							...line(...steps(1)),
							subqa_chain: [
								{ ...line(...steps(1)).subqa_chain[0], supporting_fact_id: "nowhere/1" },
								line(...steps(1)).subqa_chain[1],
							],
						}
					: {},
			),
			"generated-chain",
			"not_grounded",
		],
		[
			"a text that is called an image",
			chainOf((at) =>
				line(
					{ ask: "Who is it?", on: first("built", at), answer: "Halden", modality: "image" },
					{ ask: "Where is Halden from?", on: first("born", at), answer: "Norwick", after: [1] },
				),
			),
			"generated-chain",
			"not_grounded",
		],
		[
			"another shape than was asked for",
			chainOf((at) =>
				line(
					{ ask: "Who is it?", on: first("built", at), answer: "Halden" },
					{ ask: "Where is it?", on: first("born", at), answer: "Norwick" },
				),
			),
			"asked-topology",
			"broken_graph",
			{ compound: false },
		],
		[
			"a question that its evidence does not answer",
			{ "answer-from-evidence": () => ({ answer: null }) },
			"have-first",
			"not_solvable",
		],
		[
			"a question that a model answers without evidence",
			{
				...chainOf((at) =>
					line(
						{ ask: "Who built it?", on: first("built", at), answer: "a man" },
						{ ask: "What sails?", on: first("crew", at), answer: "a boat", after: [1] },
						{ ask: "What is sold?", on: first("fair", at), answer: "goods", after: [2] },
						{ ask: "From where?", on: first("born", at), answer: "Norwick", after: [3] },
					),
				),
				"answer-from-evidence": () => ({ answer: "Norwick" }),
			},
			"have-first",
			"hop_redundant",
		],
		[
			"something else that settles a step",
			{ "find-confounders": ({ material }) => ({ resolving: [/\[([^\]]+)\]/.exec(material.texts ?? "")?.[1]] }) },
			"no-confounders",
			"confounder",
		],
		[
			"low scores that no edit mends",
			{ "score-chain": () => ({ factual: 2, necessity: 5, clarity: 5, alignment: 5, comment: "wrong" }) },
			"edited-answer",
			"low_score",
		],
		[
			"evidence that allows no such chain",
			{ "generate-chain": () => ({ declined: "nothing fits" }) },
			"generated-chain",
			"dead_end",
		],
	])("%s", async (_, parts, stage, reason, params = {}) => {
		const build = await make(parts, { params: { ...textOnly, ...params } });
		expect(build.items).toEqual([]);
		expect(build.funnel.faults).toBe(0);
		expect(rowOf(build, stage)?.dropped).toHaveProperty(reason);
	});

	test.each<[string, Parts, string]>([
		[
			"evidence used twice",
			chainOf((at) => line(...steps(at).map((step) => ({ ...step, on: first("built", at) })))),
			"generated-chain",
		],
		[
			"a step that builds on a later one",
			chainOf((at) => line(...steps(at).map((step) => ({ ...step, after: [2] })))),
			"generated-chain",
		],
		[
			"a chain that is no JSON",
			{ "generate-chain": () => "1. Who designed it? 2. Where is he from?" },
			"generated-chain",
		],
		[
			"a provider that fails",
			{
				"score-chain": () => {
					throw new ModelError("the server is away");
				},
			},
			"quality",
		],
		[
			"a score that is none",
			{ "score-chain": () => ({ factual: 9, necessity: 5, clarity: 5, alignment: 5, comment: "" }) },
			"quality",
		],
		["a confounder that was not shown", { "find-confounders": () => ({ resolving: ["nowhere/1"] }) }, "no-confounders"],
	])("%s is a fault, no verdict", async (_, parts, stage) => {
		const build = await make(parts, { params: textOnly });
		expect(build.items).toEqual([]);
		expect(rowOf(build, stage)?.faults).toBe(3);
		expect(rowOf(build, stage)?.dropped).toEqual({});
	});

	test("a hop of no use is taken out, and what needed it needs what it needed", async () => {
		const parts = {
			...chainOf((at) => {
				const [designed, moved] = steps(at);
				const idle = { ask: "Who steers the ferry with Halden?", on: first("crew", at), answer: "sailors", after: [1] };
				return designed && moved ? line(designed, idle, { ...moved, after: [2] }) : {};
			}),
			...needs("beacon was designed", "moved from"),
			...scored,
			"find-confounders": () => ({ resolving: [] }),
			"shrink-chain": () => ({
				question: "Where is the designer of the beacon from?",
				steps: [
					{ id: "h1", subquestion: "Who designed the beacon?" },
					{ id: "h3", subquestion: "Where is Halden from?" },
				],
			}),
		} satisfies Parts;
		const { items } = await make(parts, { params: textOnly });
		// each cluster gives the same question, and of these the first stays
		expect(items.length).toBe(1);
		for (const { chain, questions } of items) {
			expect(chain.hops.map(({ id, needs: before }) => [id, before.map(({ hop }) => hop)])).toEqual([
				["h1", []],
				["h3", ["h1"]],
			]);
			expect(questions.map(({ by }) => by)).toEqual(["generated-chain", "shrunk-chain"]);
		}
		const wrong = {
			...parts,
			"shrink-chain": () => ({ question: "Where?", steps: [{ id: "h2", subquestion: "Where?" }] }),
		};
		expect(rowOf(await make(wrong, { params: textOnly }), "shrunk-chain")).toMatchObject({ faults: 3, out: 0 });
	});

	test("an answer that is scored low is written anew and scored again", async () => {
		const wrong = chainOf((at) => {
			const [designed, moved] = steps(at);
			return designed && moved ? { ...line(designed, moved), answer: "Norwick town" } : {};
		});
		const parts: Parts = {
			...wrong,
			...needs("beacon was designed", "moved from"),
			"find-confounders": () => ({ resolving: [] }),
			"score-chain": ({ material }) => ({
				...{
					factual: material.answer === "Norwick" ? 5 : 3,
					necessity: 5,
					clarity: 5,
					alignment: 5,
					comment: "no town",
				},
			}),
			"edit-answer": () => ({ answer: "Norwick" }),
		};
		const { items } = await make(parts, { params: textOnly });
		expect(items.length).toBe(1);
		for (const item of items) {
			expect(item.answer.value).toBe("Norwick");
			expect(item.checks.filter(({ check }) => check === "quality").map(({ verdict }) => verdict)).toEqual([
				"fail",
				"pass",
			]);
			expect(taskOf(item).chain?.hops.at(-1)?.answer.value).toBe("Norwick");
		}
	});

	test("verifiers are neither the generator nor one another", async () => {
		const { generator, ...others } = mcSearchCast();
		const cast = { ...others, generator, "verifier-b": others["verifier-a"] };
		await expect(make({}, { cast })).rejects.toMatchObject({ code: "bad-cast" });
		await expect(make({}, { cast: { ...others, generator, judge: generator } })).rejects.toMatchObject({
			code: "bad-cast",
		});
	});
});

/** The five chains that the paper prints (Appendix C), their steps shortened, with what each builds on. */
const printed: [
	name: string,
	topology: string,
	steps: [modality: "text" | "image", id: string, answer: string, after: number[]][],
	answer: string,
][] = [
	[
		"image-initiated",
		"image-initiated-chain",
		[
			["image", "30332773", "The Annunciation", []],
			["text", "d5be2ae0_0", "Philadelphia Museum of Art", [1]],
			["text", "d5be2ae0_1", "April 5, 1899 for $1,750", [2]],
			["text", "d5be2ae0_8", "Tanner's first work purchased by an American museum", [3]],
		],
		"The Annunciation, held in Philadelphia, bought in 1899, his first work bought by an American museum.",
	],
	[
		"text-initiated",
		"text-initiated-chain",
		[
			["text", "d5bd142a_7", "a bit of Denmark", []],
			["image", "30326437", "Yes, a windmill and Danish buildings", [1]],
		],
		"Yes, the image shows a large windmill.",
	],
	[
		"parallel image and text",
		"image-text-fork",
		[
			["image", "30204742", "steel strings", []],
			["text", "d5be6802_15", "strengthening the body and deepening the bowl", []],
			["text", "d5be6802_3", "increased tonal resonance", [1, 2]],
			["text", "d5be6802_5", "the dominant way of stringing", [3]],
		],
		"Steel strings needed a deeper bowl and became dominant.",
	],
	[
		"several images",
		"multi-image-fork",
		[
			["image", "30383576", "a steep green roof", []],
			["image", "30021436", "a tall tower", []],
			["text", "d5bef66e_7", "the first expansion pavilion, 1984", [1, 2]],
		],
		"The Morocco Pavilion, the first expansion pavilion.",
	],
	[
		"text",
		"text-only-chain",
		[
			["text", "d5bd6ace_15", "a full-size luxury car made from 2010 to 2020", []],
			["text", "d5bd6ace_6", "a 6.75 L V8", [1]],
			["text", "d5bd6ace_11", "the W.O. Edition", [2]],
		],
		"The W.O. Edition",
	],
];

describe("the printed chains", () => {
	const replyOf = (steps: (typeof printed)[number][2], answer: string) =>
		ChainReply.parse({
			...{ question: "What is it?", answer, graph_type: "" },
			subqa_chain: steps.map(([modality, supporting_fact_id, own, builds_on], at) => ({
				...{ subquestion: `Step ${at + 1}?`, modality, supporting_fact_id, answer: own, builds_on },
			})),
		});
	const taskFor = (reply: ChainReply) => {
		const item = newItem({ question: reply.question, by: "test", ...chainOfReply(reply) }, { name: "t", version: "1" });
		return { item, task: taskOf(item) };
	};

	test.each(printed)("%s: the shape follows from what its steps build on", (_, topology, steps, answer) => {
		const { task, item } = taskFor(replyOf(steps, answer));
		expect(chainProblems(task)).toEqual([]);
		expect(topologyOf(item.chain)).toBe(topology);
	});
	test("a fork whose steps build on one another is a line, whatever it is called", () => {
		const steps = printed[2]?.[2].map(
			([modality, id, answer], at) => [modality, id, answer, at > 0 ? [at] : []] as const,
		);
		const reply = replyOf((steps ?? []) as (typeof printed)[number][2], "It became dominant.");
		expect(topologyOf(taskFor(reply).item.chain)).toBe("image-initiated-chain");
	});
	test("three attributes of one car, asked for side by side, are a trivial concatenation", () => {
		const steps = printed[4]?.[2].map(([modality, id, answer]) => [modality, id, answer, []]);
		const reply = replyOf(
			steps as (typeof printed)[number][2],
			"Made from 2010 to 2020, a 6.75 L V8, the W.O. Edition.",
		);
		const { item } = taskFor(reply);
		expect(topologyOf(item.chain)).toBe("text-fork");
		expect(noTrivialConcatenation().look(item)).toMatchObject({ verdict: "fail", reason: "trivial_concatenation" });
	});
	test("one piece of evidence for two steps is refused, as the several images' chain has it in the paper", () => {
		const steps = [...(printed[3]?.[2] ?? [])];
		steps.splice(2, 0, ["image", "30021436", "The Morocco Pavilion", [1, 2]]);
		expect(() => replyOf(steps, "The Morocco Pavilion")).toThrow(/30021436 is used twice/);
	});
});

test("agreement of ranks over what was made anew; what failed is counted apart", async () => {
	const note = (ours: number, theirs: number | null) => ({
		notes: { regenerated: { model: "m", ours, theirs, problem: theirs === null ? "another shape" : null } },
	});
	const answer = { type: "string", value: "April 5, 1899", accepted: [], keyEntities: ["1899"] } as const;
	const items = [note(1, 2), note(2, 2.5), note(3, 4), note(4, 3), note(5, 5), note(5, null), { notes: {} }];
	// ranks 1..5 against 1, 2, 4, 3, 5: 1 - 6 * 2 / (5 * 24)
	expect(regenerationAgreement(items)).toMatchObject({ value: expect.closeTo(0.9, 12), n: 5, failed: 1 });
	expect(regenerationAgreement([])).toMatchObject({ value: null, failed: 0 });
	const told = await mcSearch.remarks?.(
		(async function* () {
			yield* items.map((item) => ({ ...item, answer })) as unknown as Item[];
		})(),
	);
	expect(told).toEqual([
		"Answers have 3.0 tokens and 1.0 key entities on average (published: 47.4 and 8.03).",
		expect.stringMatching(/made 5 chains anew: .* is 0\.90 \[.*\]; 1 more could not be scored\.$/),
	]);
});
