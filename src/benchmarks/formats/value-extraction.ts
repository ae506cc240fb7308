/*
 * VistaHop's fusion turns each chain's answer into a number by a named method and computes with the numbers. Its files
 * carry values that a language model worked out; here they are worked out again.
 */

/** The year that the published `…_diff` methods count to. */
const countedTo = 2026;

const letters = (answer: string) => answer.match(/\p{L}/gu) ?? [];
const yearOf = (answer: string) => {
	const year = /\b(1\d{3}|20[0-2]\d)\b/.exec(answer)?.[1];
	return year === undefined ? undefined : Number(year);
};
const code = (character: string | undefined) => character?.codePointAt(0);
const firstLetter = (answer: string) => letters(answer)[0];

/** The published methods under both sets of names that the prompt and the code use. Undefined: cannot be worked out. */
const methods: Record<string, (answer: string) => number | undefined> = {
	first_letter_ascii: (answer) => code(firstLetter(answer)),
	first_letter_alphabet: (answer) => {
		const place = code(firstLetter(answer)?.toUpperCase());
		return place !== undefined && place >= 65 && place <= 90 ? place - 64 : undefined;
	},
	first_letter_ascii_sum: (answer) => {
		const codes = answer.split(/\s+/).flatMap((word) => code([...word][0]) ?? []);
		return codes.length > 0 ? codes.reduce((sum, one) => sum + one, 0) : undefined;
	},
	// as published: without spaces and what is no letter, digit or underscore
	character_count: (answer) => [...answer.replace(/[^\p{L}\p{N}_]/gu, "")].length,
	word_count: (answer) => answer.split(/\s+/).filter((word) => word !== "").length,
	vowel_count: (answer) => (answer.match(/[aeiou]/gi) ?? []).length,
	digit_sum: (answer) => (answer.match(/\d/g) ?? []).reduce((sum, digit) => sum + Number(digit), 0),
	founding_year: yearOf,
	founded_year: yearOf,
	founding_year_diff: (answer) => difference(yearOf(answer)),
	founded_year_diff: (answer) => difference(yearOf(answer)),
};

const difference = (year: number | undefined) => (year === undefined ? undefined : countedTo - year);

/** The value of an answer by a method's name, or why it cannot be worked out. */
export function extractedValue(answer: string, method: string): { value: number } | { problem: string } {
	const work = Object.hasOwn(methods, method) ? methods[method] : undefined;
	if (!work) return { problem: `the method "${method}" is not known` };
	const value = work(answer);
	return value === undefined ? { problem: `"${answer}" has no value by ${method}` } : { value };
}

type Op = "add" | "subtract" | "multiply" | "divide" | "max" | "min" | "mean";
const ops: Record<string, Op> = {
	...{ add: "add", subtract: "subtract", multiply: "multiply", divide: "divide" },
	...{ max: "max", min: "min", avg: "mean", mean: "mean" },
};

/** What a fusion operation makes of values, in their order. Subtracting and dividing take two. */
export function fusedValue(
	operation: string,
	values: readonly number[],
): { op: Op; value: number } | { problem: string } {
	const name = operation.toLowerCase();
	const op = Object.hasOwn(ops, name) ? ops[name] : undefined;
	const [first, second] = values;
	if (!op) return { problem: `the operation "${operation}" is not known` };
	if (first === undefined || second === undefined) return { problem: `${values.length} values, fewer than two` };
	if ((op === "subtract" || op === "divide") && values.length > 2)
		return { problem: `${op} takes two values, not ${values.length}` };
	if (op === "divide" && second === 0) return { problem: "a division by zero" };
	const sum = values.reduce((total, value) => total + value, 0);
	const results: Record<Op, number> = {
		add: sum,
		subtract: first - second,
		multiply: values.reduce((product, value) => product * value, 1),
		divide: first / second,
		max: Math.max(...values),
		min: Math.min(...values),
		mean: sum / values.length,
	};
	return { op, value: results[op] };
}
