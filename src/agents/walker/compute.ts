/** What a computing hop gives for operands that the walker believes, right or wrong. */
import type { Hop } from "#domain";
import { agree, calculate, magnitude, readValue, type Value } from "../reading/values.ts";

interface Operand {
	value: string;
	/** The entity that it was asked of, where that is an answer of the walker's own. */
	of?: string | undefined;
}

const sums = {
	add: "sum",
	subtract: "difference",
	difference: "difference",
	multiply: "product",
	mean: "mean",
	divide: "ratio",
} as const;

/**
 * The result as text, the operands in the order of `needs`; undefined where the hop does not say how to compute, or an
 * operand cannot be read as what it takes. A sign is kept by `subtract` alone.
 */
export function computed(
	hop: Pick<Hop, "compute" | "answer">,
	operands: readonly Operand[],
	{ language }: { language: string },
): string | undefined {
	const op = hop.compute?.op;
	const values = operands.map(({ value }) => readValue(value, { language }));
	const sizes = values.map(sizeOf).filter((size) => size !== undefined);
	const whole = sizes.length === values.length && sizes.length > 0;
	const yesOrNo = (yes: boolean) => (yes ? "yes" : "no");
	switch (op) {
		case "add":
		case "subtract":
		case "difference":
		case "multiply":
		case "mean":
		case "divide": {
			const result = calculate(sums[op], [...values]);
			const [first = 0, second = 0] = sizes;
			return result && op === "subtract" && first < second ? `-${result.text}` : result?.text;
		}
		case "equal": {
			const [first, second] = values;
			return first && second ? yesOrNo(agree(first, second)) : undefined;
		}
		case "greater":
		case "earlier": {
			const [first, second] = sizes;
			if (!whole || first === undefined || second === undefined) return undefined;
			return yesOrNo(op === "greater" ? first > second : first < second);
		}
		case "argmax":
		case "argmin":
			return whole ? operands[extreme(sizes, op === "argmax")]?.of : undefined;
		case "max":
		case "min":
			return whole ? operands[extreme(sizes, op === "max")]?.value : undefined;
		default:
			return undefined;
	}
}

/** A date's day, else the number. */
const sizeOf = (value: Value) => (value.unit ? undefined : magnitude(value, "date")) ?? magnitude(value, "number");

const extreme = (sizes: readonly number[], most: boolean) => sizes.indexOf((most ? Math.max : Math.min)(...sizes));
