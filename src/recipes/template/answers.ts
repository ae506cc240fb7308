import { withNumberKind } from "#benchmarks";
import type { Answer, NumberKind } from "#domain";
import type { Language } from "./graph.ts";
import { numberText, timeText, unitText } from "./written.ts";

export type NumberAnswer = Extract<Answer, { type: "number" }>;

/** A string that is right as given, and without its accents. */
export function stringAnswer(value: string, others: string[] = []): Answer {
	return { type: "string", value, accepted: [...new Set([value, unaccented(value), ...others])] };
}

/**
 * A measure or count, worded in the first of the languages, by default English, and right as any of them writes it.
 * `range` is the closed interval that counts as right; by default `slack`, a share of the value, to either side. Its kind
 * is told by the unit, and by an interval that is wider than the value itself, where `kind` does not say.
 */
export function numberAnswer(
	value: number,
	options: {
		unit?: string | undefined;
		slack?: number;
		range?: [number, number];
		languages?: Language[];
		kind?: NumberKind | undefined;
	} = {},
): NumberAnswer {
	const { unit, kind, slack = 0, languages = ["en", "es"] } = options;
	const forms = languages.flatMap((language) => {
		const written = [numberText(value, language), numberText(value, language, "")];
		// groups of a thousand are also parted by a space
		if (language === "es") written.push(numberText(value, language, "\u00a0"));
		return [...written.flatMap((text) => withUnit(text, unit, language)), ...written];
	});
	const edge = (share: number) => Number((value + Math.abs(value) * share).toPrecision(12));
	const { range = [edge(-slack), edge(slack)] } = options;
	const answer: NumberAnswer = {
		type: "number",
		value: forms[0] ?? String(value),
		accepted: [...new Set([...forms, String(value)])],
		number: { value, range, ...(unit !== undefined && { unit }), ...(kind !== undefined && { kind }) },
	};
	return withNumberKind(answer, "");
}

/** The sign of a currency stands before the digits in English, and behind them elsewhere. */
function withUnit(text: string, unit: string | undefined, language: Language): string[] {
	const behind = text + unitText(unit, language);
	if (unit === undefined || !/^\p{Lu}{0,3}\p{Sc}$/u.test(unit)) return [behind];
	return language === "en" ? [unit + text, behind] : [behind, unit + text];
}

/** A day, a month, or a year: as far as `iso` goes. */
export function timeAnswer(iso: string): Answer {
	const english = timeText(iso, "en");
	const [day = "", month = "", year = ""] = english.split(" ");
	const american = year === "" ? [] : [`${month} ${day}, ${year}`];
	return {
		type: "time",
		value: english,
		accepted: [...new Set([english, ...american, iso, timeText(iso, "es")])],
		time: { iso, precision: (["year", "month", "day"] as const)[iso.slice(1).split("-").length - 1] ?? "day" },
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
