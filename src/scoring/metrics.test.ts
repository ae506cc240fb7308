import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	type Metric,
	measureLine,
	metricGroups,
	metrics,
	ownScorers,
	scoreBy,
	scoredRecord,
	scorers,
	workedRecord,
} from "#scoring";
import { defineScorer } from "./record-metric.ts";

const all = Object.entries(metrics);

describe.each(all)("%s", (name, metric) => {
	test("computes its own example, which JSON can hold", () => {
		expect(metric.name).toBe(name);
		const { fits, result } = measureLine(metric, JSON.stringify(metric.example));
		expect(fits, String(result.reason)).toBe(true);
		expect(result.value, String(result.reason)).not.toBeNull();
		expect(JSON.parse(JSON.stringify(result))).toEqual(result);
	});
	test("has a card that a reader can use", () => {
		for (const part of ["describe", "formula", "range", "edges", "source"] as const)
			expect(metric[part].length, part).toBeGreaterThan(5);
		expect(Object.keys(metricGroups)).toContain(metric.group);
	});
	test("leaves rubbish unscored and says what is wrong", () => {
		expect(rubbish(metric, "{")).toBe("this is not JSON");
		expect(rubbish(metric, "[]")).toContain("object");
		expect(rubbish(metric, JSON.stringify({ ...metric.example, wrong: 1 }))).toContain("wrong");
		for (const field of Object.keys(metric.example)) {
			const { [field]: _, ...rest } = metric.example;
			const { fits, result } = measureLine(metric, JSON.stringify(rest));
			// what may be left out changes the value at most; all else is named
			if (!fits) expect(result).toMatchObject({ value: null, is: "unscored", reason: expect.stringContaining(field) });
			expect(rubbish(metric, JSON.stringify({ ...metric.example, [field]: { rubbish: [] } }))).toContain(field);
		}
	});
	test("takes any JSON without failing otherwise", () => {
		fc.assert(fc.property(fc.json(), (line) => sound(measureLine(metric, line))));
	});
	test("takes its example with any field spoilt", () => {
		const spoilt = fc
			.tuple(fc.constantFrom(...Object.keys(metric.example)), fc.jsonValue())
			.map(([field, value]) => JSON.stringify({ ...metric.example, [field]: value }));
		fc.assert(fc.property(spoilt, (line) => sound(measureLine(metric, line))));
	});
});

function rubbish(metric: Metric, line: string): string {
	const { fits, result } = measureLine(metric, line);
	expect(fits).toBe(false);
	expect(result).toMatchObject({ value: null, is: "unscored", reason: expect.any(String) });
	return String(result.reason);
}

/** Whatever came in, what goes out is a finite value, or null with a reason. */
function sound({ result }: ReturnType<typeof measureLine>): void {
	if (result.value === null) expect(result).toMatchObject({ is: "unscored", reason: expect.stringMatching(/./) });
	else expect([result.value].flat().every(Number.isFinite)).toBe(true);
}

test("problems name the field", () => {
	const problem = (name: string, input: unknown) => String(metrics[name]?.measure(input).result.reason);
	expect(problem("em", { prediction: "x", accepted: [] })).toContain("accepted");
	expect(problem("em", { prediction: "x", accepted: ["x"], mode: "loose" })).toMatch(/mode.*hopscope.*squad/);
	expect(problem("typed", { prediction: "x", answer: { type: "colour", value: "red" } })).toContain("answer");
	expect(problem("hit", { hops: [["a"]], ranked: ["a"], k: 0 })).toContain("k");
	expect(problem("interval", { values: [1, 2], clusters: ["a"] })).toContain("as many clusters as values");
	expect(problem("rollout-deviation", { gold: -1, steps: 0 })).toContain("gold");
});

test("valid input without a defined value is null with a reason", () => {
	for (const [name, input] of [
		["em", { prediction: null, accepted: ["x"] }],
		["f1", { prediction: null, accepted: ["x"] }],
		["typed", { prediction: null, answer: { type: "string", value: "x" } }],
		["hps", { gold: [], steps: [["a"]] }],
		["hit", { hops: [], ranked: ["a"], k: 1 }],
		["interval", { values: [] }],
	] as const)
		expect(metrics[name]?.measure(input)).toMatchObject({
			fits: true,
			result: { value: null, is: "unscored", reason: expect.any(String) },
		});
});

const { task, trajectory, ...options } = workedRecord;
const worked = scoredRecord(task, trajectory, options);

describe.each(scorers.map((scorer) => [scorer.name, scorer] as const))("the score %s of a run", (name, scorer) => {
	test("gives of the worked record what its example says, and the registry knows it", async () => {
		const score = await scoreBy(scorer, worked);
		expect(score).toMatchObject({ is: "scored" });
		expect(score.is === "scored" && score.value).toBeCloseTo(scorer.example, 12);
		expect(metrics[name]?.scorer).toBe(scorer);
	});
	test("has the words that tables and the reference show", () => {
		for (const part of ["heading", "meaning", "source"] as const) expect(scorer[part].length, part).toBeGreaterThan(1);
		expect(scorer.meaning).toMatch(/\.$/);
		expect(scorer.needs.length).toBeGreaterThan(0);
		expect(scorer.aggregation === "mean" || scorer.unit === "percent").toBe(true);
	});
});

test("a metric that is added to the registry stands in the reference", async () => {
	const added = defineScorer({
		...{ name: "letters", group: "answers", heading: "Letters", meaning: "Letters of the answer.", source: "a test" },
		...{ formula: "|letters|", edges: "No answer: 0.", needs: ["answer"], direction: "neither", unit: "number" },
		...{ aggregation: "mean", example: 14 },
		score: (record) => ({ is: "scored", value: record.trajectory.answer?.match(/\p{L}/gu)?.length ?? 0 }),
	});
	expect(added.measure(added.example).result).toEqual({ value: 14 });
	const script = "../../scripts/metrics-page.mjs";
	const { metricsPage } = await import(script);
	const registry = {
		metricGroups,
		metrics: { ...metrics, letters: added },
		scorers: [...scorers, added.scorer],
		workedRecord,
	};
	const page: string = metricsPage(registry);
	expect(page).toContain("| [`letters`](#letters) | Letters | – | mean | answer | 14 | Letters of the answer. |");
	expect(page).toContain('$ echo "$RECORD" | hopscope metric letters\n{"value":14}');
});

describe("a scorer of one's own", () => {
	const mine = { name: "mine", score: () => 1 };
	test("needs a name and a function; the rest has defaults", async () => {
		const [scorer] = await ownScorers(mine, "here");
		expect(scorer).toMatchObject({
			heading: "mine",
			aggregation: "mean",
			unit: "number",
			direction: "neither",
			needs: [],
		});
		expect((await ownScorers([{ ...mine, aggregation: "share" }], "here"))[0]?.unit).toBe("percent");
	});
	test.each([
		[{ ...mine, name: "f1" }, 'a score is called "f1" already'],
		[[mine, mine], 'a score is called "mine" already'],
		[{ ...mine, name: "Mine!" }, "name: must be of small letters"],
		[{ name: "mine" }, "score: expected a function"],
		[{ ...mine, colour: "red" }, "colour"],
		[{ ...mine, example: 2 }, "its example says 2, the worked record gives 1"],
	])("is refused where it does not fit: %j", async (given, problem) => {
		await expect(ownScorers(given, "here")).rejects.toThrow(problem);
	});
	test("leaves a record unscored, with the reason, whatever it does", async () => {
		const of = async (score: () => unknown, more: object = {}, record = worked) => {
			const [scorer] = await ownScorers({ ...mine, ...more, score }, "here");
			return scorer && scoreBy(scorer, record);
		};
		const boom = () => {
			throw new Error("boom");
		};
		expect(await of(boom)).toEqual({ is: "unscored", reason: "mine failed: boom" });
		expect(await of(() => Number.NaN)).toEqual({ is: "unscored", reason: "mine gave no number" });
		expect(await of(() => undefined)).toEqual({ is: "unscored", reason: "mine gave no number" });
		expect(await of(() => 2, { aggregation: "share" })).toEqual({
			is: "unscored",
			reason: "mine gave 2, which is no share",
		});
		expect(await of(async () => 2)).toEqual({ is: "scored", value: 2 });
		const broken = scoredRecord(task, { ...trajectory, stop: "budget" });
		expect(await of(() => 2, {}, broken)).toEqual({ is: "unscored", reason: "the run's budget was used up" });
		const chainless = scoredRecord({ ...task, chain: undefined } as never, trajectory);
		expect(await of(() => 2, { needs: ["chain"] }, chainless)).toMatchObject({ reason: "the task has no gold chain" });
	});
});
