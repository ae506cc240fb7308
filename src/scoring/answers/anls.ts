import { z } from "zod";
import { editDistance } from "#domain";
import { defineMetric, noPrediction, prediction } from "../metric.ts";
import { words } from "./normalise.ts";

/** A prediction is worth nothing from this normalised distance on. */
const threshold = 0.5;

/**
 * ANLS, in [0, 1]: how nearly a prediction is written as an accepted answer, the best over the accepted answers.
 *
 * Text is lower-cased, trimmed and its white space collapsed. NL = edit distance / length of the longer text; the
 * similarity is 1 - NL where NL < 0.5, else 0, exactly one half included. Two empty texts: 1. Characters are code
 * points; lengths are those of the text in capitals, so that "ß" counts two.
 * Source: Biten et al. 2019 (Scene Text VQA) and DocVQA, strict threshold; agrees with the shunk031/ANLS package.
 */
export function anls(prediction: string, accepted: readonly string[]): number {
	const predicted = plain(prediction);
	return Math.max(0, ...accepted.map((answer) => similarity(predicted, plain(answer))));
}

interface Plain {
	characters: number[];
	length: number;
}

function plain(text: string): Plain {
	const lower = words(text.toLowerCase()).join(" ");
	return { characters: codePoints(lower), length: codePoints(lower.toUpperCase()).length };
}

function codePoints(text: string): number[] {
	return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

/** 1 - NL of two texts as they stand, 0 where NL is not below 0.5; two empty texts: 1. */
export function similarityOf(a: string, b: string): number {
	const of = (text: string) => ({ characters: codePoints(text), length: codePoints(text.toUpperCase()).length });
	return similarity(of(a), of(b));
}

function similarity(a: Plain, b: Plain): number {
	const length = Math.max(a.length, b.length);
	if (length === 0) return 1;
	const limit = threshold * length;
	// the distance is at least the difference of the lengths, which spares long predictions the table
	if (Math.abs(a.characters.length - b.characters.length) >= limit) return 0;
	const distance = editDistance(a.characters, b.characters, limit);
	return distance < limit ? 1 - distance / length : 0;
}

export const anlsMetric = defineMetric({
	name: "anls",
	group: "answers",
	describe: "Average normalised Levenshtein similarity of a prediction with an accepted answer, the best of them.",
	formula: "1 - NL if NL < 0.5, else 0, with NL = edit distance / length of the longer text; the maximum over accepted",
	range: "0, or above 0.5 to 1",
	edges:
		"Without regard to case and to how much white space. NL of exactly 0.5: 0. Two empty texts: 1. Lengths are counted in capitals (ß is two). No prediction: unscored.",
	source: "Biten et al. 2019 (Scene Text VQA), DocVQA; agrees with shunk031/ANLS",
	example: { prediction: "$1,000", accepted: ["1000"] },
	input: z.strictObject({
		prediction,
		accepted: z
			.array(z.string().max(4000, "an accepted answer of more than 4000 characters is none that ANLS is for"))
			.min(1)
			.max(100),
	}),
	compute: ({ prediction, accepted }) =>
		prediction === null ? noPrediction : { value: anls(prediction, accepted), mode: "strict" },
});
