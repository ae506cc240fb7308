import type { SeededMeasure } from "#reports";

/** Columns of the toys' tables: shares, and counts or other numbers. */
export const percent = (key: string, title: string, more: Partial<SeededMeasure> = {}): SeededMeasure => ({
	...{ key, title, unit: "percent" },
	...more,
});
export const number = (key: string, title: string, more: Partial<SeededMeasure> = {}): SeededMeasure => ({
	...{ key, title, unit: "number" },
	...more,
});
