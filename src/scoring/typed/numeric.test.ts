import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { metrics } from "#scoring";

const golden = "../shared/golden/infoseek.json";
const read = () => JSON.parse(readFileSync(golden, "utf8"));
const numeric = (prediction: unknown, answer: unknown, more = {}) =>
	metrics.numeric?.measure({ prediction, answer, ...more }).result;
const infoseek = (items: object[], more = {}) => metrics.infoseek?.measure({ items, ...more }).result;
const released = { mode: "infoseek-2023" };

describe("numeric", () => {
	test("takes a number, a range, a written number or the number of a task", () => {
		expect(numeric("125", 120)).toEqual({
			value: 1,
			mode: "relative-10",
			rule: "relative-10",
			gold: [108, 132],
			read: [125, 125],
		});
		expect(numeric("100.9", [99, 101])).toMatchObject({ value: 1, rule: "range", gold: [99, 101] });
		expect(numeric("75 miles", "120 km")).toMatchObject({ value: 1, unit: "km" });
		expect(numeric("75 km", "120 km")).toMatchObject({ value: 0, read: [75, 75] });
		expect(numeric("104", { value: 100, tolerance: 0.05 })).toMatchObject({ value: 1, rule: "tolerance" });
		expect(numeric("1 285", { value: 1285, unit: "km" })).toMatchObject({ value: 1 });
		expect(numeric(5, [4, 6])).toMatchObject({ value: 1 });
		const answer = { type: "number", value: "120 km", accepted: ["120 km"], number: { value: 120, unit: "km" } };
		expect(numeric("75 miles", answer)).toMatchObject({ value: 1, unit: "km" });
		expect(numeric("1.285", 1285, { language: "es" })).toMatchObject({ value: 1 });
	});
	test("a gold text has its unit wherever it stands", () => {
		for (const answer of ["12-15 km", "between 12 and 15 km", "about 12-15 km", "12-15 km (7.5-9.3 mi)"]) {
			expect(numeric("13000 m", answer), answer).toMatchObject({ value: 1, unit: "km", read: [13, 13] });
			expect(numeric("13 miles", answer), answer).toMatchObject({ value: 0 });
			expect(numeric("13", answer), answer).toMatchObject({ value: 1 });
		}
		expect(numeric("75 miles", "about 120 km")).toMatchObject({ value: 1 });
		expect(numeric("5 million dollars", "$5 million")).toMatchObject({ value: 1 });
		expect(numeric("5 million euros", "$5 million")).toMatchObject({ value: 0 });
		expect(numeric("136 years", "In 2010, after 136 years")).toMatchObject({ value: 1, unit: "years" });
		expect(numeric("-3 °C", "about 270 K")).toMatchObject({ value: 1 });
		expect(numeric("5 people", "5 K people")).toMatchObject({ value: 0, gold: [4500, 5500] });
	});
	test("a range may be given from either end", () => {
		expect(numeric([16, 10], [10, 14.5])).toMatchObject({ value: 1, read: [10, 16] });
		expect(numeric([10, 16], [14.5, 10])).toMatchObject({ value: 1, gold: [10, 14.5] });
	});
	test("a K after a space is kelvins on both sides, one after a digit thousands", () => {
		expect(numeric("270 K", "270 K")).toMatchObject({ value: 1, unit: "K" });
		expect(numeric("-3 °C", "270 K")).toMatchObject({ value: 1 });
		expect(numeric("5K", "5K")).toMatchObject({ value: 1, read: [5000, 5000] });
		expect(numeric("5,000 people", "5K")).toMatchObject({ value: 1 });
		expect(numeric("5", "5K")).toMatchObject({ value: 0 });
	});
	test("names its mode", () => {
		expect(numeric("120.05", 120, { mode: "absolute-0.1" })).toMatchObject({ value: 1, rule: "absolute-0.1" });
		expect(numeric("125", 120, { mode: "absolute-0.1" })).toMatchObject({ value: 0, mode: "absolute-0.1" });
		expect(numeric("10 million", 10, released)).toMatchObject({ value: 1, rule: "infoseek-2023", read: [10, 10] });
	});
	test("an unreadable prediction is wrong, unreadable gold and no prediction are unscored", () => {
		expect(numeric("no idea", 5)).toMatchObject({ value: 0 });
		expect(numeric("", [0, 0], released)).toMatchObject({ value: 1, read: [0, 0] });
		expect(numeric("5", "many")).toMatchObject({ value: null, reason: "the gold number cannot be read" });
		expect(numeric(null, 5)).toMatchObject({ value: null, reason: "no prediction" });
		expect(numeric("5", { unit: "km" })?.reason).toContain("answer");
	});
	test.skipIf(!existsSync(golden))("agrees with InfoSeek's script", () => {
		const { process_numerical_answer, metric_numerical_range } = read();
		for (const [prediction, expected] of process_numerical_answer)
			expect([prediction, numeric(prediction, 1, released)?.read]).toEqual([
				prediction,
				Array.isArray(expected) ? expected : [expected, expected],
			]);
		for (const [prediction, gold, expected] of metric_numerical_range)
			expect([prediction, gold, numeric(prediction, gold, released)?.value]).toEqual([prediction, gold, expected]);
	});
	test("a wider gold range never loses a number; a number is right against itself in every mode but the released one", () => {
		const size = fc.integer({ min: -1e6, max: 1e6 });
		fc.assert(
			fc.property(size, size, fc.nat(1000), fc.nat(1000), (x, low, width, more) => {
				const narrow = Number(numeric(x, [low, low + width])?.value);
				expect(numeric(x, [low - more, low + width + more])?.value).toBeGreaterThanOrEqual(narrow);
				for (const mode of ["relative-10", "absolute-0.1"]) expect(numeric(String(x), x, { mode })?.value).toBe(1);
			}),
		);
	});
});

describe("infoseek", () => {
	const item = (prediction: string | null, split: string, right = "Paris", type = "string") => ({
		prediction,
		answer: { type, value: right },
		split,
	});
	test.skipIf(!existsSync(golden))("agrees with the released program, percentages rounded to two decimals", () => {
		const { full_example, harmonic_zero, empty_split } = read();
		const items = full_example.refs.map(
			(ref: { answer_eval: string[]; question_type: string; data_split: string }, at: number) => {
				const [low, high] = ref.answer_eval.map(Number);
				return {
					prediction: full_example.preds[at].prediction,
					split: ref.data_split.replace("val_", ""),
					answer:
						ref.question_type === "Numerical"
							? { type: "number", number: { range: [low, high] } }
							: { type: ref.question_type.toLowerCase(), value: ref.answer_eval[0], accepted: ref.answer_eval },
				};
			},
		);
		const agrees = (input: object[], expected: typeof full_example.result) => {
			const splits = { unseen_question: "unseen_question_score", unseen_entity: "unseen_entity_score" };
			const result = infoseek(input, released);
			expect(Number((100 * Number(result?.value)).toFixed(2))).toBe(expected.final_score);
			for (const [name, published] of Object.entries(splits)) {
				const { value, time, number, string } = (result?.splits as Record<string, Record<string, number>>)[name] ?? {};
				const percent = [value, time, number, string].map((share) => Number((100 * Number(share)).toFixed(2)));
				const { score, score_time, score_num, score_string } = expected[published];
				expect([name, ...percent]).toEqual([name, score, score_time, score_num, score_string]);
			}
		};
		agrees(items, full_example.result);
		const [time, number, string] = items;
		agrees([{ ...time, prediction: "1066" }, number], harmonic_zero);
		agrees([time, string], empty_split);
	});
	test("the harmonic mean, with its splits and counts", () => {
		const result = infoseek([
			item("Paris", "unseen_question"),
			item("Rome", "unseen_question"),
			item("Paris", "unseen_entity"),
			item("1901", "unseen_entity", "1900", "time"),
		]);
		expect(result).toMatchObject({
			value: 2 / 3,
			mode: "relative-10",
			n: 4,
			splits: { unseen_question: { value: 0.5, n: 2, string: 0.5, time: null }, unseen_entity: { value: 1, time: 1 } },
		});
	});
	test("a split at zero makes it zero, one without items leaves it unscored, as released it is zero", () => {
		expect(infoseek([item("x", "unseen_question"), item("Paris", "unseen_entity")])).toMatchObject({ value: 0 });
		expect(infoseek([item("x", "unseen_question"), item("x", "unseen_entity")])).toMatchObject({ value: 0 });
		const half = [item("Paris", "unseen_question")];
		expect(infoseek(half)).toMatchObject({ value: null, reason: "no item of split unseen_entity" });
		expect(infoseek(half, released)).toMatchObject({ value: 0 });
	});
	test("no prediction is wrong and counted; as released it is left out", () => {
		const items = [item(null, "unseen_question"), item("Paris", "unseen_question"), item("Paris", "unseen_entity")];
		expect(infoseek(items)).toMatchObject({ value: 2 / 3, n: 3, splits: { unseen_question: { n: 2, missing: 1 } } });
		expect(infoseek(items, released)).toMatchObject({ value: 1, n: 2, splits: { unseen_question: { missing: 1 } } });
		expect(infoseek([{ ...item(null, "unseen_question"), answer: { type: "none" } }, items[2] ?? {}])).toMatchObject({
			value: 0,
		});
	});
	test("lies between the two splits, whichever is which and in whatever order the items come", () => {
		const some = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 });
		fc.assert(
			fc.property(some, some, (a, b) => {
				const of = (rights: boolean[], split: string) => rights.map((right) => item(right ? "Paris" : "Rome", split));
				const share = (rights: boolean[]) => rights.filter(Boolean).length / rights.length;
				const value = Number(infoseek([...of(a, "unseen_question"), ...of(b, "unseen_entity")])?.value);
				expect(infoseek([...of(a, "unseen_entity"), ...of(b, "unseen_question")].reverse())?.value).toBeCloseTo(
					value,
					12,
				);
				expect(value).toBeLessThanOrEqual(Math.max(share(a), share(b)) + 1e-12);
				expect(value).toBeGreaterThanOrEqual(Math.min(share(a), share(b)) - 1e-12);
			}),
		);
	});
});
