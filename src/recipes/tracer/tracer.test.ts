import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { chainProblems, type Evidence, type Item, taskOf, topologyOf } from "#domain";
import { fakeKnowledge } from "#knowledge";
import { type ChatModel, ModelError } from "#models";
import { type Build, runRecipe } from "#recipes";
import { mentionsAny } from "#scoring";
import { sha256 } from "#store";
import { longTest } from "../../../test/long.ts";
import type { Played } from "../../../test/support/recipes/player.ts";
import { starCast, starLadder, starPassages } from "../../../test/support/recipes/star-players.ts";
import { tracerCast } from "../../../test/support/recipes/tracer-players.ts";
import type { BuildOptions } from "../engine/run-recipe.ts";
import { tracer } from "../tracer.ts";

const corpus = "../shared/data/twowiki-corpus/corpus.json";
const skip = !existsSync(corpus);
const folder = await mkdtemp(join(tmpdir(), "hopscope-tracer-"));
afterAll(() => rm(folder, { recursive: true }));

/** Articles that name one another. */
const few = ["J. W. N. Sullivan", "John Middleton Murry", "Katherine Mansfield", "James Lomas (actor)"];
const more = [...few, "Stephen Warbeck", "Corey Snide", "Billy Elliot"];

function inputsOf(titles: readonly string[]) {
	const rows: { title: string; text: string }[] = JSON.parse(readFileSync(corpus, "utf8"));
	const evidence = rows
		.filter(({ title }) => titles.includes(title))
		.map(
			({ title, text }): Evidence => ({
				...{ kind: "passage", id: `2wiki#${title}`, document: title, title, language: "en", form: "prose" },
				...{ text, sha256: sha256(text), provenance: { source: "2wiki", licence: "Apache-2.0" } },
			}),
		);
	return {
		knowledge: fakeKnowledge(evidence),
		async *evidence() {
			yield* evidence;
		},
	};
}

const small = { passages: 3, fields: "none", leastCharacters: 100, retrieved: 3, pairs: 7, perHop: 4 };
let runs = 0;
function run(cast: BuildOptions["models"], params: object = {}, titles = few, inputs: object = {}): Promise<Build> {
	runs += 1;
	const given = { ...inputsOf(titles), ...inputs };
	return runRecipe(tracer, given, join(folder, `${runs}`), { params: { ...small, ...params }, models: cast });
}
const row = ({ funnel }: Build, name: string) => {
	const found = funnel.rows.find(({ stage }) => stage === name);
	if (!found) throw new RangeError(name);
	return found;
};

describe.skipIf(skip)("chains over 2WikiMultihopQA's articles", () => {
	longTest("levels of inference and comparison, each with its chain, its checks and its series", async () => {
		const cast = tracerCast();
		const known = { titles: new Set(["corey snide"]), questions: ["Who was married to John Middleton Murry?"] };
		const { items, funnel } = await run(cast, { passages: 7, fields: "rule" }, more, { known });
		expect(funnel.faults).toBe(0);
		expect(funnel.accepted).toBe(items.length);
		const kinds = new Set(items.map(({ tags }) => `${tags.questionType} ${tags.hops}`));
		for (const kind of ["single 1", "inference 2", "inference 3", "comparison 2", "comparison 3"])
			expect(kinds, kind).toContain(kind);
		for (const item of items) {
			expect(chainProblems(taskOf(item))).toEqual([]);
			expect(item.checks.filter(({ verdict }) => verdict === "fail")).toEqual([]);
			const states = new Set(item.checks.map(({ check }) => check));
			const merged = ["audit", "merged-closed-book", "leave-one-out", "merged-solvable", "merged-unique-names"];
			for (const check of item.tags.hops === "1" ? ["closed-book", "solvable"] : merged)
				expect(states).toContain(check);
			expect(item.notes.overlap).toMatchObject({ tfidf: expect.any(Number), embedding: expect.any(Number) });
			expect(item.lineage.join(" ")).not.toContain("Corey Snide");
		}
		// every level but the last is in some series with a longer one, and no series has two of a level
		const places = items.map(({ ladder }) => `${ladder?.id} ${ladder?.level}`);
		expect(new Set(places).size).toBe(places.length);
		const levels = new Map(items.map(({ id, ladder }) => [id, ladder?.level ?? 0]));
		// a series is cut short where its last item is another's in other words
		for (const { ladder } of items)
			expect(levels.get(ladder?.id ?? "") ?? 9).toBeGreaterThanOrEqual(ladder?.level ?? 10);
		const long = items.filter(({ ladder }) => ladder?.level === 3).map(({ ladder }) => ladder?.id);
		expect(items.some(({ ladder }) => ladder?.level === 1 && long.includes(ladder.id))).toBe(true);
		const comparison = items.find(({ tags }) => tags.questionType === "comparison") as Item;
		expect(topologyOf(comparison.chain)).toBe("text-fork");
		expect(comparison.checks.find(({ check }) => check === "leave-one-out")?.trials?.length).toBeGreaterThanOrEqual(4);
		const chain = items.find(({ tags }) => tags.questionType === "inference" && tags.hops === "3") as Item;
		expect(topologyOf(chain.chain)).toBe("text-only-chain");
		expect(chain.checks.find(({ check }) => check === "leave-one-out")?.trials).toHaveLength(3);
	});

	longTest("the same again without a call, and the same in another order of work", async () => {
		const first = tracerCast();
		const dir = join(folder, "again");
		const options = { params: { ...small, passages: 2 } };
		const build = await runRecipe(tracer, inputsOf(few), dir, { ...options, models: first });
		expect(build.items.length).toBeGreaterThan(0);
		const second = tracerCast();
		const again = await runRecipe(tracer, inputsOf(few), dir, { ...options, models: second, together: 1 });
		expect(again.items).toEqual(build.items);
		expect(Object.values(second).flatMap(({ asked }) => Object.keys(asked))).toEqual([]);
		const solo = await runRecipe(tracer, inputsOf(few), join(folder, "solo"), {
			...options,
			models: tracerCast(),
			together: 1,
		});
		expect(solo.items).toEqual(build.items);
	});

	longTest("nobody is asked about a pair that leads nowhere, and nothing is lost by that", async () => {
		const count = async (params: object) => {
			const cast = tracerCast();
			const build = await run(cast, { hops: 2, passages: 4, ...params }, more);
			const { dropped, out } = row(build, "next-pairs");
			const merged = build.items.filter(({ tags }) => tags.hops === "2").map(({ id }) => id);
			return { merged, dropped, out, asked: cast.generator?.asked ?? {} };
		};
		const short = await count({});
		const all = await count({ withoutRules: ["bridges-mentioned"] });
		expect(short.dropped.bad_linkage).toBeGreaterThan(short.out);
		expect(short.dropped).not.toHaveProperty("over_cap");
		expect(short.asked["merge-questions"]).toBe(short.out);
		expect(short.merged.length).toBeGreaterThan(0);
		expect(all.merged).toEqual(short.merged);
		for (const part of ["merge-questions", "refine-answer", "list-aliases"])
			expect(short.asked[part]).toBeLessThan((all.asked[part] ?? 0) / 2);
	});

	test("without auditor and solver their checks are skipped, not passed", async () => {
		const { generator } = tracerCast();
		const build = await run({ generator } as BuildOptions["models"], { hops: 2 });
		expect(build.items.length).toBeGreaterThan(0);
		for (const name of ["closed-book", "solvable", "audit", "leave-one-out", "merged-solvable"])
			expect(row(build, name)).toMatchObject({ out: 0, skipped: row(build, name).in });
	});
});

describe.skipIf(skip)("models that misbehave", () => {
	const spoilt = (part: string, says: (played: Played, n: number) => object | string, params = {}) =>
		run(tracerCast({ [part]: says }), { hops: 2, passages: 4, ...params });
	const linked =
		(final_question: string, more: object = {}) =>
		(played: Played) => {
			const answer = /^Answer: (.*)$/m.exec(played.material.pair ?? "")?.[1] ?? "";
			return { merged: [{ type: "inference", final_question, final_answer: answer, ...more }] };
		};
	const droppedAt = (build: Build, name: string) => row(build, name).dropped;

	test("who knows everything makes every question a closed book", async () => {
		const answers = new Map<string, string>();
		const ask = tracerCast();
		const build = await run({
			...ask,
			solver: tracerCast({
				"answer-from-evidence": ({ material }) => ({ answer: answers.get(material.question ?? "") ?? "Aldous Huxley" }),
			}).solver as never,
		});
		// it is right by chance at most: whatever has that answer is dropped, the rest cannot be solved
		expect(build.items).toEqual([]);
		expect(droppedAt(build, "solvable").not_solvable).toBeGreaterThan(0);
	});
	test("words that are no JSON are a fault, once put back to the model, and no verdict", async () => {
		const build = await spoilt("merge-questions", () => "I would rather not.");
		expect(row(build, "merge")).toMatchObject({ out: 0, dropped: {} });
		expect(row(build, "merge").faults).toBe(row(build, "merge").in);
		expect(await readFile(join(build.dir, "faults.jsonl"), "utf8")).toContain("merge-questions");
	});
	longTest("a provider that fails leaves the item waiting", async () => {
		const build = await spoilt("audit-inference", (_, n) => {
			if (n < 3) throw new ModelError("overloaded");
			return { valid: true, error_type: "none" };
		});
		expect(row(build, "audit").faults).toBeGreaterThan(0);
		expect(droppedAt(build, "audit")).toEqual({});
	});
	longTest("a leak of the bridge, two questions in one, a lost link, an answer that is not the pair's", async () => {
		const leaks = await spoilt("merge-questions", (played) => {
			const bridge = /^Answer: (.*)$/m.exec(played.material.chain ?? "")?.[1];
			return linked(
				`In the long and winding story that is told of ${bridge} somewhere else, which name fills "it ____ was"?`,
			)(played);
		});
		expect(Object.keys(droppedAt(leaks, "bridges-hidden"))).toEqual(["intermediate_in_question"]);
		const wrong = await spoilt(
			"merge-questions",
			linked("Who is it, after all of this long and winding story?", { final_answer: "Nobody" }),
		);
		expect(Object.keys(droppedAt(wrong, "merge"))).toEqual(["bad_linkage"]);
		const double = await spoilt("ask-facts", () => ({
			pairs: [
				{ question: "Who met Aldous Huxley and who met Murry?", answer: "Wyndham Lewis" },
				{ question: "In which year?", answer: "1886" },
				{ question: "How many?", answer: "about 200 people" },
				{ question: "Who wrote it?", answer: "Umberto Eco" },
			],
		}));
		expect(droppedAt(double, "single-question").compound_question).toBeGreaterThan(0);
		expect(droppedAt(double, "single-questions")).toMatchObject({ vague_answer: 4 });
		expect(droppedAt(double, "single-questions").not_grounded).toBeGreaterThan(0);
		expect(double.items).toEqual([]);
	});
	longTest("a comparison told wrongly, of unlike things, and a solver that is satisfied with one passage", async () => {
		const compare = (final_answer: string, operation: string) => (played: Played) => ({
			merged: [
				{
					...{ type: "comparison", final_question: "Which is the earlier, Alpha or Beta, of all that is told here?" },
					...{ final_answer, operation, compared: ["Alpha", "Beta"] },
				},
			].slice(played.material.pair ? 0 : 1),
		});
		const both = { "merge-questions": compare("Gamma", "argmin") };
		const build = await run(tracerCast(both), { hops: 2, passages: 4 });
		expect(Object.keys(droppedAt(build, "merge")).sort()).toEqual(["arithmetic_wrong", "forced_pairing"]);
		const guess = await spoilt("answer-from-evidence", ({ material }) => {
			const gold = /^\[1\]/.test(material.evidence ?? "") ? "whatever stands there" : null;
			return { answer: gold };
		});
		expect(droppedAt(guess, "solvable").not_solvable).toBeGreaterThan(0);
	});
	longTest("who says yes to everything lets nothing through that can be seen to be wrong", async () => {
		const yes = { "audit-inference": () => ({ valid: true, error_type: "none", more: 1 }) };
		const bad: Record<string, Parameters<typeof tracerCast>[0]> = {
			"names that are none": {
				"list-aliases": ({ material }) => ({
					aliases: [material.answer, "the", "of", "entry", "which name", "x".repeat(290)],
				}),
			},
			"a word of an answer that is none": { "refine-answer": () => ({ refined_answer: "of" }) },
			"an answer of one's own": { "refine-answer": () => ({ refined_answer: "Umberto Eco" }) },
			"questions without words": {
				"ask-facts": () => ({ pairs: [{ question: " ?", answer: "Wyndham Lewis" }] }),
			},
			"no answers": { "ask-facts": () => ({ pairs: [{ question: "Who was it?", answer: " " }] }) },
			"answers in their questions": {
				"ask-facts": () => ({ pairs: [{ question: "Was it Wyndham Lewis?", answer: "Wyndham Lewis" }] }),
			},
			"the solver says the question again": {
				"answer-from-evidence": ({ material }) => ({ answer: material.question }),
			},
			"the solver says all its evidence again": {
				"answer-from-evidence": ({ material }) => ({ answer: `${material.evidence}${" ".repeat(100_000)}` }),
			},
			"more than was asked for": {
				"merge-questions": () => ({
					merged: [{ type: "inference", final_question: "x".repeat(100_000), final_answer: "y" }],
				}),
			},
		};
		const builds = Object.entries(bad).map(async ([name, parts]) => ({
			name,
			build: await run(tracerCast({ ...yes, ...parts }), { hops: 2, passages: 2 }),
		}));
		const accepted: string[] = [];
		for (const { name, build } of await Promise.all(builds)) {
			for (const item of build.items) {
				accepted.push(name);
				const { hops } = item.chain;
				expect(chainProblems(taskOf(item)), name).toEqual([]);
				for (const { answer, question } of hops.filter(({ compute }) => !compute)) {
					expect(answer.value, name).toMatch(/\p{Lu}|\d/u);
					for (const form of answer.accepted) {
						expect(form.length, name).toBeGreaterThan(3);
						expect(mentionsAny([form], [question]), `${name}: ${form} in ${question}`).toBe(false);
					}
				}
			}
		}
		// what only spoils names and refinements leaves the items as they were, all else leaves none
		expect([...new Set(accepted)].sort()).toEqual([
			"a word of an answer that is none",
			"an answer of one's own",
			"names that are none",
		]);
	});
	test("a comparison whose things are exchanged", async () => {
		const exchanged = await spoilt("merge-questions", (played) => {
			const title = (text = "") => /^Passage: (.*)$/m.exec(text)?.[1] ?? "";
			const things = [title(played.material.pair), title(played.material.chain)];
			const final_question = `By the dates that are told of both of them, which is the earlier: ${things.join(" or ")}?`;
			return {
				merged: [
					{ type: "comparison", final_question, final_answer: things[0], operation: "argmin", compared: things },
				],
			};
		});
		expect(droppedAt(exchanged, "merge").entity_false_link).toBeGreaterThan(0);
		expect(exchanged.items.filter(({ tags }) => tags.hops !== "1")).toEqual([]);
	});
	test("an auditor that assents and names an error does not assent", async () => {
		const build = await spoilt("audit-inference", () => ({ valid: true, error_type: "bad_linkage" }), {
			comparisonsAt: [],
		});
		expect(Object.keys(droppedAt(build, "audit"))).toEqual(["bad_linkage"]);
	});
	test.each([
		"bad_linkage",
		"entity_false_link",
		"trivial_concatenation",
		"other",
	])("an auditor that says %s drops the item for it", async (error_type) => {
		const build = await spoilt("audit-inference", () => ({ valid: "false", error_type, justification: "so" }), {
			comparisonsAt: [],
		});
		expect(Object.keys(droppedAt(build, "audit"))).toEqual([error_type]);
		expect(build.items).toEqual([]);
	});
});

describe("the paper's ladder of temperatures (AgenticRAGTracer, Table 3), with the default settings", () => {
	const inputs = {
		knowledge: fakeKnowledge(starPassages),
		evidence: async function* () {
			yield* starPassages;
		},
	};
	const ladderOf = async (models: BuildOptions["models"], params = {}) => {
		runs += 1;
		const build = await runRecipe(tracer, inputs, join(folder, `${runs}`), { params, models });
		const compared = build.items.filter(({ tags }) => tags.questionType === "comparison");
		const series = compared.find(({ tags }) => tags.hops === "4")?.ladder?.id;
		const levels = build.items.filter(({ ladder }) => series !== undefined && ladder?.id === series);
		return { build, compared, levels: levels.sort((a, b) => (a.ladder?.level ?? 0) - (b.ladder?.level ?? 0)) };
	};
	const asked = ({ questions, answer }: Item) => ({ question: questions.at(-1)?.text, answer: answer.value });

	test("every level is accepted as published, the units with its answers", async () => {
		const { build, levels } = await ladderOf(starCast());
		expect(build.funnel.faults).toBe(0);
		expect(levels.map(asked)).toEqual(starLadder.map(({ question, answer }) => ({ question, answer })));
		const [, two, , four] = levels;
		expect(two?.chain.hops.map(({ answer, compute }) => compute?.op ?? answer.value)).toEqual([
			"4,586 K",
			"5,421 K",
			"argmax",
		]);
		expect(four?.answer).toMatchObject({ number: { value: 118_218, unit: "entries", kind: "count" } });
		// said in a sentence, each is the judge's one point of two
		const trials = four?.checks.find(({ check }) => check === "merged-solvable")?.trials;
		expect(trials).toEqual([expect.objectContaining({ score: 1, judged: 1 })]);
	});
	test("what is asked of the chosen star is audited as an inference", async () => {
		const { levels } = await ladderOf(starCast({ "audit-comparison": () => ({ valid: false, error_type: "other" }) }));
		expect(levels).toEqual([]);
		const inferred = await ladderOf(starCast({ "audit-inference": () => ({ valid: false, error_type: "other" }) }));
		expect(inferred.compared.map(({ tags }) => tags.hops)).toEqual(["2"]);
	});
	longTest("the solver with all evidence is told the answers on the way, unless that is set off", async () => {
		const shown: string[] = [];
		const says = (told: boolean) => {
			const solver = starCast().solver as ChatModel;
			const complete: ChatModel["complete"] = (request, options) => {
				const text = JSON.stringify(request.messages);
				if (text.includes("Answer: 4,586 K")) shown.push(text);
				return solver.complete(request, options);
			};
			return ladderOf({ ...starCast(), solver: { ...solver, complete } }, { earlierAnswers: told });
		};
		const told = await says(true);
		expect(told.levels).toHaveLength(4);
		// a comparison in both orders, then an inference at three and one at four hops
		expect(shown).toHaveLength(4);
		expect(shown.filter((text) => text.includes("Answer: 5,421 K"))).toHaveLength(4);
		expect(shown.filter((text) => text.includes("Answer: 118,218 entries"))).toEqual([]);
		shown.length = 0;
		expect((await says(false)).levels).toHaveLength(4);
		expect(shown).toEqual([]);
	});
	longTest("whoever judges answers decides; without a judge their forms do", async () => {
		const strict = { "judge-equivalence": () => ({ score: 0 }) };
		expect((await ladderOf(starCast(strict))).build.items).toEqual([]);
		expect((await ladderOf(starCast(strict), { equivalence: "forms" })).levels).toHaveLength(4);
		expect((await ladderOf(starCast(strict), { equivalence: "either" })).levels).toHaveLength(4);
		const { judge, ...others } = starCast();
		const { levels } = await ladderOf(others as BuildOptions["models"]);
		expect(levels).toHaveLength(4);
		expect(levels[3]?.checks.flatMap(({ trials = [] }) => trials.map(({ judged }) => judged)).join("")).toBe("");
	});
});

longTest.skipIf(skip)("of all that one question became, so many are grown on, and all are kept", async () => {
	const count = async (perHop: number) => {
		const build = await run(tracerCast(), { hops: 3, passages: 4, perHop }, more);
		const at = (hops: string) => build.items.filter(({ tags }) => tags.hops === hops).length;
		return { two: at("2"), three: at("3"), drawn: row(build, "drawn-items") };
	};
	const [one, all] = [await count(1), await count(1000)];
	expect(one.two).toBe(all.two);
	expect(all.drawn.out).toBe(all.drawn.in);
	expect(one.drawn.out).toBeLessThan(one.drawn.in);
	expect(one.drawn.dropped).toEqual({});
	expect(one.three).toBeLessThan(all.three);
});

const kilt = "../shared/data/kilt-100/kilt_100.jsonl";
longTest.skipIf(!existsSync(kilt))(
	"chains over the paragraphs of Wikipedia articles, two documents for two hops",
	async () => {
		const rows = readFileSync(kilt, "utf8")
			.trim()
			.split("\n")
			.map((line): { wikipedia_title: string; text: string[] } => JSON.parse(line));
		const titles = [
			"Abraham Lincoln",
			"Aristotle",
			"Alain Connes",
			"Andre Agassi",
			"Ayn Rand",
			"Allan Dwan",
			"Achilles",
			"Agamemnon",
			"Amsterdam",
			"Apollo",
		];
		const evidence = rows
			.filter(({ wikipedia_title: title }) => titles.includes(title))
			.flatMap(({ wikipedia_title: title, text }) =>
				text.slice(1, 6).flatMap((paragraph, at): Evidence[] =>
					paragraph.length < 200
						? []
						: [
								{
									...{
										kind: "passage",
										id: `kilt#${title}/${at}`,
										document: title,
										title,
										language: "en",
										form: "prose",
									},
									...{ text: paragraph.trim(), sha256: sha256(paragraph), provenance: { source: "kilt" } },
								},
							],
				),
			);
		const inputs = {
			knowledge: fakeKnowledge(evidence),
			evidence: async function* () {
				yield* evidence;
			},
		};
		const params = { ...small, passages: 10, hops: 2, perHop: 15 };
		const build = await runRecipe(tracer, inputs, join(folder, "kilt"), { params, models: tracerCast() });
		const merged = build.items.filter(({ tags }) => tags.hops === "2");
		expect(merged.length).toBeGreaterThan(0);
		for (const { chain } of merged)
			expect(new Set(chain.hops.flatMap(({ evidence: [id] }) => id?.split("/")[0] ?? [])).size).toBe(2);
	},
	30_000,
);
