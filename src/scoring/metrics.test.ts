import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Metric, measureLine, metricGroups, metrics } from "#scoring";

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
