import { withNumberKind } from "#benchmarks";
import type { Answer } from "#domain";
import { convertUnit, type Quantity, readQuantities } from "#scoring";
import { countedIn, typedAnswer } from "../answers/typed-answer.ts";
import { booleanAnswer, numberAnswer, stringAnswer } from "../template/answers.ts";
import type { Language } from "../template/graph.ts";
import { calculate, greaterOf } from "../template/quantity.ts";
import type { bounds, comparing } from "./prompts.ts";

type Comparing = (typeof comparing)[number];
type Bound = (typeof bounds)[number];

/**
 * Two values as written, read and brought to the unit of the first: "150 cm" and "1.5 m" are 150 and 150. Of ranges
 * `bound` says which end is meant. Times stay times; a bare "1938" is one if `question` asks for years. A value that holds
 * no single number, a range without a bound, or units that cannot be converted, are a problem.
 */
export function measured(
	values: readonly [string, string],
	{ language, question, bound }: { language: string; question?: string; bound?: Bound | null | undefined },
): { answers: [Answer, Answer] } | { problem: string } {
	const times = values.map((value) =>
		typedAnswer(value, { language, ...(question === undefined ? {} : { question }) }),
	);
	const [one, other] = times;
	if (one && other && "type" in one && "type" in other && one.type === "time" && other.type === "time")
		return { answers: [one, other] };
	const read = values.map((value) => readQuantities(bare(value), { language }));
	const [first, second] = read.map((found) => (found.length === 1 ? found[0] : undefined));
	if (!first || !second) return { problem: `"${values[read[0]?.length === 1 ? 1 : 0]}" is not one number` };
	for (const { low, high } of [first, second])
		if (low !== high && !bound) return { problem: `${low} to ${high} is a range, and no single value` };
	const end = ({ low, high }: Quantity) => (bound === "highest" ? high : low);
	const converted = inUnitOf(first, second, end(second));
	if (converted === undefined)
		return { problem: `${first.unitName ?? "a count"} and ${second.unitName ?? "a count"} cannot be compared` };
	const [ours, theirs] = first.unit === null ? values.map((value) => countedIn(bare(value))) : [];
	if (ours && theirs && !shareWord(ours, theirs)) return { problem: `${ours} and ${theirs} cannot be compared` };
	const unit = first.unitName ?? undefined;
	const about = unit === undefined ? {} : { unit };
	const asked = (value: number) => withNumberKind(numberAnswer(value, about), question ?? "");
	return { answers: [asked(end(first)), asked(converted)] };
}

/** "Seats in total" are seats, and cities a city. */
function shareWord(one: string, other: string): boolean {
	const [ours, theirs] = [one, other].map((noun) =>
		(noun.toLowerCase().match(/\p{L}{3,}/gu) ?? []).map((word) => word.replace(/(?:ies|y|s)$/u, "")),
	);
	return ours?.some((word) => theirs?.includes(word)) ?? false;
}

/** Encyclopedias put units in brackets: "91 (cm)". */
const bare = (value: string): string => value.replace(/\s*\(([^()]{1,12})\)/g, " $1");

function inUnitOf(first: Quantity, second: Quantity, value: number): number | undefined {
	if (first.unit === null && second.unit === null) return value;
	if (first.unit === null || second.unit === null) return undefined;
	return convertUnit(value, second.unit, first.unit);
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
	const [read, another] = readQuantities(bare(said), { language });
	const [own] = readQuantities(answer.value, { language });
	if (!read || another || read.low !== read.high) return false;
	const { value } = answer.number;
	// what names no unit is taken to be in that of the answer
	const inUnit = read.unit && own ? inUnitOf(own, read, read.low) : read.low;
	return inUnit !== undefined && Math.abs(inUnit - value) <= Math.abs(value) * rounding;
}
