import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCorpus, openCorpus, readSources } from "#corpus";
import { type Answer, type Evidence, type Item, questionOf, type Task, topologyOf } from "#domain";
import { buildKnowledge, fakeKnowledge, type KnowledgeBase, openKnowledge } from "#knowledge";
import { ModelError } from "#models";
import { planOf, type RecipeInputs, runRecipe } from "#recipes";
import { sha256 } from "#store";
import { longTest } from "../../test/long.ts";
import { answerOf, type HopSketch, sketchItem } from "../../test/support/recipes/item-sketch.ts";
import { comparison, mmhopsCast } from "../../test/support/recipes/mmhops-players.ts";
import { firstHop, pageOfAnswer, wholeName } from "./mmhops/bridging.ts";
import { bothNamed, numberWithUnit } from "./mmhops/comparison.ts";
import { computed, measured } from "./mmhops/measures.ts";
import type { Pages } from "./mmhops/pages.ts";
import { depicted, similar } from "./mmhops/pairs.ts";
import { mmhops } from "./mmhops.ts";
import { timeAnswer } from "./template/answers.ts";

const kilt = "../shared/data/kilt-100/kilt_100.jsonl";
const pictures = "../shared/data/infoseek-images";
const real = existsSync(kilt) && existsSync(pictures);
/** Pages of the corpus, and the photographs that stand for them here. */
const shown = [
	["Samuel West", "dog"],
	["Bohemond I of Antioch", "bird"],
	["Timothy West", "fish"],
	["Anna Komnene", "car"],
	["Peter the Hermit", "lake"],
	["Stokesay Castle", "piano"],
	["Algeria", "plant"],
	["Alabama", "insect"],
] as const;

let dir = "";
let knowledge: KnowledgeBase;
let inputs: RecipeInputs;
let titles: string[] = [];
let builds = 0;

beforeAll(async () => {
	if (!real) return;
	dir = await mkdtemp(join(tmpdir(), "hopscope-mmhops-"));
	const read = join(dir, "corpora/read");
	await readSources([kilt], { dir: read, name: "read" }, { onProblem: () => {} });
	const corpus = await createCorpus(join(dir, "corpora/kilt"), { name: "kilt", licence: "CC-BY-SA-3.0", sources: [] });
	for await (const one of (await openCorpus(read)).evidence()) corpus.add(one);
	for (const [title, name] of shown) corpus.add(await picture(title, name));
	await corpus.finish();
	await buildKnowledge(join(dir, "corpora/kilt"), join(dir, "knowledge/kilt"));
	knowledge = await openKnowledge(join(dir, "knowledge/kilt"));
	const opened = await openCorpus(join(dir, "corpora/kilt"));
	const named = new Set<string>();
	for await (const { title } of opened.evidence()) named.add(title);
	titles = [...named].filter((title) => title.length > 3).sort((a, b) => b.length - a.length);
	inputs = { knowledge, evidence: () => opened.evidence(), seeds: shown.map(seed), seedsFolder: pictures };
});

afterAll(async () => {
	await knowledge?.close();
	if (dir) await rm(dir, { recursive: true, force: true });
});

async function picture(title: string, name: string): Promise<Evidence> {
	const data = await readFile(join(pictures, `${name}.png`));
	const { writeWhole } = await import("#store");
	await writeWhole(join(dir, "corpora/kilt/images", `${name}.png`), data);
	return {
		...{ kind: "image", id: `image-${name}`, document: title, title, language: "en", sha256: sha256(data) },
		...{
			provenance: { source: "infoseek", licence: "Apache-2.0" },
			caption: "a photograph",
			file: `images/${name}.png`,
		},
		...{ width: 500, height: 500 },
	};
}

function seed([title, name]: (typeof shown)[number]): Task {
	return {
		...{ id: `seed-${name}`, question: "Which subject does this photograph stand for?", tags: { language: "en" } },
		images: [{ id: `seed-${name}`, file: `${name}.png`, width: 500, height: 500, sha256: "0".repeat(64) }],
		answer: { type: "string", value: title, accepted: [title] },
		...{ source: "test", rights: "Apache-2.0" },
	};
}

async function build(cast: ReturnType<typeof mmhopsCast>, params: object = {}, given: RecipeInputs = inputs) {
	builds += 1;
	return runRecipe(mmhops, given, join(dir, `builds/${builds}`), { models: cast, params });
}

/** Reasons of drops by stage, and faults. */
const outcome = (built: Awaited<ReturnType<typeof build>>, stage: string) => {
	const row = built.funnel.rows.find((one) => one.stage === stage);
	return { dropped: row?.dropped, faults: row?.faults };
};

describe.skipIf(!real)("over real articles", () => {
	longTest("leads visual questions on through pages, every sentence verbatim and no bridge named", async () => {
		const built = await build(mmhopsCast({ titles }), { questions: ["bridging"], perPage: 25, beam: 5 });
		expect(built.items.length).toBeGreaterThan(3);
		for (const item of built.items) {
			const { hops } = item.chain;
			expect(topologyOf(item.chain)).toBe("image-initiated-chain");
			expect(item.tags.questionType).toBe("bridging");
			// the stored photograph of what is asked about
			expect(await Promise.all((hops[0]?.evidence ?? []).map((id) => knowledge.evidence(id)))).toMatchObject([
				{ kind: "image", title: hops[0]?.answer.value },
			]);
			expect(new Set(hops.map(({ answer }) => answer.value)).size).toBe(hops.length);
			expect(hops.length).toBeGreaterThanOrEqual(3);
			expect(hops.length).toBeLessThanOrEqual(4);
			for (const hop of hops.slice(0, -1)) expect(questionOf(item)).not.toContain(hop.answer.value);
			for (const hop of hops.slice(1)) {
				const evidence = await knowledge.evidence(hop.evidence[0] ?? "");
				expect(evidence?.kind === "passage" && evidence.text).toContain(hop.answer.accepted.at(-1));
				expect(evidence?.title).toBe(hops[hops.indexOf(hop) - 1]?.answer.value);
			}
			expect(item.images).toHaveLength(1);
			expect(item.tags.split).toMatch(/^(train|validation|test)$/);
			expect(item.checks.filter(({ verdict }) => verdict === "pass").map(({ check }) => check)).toContain(
				"name-blotted-out",
			);
		}
		expect(built.items.some((item) => item.ladder?.level === 4)).toBe(true);
	});

	longTest("compares what two images show, with the arithmetic done in code", async () => {
		const built = await build(mmhopsCast({ titles }), { questions: ["comparison"], neighbours: 7 });
		expect(built.items.length).toBeGreaterThan(2);
		for (const item of built.items) {
			expect(topologyOf(item.chain)).toBe("multi-image-fork");
			expect(item.images).toHaveLength(2);
			const [, , first, second, sink] = item.chain.hops;
			const years = [first, second].map((hop) => Number(hop?.answer.value));
			expect(sink?.answer).toMatchObject({ number: { value: Math.abs((years[0] ?? 0) - (years[1] ?? 0)) } });
			for (const name of item.images.flatMap(({ hides = [] }) => hides)) expect(questionOf(item)).not.toContain(name);
		}
		// no pair in both orders, and no image in two parts
		const parts = new Map<string, Set<string>>();
		for (const item of built.items)
			for (const { sha256: image } of item.images)
				parts.set(image, (parts.get(image) ?? new Set()).add(item.tags.split ?? ""));
		for (const split of parts.values()) expect(split.size).toBe(1);
	});

	longTest("gives the same items again, and asks nothing a second time", async () => {
		const params = { perPage: 2, beam: 2, neighbours: 3 };
		const first = mmhopsCast({ titles });
		const made = await build(first, params);
		builds -= 1;
		const second = mmhopsCast({ titles });
		const again = await build(second, params);
		expect(again.items).toEqual(made.items);
		expect(Object.values(second).flatMap(({ asked }) => Object.values(asked))).toEqual([]);
	});

	longTest("catches a generator that misbehaves, each in its own way", async () => {
		const bridging = { questions: ["bridging"], perPage: 2, beam: 2 };
		const withPart = (name: string, part: (...args: never[]) => object | string) =>
			mmhopsCast({ titles, more: { [name]: part as never } });
		const invented = await build(
			withPart("ask-about-entity", () => ({
				question: "Of Samuel West, when?",
				answer: "1999",
				sentence: "It was 1999.",
			})),
			bridging,
		);
		expect(outcome(invented, "sub-question").dropped).toHaveProperty("not_grounded");
		const kept = await build(
			withPart("nest-questions", ({ material }: { material: Record<string, string> }) => ({
				chained_question: material.outer,
			})),
			bridging,
		);
		expect(Object.keys(outcome(kept, "bridges-hidden").dropped ?? {})).toEqual(["intermediate_in_question"]);
		const needless = await build(
			withPart("judge-entity-need", () => ({ needed: false, why: "another name leads there" })),
			bridging,
		);
		expect(Object.keys(outcome(needless, "entity-needed").dropped ?? {})).toEqual(["hop_skippable"]);
		const broken = await build(
			withPart("nest-questions", () => "no JSON at all"),
			bridging,
		);
		expect(outcome(broken, "merged")).toMatchObject({ dropped: {} });
		expect(outcome(broken, "merged").faults).toBeGreaterThan(0);
		for (const { items } of [invented, kept, needless, broken]) expect(items).toEqual([]);
	});

	longTest("drops a question that a solver answers with the name blotted out", async () => {
		const cast = mmhopsCast({ titles });
		const known = new Map<string, string>();
		const built = await build(cast, { questions: ["bridging"], perPage: 25, beam: 5 });
		for (const { chain } of built.items)
			for (const { question, answer } of chain.hops)
				known.set(question.replace(/^Of .*? it is said/, ""), answer.value);
		const knowing = mmhopsCast({
			titles,
			more: {
				"answer-from-evidence": ({ material }) => ({
					answer: known.get((material.question ?? "").replace(/^Of .*? it is said/, "")) ?? null,
				}),
			},
		});
		const again = await build(knowing, { questions: ["bridging"], perPage: 25, beam: 5 });
		expect(outcome(again, "name-blotted-out").dropped).toHaveProperty("hop_skippable");
		expect(again.items.length).toBeLessThan(built.items.length);
	});

	longTest(
		"drops comparisons that do not add up, and keeps what a failing provider left for the next run",
		async () => {
			const comparing = { questions: ["comparison"], neighbours: 3 };
			const wrong = mmhopsCast({
				titles,
				more: { "compare-entities": (played) => ({ ...comparison(played), answer: "3000 years" }) },
			});
			const sums = await build(wrong, comparing);
			expect(outcome(sums, "compared").dropped).toHaveProperty("arithmetic_wrong");
			expect(sums.items).toEqual([]);
			const failing = mmhopsCast({
				titles,
				more: {
					"judge-comparison": (_, n) => {
						if (n === 0) throw new ModelError("the provider is down");
						return { problem: "none" };
					},
				},
			});
			const part = await build(failing, comparing);
			expect(part.funnel.faults).toBe(1);
			builds -= 1;
			const whole = await build(mmhopsCast({ titles }), comparing);
			expect(whole.funnel.faults).toBe(0);
			expect(whole.items.length).toBe(part.items.length + 1);
		},
	);
});

describe("parts", () => {
	const context = { recipe: { name: "mmhops", version: "1" }, random: () => ({ shuffle: <T>(all: T[]) => all }) };
	const pages = (title: string): Pages => ({
		of: async (name) =>
			name === title ? [{ id: "p1", title, section: "", text: "…", language: "en", rights: "" }] : [],
		imagesOf: async () => [],
		titleOf: async () => title,
		held: async (ids) => [...ids],
	});
	test("a year leads nowhere, though a page is titled so", async () => {
		const item = (answer: Answer) => sketchItem({ question: "When?", hops: [{ question: "When?", answer }] });
		const stage = pageOfAnswer(pages("1938"), { corpus: "", most: 3 });
		const went = await stage.run(item(timeAnswer("1938")), context as never);
		expect(went).toMatchObject([{ is: "drop", reason: "not_entity" }]);
		const named = await pageOfAnswer(pages("Spain"), { corpus: "", most: 3 }).run(
			item(answerOf("Spain")),
			context as never,
		);
		expect(named).toMatchObject([{ is: "piece", piece: { id: "p1" } }]);
	});
	test("a plan without seeds or depicted things says how they are come by, and what the first of each would ask", async () => {
		const text = "Otters live along the river and are 90 cm long, as every child of the valley has been told.";
		const passage: Evidence = {
			...{ kind: "passage", id: "p1", document: "d", title: "Otter", language: "en", form: "prose", text },
			...{ sha256: sha256("p1"), provenance: { source: "test" } },
		};
		const models = { generator: { id: "a" }, judge: { id: "b" } };
		const bare: RecipeInputs = {
			knowledge: fakeKnowledge([passage]),
			async *evidence() {
				yield passage;
			},
		};
		const plan = await planOf(mmhops, bare, { models, price: () => undefined });
		expect(plan.calls.expected).toBe(0);
		expect(plan.lacking).toEqual([
			expect.stringMatching(/^visual-questions: .*--seeds BENCH\. Each would ask about [1-9]\d* times\.$/),
			expect.stringMatching(/^depicted-entities: .* Each would ask about [1-9]\d* times\.$/),
		]);
		const seeded = await planOf(mmhops, { ...bare, seeds: shown.map(seed) }, { models, price: () => undefined });
		expect(seeded.lacking).toEqual([expect.stringMatching(/^depicted-entities/)]);
		expect(seeded.calls.expected).toBeGreaterThan(0);
	});

	describe("a seed that holds a recognition and a fact stays usable", () => {
		const titles: Record<string, string> = { "p-otter": "Otter", "p-lake": "Lake Arden", "p-town": "Corvane" };
		const world: Pages = {
			of: async (name) =>
				Object.entries(titles)
					.filter(([, title]) => title === name)
					.map(([id, title]) => ({ id, title, section: "", text: "…", language: "en", rights: "" })),
			imagesOf: async (name) => (name === "Otter" ? ["i-otter"] : []),
			titleOf: async (id) => titles[id],
			held: async (ids) => ids.filter((id) => id in titles),
		};
		const keepImage = async (_: string, about: object) => ({ ...about, file: "images/1.png", width: 1, height: 1 });
		const seedOf = (chain?: Task["chain"]): Task => ({
			...{ id: "s1", question: "In which lake does this animal live?", tags: { language: "en" } },
			images: [{ id: "s1", file: "1.png", width: 1, height: 1, sha256: "0".repeat(64) }],
			...{ answer: answerOf("Lake Arden"), source: "test", rights: "", ...(chain ? { chain } : {}) },
		});
		const chainOf = (...hops: HopSketch[]) => sketchItem({ question: "?", hops }).chain;
		const started = async (chain?: Task["chain"]) => {
			const stage = firstHop({}, world);
			const [outcome] = await stage.run(seedOf(chain), { ...context, keepImage } as never);
			if (outcome?.is !== "piece") return outcome;
			const { piece } = outcome;
			return {
				hops: piece.chain.hops.map(({ modality, answer, evidence, needs }) => [
					...[modality, answer.value, evidence.join(), needs.map(({ hop, role }) => `${hop} ${role}`).join()],
				]),
				hides: piece.images[0]?.hides,
				level: piece.ladder?.level,
			};
		};
		const both = {
			hops: [
				["image", "Otter", "i-otter", ""],
				["text", "Lake Arden", "p-otter", "h1 constraint"],
			],
			...{ hides: ["Otter"], level: 2 },
		};
		const lives = { question: "In which lake does this animal live?", answer: "Lake Arden", evidence: ["p-otter"] };

		test("in one hop over a text, or in two", async () => {
			expect(await started(chainOf(lives))).toEqual(both);
			const seen: HopSketch = { question: "What is it?", answer: "Otter", modality: "image", evidence: ["lost"] };
			expect(await started(chainOf(seen, { ...lives, needs: ["h1"] }))).toEqual(both);
			const named = { ...lives, question: "Where does the Otter live?", needs: ["h1"] };
			const direct = await started(chainOf(seen, named));
			expect(direct).toMatchObject({ hops: [both.hops[0], expect.arrayContaining(["h1 bridge"])] });
		});
		test("and one that is nothing but a recognition begins as it did", async () => {
			const alone = { hops: [["image", "Lake Arden", "p-lake", ""]], hides: ["Lake Arden"], level: 1 };
			expect(await started()).toEqual(alone);
			expect(await started(chainOf({ ...lives, evidence: ["p-lake"] }))).toEqual(alone);
		});
		test("other shapes, and facts without evidence, do not", async () => {
			const seen: HopSketch = { question: "What is it?", answer: "Otter", modality: "image" };
			expect(await started(chainOf(seen, lives))).toMatchObject({ reason: "compound_question" });
			expect(await started(chainOf(lives, { ...lives, needs: ["h1"] }))).toMatchObject({ reason: "compound_question" });
			const lost = { ...lives, evidence: ["lost"], needs: ["h1"] };
			expect(await started(chainOf(seen, lost))).toMatchObject({ reason: "not_grounded" });
		});
		test("its fact counts among the textual hops", async () => {
			const item = sketchItem({
				question: "?",
				hops: [
					{ ...lives, modality: "image" },
					{ ...lives, needs: ["h1"] },
				],
			});
			const on = (most: number) => pageOfAnswer(world, { corpus: "", most }).run(item, context as never);
			expect(await on(2)).toHaveLength(1);
			expect(await on(1)).toEqual([]);
		});
	});
	test("a neighbour that does not look back makes a pair all the same, and no pair comes twice", async () => {
		const near: Record<string, string[]> = { Ant: ["Ant", "Bee"], Bee: ["Bee", "Ant"], Cat: ["Cat", "Ant"] };
		const names = Object.keys(near);
		const page = (title: string) => ({ id: `p-${title}`, title, section: "", text: "…", language: "en", rights: "" });
		const world = {
			knowledge: {
				manifest: { hash: "", indexes: [] },
				search: async ({ text }: { text: string }) => near[text.split(".")[0] ?? ""]?.map((title) => ({ title })),
			},
			async *evidence() {
				for (const title of names) yield { kind: "image", id: `i-${title}`, title };
			},
		};
		const of = { ...pages(""), of: async (name: string) => [page(name)] };
		const stage = similar(world as never, of, { neighbours: 1 });
		const found: string[] = [];
		for await (const one of depicted(world as never, of))
			for (const outcome of await stage.run(one, context as never))
				if (outcome.is === "piece") found.push(outcome.piece.id);
		expect(found.sort()).toEqual(["i-Ant+i-Bee", "i-Ant+i-Cat"]);
	});
	test.skipIf(!real)("a sentence that does not give the answer is no evidence", async () => {
		const cast = mmhopsCast({ titles, more: { "judge-evidence": () => ({ answers: "no" }) } });
		const built = await build(cast, { questions: ["bridging"], perPage: 2, beam: 2 });
		expect(Object.keys(outcome(built, "sentence-answers").dropped ?? {})).toEqual(["lacking_evidence"]);
	});
});

describe("the paper's own labels", () => {
	const bridged = (entity: string, question: string): Item => ({
		...({ id: "x", recipe: { name: "mmhops", version: "1" }, images: [], checks: [], lineage: [], notes: {} } as const),
		questions: [{ text: question, by: "test" }],
		answer: { type: "string", value: "a", accepted: ["a"] },
		chain: {
			hops: [
				{
					...({ id: "h1", question: "Which?", modality: "image", needs: [], evidence: ["i"] } as const),
					answer: { type: "string", value: entity, accepted: [entity] },
				},
				{
					...({
						id: "h2",
						question,
						modality: "text",
						needs: [{ hop: "h1", role: "bridge" }],
						evidence: ["p"],
					} as const),
					answer: { type: "string", value: "a", accepted: ["a"] },
				},
			],
			sink: "h2",
		},
		...{ tags: { language: "en" }, source: "", rights: "" },
	});
	// Supplementary, question quality control and merging: what rules can tell of its examples
	test.each([
		["Fabaceae", "What type of fruits do Fabaceae produce after fertilization?", "pass"],
		["Spain", "How many World Heritage Sites does Spain have?", "pass"],
		["Robert Adler", "At what age did Robert Adler die?", "pass"],
		["Brooklyn", "When did the Brooklyn Museum open?", "fail"],
	])("%s: %s", (entity, question, verdict) => {
		expect(wholeName.look(bridged(entity, question)).verdict).toBe(verdict);
	});
	test("a question about a derivative of the entity lacks its name", async () => {
		const { bridgesNamedOnce } = await import("./rules/bridges.ts");
		const item = bridged("Bean", "How many subfamilies are included in the Fabaceae family?");
		expect(bridgesNamedOnce().look(item)).toMatchObject({ verdict: "fail", reason: "missing_name" });
	});

	const arithmetic = (values: [string, string], said: string, operation: "difference" | "argmax" = "difference") => {
		const read = measured(values, { language: "en" });
		if ("problem" in read) return read.problem;
		const made = computed(operation, read.answers, { names: ["A", "B"], said, language: "en" });
		return "problem" in made ? made.problem : "right";
	};
	test("opening of two bridges: 1958 and 1938 are 20 years apart", () => {
		expect(arithmetic(["April 1958", "1938"], "20 years")).toBe("right");
		expect(arithmetic(["1958", "1938"], "9 years")).toBe("20 years, not 9 years");
	});
	test("heights of two plants: 150 cm and 1.5 m do not differ by 50 cm", () => {
		expect(measured(["150 cm", "1.5 m"], { language: "en" })).toMatchObject({
			answers: [{ number: { value: 150, unit: "cm" } }, { number: { value: 150, unit: "cm" } }],
		});
		expect(arithmetic(["150 cm", "1.5 m"], "50 cm")).not.toBe("right");
	});
	test("wingspans of two terns: a range is no value", () => {
		expect(arithmetic(["91 cm", "145 cm"], "54 cm")).toBe("right");
		expect(arithmetic(["76 - 91 cm", "127-145 cm"], "54 cm")).toContain("is a range");
	});
	test("wingspans of two terns: one end of both ranges is asked for, units in brackets", () => {
		const terns = (bound: "highest" | "lowest") =>
			measured(["76 - 91 (cm)", "127–145 (cm)"], { language: "en", bound });
		expect(terns("highest")).toMatchObject({
			answers: [{ number: { value: 91, unit: "cm" } }, { number: { value: 145 } }],
		});
		expect(terns("lowest")).toMatchObject({ answers: [{ number: { value: 76 } }, { number: { value: 127 } }] });
		expect(measured(["40 to 150 (cm)", "1.5 (m)"], { language: "en", bound: "highest" })).toMatchObject({
			answers: [{ number: { value: 150 } }, { number: { value: 150 } }],
		});
	});
	test("counts of four digits are no years, and whole dates are times", () => {
		const question = "What is the difference between the seats of the two?";
		expect(measured(["1500 seats", "2000 seats"], { language: "en", question })).toMatchObject({
			answers: [{ type: "number" }, { type: "number" }],
		});
		expect(measured(["1500", "2000"], { language: "en", question })).toMatchObject({
			answers: [{ type: "number" }, {}],
		});
		expect(arithmetic(["October 10, 1938", "April 1958"], "20 years")).toBe("right");
	});
	test("a model's number counts in its own unit", () => {
		expect(arithmetic(["91 cm", "145 cm"], "0.54 m")).toBe("right");
		expect(arithmetic(["91 cm", "145 cm"], "54 m")).toBe("54 cm, not 54 m");
		expect(arithmetic(["91 cm", "145 cm"], "54 kg")).toBe("54 cm, not 54 kg");
		expect(arithmetic(["91 cm", "145 cm"], "50 to 58 cm")).not.toBe("right");
	});
	test("what cannot be compared is told", () => {
		expect(arithmetic(["5 kg", "3 m"], "2")).toContain("cannot be compared");
		expect(arithmetic(["nothing", "3 m"], "2")).toContain("is not one number");
		expect(arithmetic(["20 m", "6 m"], "A", "argmax")).toBe("right");
		expect(arithmetic(["20 m", "6 m"], "B", "argmax")).toBe("A, not B");
	});
	test("the answer is a number with its unit, a count, a share or a ratio", () => {
		const look = (question: string, answer: Answer, op: "difference" | "divide" | "argmax" = "difference") => {
			const sketch = sketchItem({ question, hops: [{ question, answer, modality: "compute", compute: { op } }] });
			return numberWithUnit.look({ ...sketch, notes: { names: ["Otter", "Heron"] } });
		};
		const number = (value: number, unit?: string): Answer => {
			const about = { value, ...(unit === undefined ? {} : { unit }) };
			return { type: "number", value: String(value), accepted: [], number: about };
		};
		expect(look("By how many cm is the Otter longer than the Heron?", number(50, "cm")).verdict).toBe("pass");
		expect(look("How many more eggs does the Heron lay than the Otter?", number(30)).verdict).toBe("pass");
		expect(look("How long is the Otter against the Heron?", number(1.5), "divide").verdict).toBe("pass");
		expect(look("What is the difference in length?", number(50))).toMatchObject({ reason: "unit_mismatch" });
		expect(look("Which is longer?", answerOf("Otter"), "argmax")).toMatchObject({ reason: "vague_answer" });
	});
	test("counts of different things are not compared", () => {
		const question = "How many more has the one than the other?";
		expect(measured(["27 cardinals", "40 ships"], { language: "en", question })).toEqual({
			problem: "cardinals and ships cannot be compared",
		});
		expect(measured(["1 city", "3 cities"], { language: "en", question })).toHaveProperty("answers");
		expect(measured(["1500 seats in total", "2000 seats"], { language: "en", question })).toHaveProperty("answers");
		expect(measured(["27 cardinals", "40"], { language: "en", question })).toHaveProperty("answers");
	});
	test("both names in full, before images take their place", () => {
		const item = { ...bridged("A", "Is Humvee older than the H1?"), notes: { names: ["Humvee", "Hummer H1"] } };
		expect(bothNamed.look(item)).toMatchObject({ verdict: "fail", reason: "missing_name", detail: "Hummer H1" });
	});
});
