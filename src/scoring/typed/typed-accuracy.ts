import { z } from "zod";
import type { ScoringMode } from "#domain";
import { declines } from "../answers/declines.ts";
import { exactMatch } from "../answers/exact-match.ts";
import { matchOptionsFor } from "../answers/match-options.ts";
import type { MatchOptions } from "../answers/normalise.ts";
import { defineMetric, noPrediction, prediction } from "../metric.ts";
import { booleanAccuracy } from "./boolean-accuracy.ts";
import { GoldAnswer, goldDate, goldNumber } from "./gold-answer.ts";
import { listAccuracy } from "./list-accuracy.ts";
import { nearestMode } from "./nearest-mode.ts";
import { numberAccuracy } from "./number-accuracy.ts";
import { writesDecimalComma } from "./separators.ts";
import { timeAccuracy } from "./time-accuracy.ts";
import { typedModes } from "./typed-mode.ts";

/** 1, 0, or null where the gold states nothing to compare with; `details` say which rule decided. */
export interface TypedVerdict {
	value: 0 | 1 | null;
	reason?: string;
	details: Record<string, unknown>;
}

/** How a prediction is read: by which protocol, in which language (BCP 47), as the answer to what. */
export interface TypedOptions {
	mode?: ScoringMode | undefined;
	language?: string | undefined;
	question?: string | undefined;
}

/**
 * Typed accuracy of one prediction: each kind of answer by its own rule (see the siblings of this file).
 *
 * string and text: exact match with the accepted forms (for free text a lower bound; a judge is its measure).
 * number: `numberAccuracy`, or the very text of an accepted form. time, boolean, list: their files. none: declining is
 * right, anything else wrong. Overall accuracy is the mean over samples, so types weigh by their counts. `language`
 * (BCP 47) settles what a lone separator before three digits means, and by which options texts are matched
 * (`matchOptionsFor`; `details` name them); mode `infoseek-2023` has none.
 * Source: MMhops-R1 (Evaluation Metrics), InfoSeek.
 */
export function typedAccuracy(prediction: string, gold: GoldAnswer, options: TypedOptions = {}): TypedVerdict {
	const mode = nearestMode(options.mode);
	const type = gold.type;
	const accepted = gold.accepted ?? (gold.value === undefined ? [] : [gold.value]);
	const published = mode === "infoseek-2023";
	const beyond = published ? {} : matchOptionsFor(options.language);
	const matching: MatchOptions = { mode: published ? "hotpot" : "hopscope", ...beyond };
	const base = { type, ...(Object.keys(beyond).length > 0 ? { options: beyond } : {}) };
	switch (gold.type) {
		case "string":
		case "text":
			return { value: exactMatch(prediction, accepted, matching), details: base };
		case "number": {
			const reading = { decimalComma: writesDecimalComma(options.language), language: options.language };
			const number = goldNumber(gold, reading);
			if (!number) return { value: null, reason: "the gold number cannot be read", details: base };
			const { value, ...read } = numberAccuracy(prediction, number, { mode, ...reading });
			const right = !published && isWritten(prediction, accepted);
			return { value: right ? 1 : value, details: { ...base, ...read } };
		}
		case "time": {
			const date = goldDate(gold);
			if (!date) return { value: null, reason: "the gold date cannot be read", details: base };
			const value = timeAccuracy(prediction, { accepted, date }, { mode, matching: beyond });
			return { value, details: { ...base, gold: date } };
		}
		case "boolean": {
			const value = gold.value === "yes" ? "yes" : "no";
			return { value: booleanAccuracy(prediction, { value, accepted }, beyond), details: base };
		}
		case "list": {
			const items = gold.items ?? (gold.value ?? "").split(/[;,、，；،؛]/).filter((item) => item.trim() !== "");
			if (items.length === 0) return { value: null, reason: "the gold list names no items", details: base };
			const { value, ...counts } = listAccuracy(prediction, { items, accepted }, beyond);
			return { value, details: { ...base, ...counts } };
		}
		case "none": {
			const right = declines(prediction) || exactMatch(prediction, accepted, beyond) === 1;
			return { value: right ? 1 : 0, details: base };
		}
	}
}

/**
 * Whether a prediction is an accepted form of a number but for case and spacing, or, holding no digit, for punctuation and
 * articles: with digits these would make "12.5" of "125".
 */
function isWritten(prediction: string, accepted: readonly string[]): boolean {
	const plain = (text: string) => text.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();
	if (accepted.some((form) => plain(form) === plain(prediction))) return true;
	return !/\p{Nd}/u.test(prediction) && exactMatch(prediction, accepted) === 1;
}

/** Whether a text states an answer by the rule of its type; false, too, where nothing can be compared. */
export const isTypedRight = (text: string, answer: GoldAnswer, options: TypedOptions = {}): boolean =>
	typedAccuracy(text, answer, options).value === 1;

export const typedMetric = defineMetric({
	name: "typed",
	group: "answers",
	describe: "Typed accuracy: strings, numbers, times, yes or no and lists each by their own rule.",
	formula: "1 if the prediction states the gold answer by the rule of its type, else 0",
	range: "0 or 1",
	edges:
		"An unreadable prediction is wrong. Gold that cannot be read is unscored. Where the gold is that there is no answer, declining is right. A declared language (BCP 47) settles the decimal sign and brings its matching options, which the result names. No prediction: unscored.",
	source: "MMhops-R1 (Evaluation Metrics); InfoSeek's released evaluation, by mode",
	example: {
		prediction: "about 125 km",
		answer: { type: "number", value: "120 km", number: { value: 120, unit: "km" } },
	},
	input: z.strictObject({
		prediction,
		answer: GoldAnswer,
		mode: z.enum(typedModes).optional(),
		language: z.string().max(35).optional(),
	}),
	compute: ({ prediction, answer, ...options }) => {
		if (prediction === null) return noPrediction;
		const { value, reason, details } = typedAccuracy(prediction, answer, options);
		const beside = { mode: options.mode ?? "relative-10", ...details };
		return value === null ? { value, reason: reason ?? "undefined", ...beside } : { value, ...beside };
	},
});
