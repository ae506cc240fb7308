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
 * number: `numberAccuracy`, a number's accepted forms counting only where the prediction holds no number. time, boolean, list: their
 * files. none: declining is right, anything else wrong. Overall accuracy is the mean over samples, so types weigh by
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
			const number = goldNumber(gold);
			if (!number) return { value: null, reason: "the gold number cannot be read", details: { type } };
			const verdict = numberAccuracy(prediction, number, { mode, decimalComma: writesDecimalComma(options.language) });
			const asWritten = mode !== "infoseek-2023" && verdict.read === undefined && !/\p{Nd}/u.test(prediction);
			const value = asWritten ? exactMatch(prediction, accepted, matching) : verdict.value;
			return { value, details: { type, ...verdict } };
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

/** Languages whose writers put a comma before decimals and a point between thousands. */
function writesDecimalComma(language: string | undefined): boolean {
	return /^(?:es|de|fr|it|pt|nl|pl|ru|uk|tr|id|sv|da|nb|nn|no|fi|cs|el|ro|hu)\b/i.test(language ?? "");
}
