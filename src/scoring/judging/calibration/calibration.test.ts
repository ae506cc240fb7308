import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Judgement, LabelledItem, noUsage, type Rating } from "#domain";
import { scriptedModel } from "#models";
import {
	askLabelled,
	calibrate,
	createModelJudge,
	createRuleJudge,
	type Judge,
	preference,
	type Reading,
	type Rubric,
	rubrics,
} from "#scoring";
import { longTest } from "../../../../test/long.ts";
import { seededRandom } from "../../statistics/random.ts";
import { compareRaters } from "./compare-raters.ts";
import { lengthRatio, partialRank } from "./length-bias.ts";
import type { ShownPair } from "./preference.ts";

const tracer = rubrics.tracer as Rubric;
const doubleBench = rubrics["double-bench"] as Rubric;

const judged = (part: Partial<Extract<Judgement, { is: "judged" }>>): Judgement => ({
	...{ is: "judged", by: "model", value: null, grade: null, scores: {}, labels: [], reason: "" },
	...part,
});
const overall = (value: number) => judged({ scores: { overall: value } });
const graded = (right: boolean) => judged({ grade: right ? "right" : "wrong", value: Number(right) });

/** A judge that says what a function says. */
const judgeOf = (id: string, say: (shown: ShownPair, run: number) => Judgement): Judge => ({
	id,
	prompt: () => "0".repeat(64),
	judge: async (shown, { run }) => ({ judgement: say(shown as ShownPair, run), usage: noUsage, ms: 0 }),
});

const human = (rater: string, label: Rating["label"]): Rating => ({ rater, kind: "human", label });
const prefers = (rater: string, value: number) => human(rater, { is: "preference", name: "overall", value });
const grades = (rater: string, right: boolean) => human(rater, { is: "grade", grade: right ? "right" : "wrong" });

/** Pairs whose better answer is longer more often than not; people see the truth, more or less. */
function pairs(count: number, { seed = 1, noise = 0.2 } = {}) {
	const random = seededRandom(seed);
	const truth = new Map<string, number>();
	const items = Array.from({ length: count }, (_, index) => {
		const value = Math.floor(random() * 5) - 2;
		truth.set(`question ${index}`, value);
		const longer = Math.max(1, Math.round(20 + 6 * value + 30 * (random() - 0.5)));
		const noisy = () => Math.max(-2, Math.min(2, value + (random() < noise ? (random() < 0.5 ? 1 : -1) : 0)));
		return LabelledItem.parse({
			...{ version: 1, id: `p${index}`, question: `question ${index}`, reference: ["r"] },
			...{ submitted: "x".repeat(20), other: "x".repeat(longer), tags: { half: index % 2 ? "odd" : "even" } },
			labels: [prefers("ann", noisy()), prefers("ben", noisy())],
		});
	});
	return { items, truthOf: (shown: { question: string }) => truth.get(shown.question) ?? 0 };
}

async function calibrated(items: LabelledItem[], judge: Judge, { rubric = preference, times = 2 } = {}) {
	const { readings } = await askLabelled(items, judge, { rubric, times, seed: 5 });
	const report = calibrate(items, { rubric, judge: { model: judge.id, prompt: judge.prompt(rubric), readings } });
	const [first] = report.dimensions;
	if (!first) throw new Error("no dimension");
	return { report, dimension: first, readings };
}

describe("injected judges of pairs are found out", () => {
	longTest("one that sees what people see: as good as people, no flips, no bias", async () => {
		const { items, truthOf } = pairs(200);
		const { dimension } = await calibrated(
			items,
			judgeOf("fair", (shown) => overall(truthOf(shown))),
		);
		expect(dimension.humans?.kappa.value).toBeGreaterThan(0.7);
		expect(dimension.ceiling?.kappa.value).toBeGreaterThan(0.5);
		expect(dimension.flips).toMatchObject({ value: 0, n: 200 });
		expect(dimension.position).toMatchObject({ flips: { value: 0 }, towardsFirst: { value: 0 } });
		expect(dimension.alpha?.value).toBeGreaterThan(0.8);
	});

	test("one that always prefers the first answer", async () => {
		const { items } = pairs(100);
		const first = judgeOf("first", ({ firstAnswer }) => overall(firstAnswer === "other" ? 2 : -2));
		const { dimension } = await calibrated(items, first);
		expect(dimension.position).toMatchObject({ of: "pairs", flips: { value: 1 }, towardsFirst: { value: 2 } });
		expect(dimension.flips.value).toBe(0);
		expect(Math.abs(dimension.humans?.kappa.value ?? 1)).toBeLessThan(0.1);
	});

	longTest("one that leans towards the first answer, by how much", async () => {
		const { items, truthOf } = pairs(200);
		const lean = (shown: ShownPair) => {
			const value = truthOf(shown) + (shown.firstAnswer === "other" ? 1 : -1);
			return overall(Math.max(-2, Math.min(2, value)));
		};
		const { dimension } = await calibrated(items, judgeOf("leaning", lean));
		const { position } = dimension;
		if (position.of !== "pairs") throw new Error("pairs");
		// 1 where the scale does not end, 0.5 at its ends
		expect(position.towardsFirst.value).toBeCloseTo(0.8, 1);
		expect(position.towardsFirst.low).toBeGreaterThan(0.7);
	});

	longTest("one that prefers the longer answer, and not one that is only noisy or lazy", async () => {
		const { items, truthOf } = pairs(240, { noise: 0 });
		const longer = judgeOf("longer", ({ submitted, other }) =>
			overall(Math.sign((other ?? "").length - (submitted ?? "").length) * 2),
		);
		const biased = (await calibrated(items, longer)).dimension.length;
		expect(biased.judge.value).toBeGreaterThan(0.5);
		expect(biased.judge.low).toBeGreaterThan(0.4);
		const random = seededRandom(3);
		const noisy = judgeOf("noisy", (shown) =>
			overall(random() < 0.4 ? Math.floor(random() * 5) - 2 : Math.sign(truthOf(shown))),
		);
		const fair = (await calibrated(items, noisy, { times: 1 })).dimension.length;
		expect(Math.abs(fair.judge.value ?? 1)).toBeLessThan(0.1);
		expect(fair.judge.low).toBeLessThan(0);
		expect(fair.judge.high).toBeGreaterThan(0);
	});

	longTest("one that prefers the shorter answer has the other sign", async () => {
		const { items } = pairs(200, { noise: 0 });
		const shorter = judgeOf("shorter", ({ submitted, other }) =>
			overall(Math.sign((submitted ?? "").length - (other ?? "").length) * 2),
		);
		expect((await calibrated(items, shorter)).dimension.length.judge.high).toBeLessThan(-0.3);
	});

	longTest("one that throws a coin: half of its repeats differ, and it agrees with nobody", async () => {
		const { items } = pairs(200);
		const random = seededRandom(9);
		const { dimension } = await calibrated(
			items,
			judgeOf("coin", () => overall(random() < 0.5 ? -1 : 1)),
		);
		expect(dimension.flips.value).toBeCloseTo(0.5, 1);
		expect(dimension.flips.low).toBeLessThan(0.5);
		expect(dimension.flips.high).toBeGreaterThan(0.5);
		expect(Math.abs(dimension.humans?.spearman.value ?? 1)).toBeLessThan(0.15);
	});
});

/** Answers of which a share is right; a judge with known rates; the first `labelled` of them labelled by one person. */
function answers(count: number, { seed, share = 0.4, labelled }: { seed: number; share?: number; labelled: number }) {
	const random = seededRandom(seed);
	const truth = new Map<string, boolean>();
	const items = Array.from({ length: count }, (_, index) => {
		const right = random() < share;
		truth.set(`question ${index}`, right);
		return LabelledItem.parse({
			...{ version: 1, id: `a${index}`, question: `question ${index}`, reference: ["r"], submitted: "s", system: "A" },
			labels: index < labelled ? [grades("ann", right)] : [],
		});
	});
	const judge = ({ sensitivity, specificity }: { sensitivity: number; specificity: number }) =>
		judgeOf("rates", ({ question }) => graded(truth.get(question) ? random() < sensitivity : random() >= specificity));
	return { items, judge, truth };
}

describe("single answers", () => {
	longTest(
		"known sensitivity and specificity: confusion has them, and the corrected accuracy holds the truth",
		async () => {
			let covered = { roganGladen: 0, ppi: 0, uncorrected: 0 };
			const runs = 25;
			for (let seed = 1; seed <= runs; seed++) {
				const { items, judge } = answers(400, { seed, labelled: 100 });
				const { report } = await calibrated(items, judge({ sensitivity: 0.92, specificity: 0.7 }), {
					rubric: tracer,
					times: 1,
				});
				const [system] = report.corrected;
				expect(system).toMatchObject({ system: "A", judged: 400, labelled: 100 });
				const holds = (found: { low: number | null; high: number | null } | undefined) =>
					Number((found?.low ?? 1) <= 0.4 && (found?.high ?? 0) >= 0.4);
				covered = {
					roganGladen: covered.roganGladen + holds(system?.roganGladen),
					ppi: covered.ppi + holds(system?.ppi),
					uncorrected: covered.uncorrected + holds(system?.uncorrected),
				};
			}
			expect(covered.roganGladen).toBeGreaterThanOrEqual(22);
			expect(covered.ppi).toBeGreaterThanOrEqual(22);
			// 0.4 x 0.92 + 0.6 x 0.3 = 0.548
			expect(covered.uncorrected).toBeLessThanOrEqual(1);
			const { items, judge } = answers(1500, { seed: 7, labelled: 1500 });
			const { dimension } = await calibrated(items, judge({ sensitivity: 0.92, specificity: 0.7 }), { rubric: tracer });
			const [wrong = [], right = []] = dimension.confusion?.counts ?? [];
			expect(dimension.confusion?.labels).toEqual(["wrong", "right"]);
			expect((right[1] ?? 0) / ((right[0] ?? 0) + (right[1] ?? 0))).toBeCloseTo(0.92, 1);
			expect((wrong[0] ?? 0) / ((wrong[0] ?? 0) + (wrong[1] ?? 0))).toBeCloseTo(0.7, 1);
		},
	);

	test("records without an answer count as they were graded, on top of what is corrected of the answers given", async () => {
		const { items, judge } = answers(300, { seed: 3, labelled: 90 });
		const gave = judge({ sensitivity: 0.9, specificity: 0.8 });
		const { report: given, readings } = await calibrated(items, gave, { rubric: tracer, times: 1 });
		const none = Array.from({ length: 100 }, (_, index) =>
			LabelledItem.parse({
				...{ version: 1, id: `n${index}`, question: `unanswered ${index}`, system: "A", submitted: null },
				reference: index < 20 ? [] : ["r"],
			}),
		);
		// declining is right where there is no answer
		const settled = none.map(
			({ id, reference }): Reading => ({
				...{ item: id, run: 0, first: "reference" },
				judgement: { ...graded(reference.length === 0), by: "rule" } as Judgement,
			}),
		);
		const all = calibrate([...items, ...none], {
			rubric: tracer,
			judge: { model: "rates", prompt: "", readings: [...readings, ...settled] },
		});
		const [before, after] = [given.corrected[0], all.corrected[0]];
		expect(after).toMatchObject({ judged: 400, labelled: 90, unanswered: 100, clusters: 400 });
		for (const method of ["roganGladen", "ppi"] as const)
			for (const end of ["value", "low", "high"] as const)
				expect(after?.[method]?.[end]).toBeCloseTo((300 * (before?.[method]?.[end] ?? 0) + 20) / 400, 12);
		expect(after?.uncorrected.value).toBeCloseTo((300 * (before?.uncorrected.value ?? 0) + 20) / 400, 12);
		// nothing else is made of them
		expect(all.dimensions).toEqual(given.dimensions);
		expect(all.items).toBe(300);
	});

	test("without labels the accuracy is the judge's, and nothing is said of people", async () => {
		const { items, judge } = answers(50, { seed: 1, labelled: 0 });
		const { report, dimension } = await calibrated(items, judge({ sensitivity: 1, specificity: 1 }), {
			rubric: tracer,
		});
		expect(report.corrected[0]).not.toHaveProperty("ppi");
		expect(report.corrected[0]).not.toHaveProperty("roganGladen");
		expect(report.labelled).toBe(0);
		expect(dimension).toMatchObject({
			humans: undefined,
			ceiling: undefined,
			reference: "none",
			labels: { have: 0, needed: 385 },
		});
	});

	test("labels drawn by unequal strata count for the answers they stand for", async () => {
		// 900 answers, 10 % right, of which 30 are labelled; 100 answers, 90 % right, of which 30 are labelled
		const items = Array.from({ length: 1000 }, (_, index) => {
			const big = index < 900;
			const right = big ? index % 10 === 0 : index % 10 !== 0;
			const drawn = big ? index < 30 : index < 930;
			return LabelledItem.parse({
				...{ version: 1, id: `a${index}`, question: `q${index}`, reference: [], submitted: "s" },
				...(drawn ? { stratum: big ? "1" : "2", weight: big ? 30 : 100 / 30, labels: [grades("ann", right)] } : {}),
			});
		});
		const random = seededRandom(2);
		const { report } = await calibrated(
			items,
			judgeOf("coin", () => graded(random() < 0.5)),
			{ rubric: tracer, times: 1 },
		);
		expect(report.corrected[0]?.ppi?.value).toBeCloseTo(0.18, 1);
		expect(report.corrected[0]?.ppi?.value).toBeLessThan(0.25);
	});

	test("a judge that is kinder where the reference comes first, by how much", async () => {
		const { items } = answers(800, { seed: 3, labelled: 800 });
		const random = seededRandom(4);
		const kinder = judgeOf("kinder", ({ first }) => graded(random() < (first === "reference" ? 0.7 : 0.4)));
		const { position } = (await calibrated(items, kinder, { rubric: tracer, times: 1 })).dimension;
		if (position.of !== "answers") throw new Error("answers");
		expect(position).toMatchObject({ within: false });
		expect(position.referenceFirst.low).toBeGreaterThan(0.1);
		expect(position.referenceFirst.low).toBeLessThan(0.3);
		expect(position.referenceFirst.high).toBeGreaterThan(0.3);
	});

	test("recorded verdicts in both orders are compared within items", () => {
		const items = answers(40, { seed: 3, labelled: 40 }).items;
		const readings = items.flatMap(({ id }): Reading[] => [
			{ item: id, run: 0, first: "reference", judgement: graded(true) },
			{ item: id, run: 1, first: "submitted", judgement: graded(id.endsWith("0")) },
		]);
		const [dimension] = calibrate(items, { rubric: tracer, judge: { model: "m", prompt: "p", readings } }).dimensions;
		expect(dimension?.position).toMatchObject({ of: "answers", within: true, referenceFirst: { value: 0.9, n: 40 } });
		expect(dimension?.flips.value).toBeNull();
	});

	test("an adjudication stands for those whom it settles, and agreement among people is of their own votes", () => {
		const settled = (rater: string, is: boolean): Rating => ({ ...grades(rater, is), round: "adjudication" });
		const items = Array.from({ length: 40 }, (_, index) => {
			const contested = index < 10;
			return LabelledItem.parse({
				...{ version: 1, id: `a${index}`, question: `q${index}`, reference: ["r"], submitted: "s", system: "A" },
				// who settles may have voted before, and otherwise
				labels: [
					grades("ann", true),
					grades("ben", !contested),
					...(contested ? [settled("ben", true)] : []),
					...(contested ? [settled("cho", true)] : []),
				],
			});
		});
		const readings = items.map(
			({ id }): Reading => ({ item: id, run: 0, first: "reference", judgement: graded(true) }),
		);
		const judge = { model: "m", prompt: "p", readings };
		const report = calibrate(items, { rubric: tracer, judge });
		expect(report.dimensions[0]?.humans?.share.value).toBe(1);
		expect(report.dimensions[0]?.ceiling).toMatchObject({ items: 40, share: { value: 0.75 } });
		expect(report.corrected[0]?.ppi?.value).toBe(1);
		const unsettled = items.map((item) => ({ ...item, labels: item.labels.filter(({ round }) => !round) }));
		const before = calibrate(unsettled, { rubric: tracer, judge });
		expect(before.dimensions[0]?.humans?.share.value).toBe(0.875);
		expect(before.dimensions[0]?.ceiling).toEqual(report.dimensions[0]?.ceiling);
		expect(before.corrected[0]?.ppi?.value).toBeCloseTo(0.875);
	});

	test("a score is a grade too where the rubric says so; a strict judge has a bias and no limits", async () => {
		const items = Array.from({ length: 60 }, (_, index) =>
			LabelledItem.parse({
				...{ version: 1, id: `s${index}`, question: `q${index % 20}`, reference: ["r"], submitted: "s" },
				labels: [human("ann", { is: "score", name: "score", value: 2 + (index % 9) })],
			}),
		);
		const name = Object.keys(doubleBench.scores)[0] ?? "";
		const named = items.map((item) => ({
			...item,
			labels: item.labels.map(({ label, ...rest }) => ({ ...rest, label: { ...label, name } as Rating["label"] })),
		}));
		const readings = named.map((item): Reading => {
			const [rating] = item.labels;
			const score = rating?.label.is === "score" ? rating.label.value - 1 : 0;
			return {
				item: item.id,
				run: 0,
				first: "reference",
				judgement: judged({ ...doubleBench.scale?.of(score), scores: { [name]: score } }),
			};
		});
		const report = calibrate(named, { rubric: doubleBench, judge: { model: "m", prompt: "p", readings } });
		expect(report.clusters).toBe(20);
		const [score, grade] = report.dimensions;
		expect(score).toMatchObject({
			name,
			humans: { bias: { value: -1 }, limits: 0, pearson: { value: 1 }, share: { value: 0 } },
		});
		expect(grade).toMatchObject({ name: "grade", reference: "humans", humans: { items: 60 } });
		expect(grade?.humans?.share.value).toBeGreaterThan(0.7);
	});
});

describe("two judges", () => {
	longTest("against each other, by score and stacked, over disjoint subsets", () => {
		const rubric = rubrics["mc-search"] as Rubric;
		const names = Object.keys(rubric.scores);
		const random = seededRandom(8);
		const items = Array.from({ length: 200 }, (_, index) =>
			LabelledItem.parse({ version: 1, id: `m${index}`, question: `q${index}`, reference: ["r"], submitted: "s" }),
		);
		const truth = items.map(() => names.map(() => Math.floor(random() * 6)));
		const readingsOf = (shift: number) =>
			items.map(
				({ id }, index): Reading => ({
					...{ item: id, run: 0, first: "reference" as const },
					judgement: judged({
						value: 0.5,
						scores: Object.fromEntries(
							names.map((name, at) => [name, (truth[index]?.[at] ?? 0) + shift + Math.round(random() - 0.5)]),
						),
					}),
				}),
			);
		const options = { rubric, subsets: { count: 5, share: 0.1 } };
		const report = calibrate(items, {
			...options,
			judge: { model: "one", prompt: "p", readings: readingsOf(0.25) },
			against: { model: "other", prompt: "p", readings: readingsOf(0) },
		});
		expect(report.dimensions.map(({ name }) => name)).toEqual(names);
		expect(report.stacked?.against).toMatchObject({ items: 200 * names.length });
		expect(report.stacked?.against?.bias.value).toBeCloseTo(0.25, 1);
		expect(report.stacked?.against?.pearson.value).toBeGreaterThan(0.8);
		const [first] = report.dimensions;
		expect(first).toMatchObject({ reference: "against", humans: undefined });
		expect(first?.consistency?.subsets.map(({ items: count }) => count)).toEqual([20, 20, 20, 20, 20]);
		expect(first?.consistency?.figures.pearson.variance).toBeLessThan(0.05);
	});
});

describe("what is said of failures", () => {
	test("unparsed replies are an outcome of their own, and agree with nobody", async () => {
		const { items, truthOf } = pairs(40);
		const broken = judgeOf("broken", (shown) =>
			shown.firstAnswer === "other"
				? { is: "unscored", because: "unparsed", reason: "no JSON" }
				: overall(truthOf(shown)),
		);
		const { report, dimension } = await calibrated(items, broken);
		expect(report.judge).toMatchObject({ readings: 160, unparsed: 80, unparsedShare: 0.5, failed: { unparsed: 80 } });
		expect(dimension.humans?.comparisons).toBe(80);
		expect(dimension.position).toMatchObject({ flips: { value: null } });
	});

	test("a model that answers nobody is asked no more", async () => {
		const { items } = pairs(100);
		const dead = judgeOf("dead", () => ({ is: "unscored", because: "model", reason: "HTTP 401" }));
		const { readings, refused } = await askLabelled(items, dead, {
			rubric: preference,
			times: 1,
			seed: 0,
			concurrency: 2,
		});
		expect(refused).toBe("HTTP 401");
		expect(readings.length).toBeLessThanOrEqual(21);
	});
});

describe("the preference rubric", () => {
	const item = LabelledItem.parse({
		...{ version: 1, id: "x", question: "Who?", reference: ["Ann Lee of Ulm"] },
		...{ submitted: "nobody knows </script>", other: "Ann Lee of Ulm" },
	});
	test("asks a model in both orders and turns the reply to one meaning", async () => {
		const reply = { reason: "B names her.", correctness: 2, completeness: 1, overall: 0 };
		const model = scriptedModel([JSON.stringify(reply), JSON.stringify(reply)]);
		const { readings } = await askLabelled([item], createModelJudge(model), {
			rubric: preference,
			times: 1,
			seed: 0,
			concurrency: 1,
		});
		expect(readings.map(({ first }) => first)).toEqual(["submitted", "other"]);
		expect(readings[0]?.judgement).toMatchObject({
			scores: { correctness: 2, completeness: 1, overall: 0 },
			grade: null,
		});
		expect(readings[1]?.judgement).toMatchObject({ scores: { correctness: -2, completeness: -1, overall: 0 } });
	});
	test.each([
		"{}",
		'{"reason":"x","correctness":3,"completeness":0,"overall":0}',
		'{"reason":"x","correctness":"1","completeness":0,"overall":0}',
		"A is better",
	])("refuses %s", async (text) => {
		const { readings } = await askLabelled([item], createModelJudge(scriptedModel([text, text, text, text])), {
			rubric: preference,
			times: 1,
			seed: 0,
		});
		expect(readings.map(({ judgement }) => judgement)).toEqual([
			expect.objectContaining({ because: "unparsed" }),
			expect.objectContaining({ because: "unparsed" }),
		]);
	});
	test("by rule: overlap with the reference, the same in both orders, and said to be a rule", async () => {
		const { readings } = await askLabelled([item], createRuleJudge(), { rubric: preference, times: 1, seed: 0 });
		for (const { judgement } of readings)
			expect(judgement).toMatchObject({
				by: "rule",
				scores: { correctness: 2, completeness: 2, overall: 2 },
				reason: expect.stringMatching(/^rule/),
			});
		const single = LabelledItem.parse({ version: 1, id: "y", question: "Who?", reference: ["a"], submitted: "b" });
		const alone = await askLabelled([single], createRuleJudge(), { rubric: preference, times: 1, seed: 0 });
		expect(alone.readings[0]?.judgement).toMatchObject({ is: "unscored", because: "inapplicable" });
	});
	test("what others write cannot end the place it stands in", () => {
		const shown: ShownPair = {
			question: "q",
			reference: ["r"],
			submitted: '</x>"}',
			other: null,
			first: "reference",
			firstAnswer: "other",
			evidence: [],
		};
		const text = JSON.stringify(preference.messages(shown)[1]);
		expect(text).not.toContain("<");
		const part = preference.messages(shown)[1]?.content[0];
		expect(part?.type === "text" && JSON.parse(part.text)).toEqual({
			question: "q",
			reference: ["r"],
			A: null,
			B: '</x>"}',
		});
	});
});

describe("figures", () => {
	const column = fc.array(fc.tuple(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -2, max: 2 })), {
		minLength: 4,
		maxLength: 40,
	});
	test("do not depend on the order of items, and turn with the sides", () => {
		fc.assert(
			fc.property(column, (rows) => {
				const pairOf = (list: typeof rows, name: (index: number) => string) => ({
					a: list.map(([a]) => a),
					b: list.map(([, b]) => b),
					items: list.map((_, index) => name(index)),
				});
				const clusterOf = (item: string) => item;
				const one = compareRaters([pairOf(rows, (index) => `i${index}`)], { clusterOf });
				const back = compareRaters([pairOf([...rows].reverse(), (index) => `i${rows.length - 1 - index}`)], {
					clusterOf,
				});
				expect(back?.kappa.value ?? 9).toBeCloseTo(one?.kappa.value ?? 9, 9);
				expect(back?.kappa.low ?? 9).toBeCloseTo(one?.kappa.low ?? 9, 9);
				expect(back?.bias.value).toBeCloseTo(one?.bias.value ?? 9, 9);
				const turned = compareRaters(
					[
						pairOf(
							rows.map(([a, b]) => [b, a]),
							(index) => `i${index}`,
						),
					],
					{ clusterOf },
				);
				expect(turned?.kappa.value ?? 9).toBeCloseTo(one?.kappa.value ?? 9, 9);
				expect(turned?.bias.value).toBeCloseTo(-(one?.bias.value ?? 9), 9);
				for (const { value, low, high } of [one?.kappa, one?.pearson, one?.spearman].flatMap((each) => each ?? [])) {
					if (value === null || low === null || high === null) continue;
					expect(low).toBeLessThanOrEqual(value);
					expect(high).toBeGreaterThanOrEqual(value);
					expect(Math.max(Math.abs(low), Math.abs(high))).toBeLessThanOrEqual(1);
				}
			}),
		);
	});

	longTest(
		"the jackknife's 95 % intervals hold a known kappa and correlation 93 to 99 times of 100, clusters or not",
		() => {
			for (const size of [1, 4]) {
				const random = seededRandom(11 + size);
				const hits = { kappa: 0, pearson: 0 };
				const runs = 250;
				for (let run = 0; run < runs; run++) {
					const pair = { a: [] as number[], b: [] as number[], items: [] as string[] };
					for (let cluster = 0; cluster < 40; cluster++) {
						// raters of one cluster agree more or less often together; 0.8 on average
						const agree = size === 1 ? 0.8 : random() < 0.5 ? 0.6 : 1;
						for (let member = 0; member < size; member++) {
							const a = random() < 0.5 ? 0 : 1;
							pair.a.push(a);
							pair.b.push(random() < agree ? a : 1 - a);
							pair.items.push(`${cluster}/${member}`);
						}
					}
					const found = compareRaters([pair], { clusterOf: (item) => item.split("/")[0] ?? item });
					// balanced labels: kappa and Pearson's r are both 2 x 0.8 - 1
					for (const name of ["kappa", "pearson"] as const)
						if ((found?.[name].low ?? 1) <= 0.6 && (found?.[name].high ?? 0) >= 0.6) hits[name] += 1;
				}
				for (const count of Object.values(hits)) {
					expect(count / runs).toBeGreaterThanOrEqual(0.93);
					expect(count / runs).toBeLessThanOrEqual(0.99);
				}
			}
		},
	);

	test("partial rank correlation on worked values, and lengths", () => {
		// r_xy 0.8, r_xz 0.7, r_yz 0.8: (0.8 - 0.56) / sqrt(0.51 x 0.36), as SciPy has them
		expect(partialRank([1, 2, 3, 4, 5], [2, 1, 3, 5, 4], [3, 1, 2, 4, 5])).toBeCloseTo(0.5601120336112039, 9);
		const x = [1, 2, 3, 4, 5];
		expect(partialRank(x, x, [2, 1, 4, 3, 5])).toBeCloseTo(1, 9);
		expect(partialRank(x, [2, 1, 3, 5, 4], [1, 1, 1, 1, 1])).toBeNull();
		expect(partialRank(x, [1, 2, 3, 4, 5], x)).toBeNull();
		const one = LabelledItem.parse({ version: 1, id: "x", question: "q", reference: ["1234567"], submitted: "123" });
		expect(lengthRatio(one)).toBeCloseTo(Math.log(4 / 8), 12);
		expect(lengthRatio({ ...one, other: "1234567" })).toBeCloseTo(Math.log(8 / 4), 12);
		expect(lengthRatio({ ...one, submitted: null, reference: [] })).toBe(0);
	});
});
