import { expect, test } from "vitest";
import { sharesDifference } from "#scoring";

/** `count` of `of` things, `size` of them in each cluster. */
function shares(count: number, of: number, size = 1) {
	const clusters = of / size;
	const sums = Float64Array.from({ length: clusters }, (_, at) => Math.max(0, Math.min(size, count - at * size)));
	return { sizes: new Float64Array(clusters).fill(size), sums, squares: count };
}

test("is Newcombe's method 10 of independent outcomes: the examples of his Table II", () => {
	const rows = [
		[56, 70, 48, 80, 0.0524, 0.3339],
		[9, 10, 3, 10, 0.1705, 0.809],
		[6, 7, 2, 7, 0.0582, 0.8062],
		[5, 56, 0, 29, -0.0381, 0.1926],
		[0, 10, 0, 10, -0.2775, 0.2775],
		[10, 10, 0, 10, 0.6075, 1],
	] as const;
	for (const [a, of, b, other, low, high] of rows) {
		const found = sharesDifference(shares(a, of), shares(b, other));
		expect(found.value).toBeCloseTo(a / of - b / other, 12);
		expect([found.low, found.high]).toEqual([expect.closeTo(low, 3), expect.closeTo(high, 3)]);
	}
});

test("things that share their luck say less, a surer interval is wider, and nothing says nothing", () => {
	const width = ({ low, high }: { low: number | null; high: number | null }) => (high ?? 0) - (low ?? 0);
	const [alone, together] = [1, 5].map((size) => sharesDifference(shares(30, 100, size), shares(20, 100, size)));
	expect(width(together as never)).toBeGreaterThan(1.5 * width(alone as never));
	const sure = sharesDifference(shares(30, 100), shares(20, 100), { miss: 0.001 });
	expect(width(sure)).toBeGreaterThan(1.5 * width(alone as never));
	expect(sharesDifference(shares(0, 0), shares(1, 10))).toEqual({ value: null, low: null, high: null });
});
