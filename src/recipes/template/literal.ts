import type { Answer } from "#domain";
import { readQuantities } from "#scoring";
import { numberAnswer, stringAnswer, timeAnswer } from "./answers.ts";
import { isoOf } from "./written.ts";

const iso = /^-?\d{4}(?:-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))?$/;
const longestString = 200;

/** A value as an answer of a type; undefined where it is none of it: what cannot be read is never guessed. */
export function literalAnswer(text: string, to: string, unit?: string): Answer | undefined {
	const value = text.trim();
	if (to === "number") return numberOf(value, unit);
	if (to === "time") {
		const day = iso.test(value) ? value : isoOf(value);
		return day === undefined ? undefined : timeAnswer(day);
	}
	return value === "" || value.length > longestString ? undefined : stringAnswer(value);
}

/** A bare number has the relation's unit; one written with a unit must have the same. */
function numberOf(text: string, unit: string | undefined): Answer | undefined {
	const bare = /^[-+−]?\d[\d,]*(?:\.\d+)?$/.test(text) ? Number(text.replaceAll(",", "").replace("−", "-")) : undefined;
	if (bare !== undefined) return Number.isFinite(bare) ? numberAnswer(bare, { unit, languages: ["en"] }) : undefined;
	// "about a thousand" says less than a number does
	if (!/^\p{Sc}?\s*[-+−]?\d/u.test(text)) return undefined;
	const [quantity, second] = readQuantities(text);
	if (!quantity || second || quantity.low !== quantity.high) return undefined;
	const said = quantity.unitName ?? undefined;
	if (unit !== undefined && said !== undefined && !text.endsWith(unit)) return undefined;
	return numberAnswer(quantity.low, { unit: unit ?? writtenUnit(text), languages: ["en"] });
}

/** The unit as it stands behind the number. */
export function writtenUnit(text: string): string | undefined {
	return /\d\s*([^\d\s.,][^\d]*)$/u.exec(text.trim())?.[1]?.trim();
}

/** Names of relations whose bare four digits are years. */
const yearly = /year|date|born|birth|die[ds]|death|built|since|start|end|inception|launch|ed$/i;

/**
 * The literal type that all the values of a relation are of: number or time where every one can be read so. Four bare
 * digits are a year only where the relation's name speaks of one.
 */
export function literalTypeOf(values: readonly string[], name: string): "number" | "time" | undefined {
	if (values.length === 0) return undefined;
	const years = values.some((value) => /^-?\d+$/.test(value));
	if ((!years || yearly.test(name)) && values.every((value) => literalAnswer(value, "time") !== undefined))
		return "time";
	const unit = writtenUnit(values[0] ?? "");
	const numbers = values.every((value) => numberOf(value, undefined) !== undefined && writtenUnit(value) === unit);
	return numbers ? "number" : undefined;
}
