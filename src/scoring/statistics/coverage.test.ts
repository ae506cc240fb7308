import { describe, expect, test } from "vitest";
import { interval, paired } from "#scoring";
import { isLong, longDescribe, longTest } from "../../../test/long.ts";
import { seededRandom } from "./random.ts";
import { ratioInterval } from "./ratio-interval.ts";

/**
 * How often nominal 95 % intervals hold the truth, by simulation. 4,000 rounds each in the long tests, held to 93 to 97 %;
 * a few hundred otherwise, held to what so few can show.
 */
const alike = 0.3;
/** Several minutes in the long tests. */
const patience = 600_000;

interface Bounds {
	low: number | null;
	high: number | null;
}

/** Share of rounds whose interval holds the truth; a bound that is null is open. */
function coverage(rounds: number, truth: number, round: () => Bounds): number {
	let held = 0;
	for (let at = 0; at < rounds; at++) {
		const { low, high } = round();
		if ((low === null || low <= truth) && (high === null || high >= truth)) held += 1;
	}
	return held / rounds;
}

/** Of the quick tests, 600 rounds tell 93 to 97 % from 88 and 99.5 %, 200 from 83 %, 100 from the 79 % of ignoring clusters. */
function expectNominal(share: number, rounds: number): void {
	const noise = isLong ? 0 : 3 * Math.sqrt((0.95 * 0.05) / rounds) - 0.01;
	expect(share).toBeGreaterThanOrEqual(0.93 - noise);
	expect(share).toBeLessThanOrEqual(0.97 + noise);
}

/**
 * Lucks in [0, 1) of clusters' members, correlated by `alike` within a cluster: each member copies its cluster's luck
 * with probability sqrt(alike), so any function of the luck alone has that correlation too.
 */
function createWorld(seed: number) {
	const random = seededRandom(seed);
	const copied = Math.sqrt(alike);
	return {
		random,
		/** Size 5, or 1 to 9. */
		clustered(clusters: number, varying: boolean): { luck: number; cluster: string }[] {
			return Array.from({ length: clusters }).flatMap((_, cluster) => {
				const common = random();
				const size = varying ? 1 + Math.floor(random() * 9) : 5;
				return Array.from({ length: size }, () => ({
					luck: random() < copied ? common : random(),
					cluster: `${cluster}`,
				}));
			});
		},
	};
}

const counts = [20, 60, 300];
const sizes = [false, true];
const cases = counts.flatMap((clusters) => sizes.map((varying) => ({ clusters, varying })));

describe.each(cases)("$clusters clusters, sizes varying: $varying", { tags: "longer" }, ({ clusters, varying }) => {
	const rounds = isLong ? 4000 : clusters > 100 ? 100 : clusters > 50 ? 200 : 600;
	const draw = (seed: number) => {
		const { clustered } = createWorld(seed);
		return () => clustered(clusters, varying);
	};
	const namesOf = (members: { cluster: string }[]) => members.map(({ cluster }) => cluster);

	test("mean of right or wrong answers", () => {
		const world = draw(1);
		const share = coverage(rounds, 0.6, () => {
			const members = world();
			return interval(
				members.map(({ luck }) => (luck < 0.6 ? 1 : 0)),
				{ clusters: namesOf(members) },
			);
		});
		report("mean, binary", { clusters, varying, share });
		expectNominal(share, rounds);
	});

	test("mean of graded scores", () => {
		const world = draw(2);
		const share = coverage(rounds, 0.5, () => {
			const members = world();
			return interval(
				members.map(({ luck }) => luck),
				{ clusters: namesOf(members) },
			);
		});
		report("mean, graded", { clusters, varying, share });
		expectNominal(share, rounds);
	});

	test(
		"difference of two runs on the same tasks, binary",
		() => {
			const first = draw(3);
			const { random } = createWorld(4);
			const share = coverage(rounds, 0.1, () => {
				const members = first();
				// half of the time the second run shares the first's luck with a task
				return paired(
					members.map(({ luck }) => (luck < 0.6 ? 1 : 0)),
					members.map(({ luck }) => ((random() < 0.5 ? luck : random()) < 0.5 ? 1 : 0)),
					{ clusters: namesOf(members), seed: 1 },
				);
			});
			report("paired, binary", { clusters, varying, share });
			expectNominal(share, rounds);
		},
		patience,
	);

	test(
		"ratio over hops",
		() => {
			const { random, clustered } = createWorld(5);
			const used = isLong ? rounds : Math.min(rounds, 300);
			const ratio = (hit: number) =>
				coverage(used, hit, () => {
					const parts = clustered(clusters, varying).map(({ luck, cluster }) => {
						const hops = 1 + Math.floor(random() * 4);
						// hops of one task share luck as tasks of one cluster do
						const hits = Array.from({ length: hops }).filter(() => (random() < 0.5 ? luck : random()) < hit).length;
						return { numerator: hits, denominator: hops, cluster };
					});
					return ratioInterval(parts, { resamples: isLong && clusters < 100 ? 2000 : 400 });
				});
			const share = ratio(0.6);
			report("ratio 0.6", { clusters, varying, share });
			expectNominal(share, used);
			if (!isLong || clusters > 100) return;
			const near = ratio(0.85);
			report("ratio 0.85", { clusters, varying, share: near });
			expectNominal(near, used);
		},
		patience,
	);
});

/** The least that is asked of an interval of outcomes; the whole grid is measured by bench/coverage.mjs. */
longDescribe("means of outcomes near the edge", () => {
	test.each([
		{ clusters: 10, mean: 0.85 },
		{ clusters: 20, mean: 0.85 },
		{ clusters: 20, mean: 0.95 },
		{ clusters: 60, mean: 0.95 },
		{ clusters: 60, mean: 0.99 },
	])("$mean over $clusters clusters is held 92 times in 100", ({ clusters, mean }) => {
		const rounds = 4000;
		const { clustered } = createWorld(10);
		const share = coverage(rounds, mean, () => {
			const members = clustered(clusters, true);
			return interval(
				members.map(({ luck }) => (luck < mean ? 1 : 0)),
				{ clusters: members.map(({ cluster }) => cluster) },
			);
		});
		report("mean near the edge", { clusters, mean, share });
		expect(share).toBeGreaterThan(0.92);
	});
	test.each([
		{ n: 300, mean: 0.99, size: 1 },
		{ n: 100, mean: 0.95, size: 5 },
		{ n: 100, mean: 0.99, size: 1 },
		{ n: 17, mean: 0.99, size: 1 },
	])("$mean of $n tasks in clusters of $size that do not matter", ({ n, mean, size }) => {
		const { random } = createWorld(11);
		const clusters = Array.from({ length: n }, (_, at) => `${Math.floor(at / size)}`);
		const share = coverage(2000, mean, () =>
			interval(
				clusters.map(() => (random() < mean ? 1 : 0)),
				{ clusters },
			),
		);
		expect(share).toBeGreaterThan(0.92 - 3 * Math.sqrt((0.92 * 0.08) / 2000));
	});
});

describe("independent tasks", { tags: "longer" }, () => {
	test.each([10, 30, 90])("Wilson on %d outcomes holds the truth 93 to 97 times in 100, averaged over truths", (n) => {
		const { random } = createWorld(6);
		// of few outcomes the coverage of any one truth jumps with it; between 0.1 and 0.9 it averages out
		const rounds = isLong ? 40_000 : 4000;
		let held = 0;
		for (let round = 0; round < rounds; round++) {
			const truth = 0.1 + 0.8 * random();
			const { low, high, method } = interval(Array.from({ length: n }, () => (random() < truth ? 1 : 0)));
			expect(method).toBe("wilson");
			if (Number(low) <= truth && Number(high) >= truth) held += 1;
		}
		report("Wilson", { n, share: held / rounds });
		expectNominal(held / rounds, rounds);
	});

	test.each([20, 60, 300])("difference of two runs on %d tasks, binary", (n) => {
		const { random } = createWorld(7);
		const rounds = isLong ? 4000 : 400;
		const share = coverage(rounds, 0.1, () => {
			const lucks = Array.from({ length: n }, random);
			return paired(
				lucks.map((luck) => (luck < 0.6 ? 1 : 0)),
				lucks.map((luck) => ((random() < 0.5 ? luck : random()) < 0.5 ? 1 : 0)),
			);
		});
		report("paired, binary, independent", { n, share });
		expectNominal(share, rounds);
	});
});

describe("tests of a difference", { tags: "longer" }, () => {
	const rounds = isLong ? 4000 : 400;
	const noise = 3 * Math.sqrt((0.05 * 0.95) / rounds);
	/** Share of rounds that call a difference of the means of two runs significant at 5 %. */
	function rejections(clusters: number, { shift, graded }: { shift: number; graded: boolean }): number {
		const { random, clustered } = createWorld(8);
		let found = 0;
		for (let round = 0; round < rounds; round++) {
			const alone = Array.from({ length: clusters > 0 ? 0 : 60 }, (_, at) => ({ luck: random(), cluster: `${at}` }));
			const members = clusters > 0 ? clustered(clusters, true) : alone;
			const others = members.map(({ luck }) => (random() < 0.5 ? luck : random()));
			const score = (luck: number, plus: number) => (graded ? luck + plus : luck < 0.5 + plus ? 1 : 0);
			const { p } = paired(
				members.map(({ luck }) => score(luck, shift)),
				others.map((luck) => score(luck, 0)),
				{ clusters: members.map(({ cluster }) => cluster) },
			);
			if (p !== null && p <= 0.05) found += 1;
		}
		return found / rounds;
	}
	test("exact McNemar finds at most 5 in 100 where there is none", () => {
		const share = rejections(0, { shift: 0, graded: false });
		report("McNemar, false positives", { share });
		expect(share).toBeLessThanOrEqual(0.05 + noise);
		expect(share).toBeGreaterThan(0.005);
	});
	test.each([
		[10, true],
		[20, false],
		[60, true],
	])(
		"sign flips over %d clusters find at most about 5 in 100 where there is none (graded: %s)",
		(clusters, graded) => {
			const share = rejections(clusters, { shift: 0, graded });
			report("sign flip, false positives", { clusters, graded, share });
			expect(share).toBeLessThanOrEqual(0.05 + noise);
			// sums of right and wrong tie often, and ties count against the difference
			expect(share).toBeGreaterThan((graded ? 0.04 : 0.03) - noise);
		},
		patience,
	);
	longTest(
		"`detectable` is the difference found about four times in five",
		() => {
			const { random, clustered } = createWorld(9);
			const difference = () => {
				const members = clustered(40, true);
				const others = members.map(({ luck }) => (random() < 0.5 ? luck : random()));
				const names = members.map(({ cluster }) => cluster);
				return { a: members.map(({ luck }) => luck), b: others, names };
			};
			let sum = 0;
			for (let round = 0; round < 200; round++) {
				const { a, b, names } = difference();
				sum += Number(paired(a, b, { clusters: names }).detectable);
			}
			const effect = sum / 200;
			let found = 0;
			for (let round = 0; round < rounds; round++) {
				const { a, b, names } = difference();
				const { p } = paired(
					a.map((each) => each + effect),
					b,
					{ clusters: names },
				);
				if (Number(p) <= 0.05) found += 1;
			}
			report("power at `detectable`", { effect, share: found / rounds });
			expect(Math.abs(found / rounds - 0.8)).toBeLessThan(0.02 + 3 * Math.sqrt(0.16 / rounds));
		},
		patience,
	);
});

/** Shown on demand: HOPSCOPE_SHOW_COVERAGE=1. */
function report(what: string, facts: Record<string, unknown>): void {
	if (process.env.HOPSCOPE_SHOW_COVERAGE) process.stderr.write(`${what} ${JSON.stringify(facts)}\n`);
}
