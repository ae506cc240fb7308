import { declines } from "../answers/declines.ts";
import { exactMatch } from "../answers/exact-match.ts";
import { booleanAccuracy } from "./boolean-accuracy.ts";
import { type GoldAnswer, goldDate, goldNumber } from "./gold-answer.ts";
import { listAccuracy } from "./list-accuracy.ts";
import { numberAccuracy } from "./number-accuracy.ts";
import { timeAccuracy } from "./time-accuracy.ts";
import type { TypedMode } from "./typed-mode.ts";

/** 1, 0, or null where the gold states nothing to compare with; `details` say which rule decided. */
export interface TypedVerdict {
	value: 0 | 1 | null;
	reason?: string;
	details: Record<string, unknown>;
}

/**
 * Typed accuracy of one prediction: each kind of answer by its own rule (see the siblings of this file).
 *
 * string and text: exact match with the accepted forms (for free text a lower bound; a judge is its measure).
 * number: `numberAccuracy`, or the very text of an accepted form. time, boolean, list: their files. none: declining is right, anything else wrong. Overall accuracy is the mean over samples, so types weigh by
 * their counts. `language` (BCP 47) settles what a lone separator before three digits means.
 * Source: MMhops-R1 (Evaluation Metrics), InfoSeek.
 */
export function typedAccuracy(
	prediction: string,
	gold: GoldAnswer,
	options: { mode?: TypedMode | undefined; language?: string | undefined } = {},
): TypedVerdict {
	const { mode = "relative-10" } = options;
	const type = gold.type;
	const accepted = gold.accepted ?? (gold.value === undefined ? [] : [gold.value]);
	const matching = { mode: mode === "infoseek-2023" ? "hotpot" : "hopscope" } as const;
	switch (gold.type) {
		case "string":
		case "text":
			return { value: exactMatch(prediction, accepted, matching), details: { type } };
		case "number": {
			const decimalComma = writesDecimalComma(options.language);
			const number = goldNumber(gold, { decimalComma });
			if (!number) return { value: null, reason: "the gold number cannot be read", details: { type } };
			const { value, ...read } = numberAccuracy(prediction, number, { mode, decimalComma });
			const right = mode !== "infoseek-2023" && isWritten(prediction, accepted);
			return { value: right ? 1 : value, details: { type, ...read } };
		}
		case "time": {
			const date = goldDate(gold);
			if (!date) return { value: null, reason: "the gold date cannot be read", details: { type } };
			return { value: timeAccuracy(prediction, { accepted, date }, { mode }), details: { type, gold: date } };
		}
		case "boolean": {
			const value = gold.value === "yes" ? "yes" : "no";
			return { value: booleanAccuracy(prediction, { value, accepted }), details: { type } };
		}
		case "list": {
			const items = gold.items ?? (gold.value ?? "").split(/[;,]/).filter((item) => item.trim() !== "");
			if (items.length === 0) return { value: null, reason: "the gold list names no items", details: { type } };
			const { value, ...counts } = listAccuracy(prediction, { items, accepted });
			return { value, details: { type, ...counts } };
		}
		case "none": {
			const right = declines(prediction) || exactMatch(prediction, accepted) === 1;
			return { value: right ? 1 : 0, details: { type } };
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

/** Languages whose writers put a comma before decimals and a point between thousands. */
function writesDecimalComma(language: string | undefined): boolean {
	return /^(?:es|de|fr|it|pt|nl|pl|ru|uk|tr|id|sv|da|nb|nn|no|fi|cs|el|ro|hu)\b/i.test(language ?? "");
}
