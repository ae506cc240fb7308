import { describe, expect, test } from "vitest";
import { LabelledItem, type Rating } from "#domain";
import { calibrate, type LabelReport, type Reading, type Rubric, rubrics } from "#scoring";
import { longTest } from "../../../../test/long.ts";
import { seededRandom } from "../../statistics/random.ts";

const failures = rubrics["vistahop-failures"] as Rubric;
const errors = rubrics["mc-search-errors"] as Rubric;
const five = Object.keys(failures.labels);

interface Said {
	judge: string[];
	/** By rater; nobody where absent. */
	people?: Record<string, string[]>;
	cluster?: string;
	submitted?: string | null;
}

const item = ({ people = {}, cluster, submitted = "s" }: Said, index: number): LabelledItem =>
	LabelledItem.parse({
		...{ version: 1, id: `i${index}`, question: `q${index}`, reference: ["r"], submitted, system: "A" },
		...(cluster === undefined ? {} : { cluster }),
		labels: Object.entries(people).map(
			([rater, labels]): Rating => ({ rater, kind: "human", label: { is: "labels", labels } }),
		),
	});

const readingsOf = (said: readonly (readonly string[])[]): Reading[] =>
	said.map((labels, index) => ({
		...{ item: `i${index}`, run: 0, first: "reference" },
		judgement: {
			...{ is: "judged", by: "model", value: null, grade: null, scores: {}, reason: "" },
			labels: [...labels],
		},
	}));

function reportOf(said: readonly Said[], rubric = failures): LabelReport {
	const readings = readingsOf(said.map(({ judge }) => judge));
	const report = calibrate(said.map(item), { rubric, judge: { model: "m", prompt: "p", readings } });
	expect(report).toMatchObject({ dimensions: [], corrected: [], stacked: undefined });
	if (!report.labels) throw new Error("no labels");
	return report.labels;
}

const times = (count: number, said: Said): Said[] => Array.from({ length: count }, () => said);
const one = (judge: string, ann: string): Said => ({ judge: [judge], people: { ann: [ann] } });

describe("one label an answer", () => {
	// rows people, columns judge: 20 5 / 10 15, the table of Cohen's kappa in textbooks: Po 0.7, Pe 0.5, kappa 0.4
	const textbook = [
		...times(20, one("visual-anchor", "visual-anchor")),
		...times(5, one("retrieval-drift", "visual-anchor")),
		...times(10, one("visual-anchor", "retrieval-drift")),
		...times(15, one("retrieval-drift", "retrieval-drift")),
	];

	test("confusion, agreement and kappa of a worked example", () => {
		const found = reportOf(textbook);
		expect(found.confusion).toEqual({
			labels: ["visual-anchor", "retrieval-drift"],
			counts: [
				[20, 5],
				[10, 15],
			],
		});
		expect(found).toMatchObject({ reference: "humans", ceiling: undefined, foreign: {} });
		expect(found.humans).toMatchObject({ items: 50, comparisons: 50 });
		expect(found.humans?.share.value).toBeCloseTo(0.7, 12);
		expect(found.humans?.kappa.value).toBeCloseTo(0.4, 12);
		expect(found.humans?.kappa.low).toBeGreaterThan(0.1);
		expect(found.humans?.kappa.high).toBeLessThan(0.7);
		// labels have no order
		expect(found.humans).not.toHaveProperty("pearson");
		expect(found.byLabel.map(({ label }) => label)).toEqual(five);
		const [anchor, drift, planning] = found.byLabel;
		expect(anchor).toMatchObject({ sensitivity: { value: 0.8, n: 25 }, precision: { n: 30 } });
		expect(anchor?.precision.value).toBeCloseTo(2 / 3, 12);
		expect(anchor?.kappa.value).toBeCloseTo(0.4, 12);
		// Wilson's interval of 20 of 25
		expect(anchor?.sensitivity.low).toBeCloseTo(0.6087, 4);
		expect(anchor?.sensitivity.high).toBeCloseTo(0.9114, 4);
		expect(drift).toMatchObject({ sensitivity: { value: 0.6, n: 25 }, precision: { value: 0.75, n: 20 } });
		expect(planning).toMatchObject({ sensitivity: { value: null, n: 0 }, precision: { value: null, n: 0 } });
		expect(planning?.kappa.value).toBeNull();
	});

	test("a share is corrected by the label's own confusion, or the reason is said", () => {
		const unlabelled = times(150, { judge: ["visual-anchor"] });
		const found = reportOf([...textbook, ...unlabelled]);
		const of = (label: string) => found.corrected.find((each) => each.label === label);
		// people 0.5 of the labelled, sensitivity 0.8, specificity 0.6: (0.9 + 0.6 - 1) / 0.4 is above 1
		expect(of("visual-anchor")).toMatchObject({
			...{ system: "A", judged: 200, labelled: 50, uncorrected: { value: 0.9 } },
			roganGladen: { unsmoothed: 1, rates: { q1: 0.8, m1: 25, q0: 0.6, m0: 25 } },
		});
		expect(of("planning-collapse")?.roganGladen).toMatchObject({
			value: null,
			reason: "no labelled item has it, so the judge's sensitivity is unknown",
		});
		const coin = reportOf([
			...times(10, one("visual-anchor", "visual-anchor")),
			...times(10, one("retrieval-drift", "visual-anchor")),
			...times(10, one("visual-anchor", "retrieval-drift")),
			...times(10, one("retrieval-drift", "retrieval-drift")),
		]);
		expect(coin.corrected[0]?.roganGladen).toMatchObject({
			value: null,
			low: null,
			reason: expect.stringContaining("this judge cannot correct"),
		});
		expect(coin.corrected[0]?.ppi?.value).toBeCloseTo(0.5, 6);
		const alike = reportOf(times(20, one("visual-anchor", "visual-anchor")));
		expect(alike.corrected[0]?.roganGladen?.reason).toContain("every labelled item has it");
	});

	test("without labels the shares are the judge's; an answer not given is judged as any other", () => {
		const found = reportOf([
			...times(6, { judge: ["visual-anchor"], submitted: null }),
			{ judge: ["fusion-calculation"] },
		]);
		expect(found).toMatchObject({ reference: "none", humans: undefined, confusion: undefined, byLabel: [] });
		expect(found.corrected[0]).toMatchObject({ judged: 7, labelled: 0, unanswered: 0 });
		expect(found.corrected[0]).not.toHaveProperty("roganGladen");
		expect(found.corrected[0]?.uncorrected.value).toBeCloseTo(6 / 7, 12);
	});

	test("items of one cluster are dependent, and ratings by a foreign label are left out and named", () => {
		const apart = reportOf(textbook);
		const together = reportOf(textbook.map((said, index) => ({ ...said, cluster: `c${Math.floor(index / 5)}` })));
		const width = ({ byLabel: [row] }: LabelReport) => (row?.sensitivity.high ?? 0) - (row?.sensitivity.low ?? 0);
		expect(width(together)).toBeGreaterThan(1.3 * width(apart));
		const foreign = reportOf([...textbook, { judge: ["visual-anchor"], people: { ann: ["made-up"] } }]);
		expect(foreign.foreign).toEqual({ "made-up": 1 });
		expect(foreign.humans).toEqual(apart.humans);
	});

	test("people among themselves, a second judge, and repeats", () => {
		const said = textbook.map(({ judge, people }) => ({ judge, people: { ...people, ben: people?.ann ?? [] } }));
		const items = said.map(item);
		const readings = readingsOf(said.map(({ judge }) => judge));
		const again = readings.map((reading, index) => ({
			...reading,
			run: 1,
			...(index < 5 ? { judgement: readingsOf([["normalisation-boundary"]])[0]?.judgement ?? reading.judgement } : {}),
		}));
		const { labels } = calibrate(items, {
			rubric: failures,
			judge: { model: "m", prompt: "p", readings: [...readings, ...again] },
			against: { model: "n", prompt: "p", readings },
		});
		expect(labels?.ceiling).toMatchObject({ items: 50, share: { value: 1 } });
		expect(labels?.humans).toMatchObject({ items: 50, comparisons: 100, share: { value: 0.7 } });
		expect(labels?.against).toMatchObject({ share: { value: 1 } });
		expect(labels?.flips).toMatchObject({ value: 0.1, n: 50 });
	});

	longTest.each([
		{ right: 0.75, least: 0.97, most: 1 },
		// nearer to chance some labels can be corrected, and of others it is said that they cannot
		{ right: 0.3, least: 0.7, most: 0.95 },
	])("corrected shares hold the truth in 95 of 100, by a judge that is right in $right", ({ right, least, most }) => {
		const truth = [0.35, 0.25, 0.2, 0.12, 0.08];
		const random = seededRandom(20261123);
		const drawn = (shares: readonly number[]) => {
			let left = random();
			return Math.max(
				0,
				shares.findIndex((share) => {
					left -= share;
					return left < 0;
				}),
			);
		};
		// what it takes wrongly it calls retrieval drift, more often than anything else
		const row = (at: number) =>
			five.map((_, label) => (label === at ? right : 0) + (1 - right) * (label === 1 ? 0.64 : 0.09));
		const rows = five.map((_, at) => {
			const shares = row(at);
			const whole = shares.reduce((sum, share) => sum + share, 0);
			return shares.map((share) => share / whole);
		});
		const hits = { roganGladen: 0, ppi: 0, uncorrected: 0 };
		let given = 0;
		const rounds = 40;
		for (let round = 0; round < rounds; round++) {
			const found = reportOf(
				Array.from({ length: 400 }, (_, index) => {
					const at = drawn(truth);
					const judge = [five[drawn(rows[at] ?? [])] ?? ""];
					return index < 150 ? { judge, people: { ann: [five[at] ?? ""] } } : { judge };
				}),
			);
			for (const [at, { roganGladen, ppi, uncorrected }] of found.corrected.entries()) {
				const holds = (found?: { low: number | null; high: number | null }) =>
					Number((found?.low ?? 2) <= (truth[at] ?? 0) && (found?.high ?? -1) >= (truth[at] ?? 0));
				given += Number(roganGladen?.value !== null);
				hits.roganGladen += roganGladen?.value === null ? 0 : holds(roganGladen);
				hits.ppi += holds(ppi);
				hits.uncorrected += holds(uncorrected);
			}
		}
		const all = rounds * five.length;
		expect(given / all).toBeGreaterThanOrEqual(least);
		expect(given / all).toBeLessThanOrEqual(most);
		expect(hits.roganGladen / given).toBeGreaterThanOrEqual(0.925);
		expect(hits.roganGladen / given).toBeLessThanOrEqual(0.99);
		// its t intervals are short of that for labels that few answers have
		expect(hits.ppi / all).toBeGreaterThanOrEqual(0.9);
		expect(hits.uncorrected / all).toBeLessThan(0.8);
	});
});

describe("several labels an answer, or none", () => {
	test("each is decided for itself, sets are equal as a whole, and the confusion counts each pair", () => {
		const said: Said[] = [
			{ judge: ["step-omission", "spurious-step"], people: { ann: ["step-omission"] } },
			{ judge: ["step-omission"], people: { ann: ["step-omission"] } },
			{ judge: [], people: { ann: [] } },
			{ judge: [], people: { ann: ["spurious-step"] } },
		];
		const found = reportOf(said, errors);
		expect(found.humans?.share.value).toBe(0.5);
		expect(found.confusion).toEqual({
			labels: ["step-omission", "spurious-step", "none"],
			counts: [
				[2, 1, 0],
				[0, 0, 1],
				[0, 0, 1],
			],
		});
		const row = (label: string) => found.byLabel.find((each) => each.label === label);
		expect(row("step-omission")).toMatchObject({ sensitivity: { value: 1, n: 2 }, precision: { value: 1, n: 2 } });
		expect(row("spurious-step")).toMatchObject({ sensitivity: { value: 0, n: 1 }, precision: { value: 0, n: 1 } });
		expect(found.corrected.find(({ label }) => label === "step-omission")).toMatchObject({
			uncorrected: { value: 0.5 },
			ppi: { value: 0.5 },
		});
	});
});
