/** How well the form of a span fits what is asked: its kind, its unit, the shortness of a code. */
import type { Sought, Want } from "./ask.ts";
import type { Span } from "./spans.ts";

/** Whether a name answers. */
export const namesSomething = (want: Want) =>
	want === "any" || want === "entity" || want === "person" || want === "place";

/** How well a span's kind fits what is wanted; undefined when it cannot be the answer. */
export function kindFit(span: Span, want: Want): number | undefined {
	switch (want) {
		case "number":
			if (span.kind !== "number") return undefined;
			return span.quantity?.unit ? 1 : 0.8;
		case "date":
			if (span.kind !== "date") return undefined;
			return span.date?.day ? 1 : span.date?.month ? 0.8 : 0.6;
		case "year":
			return span.kind === "date" ? 0.9 : undefined;
		case "person":
			return span.kind === "name" ? (/\s/.test(span.text) ? 0.9 : 0.5) : undefined;
		case "place":
		case "entity":
			return span.kind === "name" ? 0.8 : span.kind === "word" ? 0.35 : undefined;
		default:
			return span.kind === "name" ? 0.8 : span.kind === "word" ? 0.35 : -0.2;
	}
}

/** Units that words announce: what a number must be counted in to be the answer. */
const expectations: [words: RegExp, unit: RegExp][] = [
	[/\b(?:percentage|percent|share|proportion|porcentaje)\b/i, /^(?:%|per ?cent)/],
	[
		/\b(?:square|area|surface|superficie|extensión|cuadrados)\b(?!.*\b(?:population|people|población)\b)/i,
		/(?:m²|m2|square|cuadrad|hectare|acre|mi²)/,
	],
	[
		/\b(?:kilomet(?:re|er)s?|kilómetros?|km|length|longitud)\b/i,
		/^(?:k?m|mi|ft|feet|foot|pies|kilom\S*|met\S*|miles?)(?![²³\d])(?! cuad)/,
	],
	[/\b(?:kelvins?|kelvin)\b/i, /^k/i],
	[/\b(?:feet|foot|pies)\b/i, /^(?:ft|feet|foot|pies)/],
	[/\b(?:met(?:re|er)s?|metros|elevation|altitud)\b/i, /^(?:m\b|met|ft|feet)/],
	[/\b(?:years|age|años|edad|expectancy|esperanza)\b/i, /^(?:years?|años)/],
];

/** What the unit of a number must look like, from the words that ask for it; undefined when they do not say. */
function expectedUnit(words: string): RegExp | undefined {
	return expectations.find(([pattern]) => pattern.test(words))?.[1];
}

/** Units and codes that the relation's words announce: kilometres, percentages, short codes. */
export function formFit(sought: Sought, text: string, span?: Span): number {
	if (sought.want === "number" && span?.quantity) {
		const expected = expectedUnit(sought.words);
		if (expected) return expected.test(span.quantity.unit) ? unitWeight : -unitWeight;
	}
	if (
		namesSomething(sought.want) &&
		/\b(?:codes?|symbol|abbreviation|código|símbolo|abreviatura)\b/i.test(sought.words)
	)
		return /^(?=.*[\p{Lu}\p{N}])[\p{L}\p{N}+.-]{1,6}$/u.test(text) ? codeWeight : -codeWeight;
	return 0;
}

const unitWeight = 0.6;
const codeWeight = 0.6;
