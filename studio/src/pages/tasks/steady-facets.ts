import type { Facet } from "../../../../src/studio/pages.ts";

/**
 * The counts of a filter in the order of the whole run, with those that it leaves none of: nothing changes its place under
 * the pointer of somebody who ticks one value after the other.
 */
export const steadyFacets = (whole: readonly Facet[], counted: readonly Facet[]): Facet[] =>
	whole.map(({ name, title, values }) => {
		const now = counted.find((facet) => facet.name === name)?.values ?? [];
		const counts = new Map(now.map(({ value, count }) => [value, count]));
		const known = new Set(values.map(({ value }) => value));
		return {
			name,
			title,
			values: [
				...values.map((value) => ({ ...value, count: counts.get(value.value) ?? 0 })),
				...now.filter(({ value }) => !known.has(value)),
			],
		};
	});
