import type { Answer } from "#domain";
import { convertUnit, type Quantity, readQuantities } from "#scoring";
import type { comparing } from "../prompts/compare-entities.ts";
import { booleanAnswer, numberAnswer, stringAnswer, timeAnswer } from "../template/answers.ts";
import type { Language } from "../template/graph.ts";
import { calculate, greaterOf } from "../template/quantity.ts";

type Comparing = (typeof comparing)[number];

/**
 * Two values as written, read and brought to the unit of the first: "150 cm" and "1.5 m" are 150 and 150. Years stay
 * years. A value that holds no single number, or units that cannot be converted, are a problem.
 */
export function measured(
	values: readonly [string, string],
	{ language }: { language: string },
): { answers: [Answer, Answer] } | { problem: string } {
	const read = values.map((value) => readQuantities(value, { language }));
	const [first, second] = read.map((found) => (found.length === 1 ? found[0] : undefined));
	if (!first || !second) return { problem: `"${values[read[0]?.length === 1 ? 1 : 0]}" is not one number` };
	for (const { low, high } of [first, second])
		if (low !== high) return { problem: `${low} to ${high} is a range, and no single value` };
	const bothYears = isYear(first) && isYear(second);
	if (bothYears) return { answers: [timeAnswer(yearText(first.low)), timeAnswer(yearText(second.low))] };
	const converted = inUnitOf(first, second);
	if (converted === undefined)
		return { problem: `${first.unitName ?? "a count"} and ${second.unitName ?? "a count"} cannot be compared` };
	const unit = first.unitName ?? undefined;
	const about = unit === undefined ? {} : { unit };
	return { answers: [numberAnswer(first.low, about), numberAnswer(converted, about)] };
}

/** A bare number of four digits, as "1938" stands where a sentence says since when. */
const isYear = ({ year, unit, low }: Quantity): boolean =>
	year || (unit === null && Number.isInteger(low) && low >= 1000 && low <= 2100);

const yearText = (year: number) => String(year).padStart(4, "0");

function inUnitOf(first: Quantity, second: Quantity): number | undefined {
	if (first.unit === null && second.unit === null) return second.low;
	if (first.unit === null || second.unit === null) return undefined;
	return convertUnit(second.low, second.unit, first.unit);
}

/** The share that a model's rounding of a computed value may differ by. */
const rounding = 0.01;

/**
 * The answer of an operation on two values, computed here. `said`, what a model answered, must be the same, or the item
 * is not to be trusted.
 */
export function computed(
	operation: Comparing,
	values: readonly [Answer, Answer],
	{ names, said, language }: { names: readonly [string, string]; said: string; language: string },
): { answer: Answer } | { problem: string } {
	const written: Language = language === "es" ? "es" : "en";
	const answer = answerOf(operation, values, { names, language: written });
	if (!answer) return { problem: `${operation} of ${values[0].value} and ${values[1].value} says nothing` };
	return agrees(said, answer, language) ? { answer } : { problem: `${answer.value}, not ${said}` };
}

function answerOf(
	operation: Comparing,
	values: readonly [Answer, Answer],
	{ names, language }: { names: readonly [string, string]; language: Language },
): Answer | undefined {
	switch (operation) {
		case "argmax":
		case "argmin": {
			const greater = greaterOf(...values);
			if (greater === undefined) return undefined;
			return stringAnswer(names[operation === "argmax" ? greater : greater === 0 ? 1 : 0]);
		}
		case "greater":
		case "earlier": {
			const greater = greaterOf(...values);
			return greater === undefined ? undefined : booleanAnswer(greater === (operation === "greater" ? 0 : 1));
		}
		default:
			return calculate(operation, [...values], language);
	}
}

function agrees(said: string, answer: Answer, language: string): boolean {
	if (answer.type !== "number")
		return answer.accepted.some((form) => form.toLowerCase() === said.trim().toLowerCase().replace(/\.$/, ""));
	const [read] = readQuantities(said, { language });
	const { value } = answer.number;
	return read !== undefined && Math.abs(read.low - value) <= Math.abs(value) * rounding;
}
