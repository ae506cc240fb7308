import { z } from "zod";
import { ScoringMode } from "#domain";
import { declines } from "../answers/declines.ts";
import { exactMatch } from "../answers/exact-match.ts";
import { matchOptionsFor } from "../answers/match-options.ts";
import type { MatchOptions } from "../answers/normalise.ts";
import { assertedAnswer } from "../asserted/asserted-answer.ts";
import { defineMetric, noPrediction, prediction } from "../metric.ts";
import { booleanAccuracy } from "./boolean-accuracy.ts";
import { acceptedIn, GoldAnswer, goldDate, goldNumber, type KnownAnswer } from "./gold-answer.ts";
import { listAccuracy } from "./list-accuracy.ts";
import { mmhopsAccuracy } from "./mmhops.ts";
import { mmlongbenchAccuracy } from "./mmlongbench.ts";
import { numberAccuracy } from "./number-accuracy.ts";
import { writesDecimalComma } from "./separators.ts";
import { timeAccuracy } from "./time-accuracy.ts";
import type { TypedVerdict } from "./typed-verdict.ts";

export type { TypedVerdict };

export interface TypedOptions {
	/** Default `hopscope`. */
	mode?: ScoringMode | undefined;
	/** BCP 47: settles what a lone separator before three digits means, and words that languages share. */
	language?: string | undefined;
	/** What was asked: it settles units, "in millions", which of several names or numbers answers, and what a no denies. */
	question?: string | undefined;
}

/**
 * Typed accuracy of one prediction: each kind of answer by the rules of a mode.
 *
 * - `hopscope` (default): what the reply asserts is read, see `assertedAnswer`;
 * - `mmhops`: strings by exact match, numbers within a tenth (counts, ordinals, identifiers and years exactly), times with
 *   the neighbours that the paper's lists hold;
 * - `mmlongbench`: MMLongBench-Doc's `eval_score` by the answer's format; the value may lie between 0 and 1;
 * - `tracer-official`: exact match with the one answer that AgenticRAGTracer's script compares with;
 * - `relative-10`, `absolute-0.1`, `infoseek-2023`: the published readings, as `readAsPublished` has them.
 *
 * Overall accuracy is the mean over samples, so types weigh by their counts. Source: MMhops-R1 (Evaluation Metrics),
 * InfoSeek, MMLongBench-Doc, AgenticRAGTracer.
 */
export function typedAccuracy(prediction: string, gold: GoldAnswer, options: TypedOptions = {}): TypedVerdict {
	const { mode = "hopscope" } = options;
	if (gold.type === "unknown")
		return { value: null, reason: "nobody has said what the right answer is", details: { type: gold.type } };
	if (mode === "hopscope") return assertedAnswer(prediction, gold, options);
	if (mode === "mmhops") return mmhopsAccuracy(prediction, gold, options) ?? readAsPublished(prediction, gold, options);
	if (mode === "mmlongbench") return mmlongbenchAccuracy(prediction, gold);
	if (mode === "tracer-official")
		return { value: exactMatch(prediction, acceptedIn(gold, mode)), details: { type: gold.type } };
	return readAsPublished(prediction, gold, options);
}

/**
 * The published readings: string and text by exact match with the accepted forms; number by `numberAccuracy`, or the very
 * text of an accepted form; time, boolean, list by their files; none: declining is right, anything else wrong. A language
 * brings its options of matching (`matchOptionsFor`; `details` name them); mode `infoseek-2023` has none.
 */
function readAsPublished(
	prediction: string,
	gold: KnownAnswer,
	options: { mode?: ScoringMode | undefined; language?: string | undefined },
): TypedVerdict {
	const { mode = "relative-10" } = options;
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
			const number = goldNumber(gold, { ...reading, plain: true });
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
	describe:
		"Typed accuracy: whether a reply asserts the gold answer; names, numbers, times, yes or no and lists each by their own rule.",
	formula: "1 if the prediction asserts the gold answer by the rule of its type, else 0 (mode mmlongbench: 0 to 1)",
	range: "0 or 1; mode mmlongbench: 0 to 1",
	edges:
		"Mode hopscope reads what is asserted: wrappers, citations and announcements go, the result of an equation counts, alternatives, bounds and denials are wrong. Numbers are exact unless the gold states a range or tolerance, which counts, years, ordinals and identifiers never have; measures, shares and money may be rounded to three digits or, with a word of scale, two. Variants of names: as docs/decisions/2026-11-23-reading-answers.md lists them. The question, where given, settles units, scales and what a no denies. Modes relative-10, absolute-0.1, infoseek-2023, mmhops, mmlongbench and tracer-official are the published readings. An unreadable prediction is wrong. Gold that cannot be read is unscored. Where the gold is that there is no answer, declining is right. A declared language (BCP 47) settles the decimal sign and brings its matching options, which the result names. No prediction: unscored.",
	source: "MMhops-R1 (Evaluation Metrics); InfoSeek, MMLongBench-Doc and AgenticRAGTracer as released, by mode",
	example: {
		prediction: "about 125 km",
		answer: { type: "number", value: "120 km", number: { value: 120, unit: "km" } },
	},
	input: z.strictObject({
		prediction,
		answer: GoldAnswer,
		question: z.string().max(100_000).optional(),
		mode: ScoringMode.optional(),
		language: z.string().max(35).optional(),
	}),
	compute: ({ prediction, answer, ...options }) => {
		if (prediction === null) return noPrediction;
		const { value, reason, details } = typedAccuracy(prediction, answer, options);
		const beside = { mode: options.mode ?? "hopscope", ...details };
		return value === null ? { value, reason: reason ?? "undefined", ...beside } : { value, ...beside };
	},
});
