import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scored, type Task, unscored } from "#domain";
import { failingLevels, metrics, type RankedAnswer, repeatAgreement, riskCoverage, summarise } from "#scoring";

const answersOf = (confidence: readonly number[], loss: readonly number[]): RankedAnswer[] =>
	confidence.map((each, at) => ({ confidence: each, loss: loss[at] ?? 0 }));

const someAnswers = fc.array(
	fc.record({ confidence: fc.integer({ min: 0, max: 4 }), loss: fc.constantFrom(0, 0.5, 1) }),
	{ minLength: 1, maxLength: 7 },
);

describe("risk and coverage", () => {
	test("agrees with the mean of cumulative losses, computed by another program", () => {
		// a few lines of Python over the published definition, run once: confidences with one tie, 6 of 20 wrong
		const confidence = [
			...[0.236, 0.103, 0.396, 0.155, 0.067, 0.402, 0.918, 0.8, 0.765, 0.222],
			...[0.537, 0.277, 0.173, 0.106, 0.214, 0.927, 0.829, 0.807, 0.8, 0.193],
		];
		const loss = [1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0];
		const found = riskCoverage(answersOf(confidence, loss));
		expect(found?.area.value).toBeCloseTo(0.15706413448093012, 12);
		expect(found?.best).toBeCloseTo(0.05767586859305126, 12);
		expect(found?.risk.value).toBeCloseTo(0.3, 12);
		expect(found?.area.low).toBeGreaterThan(0);
		expect(found?.area.high).toBeLessThan(0.5);
	});

	test("a worked curve: what is given at each confidence, and what the surest half gains", () => {
		const found = riskCoverage(answersOf([2, 2, 2, 1, 1, 0], [0, 1, 0, 1, 1, 0]));
		// the mean over all twelve orders of the ties, by enumeration in another program
		expect(found?.area.value).toBeCloseTo(0.4333333333333333, 12);
		expect(found?.curve).toEqual([
			{ confidence: 2, answers: 3, coverage: 0.5, risk: 1 / 3 },
			{ confidence: 1, answers: 5, coverage: 5 / 6, risk: 0.6 },
			{ confidence: 0, answers: 6, coverage: 1, risk: 0.5 },
		]);
		const half = found?.surest.find(({ coverage }) => coverage === 0.5);
		expect(half?.accuracy.value).toBeCloseTo(2 / 3, 12);
		expect(half?.gain.value).toBeCloseTo(2 / 3 - 0.5, 12);
	});

	test("is the mean over all orders of equally sure answers", () => {
		const permutations = <Item>(items: readonly Item[]): Item[][] =>
			items.length < 2
				? [[...items]]
				: items.flatMap((item, at) =>
						permutations(items.filter((_, other) => other !== at)).map((rest) => [item, ...rest]),
					);
		fc.assert(
			fc.property(
				someAnswers.filter(({ length }) => length <= 5),
				(answers) => {
					const orders = permutations(answers).filter((order) =>
						order.every((one, at) => at === 0 || (order[at - 1]?.confidence ?? 0) >= one.confidence),
					);
					const areas = orders.map((order) => {
						let [lost, area] = [0, 0];
						for (const [at, { loss }] of order.entries()) {
							lost += loss;
							area += lost / (at + 1) / order.length;
						}
						return area;
					});
					const mean = areas.reduce((sum, area) => sum + area, 0) / areas.length;
					expect(riskCoverage(answers)?.area.value).toBeCloseTo(mean, 9);
				},
			),
			{ numRuns: 60 },
		);
	});

	test("depends on the order of confidences alone, and lies between the best ordering and the worst", () => {
		fc.assert(
			fc.property(someAnswers, fc.func(fc.integer()), (answers, key) => {
				const found = riskCoverage(answers);
				const stretched = answers.map((one) => ({ ...one, confidence: Math.exp(one.confidence) - 7 }));
				const shuffled = [...answers].sort((a, b) => key(a) - key(b));
				expect(riskCoverage(stretched)?.area.value).toBeCloseTo(found?.area.value ?? -1, 9);
				expect(riskCoverage(shuffled)?.area.value).toBeCloseTo(found?.area.value ?? -1, 9);
				const turned = riskCoverage(answers.map((one) => ({ ...one, confidence: one.loss })));
				expect(found?.area.value).toBeGreaterThanOrEqual((found?.best ?? 2) - 1e-9);
				expect(found?.area.value).toBeLessThanOrEqual((turned?.area.value ?? -1) + 1e-9);
				expect(found?.curve.at(-1)).toMatchObject({ answers: answers.length, coverage: 1 });
				const same = riskCoverage(answers.map(({ loss }) => ({ confidence: 1, loss })));
				expect(same?.area.value).toBeCloseTo(same?.risk.value ?? -1, 9);
			}),
		);
	});

	test("has no width where nothing varies, and nothing at all without an answer", () => {
		expect(riskCoverage([])).toBeNull();
		expect(riskCoverage(answersOf([1, 2, 3], [0, 0, 0]))?.area).toEqual({ value: 0, low: null, high: null });
		const one = [1, 2, 3, 4].map((confidence) => ({ confidence, loss: confidence % 2, cluster: "same" }));
		expect(riskCoverage(one)).toMatchObject({ groups: 1, area: { low: null, high: null } });
		expect(metrics["risk-coverage"]?.measure({ items: [] })).toMatchObject({ result: { value: null } });
	});
});

describe("agreement of repeats", () => {
	test("is the share of repeats with the same normalised answer", () => {
		expect(repeatAgreement(["Paris", "the paris.", "Lyon", null])).toEqual([0.5, 0.5, 0.25, 0.25]);
		expect(repeatAgreement(["x"])).toEqual([1]);
		expect(metrics["repeat-agreement"]?.measure({ answers: ["a b", "c", "c"] })).toMatchObject({
			result: { shares: [1 / 3, 2 / 3, 2 / 3], value: expect.closeTo(5 / 9, 12) },
		});
	});
});

describe("failing levels", () => {
	const tasks = [
		...[1, 2, 3].map((level) => ({ ladder: "a", level, right: true })),
		{ ladder: "b", level: 1, right: true },
		{ ladder: "b", level: 2, right: false },
		// right again after a failure: it has failed at 2 all the same
		{ ladder: "b", level: 3, right: true },
		// one of two tasks of the level will do
		{ ladder: "c", level: 2, right: false },
		{ ladder: "c", level: 2, right: true },
		{ ladder: "c", level: 3, right: false },
	];

	test("follow each nested question series to its first failure", () => {
		const { ladders, levels, whole } = failingLevels(tasks);
		expect(ladders).toBe(3);
		expect(levels.map(({ level, right, fails }) => [level, right.value, right.n, fails.value])).toEqual([
			[1, 1, 2, 0],
			[2, 2 / 3, 3, 1 / 3],
			[3, 0.5, 2, 1 / 3],
		]);
		expect(whole.value).toBeCloseTo(1 / 3, 12);
	});

	test("give every series one place", () => {
		const task = fc.record({
			ladder: fc.constantFrom("a", "b", "c", "d"),
			level: fc.integer({ min: 1, max: 4 }),
			right: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(task, { minLength: 1, maxLength: 20 }), (some) => {
				const { levels, whole, ladders } = failingLevels(some);
				const sum = levels.reduce((total, { fails }) => total + (fails.value ?? 0), whole.value ?? 0);
				expect(sum).toBeCloseTo(1, 9);
				expect(ladders).toBe(new Set(some.map(({ ladder }) => ladder)).size);
				const [lowest] = levels;
				expect(lowest?.right.n).toBeLessThanOrEqual(ladders);
			}),
		);
	});
});

describe("summaries of scores worked out from items", () => {
	const task = (id: string): Task => ({
		...{ id, question: "?", images: [], answer: { type: "string", value: "a", accepted: ["a"] } },
		...{ tags: { language: "en" }, source: "", rights: "" },
	});
	const items = ["a", "b", "c", "d"].map((id) => ({ task: task(id), amount: id.charCodeAt(0) - 97 }));

	test("take the score of the item, its reason where it has none, and leave out what does not apply", () => {
		const found = summarise(items, {
			...{ metric: "amount", share: false },
			scoreOf: ({ amount }) => (amount === 3 ? undefined : amount === 2 ? unscored("too much") : scored(amount * 10)),
		});
		expect(found).toMatchObject({ value: 5, expected: 3, scored: 2, inapplicable: 1, bounds: null });
		expect(Object.values(found.missing)).toEqual([1]);
	});
});
