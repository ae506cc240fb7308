import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clusteredPpi, interval, metrics, type PartlyLabelled } from "#scoring";
import { isLong, longDescribe } from "../../../test/long.ts";
import type { JudgedLabels } from "./corrected.ts";
import { ppi } from "./ppi.ts";
import { seededRandom } from "./random.ts";
import { roganGladen } from "./rogan-gladen.ts";

const rounds = isLong ? 4000 : 250;

const measure = (input: unknown): Record<string, unknown> => ({ ...metrics["judge-corrected"]?.measure(input).result });

/** A system's items: truths with a mean of `right`, what the judge says of them, and which of them people label. */
interface World {
	right: number;
	sensitivity: number;
	specificity: number;
	items: number;
	labels: number;
}

function drawLabels(world: World, random: () => number): JudgedLabels & { truths: number[] } {
	const truths = Array.from({ length: world.items }, (): number => (random() < world.right ? 1 : 0));
	const judge = truths.map((truth): number =>
		random() < (truth === 1 ? world.sensitivity : 1 - world.specificity) ? 1 : 0,
	);
	// items are exchangeable, so the first are as good a sample as any
	return { truths, judge, human: truths.slice(0, world.labels), judged: judge.slice(0, world.labels) };
}

const worlds: World[] = [
	{ right: 0.4, specificity: 0.8, sensitivity: 0.92, items: 1000, labels: 100 },
	{ right: 0.4, specificity: 0.8, sensitivity: 0.92, items: 1000, labels: 300 },
	{ right: 0.4, specificity: 0.95, sensitivity: 0.95, items: 1000, labels: 200 },
	{ right: 0.6, specificity: 0.9, sensitivity: 0.85, items: 500, labels: 150 },
];

describe.each(worlds)("$items items of which $right right, $labels labels, judge $specificity/$sensitivity", {
	tags: "longer",
}, (world) => {
	const noise = isLong ? 0 : 3 * Math.sqrt((0.95 * 0.05) / rounds) - 0.01;
	const trial = (
		method: (labels: JudgedLabels) => { value: number | null; low: number | null; high: number | null },
	) => {
		const random = seededRandom(42);
		let [held, sum, width] = [0, 0, 0];
		for (let round = 0; round < rounds; round++) {
			const { value, low, high } = method(drawLabels(world, random));
			if (low === null || high === null || value === null) continue;
			if (low <= world.right && world.right <= high) held += 1;
			sum += value;
			width += high - low;
		}
		return { held: held / rounds, bias: sum / rounds - world.right, half: width / rounds / 2 };
	};
	const show = (what: string, found: unknown) => {
		if (process.env.HOPSCOPE_SHOW_COVERAGE) process.stderr.write(`${what} ${JSON.stringify({ ...world, found })}\n`);
	};
	test("Rogan-Gladen and PPI++ hold the truth 93 to 97 times in 100, the judge alone does not", () => {
		for (const [name, method] of [
			["rogan-gladen", roganGladen],
			["ppi++", ppi],
		] as const) {
			const found = trial(method);
			show(name, found);
			expect(found.held, name).toBeGreaterThanOrEqual(0.93 - noise);
			expect(found.held, name).toBeLessThanOrEqual(0.97 + noise);
			expect(Math.abs(found.bias), name).toBeLessThan(0.015);
		}
		const alone = trial(({ judge }) => interval(judge));
		show("judge alone", alone);
		expect(alone.held).toBeLessThan(0.93 + noise);
	});
});

longDescribe("weak judges", () => {
	// at a sensitivity and specificity of 0.55 the interval around the share held 77 in 100
	test.each([
		{ right: 0.95, sensitivity: 0.55, specificity: 0.55, labels: 300 },
		{ right: 0.9, sensitivity: 0.6, specificity: 0.6, labels: 300 },
		{ right: 0.95, sensitivity: 0.7, specificity: 0.6, labels: 300 },
		{ right: 0.5, sensitivity: 0.6, specificity: 0.6, labels: 100 },
		{ right: 0.1, sensitivity: 0.7, specificity: 0.7, labels: 100 },
	])("$sensitivity/$specificity, $labels labels, $right right: held 92 in 100, or said to correct nothing", (world) => {
		const random = seededRandom(5);
		const used = 4000;
		let [held, told] = [0, 0];
		for (let round = 0; round < used; round++) {
			const { low, high, reason } = roganGladen(drawLabels({ ...world, items: 1000 }, random));
			if (low === null || high === null) expect(reason).toMatch(/cannot correct|no labelled/);
			else {
				told += 1;
				if (low <= world.right && world.right <= high) held += 1;
			}
		}
		expect(told).toBeGreaterThan(100);
		expect(held / told).toBeGreaterThan(0.92 - 2.5 * Math.sqrt((0.92 * 0.08) / told));
	});
	test("one that is weak, but better than chance: Fieller's interval, computed apart in Python", () => {
		const found = measure({ method: "rogan-gladen", p: 0.56, n: 500, q0: 0.6, m0: 80, q1: 0.7, m1: 120 });
		expect(found.low).toBeCloseTo(0.2070791266, 8);
		expect(found.high).toBeCloseTo(0.8111340687, 8);
	});
});

test("labels drawn by strata, weighted: the interval still holds the truth", { tags: "longer" }, () => {
	// every item the judge calls wrong is as likely to be labelled as three that it calls right
	for (const [name, method] of [
		["rogan-gladen", roganGladen],
		["ppi++", ppi],
	] as const) {
		const random = seededRandom(3);
		let [held, sum] = [0, 0];
		for (let round = 0; round < rounds; round++) {
			const { judge, truths } = drawLabels(
				{ right: 0.6, sensitivity: 0.9, specificity: 0.8, items: 600, labels: 0 },
				random,
			);
			const taken = judge
				.map((value, at) => ({ value, at }))
				.filter(({ value }) => random() < (value === 1 ? 0.1 : 0.3));
			const { value, low, high } = method({
				judge,
				human: taken.map(({ at }) => truths[at] ?? 0),
				judged: taken.map((item) => item.value),
				weights: taken.map((item) => (item.value === 1 ? 10 : 10 / 3)),
			});
			sum += Number(value);
			if (Number(low) <= 0.6 && Number(high) >= 0.6) held += 1;
		}
		if (process.env.HOPSCOPE_SHOW_COVERAGE) process.stderr.write(`strata ${name} ${held / rounds} ${sum / rounds}\n`);
		expect(Math.abs(sum / rounds - 0.6), name).toBeLessThan(0.02);
		expect(held / rounds, name).toBeGreaterThan(isLong ? 0.93 : 0.9);
	}
});

describe("Rogan-Gladen", () => {
	test("from rates: the interval of Lee et al.'s reference program", () => {
		const found = measure({ method: "rogan-gladen", p: 0.488, n: 1000, q0: 0.8, m0: 60, q1: 0.92, m1: 40 });
		expect(found.unsmoothed).toBeCloseTo(0.4, 12);
		expect(found.value).toBeCloseTo(0.4032440913157301, 10);
		expect(found.low).toBeCloseTo(0.285879156482546, 8);
		expect(found.high).toBeCloseTo(0.5093780295299213, 8);
		expect(found).toMatchObject({ clipped: false, n: 1000, labelled: 100, method: "rogan-gladen" });
	});
	test("is clipped to [0, 1], and says so", () => {
		const found = measure({ method: "rogan-gladen", p: 0.95, n: 200, q0: 0.9, m0: 30, q1: 0.9, m1: 70 });
		expect(found).toMatchObject({ value: 1, high: 1, clipped: true });
		expect(found.low).toBeCloseTo(0.9715070197525354, 8);
	});
	test("a judge no better than a coin, or one side never labelled, corrects nothing", () => {
		const rates = { method: "rogan-gladen", p: 0.5, n: 100, q0: 0.5, m0: 50, q1: 0.5, m1: 50 };
		for (const [change, word] of [
			[{}, "cannot correct"],
			[{ q0: 0.6, q1: 0.6, m0: 20, m1: 20 }, "cannot correct"],
			[{ q0: 1, m0: 0, q1: 1 }, "specificity"],
			[{ q0: 1, m1: 0, q1: 1 }, "sensitivity"],
		] as const)
			expect(measure({ ...rates, ...change })).toMatchObject({ value: null, reason: expect.stringContaining(word) });
	});
	test("from raw labels it counts the rates itself; graded ones are for ppi++", () => {
		const raw = { judge: [1, 1, 1, 0, 0, 1, 1, 0, 1, 1], human: [1, 1, 0, 0, 1], judged: [1, 1, 1, 0, 0] };
		const found = roganGladen(raw);
		expect(found.rates).toEqual({ p: 0.7, n: 10, q0: 0.5, m0: 2, q1: 2 / 3, m1: 3 });
		expect(found).toMatchObject({ value: null, reason: expect.stringContaining("cannot correct") });
		const graded = { method: "rogan-gladen", judge: [0.5, 1], human: [1], judged: [0.5] };
		expect(measure(graded)).toMatchObject({ value: null, reason: expect.stringContaining("ppi++") });
	});
});

describe("PPI++", () => {
	const human = [1, 0, 1, 1, 0, 0.5, 1, 0.25, 0, 1];
	const judged = [1, 0.5, 1, 0.5, 0, 0.5, 1, 0, 0.5, 1];
	const others = [1, 0, 1, 0.5, 0.5, 1, 0, 1, 1, 0.5, 0, 0, 1, 1, 0.25, 0.75, 1, 1, 0, 1];
	const judge = [...judged, ...others];
	test("the estimate is ppi_py's (0.2.3) at given lambda", () => {
		for (const [lambda, value] of [
			[1, 0.6],
			[0.7, 0.5925],
			[0, 0.575],
		] as const)
			expect(ppi({ judge, human, judged, lambda }).value).toBeCloseTo(value, 12);
	});
	test("lambda and interval by the formula, computed apart with numpy and scipy", () => {
		const found = measure({ method: "ppi++", judge, human, judged });
		expect(found.lambda).toBeCloseTo(0.5793871866295263, 10);
		expect(found.value).toBeCloseTo(0.5894846796657381, 10);
		expect(found.low).toBeCloseTo(0.32256220623586157, 8);
		expect(found.high).toBeCloseTo(0.8564071530956148, 8);
		expect(found).toMatchObject({ n: 30, labelled: 10, clipped: false });
	});
	test("equal weights give the value of none", () => {
		const weights = human.map(() => 3);
		for (const lambda of [1, 0.4]) {
			const found = ppi({ judge, human, judged, weights, lambda });
			expect(found.value).toBeCloseTo(Number(ppi({ judge, human, judged, lambda }).value), 12);
		}
	});
	test("all labelled: the labels' own mean; one label, none, and labels all right", () => {
		expect(ppi({ judge: judged, human, judged }).value).toBeCloseTo(0.575, 12);
		expect(ppi({ judge: judged, human, judged, weights: human.map(() => 1) }).value).toBeCloseTo(0.575, 12);
		expect(ppi({ judge, human: [0.5], judged: [1] })).toMatchObject({ low: null, reason: "one label has no spread" });
		expect(ppi({ judge, human: [], judged: [] })).toMatchObject({ value: null, reason: "no human labels" });
		const right = ppi({ judge, human: human.map(() => 1), judged });
		expect(right).toMatchObject({ value: 1, high: 1, lambda: 0 });
		expect(right.low).toBeCloseTo(0.7224671, 6);
	});
	test("judged items that judge does not hold are a mistake, not an estimate", () => {
		expect(ppi({ judge: others.slice(0, 3), human, judged })).toMatchObject({
			value: null,
			reason: expect.stringContaining("included"),
		});
	});
	test("stays in [0, 1] and holds its value; the order of the items does not matter", () => {
		const grade = fc.constantFrom(0, 0.25, 0.5, 1);
		const items = fc.array(fc.tuple(grade, grade, fc.double({ min: 0.1, max: 5, noNaN: true })), { maxLength: 12 });
		fc.assert(
			fc.property(items, fc.array(grade, { maxLength: 12 }), fc.boolean(), (labelled, rest, weigh) => {
				const ask = (rows: typeof labelled) =>
					ppi({
						judge: [...rest, ...rows.map(([, judge]) => judge)],
						human: rows.map(([human]) => human),
						judged: rows.map(([, judge]) => judge),
						...(weigh ? { weights: rows.map(([, , weight]) => weight) } : {}),
					});
				const found = ask(labelled);
				const turned = ask([...labelled].reverse());
				if (found.value === null) {
					expect(labelled).toEqual([]);
					return;
				}
				expect(Number(turned.value)).toBeCloseTo(found.value, 9);
				expect(found.value >= 0 && found.value <= 1).toBe(true);
				if (found.low === null || found.high === null) return;
				expect(found.low).toBeLessThanOrEqual(found.value);
				expect(found.high).toBeGreaterThanOrEqual(found.value);
			}),
		);
	});
});

test("input that does not hold together is unscored, and the reason names the field", () => {
	for (const [input, word] of [
		[{ method: "ppi++" }, "judge"],
		[{ method: "rogan-gladen" }, "judge"],
		[{ method: "rogan-gladen", p: 0.5, n: 10 }, "q0"],
		[{ method: "rogan-gladen", p: 0.5, n: 10, q0: 1, m0: 1, q1: 1, m1: 1, human: [1] }, "human"],
		[{ method: "ppi++", judge: [1], human: [1], judged: [] }, "judged"],
		[{ method: "ppi++", judge: [1], human: [1], judged: [1], weights: [] }, "weights"],
		[{ method: "ppi++", judge: [2], human: [1], judged: [1] }, "judge"],
		[{ method: "rogan-gladen", judge: [1], human: [1], judged: [1], lambda: 1 }, "lambda"],
	] as const)
		expect(measure(input)).toMatchObject({ value: null, is: "unscored", reason: expect.stringContaining(word) });
});

describe("clusteredPpi", () => {
	const things = (count: number, of: number, size: number) =>
		Array.from({ length: count }, (_, at): PartlyLabelled => {
			const truth = Math.floor(at / size) % 3 === 0 ? 1 : 0;
			const judge = at % 10 === 9 ? 1 - truth : truth;
			return { cluster: `c${Math.floor(at / size)}`, judge, ...(at % of === 0 ? { label: truth } : {}) };
		});

	test("is PPI++ where each thing is its own cluster, but for small-sample factors", () => {
		const all = things(600, 4, 1);
		const labelled = all.flatMap(({ judge, label }) => (label === undefined ? [] : [{ judge, label }]));
		const plain = ppi({
			judge: all.map(({ judge }) => judge),
			human: labelled.map(({ label }) => label),
			judged: labelled.map(({ judge }) => judge),
		});
		const found = clusteredPpi(all);
		expect(found).toMatchObject({ clusters: 600, labelledClusters: 150, labelled: 150, n: 600 });
		expect(found.value).toBeCloseTo(plain.value ?? -1, 10);
		expect((found.high ?? 0) - (found.low ?? 0)).toBeCloseTo((plain.high ?? 0) - (plain.low ?? 0), 2);
	});

	test("things that share their luck say less: the interval is wider", () => {
		const width = ({ low, high }: { low: number | null; high: number | null }) => (high ?? 0) - (low ?? 0);
		const some = things(600, 2, 10);
		const apart = some.map((thing, at) => ({ ...thing, cluster: `own ${at}` }));
		expect(width(clusteredPpi(some))).toBeGreaterThan(2 * width(clusteredPpi(apart)));
	});

	test("under weights: equal ones change nothing, and those of strata give each what it stands for", () => {
		const some = things(600, 4, 5);
		const equal = clusteredPpi(some.map((one) => ({ ...one, weight: one.label === undefined ? undefined : 4 })));
		const plain = clusteredPpi(some);
		for (const end of ["value", "low", "high"] as const) expect(equal[end]).toBeCloseTo(plain[end] ?? -1, 2);
		// of 90 of one kind, all 0, a tenth is labelled, and of 10 of another, all 1, every one
		const strata = Array.from({ length: 100 }, (_, at): PartlyLabelled => {
			const truth = at < 90 ? 0 : 1;
			const weight = at < 90 ? 10 : 1;
			return { cluster: `c${at}`, judge: 0, ...(at >= 90 || at % 10 === 0 ? { label: truth, weight } : {}) };
		});
		expect(clusteredPpi(strata).value).toBeCloseTo(0.1, 10);
		expect(clusteredPpi(strata.map(({ weight: _, ...one }) => one)).value).toBeCloseTo(10 / 19, 10);
	});

	test("no labels, labels of one cluster, and labels all alike", () => {
		expect(clusteredPpi([{ cluster: "a", judge: 1 }])).toMatchObject({ value: null, reason: "no human labels" });
		expect(clusteredPpi(things(20, 7, 10).filter(({ cluster }) => cluster === "c0"))).toMatchObject({
			low: expect.anything(),
		});
		const one = [1, 0].map((label) => ({ cluster: "a", judge: 1, label }));
		expect(clusteredPpi(one)).toMatchObject({ low: null, high: null, reason: "labels of one cluster have no spread" });
		const alike = clusteredPpi(["a", "b"].map((cluster) => ({ cluster, judge: 0, label: 0 })));
		expect(alike).toMatchObject({ value: 0, low: 0, labelledClusters: 2 });
		expect(alike.high).toBeGreaterThan(0.5);
	});
});
