import { z } from "zod";
import { defineMetric, noPrediction, text } from "../metric.ts";
import { goldNumber, numberAnswer, numberPart } from "./gold-answer.ts";
import { numberAccuracy, numberAccuracyOf } from "./number-accuracy.ts";
import { writesDecimalComma } from "./separators.ts";

const number = z.number();
const range = z.tuple([number, number]);

/** The modes in which a number alone can be scored, the default first. */
const numericModes = ["relative-10", "absolute-0.1", "infoseek-2023"] as const;

export const numericMetric = defineMetric({
	name: "numeric",
	group: "answers",
	describe: "Whether a prediction states the gold number, by the published readings of being near enough.",
	formula:
		"1 if the number read lies in the gold interval, or a range read lies in it or has intersection / union >= 0.5; else 0. The interval is the gold range, or [0.9a, 1.1a] sorted, or a +- 0.1, by mode",
	range: "0 or 1",
	edges:
		"A prediction without a readable number is wrong (in infoseek-2023 it reads as [0, 0]). A tolerance that the gold states is relative and goes before the mode. Of several quantities the first of the gold's kind counts. Units are converted; one of another kind is wrong; where either side names none, the numbers are compared as they stand, a percentage as a share with a gold below 1. A gold text without a number: unscored. No prediction: unscored.",
	source:
		"InfoSeek's infoseek_eval.py (infoseek-2023, quirks and all); MMhops-R1 (Evaluation Metrics) for absolute-0.1",
	example: { prediction: "between 110 and 125 km", answer: "120 km", mode: "relative-10" },
	input: z.strictObject({
		prediction: z.union([text, number, range]).nullable(),
		answer: z.union([
			number,
			range,
			text,
			numberPart.refine(({ value, range }) => value !== undefined || range !== undefined, {
				message: "the gold number needs a value or a range",
			}),
			numberAnswer,
		]),
		mode: z.enum(numericModes).optional(),
		language: z.string().max(35).optional(),
	}),
	compute: ({ prediction, answer, mode = "relative-10", language }) => {
		if (prediction === null) return noPrediction;
		const decimalComma = writesDecimalComma(language);
		const gold = goldNumber(goldOf(answer), { decimalComma, language });
		if (!gold) return { value: null, reason: "the gold number cannot be read", mode };
		const { value, ...read } =
			typeof prediction === "string"
				? numberAccuracy(prediction, gold, { mode, decimalComma, language })
				: numberAccuracyOf(prediction, gold, { mode });
		return { value, mode, ...read, ...(gold.unit === undefined ? {} : { unit: gold.unit }) };
	},
});

function goldOf(
	answer: number | [number, number] | string | z.output<typeof numberPart> | z.output<typeof numberAnswer>,
): z.output<typeof numberAnswer> {
	const type = "number" as const;
	if (typeof answer === "string") return { type, value: answer };
	if (typeof answer === "number") return { type, number: { value: answer } };
	if (Array.isArray(answer)) return { type, number: { range: answer } };
	return "type" in answer ? answer : { type, number: answer };
}
