import type { Answer } from "#domain";
import { numberAnswer, stringAnswer, timeAnswer } from "./answers.ts";
import { type ColumnForm, tellColumn } from "./cells/column.ts";
import { dateForms, isOpenForm, readDate } from "./cells/date-cell.ts";
import { readNumber } from "./cells/number-cell.ts";

const longestString = 200;

/**
 * A whole value as an answer of a type, written as its column or relation is; undefined where it is none of it: what
 * cannot be read is never guessed. Where no form is known, a date is read that says itself which number is the month.
 */
export function literalAnswer(
	text: string,
	to: string,
	{ unit, form, decimal = "." }: Omit<ColumnForm, "type"> = {},
): Answer | undefined {
	const value = text.trim();
	if (to === "number") {
		const read = readNumber(value, decimal);
		// a bare number has its relation's unit; one written with a unit must have the same
		if (!read || (unit !== undefined && read.unit !== undefined && read.unit !== unit)) return undefined;
		return numberAnswer(read.value, { unit: unit ?? read.unit, languages: ["en"] });
	}
	if (to === "time") {
		const forms = form ?? dateForms.filter((one) => !isOpenForm(one));
		const iso = forms.map((one) => readDate(value, one)).find((one) => one !== undefined);
		return iso === undefined ? undefined : timeAnswer(iso);
	}
	return value === "" || value.length > longestString ? undefined : stringAnswer(value);
}

/** How the values of a relation are written, read off all of them; undefined where they are neither numbers nor times. */
export function literalFormOf(
	values: readonly string[],
	name: string,
	given: Partial<ColumnForm> = {},
): ColumnForm | undefined {
	const told = tellColumn(values, { name, given, decimal: given.decimal ?? "." });
	if (told.type !== "number" && told.type !== "time") return undefined;
	return told.problem === undefined ? told : undefined;
}
