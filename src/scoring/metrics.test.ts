import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HopscopeError } from "#domain";
import { measure, metrics } from "#scoring";

test("the names that other languages call", () => {
	expect(Object.keys(metrics)).toEqual(["em", "f1", "typed", "hps", "rollout-deviation", "hit", "interval"]);
});

describe.each(Object.entries(metrics))("%s", (name, metric) => {
	test("computes its own example", () => {
		expect(metric.name).toBe(name);
		const measured = measure(metric, JSON.stringify(metric.example));
		if (!("result" in measured)) throw new Error(measured.problem);
		expect(measured.result.value).toEqual(expect.any(Number));
		expect(JSON.parse(JSON.stringify(measured.result))).toEqual(measured.result);
	});
	test("says what is wrong with a line that does not fit", () => {
		expect(measure(metric, "{")).toEqual({ problem: "this is not JSON" });
		expect(measure(metric, "[]")).toEqual({ problem: expect.stringContaining("object") });
		expect(measure(metric, JSON.stringify({ ...metric.example, wrong: 1 }))).toEqual({
			problem: expect.stringContaining("wrong"),
		});
		for (const field of Object.keys(metric.example).filter((key) => key !== "clusters")) {
			const { [field]: _, ...rest } = metric.example;
			expect(measure(metric, JSON.stringify(rest))).toEqual({ problem: expect.stringContaining(field) });
		}
	});
	test("takes any JSON without failing otherwise", () => {
		fc.assert(
			fc.property(fc.json(), (line) => {
				const measured = measure(metric, line);
				expect("problem" in measured || "result" in measured).toBe(true);
			}),
		);
	});
});

test("a misfit is an error of wrong usage that shows what was expected", () => {
	try {
		metrics.hps?.compute({ gold: [["a"]], steps: "b" });
		expect.unreachable();
	} catch (error) {
		expect(error).toBeInstanceOf(HopscopeError);
		expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining("steps") });
		expect(error).toMatchObject({ remedy: expect.stringContaining('"gold"') });
	}
});

test("problems name the field", () => {
	const problem = (name: string, input: unknown) => {
		const metric = metrics[name];
		const measured = metric && measure(metric, JSON.stringify(input));
		return measured && "problem" in measured ? measured.problem : "";
	};
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
		expect(metrics[name]?.compute(input)).toMatchObject({ value: null, reason: expect.any(String) });
});
