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
	const [first = Number.NaN, second = Number.NaN] = values;
	if (values.length < 2 || !values.every(Number.isFinite)) return undefined;
	const sum = () => values.reduce((total, value) => total + value, 0);
	const result = {
		ADD: sum,
		SUBTRACT: () => (values.length === 2 ? first - second : Number.NaN),
		MULTIPLY: () => values.reduce((product, value) => product * value, 1),
		DIVIDE: () => (values.length === 2 && second !== 0 ? first / second : Number.NaN),
		MAX: () => Math.max(...values),
		MIN: () => Math.min(...values),
		AVG: () => sum() / values.length,
	}[operation]();
	if (!Number.isFinite(result)) return undefined;
	return Number.isInteger(result) ? result : Number(result.toPrecision(digits));
}
