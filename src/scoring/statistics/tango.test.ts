import { expect, test } from "vitest";
import { tangoInterval } from "./tango.ts";

const z = 1.959963984540054;

/** The score statistic with its nuisance share found by trying, not by its formula. */
function distanceByTrying({ n, gained, lost }: { n: number; gained: number; lost: number }, at: number): number {
	const likelihood = (share: number) => {
		const [up, down] = [share + at, share];
		const same = 1 - up - down;
		const part = (count: number, of: number) => (count === 0 ? 0 : count * Math.log(of));
		return part(gained, up) + part(lost, down) + part(n - gained - lost, same);
	};
	let [low, high] = [Math.max(0, -at), (1 - at) / 2];
	const golden = (Math.sqrt(5) - 1) / 2;
	for (let step = 0; step < 200; step += 1) {
		const [left, right] = [high - golden * (high - low), low + golden * (high - low)];
		if (likelihood(left) > likelihood(right)) high = right;
		else low = left;
	}
	const share = (low + high) / 2;
	return (gained - lost - n * at) / Math.sqrt(n * (2 * share + at - at * at));
}

test.each([
	{ n: 50, gained: 12, lost: 2 },
	{ n: 44, gained: 0, lost: 1 },
	{ n: 300, gained: 9, lost: 21 },
	{ n: 60, gained: 10.25, lost: 3.5 },
])("at both ends of its interval %j is as far from what was seen as the quantile says", (pairs) => {
	const { low, high } = tangoInterval(pairs, z);
	expect(distanceByTrying(pairs, low)).toBeCloseTo(z, 3);
	expect(distanceByTrying(pairs, high)).toBeCloseTo(-z, 3);
	const difference = (pairs.gained - pairs.lost) / pairs.n;
	expect(low).toBeLessThan(difference);
	expect(high).toBeGreaterThan(difference);
});

test("has a width where no pair differs, and narrows as pairs are added", () => {
	const widths = [20, 100, 1000].map((n) => tangoInterval({ n, gained: 0, lost: 0 }, z));
	for (const { low, high } of widths) expect(low).toBeCloseTo(-high, 9);
	// the rule of three, within what a score interval adds to it
	expect(widths[1]?.high).toBeCloseTo(z ** 2 / (100 + z ** 2), 3);
	expect(widths[2]?.high).toBeLessThan(widths[1]?.high ?? 0);
});

test("swapping the two runs turns its ends round", () => {
	const one = tangoInterval({ n: 80, gained: 7, lost: 19 }, z);
	const other = tangoInterval({ n: 80, gained: 19, lost: 7 }, z);
	expect(one.low).toBeCloseTo(-other.high, 9);
	expect(one.high).toBeCloseTo(-other.low, 9);
});
