import type { SeededMeasure } from "./seeded-view.ts";

/** Columns of the toys' tables: shares, and counts or other numbers. */
export const percent = (key: string, title: string, more: Partial<SeededMeasure> = {}): SeededMeasure => ({
	...{ key, title, unit: "percent" },
	...more,
});
export const number = (key: string, title: string, more: Partial<SeededMeasure> = {}): SeededMeasure => ({
	...{ key, title, unit: "number" },
	...more,
});
