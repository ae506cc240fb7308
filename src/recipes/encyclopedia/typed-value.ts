import type { Answer } from "#domain";
import { readQuantities } from "#scoring";
import { numberAnswer, stringAnswer, timeAnswer } from "../template/answers.ts";
import { isoOf } from "../template/written.ts";

/** The answer that a value of a graph is, by how it is written: a date, a bare year, a number with its unit, else words. */
export function typedValue(text: string): Answer {
	const iso = /^-?\d{4}-\d{2}(-\d{2})?$/.test(text) ? text : isoOf(text);
	if (iso !== undefined) return timeValue(iso, text);
	if (/^[12]\d{3}$/.test(text.trim())) return timeAnswer(text.trim());
	const [quantity, ...others] = /^[−-]?\d/.test(text.trim()) ? readQuantities(text) : [];
	if (!quantity || others.length > 0 || quantity.low !== quantity.high) return stringAnswer(text);
	const unit =
		quantity.unitName === null ? "" : text.replace(/^[−\-\d.,\s\u00a0]+(?:(?:thousand|million|billion)\s)?/, "").trim();
	const answer = numberAnswer(quantity.low, unit === "" ? {} : { unit });
	return { ...answer, value: text, accepted: [...new Set([text, ...answer.accepted])] };
}

/** A date, month or year from its ISO form, worded as `text` where that is given. */
export function timeValue(iso: string, text?: string): Answer {
	const [, month, day] = iso.replace(/^-/, "").split("-");
	const precision = day ? "day" : month ? "month" : "year";
	if (precision !== "month" && !iso.startsWith("-")) {
		const answer = timeAnswer(iso);
		if (text === undefined || answer.type !== "time") return answer;
		return { ...answer, value: text, accepted: [...new Set([text, ...answer.accepted])] };
	}
	const value = text ?? iso;
	return { type: "time", value, accepted: [...new Set([value, iso])], time: { iso, precision } };
}
