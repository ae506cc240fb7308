import { fusedValue as workedOut } from "#benchmarks";

/** Operations on the values of several chains, as the paper names them. Source: VistaHop, Table 27. */
export const fusionOperations = ["ADD", "SUBTRACT", "MULTIPLY", "DIVIDE", "MAX", "MIN", "AVG"] as const;
export type FusionOperation = (typeof fusionOperations)[number];

/** The same in the words of hop graphs. */
export const computeOf = {
	ADD: "add",
	SUBTRACT: "subtract",
	MULTIPLY: "multiply",
	DIVIDE: "divide",
	MAX: "max",
	MIN: "min",
	AVG: "mean",
} as const satisfies Record<FusionOperation, string>;

/** Significant digits of a result: more would be the dust of binary fractions. */
const digits = 6;

/**
 * The result, computed here whatever a model says; undefined where it has none: subtraction and division take two values,
 * nothing is divided by 0.
 */
export function fusedValue(operation: FusionOperation, values: readonly number[]): number | undefined {
	const result = workedOut(operation, values);
	if (!("value" in result) || !Number.isFinite(result.value)) return undefined;
	return Number.isInteger(result.value) ? result.value : Number(result.value.toPrecision(digits));
}
