import { rememberingTexts } from "#domain";
import { matchOptionsFor } from "../answers/match-options.ts";
import type { CalendarDate } from "../typed/date-text.ts";
import { placeDates } from "../typed/date-text.ts";
import { exactKinds } from "../typed/exact-kinds.ts";
import { goldDate, goldNumber, type KnownAnswer } from "../typed/gold-answer.ts";
import { listAccuracy } from "../typed/list-accuracy.ts";
import { placeQuantities } from "../typed/number-text.ts";
import { writesDecimalComma } from "../typed/separators.ts";
import type { TypedVerdict } from "../typed/typed-verdict.ts";
import { saysYesOrNo } from "./boolean-reading.ts";
import { assertedList, sameItem } from "./list-reading.ts";
import { type Asked, assertedName } from "./name-accuracy.ts";
import { nameOf, namingOf, sameName } from "./name-variants.ts";
import { assertsNone } from "./none-reading.ts";
import { assertedIdentifier, assertedNumber } from "./number-reading.ts";
import { isGerman } from "./question-words.ts";
import { assertedTime } from "./time-reading.ts";

/** Mode `hopscope`: whether what a reply asserts is the gold answer, 1 or 0. */
export function assertedAnswer(reply: string, gold: KnownAnswer, options: Asked): TypedVerdict {
	const { question, language = question !== undefined && isGerman(question) ? "de" : undefined } = options;
	const asked: Asked = { question, language };
	const { type } = gold;
	const accepted = gold.accepted ?? (gold.value === undefined ? [] : [gold.value]);
	const written = isWritten(reply, accepted);
	const base = { type };
	const right = (value: 0 | 1): TypedVerdict => ({ value: written ? 1 : value, details: base });
	switch (gold.type) {
		case "string":
		case "text":
			return right(written ? 1 : textAccuracy(reply, accepted, asked));
		case "number": {
			const reading = { decimalComma: writesDecimalComma(asked.language), language: asked.language };
			const number = goldNumber(gold, reading);
			if (!number) return { value: null, reason: "the gold number cannot be read", details: base };
			const exact = number.kind !== undefined && exactKinds.has(number.kind);
			const { rule, interval } = exact
				? { rule: "exact", interval: [number.value, number.value] as [number, number] }
				: intervalOf(number);
			if (number.kind === "identifier")
				return {
					value: written ? 1 : assertedIdentifier(reply, gold.value ?? String(number.value)),
					details: { ...base, rule },
				};
			const said = assertedNumber(
				reply,
				{ ...number, interval, written: gold.value },
				{ ...reading, question: asked.question },
			);
			return {
				value: written ? 1 : said.value,
				details: { ...base, rule, gold: interval, ...(said.read ? { read: said.read } : {}) },
			};
		}
		case "time": {
			const date = goldDate(gold);
			if (!date) return { value: null, reason: "the gold date cannot be read", details: base };
			const value = written ? 1 : assertedTime(reply, (said) => isThatDate(said, date), asked);
			return { value, details: { ...base, gold: date } };
		}
		case "boolean": {
			const value = gold.value === "yes" ? "yes" : "no";
			return right(saysYesOrNo(reply, asked.question) === value ? 1 : 0);
		}
		case "list": {
			const items = gold.items ?? (gold.value ?? "").split(/[;,、，；،؛]/).filter((item) => item.trim() !== "");
			if (items.length === 0) return { value: null, reason: "the gold list names no items", details: base };
			const naming = { ...namingOf(asked.question), several: items.length > 1 };
			const { value, ...counts } = assertedList(reply, items, {
				question: asked.question,
				same: (said, item) => sameItem(said, item, naming),
			});
			// scripts that join names without spaces have their own way of being taken apart
			const apart = value === 0 && !written && unspaced.test(items.join(" "));
			if (apart) return right(listAccuracy(reply, { items, accepted }, matchOptionsFor(asked.language)).value);
			return { value: written ? 1 : value, details: { ...base, ...counts } };
		}
		case "none":
			return right(assertsNone(reply) ? 1 : 0);
	}
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Arabic}]/u;

/** Whether a reply is an accepted form but for case, spacing and composition. */
export function isWritten(reply: string, accepted: readonly string[]): boolean {
	const said = plain(reply.slice(0, 100_000));
	return said !== "" && accepted.some((form) => plain(form) === said);
}

const plain = rememberingTexts((text) => text.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase());

function intervalOf({
	value,
	range,
	tolerance,
}: {
	value: number;
	range?: readonly [number, number] | undefined;
	tolerance?: number | undefined;
}) {
	const sorted = (a: number, b: number): [number, number] => (a <= b ? [a, b] : [b, a]);
	if (range) return { rule: "range", interval: sorted(...(range as [number, number])) };
	if (tolerance !== undefined)
		return { rule: "tolerance", interval: sorted(value * (1 - tolerance), value * (1 + tolerance)) };
	return { rule: "exact", interval: [value, value] as [number, number] };
}

/** A date that states all that the gold states, and agrees; more may be stated. */
function isThatDate(said: CalendarDate, gold: CalendarDate): boolean {
	if (said.year !== gold.year) return false;
	if (gold.month !== undefined && said.month !== gold.month) return false;
	return gold.day === undefined || said.day === gold.day;
}

/** A name; or, where the gold is a date, a quantity or names joined by "and", that by its own rule. */
function textAccuracy(reply: string, accepted: readonly string[], asked: Asked): 0 | 1 {
	if (assertedName(reply, accepted, asked) === 1) return 1;
	for (const form of accepted.slice(0, 20)) {
		if (form.length > 120) continue;
		const date = dateOf(form);
		if (date !== "none") {
			if (assertedTime(reply, (said) => isThatDate(said, date), asked) === 1) return 1;
			continue;
		}
		if (isQuantity(form)) {
			const reading = { decimalComma: writesDecimalComma(asked.language), language: asked.language };
			const gold = goldNumber({ type: "number", value: form }, reading);
			const interval = gold && intervalOf(gold).interval;
			if (
				gold &&
				interval &&
				assertedNumber(reply, { ...gold, interval, written: form }, { ...reading, question: asked.question }).value ===
					1
			)
				return 1;
			continue;
		}
		const items = form.split(/,? (?:and|&|und|y|et) |, /).filter((item) => item.trim() !== "");
		if (/ (?:and|&|und|y|et) /.test(form) && items.length > 1) {
			const { value } = assertedList(reply, items, {
				question: asked.question,
				same: (said, item) => sameName(nameOf(said), nameOf(item)),
			});
			if (value === 1) return 1;
		}
	}
	return 0;
}

/** The date that a text is and nothing but; `none` for any other text. */
const dateOf = rememberingTexts((form): CalendarDate | "none" => {
	const { source, found } = placeDates(form);
	const [only, another] = found;
	if (!only || another || only.dates.length > 1) return "none";
	const rest = source.slice(0, only.start) + source.slice(only.end);
	return /^[^\p{L}\p{N}]*(?:(?:in|on|the|of|im|am|den)[^\p{L}\p{N}]*)*$/u.test(rest)
		? (only.dates[0] ?? "none")
		: "none";
});

/** Whether a text is a number with its unit or what it counts, and no name that holds a number. */
const isQuantity = rememberingTexts((form): boolean => {
	const { source, found } = placeQuantities(form);
	const [only, another] = found;
	if (!only || another || only.ordinal || only.start > 1) return false;
	if (/\p{Lu}\p{Ll}/u.test(form.replace(/^\p{L}+/u, "").replace(/\b(?:Celsius|Fahrenheit|Kelvin)\b/, ""))) return false;
	return /^[\s.]*(?:\p{L}+[\s.]*)?$/u.test(source.slice(only.end));
});
