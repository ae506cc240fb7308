import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chainProblems, type Evidence, type Item, questionOf, reasoningHops, taskOf } from "#domain";
import type { Graph } from "#graph";
import { fakeKnowledge } from "#knowledge";
import { type ChatModel, ModelError, uprightSize } from "#models";
import { type Build, graphOfFacts, type RecipeInputs, runRecipe } from "#recipes";
import { levelOf, mentionsAny } from "#scoring";
import { sha256File } from "#store";
import { atlasCharts } from "../../bench/sample/index.ts";
import { longTest } from "../../test/long.ts";
import type { Played } from "../../test/support/recipes/player.ts";
import { type VistahopWorld, vistahopCast } from "../../test/support/recipes/vistahop-players.ts";
import { localEncyclopedia } from "./encyclopedia/local.ts";
import { type FusionOperation, fusedValue } from "./vistahop/extractors.ts";
import { VistahopParams } from "./vistahop/params.ts";
import { vistahop } from "./vistahop.ts";

let dir: string;
let world: VistahopWorld;
let graph: Graph;
let inputs: RecipeInputs;
let built: Build;
const evidence: Evidence[] = [];

/** The Atlas's pictures are small, its countries and currencies well known, and its charts name five places each. */
const params = {
	...{ megapixels: 0.1, shortSide: 200, familiarity: 1.01, several: "place", leastHops: 3, mostHops: 4 },
	...{ visualSamples: 1, expansions: 20 },
};
let builds = 0;
const build = (more: Parameters<typeof vistahopCast>[1] = {}, options: object = {}, other = inputs) => {
	builds += 1;
	return runRecipe(vistahop, other, join(dir, `b${builds}`), {
		...{ models: vistahopCast(world, more), mostUnits: 2 },
		...options,
		params: { ...params, ...(options as { params?: object }).params },
	});
};

/** The Atlas's articles and tables, and three of its charts, as a corpus. */
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "vistahop-"));
	const sample = await atlasCharts(join(dir, "corpus"), { charts: 3 });
	evidence.push(...sample.evidence);
	graph = graphOfFacts(sample.graph);
	const knowledge = fakeKnowledge(evidence, { files: sample.files });
	inputs = {
		knowledge,
		graph,
		async *evidence() {
			yield* evidence;
		},
	};
	world = { graph, pictures: sample.charts };
	built = await build({}, { mostUnits: 3 });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const rowOf = ({ funnel }: Build, stage: string) => funnel.rows.find((row) => row.stage === stage);
const dropsOf = (one: Build, stage: string) => rowOf(one, stage)?.dropped ?? {};
/** Without fusion, for what does not concern it. */
const alone = { params: { fused: 0 } };
const relationsOf = ({ notes }: Item) => notes.relations as { to: string; confidence: number; category: string }[];

describe("over the Atlas", () => {
	test("makes whole items from pictures, whose chains are facts of the graph with one end each", () => {
		expect(built.funnel.faults).toBe(0);
		const singles = built.items.filter(({ tags }) => tags.reasoning === "single-chain");
		expect(singles.length).toBeGreaterThan(5);
		const held = new Set(evidence.map(({ id }) => id));
		for (const item of built.items) {
			expect(chainProblems(taskOf(item), { resolves: (id) => held.has(id) })).toEqual([]);
			expect(questionOf(item)).toContain("shown in the image");
			for (const name of item.images.flatMap(({ hides = [] }) => hides))
				expect(mentionsAny([name], [questionOf(item)])).toBe(false);
			expect(item.images[0]?.id).not.toContain("country");
			expect(item.notes.review).toMatchObject({ reviewers: 3, drop: "any-fail" });
		}
		for (const { chain, tags } of singles) {
			expect(chain.hops.length - 1).toBe(Number(tags.hops));
			expect(Number(tags.hops)).toBeGreaterThanOrEqual(3);
			expect(Number(tags.hops)).toBeLessThanOrEqual(4);
			expect(chain.hops[0]).toMatchObject({
				modality: "image",
				region: { image: expect.stringMatching(/^i[0-9a-f]{12}$/) },
			});
			for (const [at, { answer, relation = "", evidence: ids, question }] of chain.hops.entries()) {
				if (at === 0) continue;
				const before = chain.hops[at - 1]?.answer.value ?? "";
				const direction = question.startsWith("What is the") ? "out" : "in";
				const ends = graph
					.find(before)
					.map(({ id }) => graph.neighbours(id, { relation, direction }).map(({ to }) => to.name));
				expect(ends).toContainEqual([answer.value]);
				for (const id of ids) {
					const found = evidence.find((one) => one.id === id);
					expect(found?.kind).toBe("passage");
				}
			}
		}
	});

	longTest("takes no entity twice, whatever was done first", async () => {
		const taken = built.items
			.filter(({ tags }) => tags.reasoning === "single-chain")
			.flatMap((item) => relationsOf(item).map(({ to }) => to));
		const entities = taken.filter((id) => graph.entities.get(id)?.kind === "entity");
		expect(new Set(entities).size).toBe(entities.length);
		const one = await build({}, { ...alone, together: 1 });
		const many = await build({}, { ...alone, together: 7 });
		expect(one.items).toEqual(many.items);
		expect(one.items.length).toBeGreaterThan(0);
	});

	test("fuses chains of one picture, with the result computed here and each part's number too", () => {
		const fused = built.items.filter(({ notes }) => notes.fusion !== undefined);
		expect(fused.length).toBeGreaterThan(0);
		for (const item of fused) {
			const { values, form, operation } = item.notes.fusion as {
				values: { value: number }[];
				form: string;
				operation: FusionOperation;
			};
			const parts = ["a", "b"].map(
				(name) => item.chain.hops.findLast(({ id }) => new RegExp(`^${name}-h\\d`).test(id))?.answer.value ?? "",
			);
			const counted = parts.map((value) => value.replace(/[^\p{L}\p{N}]/gu, "").length);
			expect(item.chain.sink).toBe("result");
			expect(item.images.length).toBe(1);
			if (form === "arithmetic") {
				expect(values.map(({ value }) => value)).toEqual(counted);
				expect(item.answer).toMatchObject({ type: "number", number: { value: fusedValue(operation, counted) } });
			}
			if (form === "conditional") expect(item.answer.value).toBe(parts[counted.indexOf(Math.max(...counted))]);
			expect([item.tags.level, item.tags.hops]).toEqual([levelOf(item), String(reasoningHops(item).length)]);
		}
	});

	test("keeps to the published bounds by default", async () => {
		const small = await build({}, { params: { megapixels: undefined, shortSide: undefined } });
		expect(dropsOf(small, "large-enough")).toEqual({ image_bad: 2 });
		const known = await build({}, { params: { fused: 0, familiarity: undefined } });
		expect(dropsOf(known, "unfamiliar").too_familiar).toBeGreaterThan(0);
		expect(VistahopParams.parse({})).toMatchObject({
			...{
				megapixels: 8,
				shortSide: 2160,
				entities: 2,
				pageCharacters: 1500,
				pool: 30,
				pick: 10,
				relationConfidence: 0.9,
			},
			...{
				familiarity: 0.4,
				leastHops: 5,
				rounds: 3,
				visualRatio: 1.2,
				levels: [5, 10],
				reviewers: 3,
				fusedCharacters: 50,
			},
		});
	});

	longTest("makes chains of five hops and more", async () => {
		const long = await build({}, { params: { fused: 0, leastHops: 5, mostHops: 6, expansions: 40 }, mostUnits: 1 });
		for (const { tags } of long.items) expect(tags.level).toBe("L2");
		expect(rowOf(long, "chains")?.out).toBeGreaterThan(0);
	});

	longTest("counts the hops of all chains of a fused question, so that questions of every level are made", async () => {
		const levelsOf = async (hops: object) => {
			const params = { expansions: 60, fusedPerItem: 3, ...hops };
			const { items } = await build({}, { params, mostUnits: 3 });
			return [...new Set(items.map(({ tags }) => `${tags.level} ${tags.reasoning === "single-chain"}`))].sort();
		};
		expect(await levelsOf({ leastHops: 3, meanHops: 5, mostHops: 7 })).toEqual(["L1 true", "L2 false"]);
		// by default, as in the paper: 190 single chains of level 2 and 160 fused questions of level 3
		expect(await levelsOf({ leastHops: undefined, mostHops: undefined })).toEqual(["L2 true", "L3 false"]);
	});

	longTest("asks for visual dependence by log-probabilities where the server gives them", async () => {
		const cast = vistahopCast(world);
		const { solver } = cast;
		if (!solver) throw new Error("nobody solves");
		const sure: ChatModel = {
			...solver,
			async complete(request, options) {
				const reply = await solver.complete(request, options);
				if (request.output?.name !== "confirm-answer" || !request.logprobs) return reply;
				const image = request.messages.flatMap(({ content }) => content).find(({ type }) => type === "image");
				const masked = image?.type !== "image" || image.data.length < 5000;
				return { ...reply, logprobs: [{ token: " true", logprob: Math.log(masked ? 0.25 : 0.75) }] };
			},
		};
		const one = await build({}, { ...alone, mostUnits: 1, models: { ...cast, solver: sure } });
		const record = one.items[0]?.checks.find(({ check }) => check === "visual-dependence");
		expect(record).toMatchObject({ verdict: "pass", detail: "ratio 3.00, by log-probabilities" });
		expect(record?.score).toBeCloseTo(3, 9);
		const sampled = built.items[0]?.checks.find(({ check }) => check === "visual-dependence");
		expect(sampled?.detail).toMatch(/by the rule of succession/);
	});
});

describe("when a model misbehaves", () => {
	const relations = (category: string, confidence: number) => ({
		"verify-relations": ({ material }: Played) => ({
			relations: (material.pairs ?? "").split("\n").map((_, at) => ({ index: at + 1, category, confidence })),
		}),
	});

	test.each([
		["a relation that is not sure enough", relations("spatial", 0.89), "related", "low_confidence"],
		["no relation", relations("none", 1), "related", "vague_relation"],
		[
			"abstract entities",
			{
				"type-entities": ({ material }: Played) => ({
					entities: (material.entities ?? "")
						.split("\n")
						.map((_, at) => ({ index: at + 1, type: "ABSTRACT", confidence: 1 })),
				}),
			},
			"concrete",
			"abstract_entity",
		],
		["neighbours that are one", { "find-duplicates": () => ({ pairs: [[1, 2]] }) }, "merge-duplicates", "duplicate"],
		[
			"a name left in the question",
			{
				"point-at-image": ({ material }: Played) => ({
					question: `${material.question} (shown in the image)`,
					clues: [],
				}),
			},
			"hidden-names-absent",
			"names_hidden_entity",
		],
		[
			"no word of the image",
			{
				"point-at-image": ({ material }: Played) => ({
					question: (material.question ?? "").replace(material.name ?? "", "a place"),
					clues: [],
				}),
			},
			"refers-to-image",
			"missing_visual_reference",
		],
		[
			"a criterion that is not met",
			{ "meet-criterion": () => ({ holds: false, reason: "no" }) },
			"seed-grounded",
			"not_grounded",
		],
		[
			"an unclear picture",
			{ "see-regions": () => ({ clear: false, context: "scene", category: "Life", scenario: "x", regions: [] }) },
			"see-regions",
			"image_bad",
		],
	] as const)("%s ends as its reason", async (_, parts, stage, reason) => {
		const one = await build(parts, { ...alone, mostUnits: 1 });
		expect(one.items).toEqual([]);
		expect(one.funnel.faults).toBe(0);
		expect(dropsOf(one, stage)[reason]).toBeGreaterThan(0);
	});

	test("a blind solver that knows the answer is rewritten against three times, then the question goes", async () => {
		const one = await build(
			{ "solve-blind": () => ({ answer: "blind", confidence: 1, clues: "all" }) },
			{ ...alone, mostUnits: 1, models: knowing() },
		);
		expect(one.items).toEqual([]);
		expect(dropsOf(one, "leakage")).toEqual({ text_only: 1 });
		expect(rowOf(one, "hide-leak")?.in).toBe(3);
	});

	longTest("a rewriter that gives the answer away is caught in the next round", async () => {
		const leaking = {
			"hide-clues": ({ material }: Played) => ({
				question: `Is it ${material.answer}, as shown in the image?`,
				clues: [],
			}),
		};
		const one = await build(leaking, { ...alone, mostUnits: 1, models: knowing(leaking) });
		expect(one.items).toEqual([]);
		expect(Object.keys(dropsOf(one, "leakage"))).toEqual(["answer_in_question"]);
	});

	test.each([
		["a reply that is no JSON", "verify-relations", (): string => "certainly!"],
		["a list with gaps", "verify-relations", (): object => ({ relations: [] })],
		[
			"a provider's failure",
			"type-entities",
			(): never => {
				throw new ModelError("down", { status: 500 });
			},
		],
	] as const)("%s is a fault, and nobody is judged by it", async (_, prompt, say) => {
		const one = await build({ [prompt]: say }, { ...alone, mostUnits: 1 });
		expect(one.items).toEqual([]);
		expect(one.funnel.faults).toBe(5);
		expect(dropsOf(one, "related")).toEqual({});
		expect(dropsOf(one, "chains")).toEqual({});
	});

	longTest("arithmetic is put right, or the question dropped, as the settings say", async () => {
		const wrong = { "extract-value": () => ({ method: "character_count", value: 999, how: "guessed" }) };
		const right = await build(wrong, { mostUnits: 1 });
		const fused = right.items.find(({ notes }) => notes.fusion !== undefined);
		const { values } = fused?.notes.fusion as { values: { value: number; claimed: number }[] };
		for (const { value, claimed } of values) expect([value < 30, claimed]).toEqual([true, 999]);
		const strict = await build(wrong, { mostUnits: 1, params: { arithmetic: "drop" } });
		expect(dropsOf(strict, "extract-values").arithmetic_wrong).toBeGreaterThan(0);
		expect(strict.items.some(({ notes }) => notes.fusion !== undefined)).toBe(false);
		const unknown = await build(
			{ "extract-value": () => ({ method: "astrology", value: 1, how: "" }) },
			{ mostUnits: 1 },
		);
		expect(dropsOf(unknown, "extract-values").unit_mismatch).toBeGreaterThan(0);
	});

	test("a made-up property is left out of the record", async () => {
		const records: string[] = [];
		const picky = {
			"pick-neighbours": ({ material }: Played) => {
				records.push(material.hints ?? "");
				return { indices: [1] };
			},
		};
		await build(picky, { params: { fused: 0, pick: 1 }, mostUnits: 1 });
		expect(records.some((hints) => hints.startsWith("number: "))).toBe(true);
		expect(records.join("\n")).not.toContain("invented");
	});

	/** A solver that tells every answer from the text, since it was told of them while they were asked. */
	function knowing(more: Parameters<typeof vistahopCast>[1] = {}): Record<string, ChatModel> {
		const answers: string[] = [];
		const told = vistahopCast(world, {
			...more,
			"judge-leak": ({ material }) => ({
				verdict: material.blind === material.answer ? "leaks" : "sound",
				feedback: "less",
			}),
		});
		const { solver, generator } = told;
		if (!solver || !generator) throw new Error("somebody is missing");
		const overheard: ChatModel = {
			...generator,
			complete(request, options) {
				const text = request.messages
					.flatMap(({ content }) => content)
					.map((part) => (part.type === "text" ? part.text : ""));
				const answer = /<answer-[0-9a-f]{8}>\n([^\n]*)\n/.exec(text.join("\n"))?.[1];
				if (answer !== undefined) answers.push(answer);
				return generator.complete(request, options);
			},
		};
		const all: ChatModel = {
			...solver,
			async complete(request, options) {
				const reply = await solver.complete({ ...request, output: { name: "solve-blind", schema: {} } }, options);
				return { ...reply, text: JSON.stringify({ answer: answers[0] ?? null, confidence: 1, clues: "" }) };
			},
		};
		return { ...told, generator: overheard, solver: all };
	}
});

test("without facts to follow it says what to do", async () => {
	const { graph: _, ...without } = inputs;
	await expect(build({}, {}, without)).rejects.toThrow(/no graph and no encyclopedia was named/);
	expect(localEncyclopedia(without).id).toMatch(/^local:/);
});

const photographs = "../shared/data/infoseek-images";
test.skipIf(!existsSync(photographs))("photographs are told apart, and what no source knows is dropped", async () => {
	const names = (await readdir(photographs)).sort();
	const own: Evidence[] = [];
	const files: Record<string, string> = {};
	for (const name of names) {
		const file = join(photographs, name);
		const [width, height] = await uprightSize(file, name);
		files[name] = file;
		own.push({
			...{
				kind: "image",
				id: name,
				document: name,
				title: name,
				language: "und",
				caption: "",
				file: name,
				width,
				height,
			},
			...{ sha256: await sha256File(file), provenance: { source: "infoseek" } },
		});
	}
	const knowledge = fakeKnowledge(own, { files });
	const region = { type: "Product", confidence: 0.9, box: [0, 0, 400, 400] };
	const parts = {
		"see-regions": () => ({
			...{ clear: true, context: "scene", category: "Life", scenario: "photograph" },
			regions: ["Steinway", "Nothing known"].map((name) => ({ ...region, name })),
		}),
	};
	const one = await build(
		parts,
		{ mostUnits: 8, params: { fused: 0, shortSide: 50, megapixels: 0.01 } },
		{
			...inputs,
			knowledge,
			async *evidence() {
				yield* own;
			},
		},
	);
	expect(rowOf(one, "distinct-pictures")).toMatchObject({ in: 8, out: 8 });
	expect(dropsOf(one, "enrich")).toEqual({ not_entity: 16 });
});
