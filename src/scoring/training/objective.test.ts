import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lossMask, metrics, policyObjective, type SampledResponse, tokenMask } from "#scoring";
import { overlongPenalty } from "./overlong-penalty.ts";

const resultOf = (name: string, input: unknown) => metrics[name]?.measure(input).result;

describe("overlong-penalty", () => {
	// the released recipe's line between longest - buffer and longest
	test.each([
		[80, 0],
		[100, 0],
		[101, -0.05],
		[110, -0.5],
		[120, -1],
		[140, -1],
	])("%d tokens of 120, buffer 20: %d", (length, expected) => {
		expect(resultOf("overlong-penalty", { length, longest: 120, buffer: 20 })?.value).toBeCloseTo(expected, 12);
		expect(overlongPenalty(length, { longest: 120, buffer: 20, factor: 2 })).toBeCloseTo(2 * expected, 12);
	});

	test("without a buffer there is no penalty to speak of", () => {
		expect(() => overlongPenalty(1, { longest: 10, buffer: 0 })).toThrow("buffer");
		expect(resultOf("overlong-penalty", { length: 1, longest: 10, buffer: 0 })?.reason).toContain("buffer");
	});
});

describe("token-mask", () => {
	test("a token across a border carries nothing and is counted", () => {
		const input = {
			spans: [[2, 8] as const, [18, 20] as const],
			offsets: [
				[0, 0],
				[0, 2],
				[2, 5],
				[5, 9],
				[9, 18],
				[18, 20],
				[20, 20],
			] as [number, number][],
		};
		expect(resultOf("token-mask", input)).toEqual({
			value: 2 / 7,
			mask: [0, 0, 1, 0, 0, 1, 0],
			trained: 2,
			straddling: 1,
			tokens: 7,
		});
		expect(resultOf("token-mask", { spans: [], offsets: [] })).toMatchObject({ value: null, reason: "no tokens" });
		expect(resultOf("token-mask", { spans: [[3, 2]], offsets: [] })?.reason).toContain("spans");
		expect(
			resultOf("token-mask", {
				spans: [
					[3, 5],
					[1, 2],
				],
				offsets: [],
			})?.reason,
		).toContain("ascend");
	});

	test("over the tokens that were sampled, it is 1 on exactly those of the policy", () => {
		const by = fc.constantFrom("policy", "observation", "penalty", "prompt" as const);
		const part = fc.record({ by, tokens: fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 })) });
		fc.assert(
			fc.property(fc.array(part), (parts) => {
				let at = 0;
				const offsets = parts.flatMap(({ tokens }) =>
					tokens.map((token): [number, number] => {
						const start = at;
						at += [...token].length;
						return [start, at];
					}),
				);
				const { spans } = lossMask(parts.map(({ by, tokens }) => ({ by, text: tokens.join("") })));
				const { mask, trained, straddling } = tokenMask(spans, offsets);
				const sampled = parts.flatMap(({ by, tokens }) => tokens.map(() => (by === "policy" ? 1 : 0)));
				expect(mask).toEqual(sampled);
				expect(trained).toBe(sampled.filter((one) => one === 1).length);
				expect(straddling).toBe(0);
			}),
		);
	});
});

describe("policy-objective", () => {
	const batch: SampledResponse[] = [
		{
			...{ advantage: 1.2, group: "a", mask: [1, 1, 1, 0] },
			logProbabilities: [-0.5, -2.1, -0.5, -5],
			oldLogProbabilities: [-1, -2, -0.5, -1],
		},
		{ advantage: -0.7, group: "b", logProbabilities: [-0.9, -2.9], oldLogProbabilities: [-0.2, -3] },
		{
			...{ advantage: 0.5, group: "b", mask: [1, 0, 1] },
			logProbabilities: [-1.5, -0.8, -0.2],
			oldLogProbabilities: [-1, -1, -1],
		},
		{ advantage: -1.5, group: "b", logProbabilities: [-1, -1.4, -30], oldLogProbabilities: [-4, -1, -2] },
	];

	// reference values: PyTorch in double precision, in the order of verl's "vanilla" loss, gradients by autograd
	test.each([
		["token-mean", 0.3468549411153485, [-0.10858049016431513, 0.07736196426529533, -0.030326532985631673]],
		["group-token-mean", -0.11622788983600352, [-0.1809674836071919, 0.05525854590378238, -0.021661809275451194]],
		["seq-mean-token-mean", 0.30531054729598367, [-0.09048374180359595, 0.09670245533161917, -0.03790816623203959]],
		["seq-mean-token-sum", 0.8671373527883713, [-0.27145122541078787, 0.19340491066323834, -0.07581633246407918]],
		[
			...(["seq-mean-token-sum-norm", 0.8671373527883713 / 4] as const),
			[-0.27145122541078787 / 4, 0.19340491066323834 / 4, -0.07581633246407918 / 4],
		],
	] as const)("%s is %d", (aggregation, expected, slopes) => {
		const { value, gradient } = policyObjective(batch, { aggregation, dual: 3 });
		expect(value).toBeCloseTo(expected, 12);
		expect(gradient[0]?.[1]).toBeCloseTo(slopes[0], 12);
		expect(gradient[1]?.[1]).toBeCloseTo(slopes[1], 12);
		expect(gradient[2]?.[0]).toBeCloseTo(slopes[2], 12);
		// clipped above, masked, bounded by the dual clip, and the log-ratio at its limit: no slope
		for (const none of [gradient[0]?.[0], gradient[0]?.[3], gradient[2]?.[1], gradient[3]?.[0], gradient[3]?.[2]])
			expect(Math.abs(none ?? Number.NaN)).toBe(0);
	});

	test("shares and ratios are those of PyTorch", () => {
		const found = resultOf("policy-objective", { responses: batch, dual: 3 });
		expect(found).toMatchObject({ aggregation: "token-mean", clippedHigh: 0.2, clippedLow: 0.3, dualClipped: 0.1 });
		expect(found?.tokens).toBe(10);
		expect(found?.moved).toBeCloseTo(1.73, 12);
		const { ratio } = policyObjective(batch);
		expect(ratio?.off).toBeCloseTo(19.085536923187668, 12);
		expect(ratio?.mean).toBeCloseTo(2.8743243470092708, 12);
	});

	test("as published: no dual clip, so a token that became likelier and was bad costs its whole ratio", () => {
		// -A r with A = -1.5 and r = e^3, by hand; bounded at 3 it would be 4.5
		const bad: SampledResponse = { advantage: -1.5, logProbabilities: [-1], oldLogProbabilities: [-4] };
		expect(policyObjective([bad]).value).toBeCloseTo(1.5 * 20.085536923187668, 10);
		expect(policyObjective([bad]).gradient[0]?.[0]).toBeCloseTo(1.5 * 20.085536923187668, 10);
		expect(policyObjective([bad], { dual: 3 })).toMatchObject({ value: 4.5, dualClipped: 1 });
		expect(resultOf("policy-objective", { responses: batch })).toMatchObject({ dualClipped: 0 });
		// over the ten tokens of the batch only that one is bounded: (30.128… - 4.5) / 10 apart
		const apart = (policyObjective(batch).value ?? 0) - (policyObjective(batch, { dual: 3 }).value ?? 0);
		expect(apart).toBeCloseTo((1.5 * 20.085536923187668 - 4.5) / 10, 10);
	});

	test("nothing that carries loss is unscored; what does not fit is refused", () => {
		const masked = [{ advantage: 1, logProbabilities: [-1], oldLogProbabilities: [-1], mask: [0] }];
		expect(resultOf("policy-objective", { responses: masked })).toMatchObject({
			value: null,
			reason: "no token carries loss",
			ratio: null,
		});
		expect(() =>
			policyObjective([{ ...masked[0], advantage: 1, logProbabilities: [-1], oldLogProbabilities: [] }]),
		).toThrow("as long");
		expect(() =>
			policyObjective([{ advantage: 1, logProbabilities: [-1], oldLogProbabilities: [-1] }], {
				aggregation: "group-token-mean",
			}),
		).toThrow("group");
	});

	const response = fc
		.array(
			fc.tuple(
				fc.double({ min: -6, max: 0, noNaN: true }),
				fc.double({ min: -6, max: 0, noNaN: true }),
				fc.constantFrom(0, 1),
			),
			{ minLength: 1, maxLength: 5 },
		)
		.chain((tokens) =>
			fc.record({ advantage: fc.double({ min: -2, max: 2, noNaN: true }), group: fc.nat({ max: 2 }) }).map(
				(about): SampledResponse => ({
					...about,
					logProbabilities: tokens.map(([now]) => now),
					oldLogProbabilities: tokens.map(([, before]) => before),
					mask: tokens.map(([, , one]) => one),
				}),
			),
		);
	const modes = fc.constantFrom("token-mean", "group-token-mean", "seq-mean-token-mean", "seq-mean-token-sum" as const);

	test("the gradient is that of the loss by finite differences", () => {
		const step = 1e-6;
		fc.assert(
			fc.property(fc.array(response, { minLength: 1, maxLength: 4 }), modes, (responses, aggregation) => {
				const { gradient, tokens } = policyObjective(responses, { aggregation });
				fc.pre(tokens > 0);
				for (const [at, one] of responses.entries())
					for (let token = 0; token < one.logProbabilities.length; token += 1) {
						const shifted = (by: number) => {
							const moved = [...Array.from(one.logProbabilities)];
							moved[token] = (moved[token] ?? 0) + by;
							const others = responses.map((other, place) =>
								place === at ? { ...one, logProbabilities: moved } : other,
							);
							return policyObjective(others, { aggregation }).value ?? Number.NaN;
						};
						const [down, here, up] = [shifted(-step), shifted(0), shifted(step)];
						const [left, right] = [(here - down) / step, (up - here) / step];
						const scale = Math.max(1, Math.abs(left), Math.abs(right));
						// at a corner the slopes differ; anywhere else they are the gradient
						if (Math.abs(left - right) > 1e-3 * scale) continue;
						expect(Math.abs((gradient[at]?.[token] ?? Number.NaN) - (left + right) / 2) / scale).toBeLessThan(1e-3);
					}
			}),
			{ numRuns: 60 },
		);
	});

	test("at the policy that sampled, the loss is minus the mean advantage and nothing is clipped", () => {
		fc.assert(
			fc.property(fc.array(response, { minLength: 1 }), (responses) => {
				const same = responses.map((one) => ({ ...one, logProbabilities: one.oldLogProbabilities }));
				const found = policyObjective(same);
				fc.pre(found.value !== null);
				const trained = same.map((one) => Array.from(one.mask ?? []).filter((bit) => bit === 1).length);
				const all = trained.reduce((sum, count) => sum + count, 0);
				const mean = same.reduce((sum, { advantage }, at) => sum + advantage * (trained[at] ?? 0), 0) / all;
				expect(found.value).toBeCloseTo(-mean, 9);
				expect(found).toMatchObject({ clippedHigh: 0, clippedLow: 0, dualClipped: 0, tokens: all });
				expect(found.ratio?.off).toBe(0);
			}),
		);
	});
});
