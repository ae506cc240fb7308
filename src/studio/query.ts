/** What of a list is wanted, and what values the rest of it has. */
import { z } from "zod";

/** What of the tasks is wanted: a filter in the language of `where.ts`, and an order: a column, `-` before it for descending. */
export const Query = z.object({
	where: z.string().max(2000).default(""),
	sort: z.string().max(60).default(""),
});
export type Query = z.infer<typeof Query>;

export const RowsQuery = Query.extend({
	offset: z.number().int().min(0).default(0),
	limit: z.number().int().min(0).max(500).default(100),
});
export type RowsQuery = z.infer<typeof RowsQuery>;

/** Values of a property with how many records of the filter have them. */
export const Facet = z.object({
	name: z.string(),
	title: z.string(),
	values: z.array(z.object({ value: z.string(), title: z.string(), count: z.number(), where: z.string() })),
});
export type Facet = z.infer<typeof Facet>;
