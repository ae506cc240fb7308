import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { metrics } from "#scoring";

const anls = (prediction: string | null, accepted: string[]) =>
	metrics.anls?.measure({ prediction, accepted }).result.value;

const golden = "../shared/golden/anls.json";
test.skipIf(!existsSync(golden))("agrees with the reference program", () => {
	const cases: [string, string[], number][] = JSON.parse(readFileSync(golden, "utf8"));
	expect(cases.length).toBeGreaterThan(10);
	for (const [prediction, accepted, score] of cases)
		expect([prediction, anls(prediction, accepted)]).toEqual([prediction, score]);
});

test("a distance of exactly half the length is worth nothing; capitals count the length", () => {
	expect(anls("abcd", ["ab"])).toBe(0);
	expect(anls("abcd", ["abc"])).toBe(0.75);
	// "ß" is "SS" in capitals: one edit of four characters, where "a" for "s" is one of three
	expect(anls("aßb", ["acb"])).toBe(0.75);
	expect(anls("asb", ["acb"])).toBeCloseTo(2 / 3, 12);
	expect(anls("👍🏽!", ["👍🏽?"])).toBeCloseTo(2 / 3, 12);
	expect(anls(null, ["x"])).toBeNull();
});

/** Levenshtein's distance by its recursive definition. */
function distance(a: string, b: string): number {
	if (a === "" || b === "") return a.length + b.length;
	const [restA, restB] = [a.slice(1), b.slice(1)];
	if (a[0] === b[0]) return distance(restA, restB);
	return 1 + Math.min(distance(restA, b), distance(a, restB), distance(restA, restB));
}

test("agrees with the definition of the distance on short words", () => {
	const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
	fc.assert(
		fc.property(word, word, (a, b) => {
			const share = distance(a, b) / Math.max(a.length, b.length, 1);
			expect(anls(a, [b])).toBeCloseTo(share < 0.5 ? 1 - share : 0, 12);
		}),
	);
});

test("lies in [0, 1], is symmetric, and gains by more accepted answers", () => {
	const text = fc.string({ unit: "grapheme", maxLength: 20 });
	fc.assert(
		fc.property(text, text, text, (a, b, more) => {
			const score = Number(anls(a, [b]));
			expect(score === 0 || (score > 0.5 && score <= 1)).toBe(true);
			expect(anls(b, [a])).toBe(score);
			expect(anls(`  ${a.replace(/[a-z]/g, (letter) => letter.toUpperCase())} `, [b])).toBe(score);
			expect(anls(a, [b, more])).toBeGreaterThanOrEqual(score);
		}),
	);
});

test("a prediction of a megabyte takes no time", () => {
	const started = process.cpuUsage();
	expect(anls("x".repeat(1_000_000), ["x".repeat(4000)])).toBe(0);
	expect(anls("ab".repeat(2000), ["ba".repeat(2000)])).toBeCloseTo(1 - 2 / 4000, 12);
	expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
});
