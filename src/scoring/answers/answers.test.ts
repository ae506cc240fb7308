import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { metrics } from "#scoring";
import { matchOptionsFor } from "./match-options.ts";
import { normalise } from "./normalise.ts";

const value = (name: string, input: unknown) => metrics[name]?.measure(input).result.value;
const em = (prediction: string | null, accepted: string[], more = {}) => value("em", { prediction, accepted, ...more });
const f1 = (prediction: string | null, accepted: string[], more = {}) => value("f1", { prediction, accepted, ...more });

describe("worked values", () => {
	test.each([
		["The Eiffel-Tower, in  Paris!", "eiffeltower in paris"],
		["día a día", "día día"],
		["a\u0301 a", "\u0301"],
		["a²", "a²"],
		["x\u0085y", "x y"],
		["x\u001cy", "x y"],
		["x\ufeffy", "x\ufeffy"],
		["“Quoted”", "“quoted”"],
		["A. B", "b"],
		["_the_", ""],
		["U.S.A.", "usa"],
		["İstanbul", "i̇stanbul"],
	])("%j normalises to %j", (text, expected) => {
		expect(normalise(text)).toBe(expected);
	});

	test("F1 drops articles and takes the best accepted answer", () => {
		expect(f1("Barack Obama, the 44th president", ["Barack Obama"])).toBeCloseTo(0.6667, 4);
		expect(f1("Barack Obama, the 44th president", ["nobody", "Barack Obama"])).toBeCloseTo(0.6667, 4);
		expect(f1("a b b", ["b b c"], { mode: "squad" })).toBeCloseTo(0.8, 12);
	});

	test("a bare letter A to E is an option's letter in modes hopscope and tracer-released", () => {
		for (const mode of ["hopscope", "tracer-released"]) {
			expect(em(" A ", ["A"], { mode })).toBe(1);
			expect(em("A", ["the"], { mode })).toBe(0);
			expect(em("A", ["a"], { mode })).toBe(0);
			expect(f1("B", ["b"], { mode })).toBe(0);
		}
		for (const mode of ["squad", "hotpot", "musique"]) expect(em("A", ["the"], { mode })).toBe(1);
	});

	test("empty strings: equal everywhere, an F1 of 1 in MuSiQue only", () => {
		expect(em("", [""])).toBe(1);
		expect(f1("", [""])).toBe(0);
		expect(f1("the", ["a"])).toBe(0);
		expect(f1("the", ["an"], { mode: "musique" })).toBe(1);
		expect(f1("", ["x"], { mode: "musique" })).toBe(0);
	});

	test("yes and no must agree entirely, except in SQuAD and MuSiQue", () => {
		expect(f1("yes it is", ["yes"])).toBe(0);
		expect(f1("yes it is", ["yes"], { mode: "hotpot" })).toBe(0);
		expect(f1("yes it is", ["yes"], { mode: "squad" })).toBe(0.5);
		expect(f1("yes it is", ["yes"], { mode: "musique" })).toBe(0.5);
		expect(f1("yes", ["no", "yes"])).toBe(1);
	});

	test("declining scores no F1, no prediction is unscored", () => {
		expect(f1("I cannot answer this question. Paris", ["Paris"], { mode: "tracer-released" })).toBe(0);
		expect(metrics.f1?.measure({ prediction: null, accepted: ["x"] }).result).toEqual({
			value: null,
			is: "unscored",
			reason: "no prediction",
		});
		expect(em(null, ["x"])).toBeNull();
	});

	test("mode tracer-released drops the words that the published pipeline drops", () => {
		expect(f1("the city of Paris", ["Paris"], { mode: "tracer-released" })).toBeCloseTo(2 / 3, 12);
		expect(f1("the city of Paris", ["Paris"])).toBe(0.5);
	});

	test("options beyond the papers are off by default", () => {
		expect(em("Ａ１", ["a1"])).toBe(0);
		expect(em("Ａ１", ["a1"], { nfkc: true })).toBe(1);
		expect(em("“Paris”", ["Paris"])).toBe(0);
		expect(em("“Paris”", ["Paris"], { unicodePunctuation: true })).toBe(1);
		expect(f1("東京都", ["東京"])).toBe(0);
		expect(f1("東京都", ["東京"], { cjkCharacters: true })).toBeCloseTo(0.8, 12);
		expect(f1("Tokyo東京", ["Tokyo 東 京"], { cjkCharacters: true })).toBe(1);
		expect(em("أَحْمَد", ["احمد"])).toBe(0);
		expect(em("أَحْمَد", ["احمد"], { arabicForms: true })).toBe(1);
		expect(em("مكتبة", ["مكتبه"], { arabicForms: true })).toBe(0);
	});

	test("a declared language brings the options that suit it; English and none bring none", () => {
		for (const language of [undefined, "", "en", "en-US", "EN_gb", "und", "mul", "not a language"])
			expect(matchOptionsFor(language)).toEqual({});
		const folded = { nfkc: true, unicodePunctuation: true };
		for (const language of ["fr", "es-MX", "de", "ko"]) expect(matchOptionsFor(language)).toEqual(folded);
		for (const language of ["zh", "zh-Hant-TW", "ja", "ja_JP"])
			expect(matchOptionsFor(language)).toEqual({ ...folded, cjkCharacters: true });
		for (const language of ["ar", "ar-EG"]) expect(matchOptionsFor(language)).toEqual({ ...folded, arabicForms: true });
	});
});

const golden = "../shared/golden/squad_hotpot_musique.json";
const tracer = "../shared/golden/agenticragtracer_heuristics.json";
const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));

test.skipIf(!existsSync(golden))("agrees with the reference scripts of SQuAD, HotpotQA and MuSiQue", () => {
	const cases = read(golden);
	for (const [text, expected] of cases.normalize) expect(normalise(text, { mode: "hotpot" })).toBe(expected);
	for (const [prediction, gold, score, , , exact] of cases.hotpot_f1_p_r_em) {
		expect(f1(prediction, [gold], { mode: "hotpot" })).toBeCloseTo(score, 12);
		expect(em(prediction, [gold], { mode: "hotpot" })).toBe(exact);
		expect(f1(prediction, [gold])).toBeCloseTo(score, 12);
	}
	for (const [prediction, gold, score, exact] of cases.musique_f1_em) {
		expect(f1(prediction, [gold], { mode: "musique" })).toBeCloseTo(score, 12);
		expect(em(prediction, [gold], { mode: "musique" })).toBe(exact);
	}
});

test.skipIf(!existsSync(tracer))("agrees with AgenticRAGTracer's released F1", () => {
	const cases = read(tracer);
	for (const [text, expected] of cases.pipeline_normalize)
		expect(normalise(text, { mode: "tracer-released" })).toBe(expected);
	for (const [prediction, accepted, score] of cases.f1)
		expect(f1(prediction, accepted, { mode: "tracer-released" })).toBeCloseTo(score, 12);
});

const text = fc.oneof(
	fc.string({ unit: "grapheme", maxLength: 30 }),
	fc.constantFrom("the", "A", "yes", "", "in  Paris"),
);
const mode = fc.constantFrom("hopscope", "squad", "hotpot", "musique", "tracer-released");

test("F1 lies in [0, 1] and is symmetric on one gold answer; EM is 0 or 1", () => {
	fc.assert(
		fc.property(text, text, mode, (a, b, name) => {
			const score = f1(a, [b], { mode: name });
			expect(score).toBeGreaterThanOrEqual(0);
			expect(score).toBeLessThanOrEqual(1);
			expect(f1(b, [a], { mode: name })).toBeCloseTo(Number(score), 12);
			expect([0, 1]).toContain(em(a, [b], { mode: name }));
		}),
	);
});

test("an exact match with anything left to match has F1 1; more accepted answers never score less", () => {
	fc.assert(
		fc.property(text, fc.array(text, { minLength: 1, maxLength: 4 }), text, (prediction, accepted, more) => {
			if (em(prediction, accepted) === 1 && normalise(prediction) !== "") expect(f1(prediction, accepted)).toBe(1);
			expect(f1(prediction, [...accepted, more])).toBeGreaterThanOrEqual(Number(f1(prediction, accepted)));
		}),
	);
});
