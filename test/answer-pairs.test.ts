import { describe, expect, test } from "vitest";
import { typedAccuracy } from "#scoring";
import { type AnswerPair, answerPairs, answerPairsPresent } from "./answer-pairs/answer-pairs.ts";
import { longTest } from "./long.ts";

/** Of the replies that are called right, how many are; and of those that are right, how many are called so. */
function countsOf(pairs: readonly AnswerPair[]) {
	const called = pairs.map(({ reply, gold, language, question, label }) => ({
		label,
		right: typedAccuracy(reply, gold, { language, question }).value === 1,
	}));
	const both = called.filter(({ label, right }) => label === 1 && right).length;
	return {
		precision: both / called.filter(({ right }) => right).length,
		recall: both / called.filter(({ label }) => label === 1).length,
	};
}

// labelled by hand apart from the reading; the half "held" was only ever counted
describe.skipIf(!answerPairsPresent)("answers labelled by hand, with ../shared/data", () => {
	longTest.each([
		["tune", 953],
		["held", 948],
	] as const)("the half %s: what is called right is right, and little that is right is missed", (half, count) => {
		const pairs = answerPairs(half);
		expect(pairs).toHaveLength(count);
		const { precision, recall } = countsOf(pairs);
		expect(precision).toBeGreaterThanOrEqual(0.97);
		expect(recall).toBeGreaterThanOrEqual(0.85);
	});

	test.each([
		"names",
		"numbers",
		"dates",
		"yes/no",
		"lists",
		"none",
	] as const)("%s: precision in either half", (kind) => {
		for (const half of ["tune", "held"] as const)
			expect(countsOf(answerPairs(half).filter((pair) => pair.kind === kind)).precision).toBeGreaterThanOrEqual(0.97);
	});
});
