import type { Answer } from "#domain";
import { numberText, timeText, unitText } from "./wording.ts";

/** A string that is right as given, and without its accents. */
export function stringAnswer(value: string, others: string[] = []): Answer {
	return { type: "string", value, accepted: [...new Set([value, unaccented(value), ...others])] };
}

/** A measure or count; `slack` is the share by which an answer may be off and still be right. */
export function numberAnswer(value: number, options: { unit?: string; slack?: number } = {}): Answer {
	const { unit, slack = 0 } = options;
	const english = numberText(value, "en");
	const spanish = numberText(value, "es");
	const accepted = [english + unitText(unit, "en"), english, String(value), spanish + unitText(unit, "es"), spanish];
	const round = (edge: number) => Number(edge.toPrecision(12));
	return {
		type: "number",
		value: english + unitText(unit, "en"),
		accepted: [...new Set(accepted)],
		number: {
			value,
			range: [round(value - Math.abs(value) * slack), round(value + Math.abs(value) * slack)],
			...(unit !== undefined && { unit }),
		},
	};
}

/** A day, or a year when `iso` is one. */
export function timeAnswer(iso: string): Answer {
	const english = timeText(iso, "en");
	const [day = "", month = "", year = ""] = english.split(" ");
	const american = month === "" ? [] : [`${month} ${day}, ${year}`];
	return {
		type: "time",
		value: english,
		accepted: [...new Set([english, ...american, iso, timeText(iso, "es")])],
		time: { iso, precision: iso.includes("-") ? "day" : "year" },
	};
}

export const booleanAnswer = (value: boolean): Answer =>
	value
		? { type: "boolean", value: "yes", accepted: ["yes", "sí", "si"] }
		: { type: "boolean", value: "no", accepted: ["no"] };

/** Without combining marks, and the few letters that have none. */
export function unaccented(text: string): string {
	return text
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.replace(/[ʻ’ʼ]/g, "'")
		.replace(/ł/g, "l")
		.replace(/Ł/g, "L")
		.replace(/đ/g, "d")
		.replace(/ø/g, "o");
}

/** A name as part of an id: lower case, unaccented, hyphens. */
export const slugOf = (name: string) =>
	unaccented(name)
		.toLowerCase()
		.replace(/['.]/g, "")
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-|-$/g, "");
