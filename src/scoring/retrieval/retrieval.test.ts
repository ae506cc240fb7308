import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { metrics } from "#scoring";

type Ranked = (readonly [string, number])[];
interface Query {
	qrels: Record<string, number>;
	ranked: Ranked;
}
const measure = (name: string, input: object) => metrics[name]?.measure(input).result;
const amount = (name: string, input: object) => Number(measure(name, input)?.value);

/** trec_eval's name of a measure, as the metric and the cut that compute it. */
function metricOf(measured: string): { name: string; k?: number } {
	const [, stem = "", k] = /^(\w+?)_?(\d+)?$/.exec(measured) ?? [];
	const name = {
		map: "map",
		map_cut: "map",
		Rprec: "r-precision",
		bpref: "bpref",
		recip_rank: "mrr",
		P: "precision",
		recall: "recall",
		ndcg: "ndcg",
		ndcg_cut: "ndcg",
		success: "success",
	}[stem];
	if (name === undefined) throw new Error(`no metric for ${measured}`);
	return k === undefined ? { name } : { name, k: Number(k) };
}

const golden = "../shared/golden/trec_eval.json";
interface Case {
	input: { qrels: Record<string, Query["qrels"]>; run: Record<string, Ranked> };
	trec_eval?: Record<string, Record<string, number>>;
	trec_eval_c_flag_all?: Record<string, number>;
}

test.skipIf(!existsSync(golden))("every value that trec_eval prints, for every query and over all", () => {
	const cases: Record<string, Case> = JSON.parse(readFileSync(golden, "utf8"));
	let compared = 0;
	for (const [title, { input, trec_eval: printed, trec_eval_c_flag_all: complete }] of Object.entries(cases)) {
		if (!printed) continue;
		const judged = Object.entries(input.qrels);
		const answered = judged.filter(([query]) => input.run[query]);
		const means = (measured: string, over: typeof judged) => {
			const { name, ...cut } = metricOf(measured);
			const values = over.map(([query, qrels]) => amount(name, { qrels, ranked: input.run[query] ?? [], ...cut }));
			return values.reduce((sum, value) => sum + value, 0) / values.length;
		};
		const rows = Object.entries(printed).map(
			([row, values]) => [values, row === "all" ? answered : judged.filter(([query]) => query === row)] as const,
		);
		// -c counts queries without results too
		if (complete) rows.push([complete, judged]);
		for (const [values, over] of rows)
			for (const [measured, value] of Object.entries(values)) {
				expect(means(measured, over).toFixed(4), `${title} ${measured}`).toBe(value.toFixed(4));
				compared += 1;
			}
	}
	expect(compared).toBeGreaterThan(800);
});

test("an id twice is an error, as in trec_eval", () => {
	const input = {
		qrels: { a: 1 },
		ranked: [
			["a", 2],
			["b", 1.5],
			["a", 1],
		],
	};
	for (const name of ["ndcg", "map", "mrr", "recall", "precision", "success", "r-precision", "bpref"])
		expect(measure(name, input)).toMatchObject({ value: null, reason: expect.stringContaining("twice") });
});

// by pytrec_eval-terrier 0.5.11, which has the scores in single precision: 0.25 and 0.250000001 tie there
const inSinglePrecision: [Query, Record<string, number>][] = [
	[
		{
			qrels: { d1: 0, d6: 0, d2: 3, "\u00e91": 0, d7: -1, d5: 1, d8: -1 },
			ranked: [
				["d3", 1.5],
				["d1", 0.750000001],
				["d6", 1.5],
				["\ud83d\ude00x", 0.500000001],
				["d2", 0.25],
				["d0", 0.250000001],
				["d7", 1.500000001],
				["d4", 1.500000001],
				["\uffe0y", 0.250000001],
				["d8", 0.750000001],
			],
		},
		{
			map: 0.05555555555555555,
			Rprec: 0.0,
			bpref: 0.0,
			recip_rank: 0.1111111111111111,
			P_3: 0.0,
			recall_5: 0.0,
			ndcg: 0.24872141525284142,
			ndcg_cut_3: 0.0,
			map_cut_5: 0.0,
			success_1: 0.0,
		},
	],
	[
		{
			qrels: { d5: 1, "\ud83d\ude00x": 2, "\uffe0y": 0, d6: 3 },
			ranked: [
				["\u00e91", 0.750000001],
				["d5", 0.500000001],
				["\ud83d\ude00x", 0.750000001],
				["d1", 1.500000001],
				["d3", 0.750000001],
				["d0", 0.750000001],
				["d2", 0.250000001],
				["d4", 0.25],
			],
		},
		{
			map: 0.27777777777777773,
			Rprec: 0.3333333333333333,
			bpref: 0.6666666666666666,
			recip_rank: 0.5,
			P_3: 0.3333333333333333,
			recall_5: 0.3333333333333333,
			ndcg: 0.339797235055716,
			ndcg_cut_3: 0.26499301486112564,
			map_cut_5: 0.16666666666666666,
			success_1: 0.0,
		},
	],
	[
		{
			qrels: { "\uffe0y": 0, "\u00e91": 2, d5: 3, d8: 3, "\ud83d\ude00x": 1, d6: 0, d1: 0, d4: 2, d7: 1 },
			ranked: [
				["d0", 0.5],
				["\uffe0y", 0.75],
				["\u00e91", 0.750000001],
				["d5", 0.75],
				["d8", 0.75],
				["\ud83d\ude00x", 0.750000001],
				["d1", 0.750000001],
				["d4", 1.500000001],
			],
		},
		{
			map: 0.7305555555555555,
			Rprec: 0.8333333333333334,
			bpref: 0.6666666666666669,
			recip_rank: 1.0,
			P_3: 0.6666666666666666,
			recall_5: 0.6666666666666666,
			ndcg: 0.7631463804047375,
			ndcg_cut_3: 0.44646594968382,
			map_cut_5: 0.5916666666666667,
			success_1: 1.0,
		},
	],
];

test("single precision ties as pytrec_eval has them, ids by their UTF-8 bytes", () => {
	for (const [query, values] of inSinglePrecision)
		for (const [measured, value] of Object.entries(values)) {
			const { name, ...cut } = metricOf(measured);
			expect(amount(name, { ...query, ...cut, mode: "trec_eval-float32" }), measured).toBeCloseTo(value, 12);
		}
	const close = {
		qrels: { a: 1 },
		ranked: [
			["a", 0.123456789],
			["b", 0.123456788],
		],
	};
	expect(amount("mrr", close)).toBe(1);
	expect(amount("mrr", { ...close, mode: "trec_eval-float32" })).toBe(0.5);
	// both are infinite in single precision
	expect(
		amount("mrr", {
			qrels: { a: 1 },
			ranked: [
				["a", 1e300],
				["b", 1e200],
			],
			mode: "trec_eval-float32",
		}),
	).toBe(0.5);
});

test("ties by bytes, not by UTF-16: a character beyond U+FFFF comes after U+FFE0", () => {
	const ranked = [
		["\uffe0", 1],
		["\u{1f600}", 1],
		["é", 1],
		["z", 1],
	];
	for (const [rank, id] of ["\u{1f600}", "\uffe0", "é", "z"].entries())
		expect(amount("mrr", { qrels: { [id]: 1 }, ranked }), id).toBe(1 / (rank + 1));
});

test("the worked graded ranking, and exponential gain", () => {
	const graded = {
		qrels: { a: 3, b: 2, c: 1, e: 2 },
		ranked: [
			["c", 9],
			["a", 8],
			["x", 7],
			["b", 6],
			["d", 5],
		],
	};
	expect([1, 3, 5].map((k) => amount("ndcg", { ...graded, k }).toFixed(4))).toEqual(["0.3333", "0.5498", "0.6595"]);
	// (1/1 + 7/log2 3 + 3/log2 5) / (7/1 + 3/log2 3 + 3/log2 4 + 1/log2 5), by hand
	const expected = (1 + 7 / 1.5849625007 + 3 / 2.3219280949) / (7 + 3 / 1.5849625007 + 3 / 2 + 1 / 2.3219280949);
	expect(amount("ndcg", { ...graded, gain: "exponential" })).toBeCloseTo(expected, 9);
	const ones = Object.fromEntries(Object.keys(graded.qrels).map((name) => [name, 1]));
	expect(amount("ndcg", { ...graded, gain: "binary" })).toBe(amount("ndcg", { ...graded, qrels: ones }));
});

test("grades below 0 are unjudged: bpref does not count them among what is known not to be relevant", () => {
	// R = 2 and one document judged 0: each relevant document comes after all of them
	const qrels = { a: 1, c: 1, b: 0, d: -1, e: -2 };
	expect(
		amount("bpref", {
			qrels,
			ranked: [
				["b", 3],
				["a", 2],
				["c", 1],
			],
		}),
	).toBe(0);
	expect(
		amount("bpref", {
			qrels,
			ranked: [
				["d", 3],
				["a", 2],
				["c", 1],
			],
		}),
	).toBe(1);
});

test("beside the value: what was judged, and a note where nothing is relevant", () => {
	const query = {
		qrels: { a: 1, b: 0 },
		ranked: [
			["a", 3],
			["x", 2],
			["b", 1],
		],
	};
	expect(measure("precision", { ...query, k: 2 })).toEqual({ value: 0.5, mode: "trec_eval", relevant: 1, judged: 0.5 });
	expect(measure("recall", { qrels: { a: 0 }, ranked: [["a", 1]] })).toMatchObject({
		value: 0,
		relevant: 0,
		note: expect.any(String),
	});
	expect(measure("ndcg", { qrels: { a: 1 }, ranked: [] })).toMatchObject({ value: 0, judged: null });
	// names of an object's own machinery are ids like others
	expect(
		amount("mrr", {
			qrels: { a: 1 },
			ranked: [
				["constructor", 2],
				["a", 1],
			],
		}),
	).toBe(0.5);
});

const id = fc.stringMatching(/^[a-j]$/);
const score = fc.constantFrom(0, 0.25, 0.5, 1, -1, 2);
const query = fc.record({
	qrels: fc.dictionary(id, fc.integer({ min: -1, max: 3 })),
	ranked: fc.uniqueArray(fc.tuple(id, score), { selector: ([name]) => name }),
});
const all = ["ndcg", "map", "mrr", "recall", "precision", "success", "r-precision", "bpref"];
const cutAtK = all.slice(0, 6);

test("values lie in [0, 1] and do not depend on the order of the input", () => {
	fc.assert(
		fc.property(query, ({ qrels, ranked }) => {
			const turned = { qrels: Object.fromEntries(Object.entries(qrels).reverse()), ranked: [...ranked].reverse() };
			for (const name of all) {
				const value = amount(name, { qrels, ranked });
				expect(value).toBeGreaterThanOrEqual(0);
				expect(value).toBeLessThanOrEqual(1);
				expect(amount(name, turned)).toBe(value);
			}
		}),
	);
});

test("recall, success, average precision and reciprocal rank never fall with k; at the list's length the cut is gone", () => {
	fc.assert(
		fc.property(query, fc.integer({ min: 1, max: 12 }), (input, k) => {
			for (const name of ["recall", "success", "map", "mrr"])
				expect(amount(name, { ...input, k: k + 1 })).toBeGreaterThanOrEqual(amount(name, { ...input, k }));
			fc.pre(input.ranked.length > 0);
			for (const name of cutAtK.filter((each) => each !== "ndcg"))
				expect(amount(name, { ...input, k: input.ranked.length })).toBe(amount(name, input));
		}),
	);
});

test("without ties names do not matter; with the best order nDCG is 1", () => {
	fc.assert(
		fc.property(query, ({ qrels, ranked }) => {
			const untied = ranked.map(([name], index) => [name, -index] as const);
			const renamed = {
				qrels: Object.fromEntries(Object.entries(qrels).map(([name, grade]) => [`z${name.charCodeAt(0) * 7}`, grade])),
				ranked: untied.map(([name, each]) => [`z${name.charCodeAt(0) * 7}`, each]),
			};
			for (const name of all) expect(amount(name, renamed)).toBe(amount(name, { qrels, ranked: untied }));
			const best = Object.entries(qrels).sort((a, b) => b[1] - a[1]);
			fc.pre(best.some(([, grade]) => grade > 0));
			for (const gain of ["linear", "exponential", "binary"])
				expect(amount("ndcg", { qrels, ranked: best, gain, k: 3 })).toBeCloseTo(1, 12);
		}),
	);
});

test("moving a relevant document up never lowers a ranking's value", () => {
	fc.assert(
		fc.property(query, fc.nat(), ({ qrels, ranked }, pick) => {
			const order = ranked.map(([name]) => name);
			const relevant = order.filter((name, index) => index > 0 && (qrels[name] ?? 0) > 0);
			fc.pre(relevant.length > 0);
			const place = order.indexOf(relevant[pick % relevant.length] ?? "");
			fc.pre((qrels[order[place - 1] ?? ""] ?? 0) <= 0);
			const raised = order.with(place - 1, order[place] ?? "").with(place, order[place - 1] ?? "");
			const scoredBy = (names: string[]) => names.map((name, index) => [name, -index]);
			for (const name of ["ndcg", "map", "mrr", "bpref"])
				expect(amount(name, { qrels, ranked: scoredBy(raised) })).toBeGreaterThanOrEqual(
					amount(name, { qrels, ranked: scoredBy(order) }) - 1e-12,
				);
		}),
	);
});

test("any name is a document's, those of JavaScript's own too", () => {
	const line = '{"qrels": {"__proto__": 1, "a": 0}, "ranked": [["__proto__", 2], ["constructor", 1]]}';
	for (const name of ["recall", "precision", "map", "ndcg", "mrr"])
		expect(metrics[name]?.measure({ ...JSON.parse(line), k: 1 }).result, name).toMatchObject({ value: 1, relevant: 1 });
	expect(metrics.recall?.measure(JSON.parse('{"qrels": {"__proto__": "x"}, "ranked": []}')).result.reason).toMatch(
		/^qrels\.__proto__: .*number/,
	);
	expect(metrics.recall?.measure({ qrels: [1], ranked: [] }).result.reason).toBe("qrels: expected an object");
});

test("a hundred thousand results are ranked in a moment", () => {
	const ranked = Array.from({ length: 100_000 }, (_, index) => [`d${index}`, index % 100]);
	const qrels = Object.fromEntries(ranked.slice(0, 1000).map(([name]) => [name, 1]));
	const start = process.cpuUsage();
	expect(amount("recall", { qrels, ranked })).toBe(1);
	expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000);
});

test("hit@k wants evidence of every hop within the first k", () => {
	const hit = (hops: string[][], ranked: string[], k: number) => metrics.hit?.measure({ hops, ranked, k }).result.value;
	expect(hit([["p1", "p7"]], ["p2", "p7"], 1)).toBe(0);
	expect(hit([["p1", "p7"]], ["p2", "p7"], 2)).toBe(1);
	expect(hit([["p1"], ["p4"]], ["p4", "p9", "p1"], 3)).toBe(1);
	expect(hit([["p1"], ["p4"]], ["p4", "p9", "p1"], 2)).toBe(0);
	expect(hit([["p1"]], [], 5)).toBe(0);
	expect(hit([[]], ["p1"], 5)).toBeNull();
});
