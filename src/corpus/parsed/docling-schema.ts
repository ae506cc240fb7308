/** What is read of docling-core's schema; what does not fit it is left out field by field. */
import { z } from "zod";
import { freeRecord } from "#domain";

export const Text = z.string().catch("");
export const Ref = z.object({ $ref: z.string() }).catch({ $ref: "" });
export const Refs = z.array(Ref).catch([]);
export const Whole = z.number().int().min(0).max(100_000).catch(0);
export const BoundingBox = z.object({ l: z.number(), t: z.number(), r: z.number(), b: z.number(), coord_origin: Text });
export const Prov = z.object({
	page_no: z.number().int().catch(1),
	bbox: BoundingBox.optional().catch(undefined),
	charspan: z.tuple([z.number(), z.number()]).optional().catch(undefined),
});
export const TableCell = z.object({
	text: Text,
	row_span: Whole,
	col_span: Whole,
	start_row_offset_idx: Whole,
	start_col_offset_idx: Whole,
	column_header: z.boolean().catch(false),
	row_header: z.boolean().catch(false),
	bbox: BoundingBox.optional().catch(undefined),
});
export const Item = z.object({
	label: Text,
	children: Refs,
	prov: z.array(Prov).catch([]),
	text: Text,
	orig: Text,
	level: z.number().int().min(1).max(9).catch(1),
	enumerated: z.boolean().catch(false),
	marker: Text,
	captions: Refs,
	image: z.object({ uri: Text }).optional().catch(undefined),
	annotations: z.array(z.object({ text: Text })).catch([]),
	data: z
		.object({ table_cells: z.array(TableCell).catch([]), grid: z.array(z.array(TableCell)).catch([]) })
		.optional()
		.catch(undefined),
	graph: z
		.object({ cells: z.array(z.object({ text: Text })).catch([]) })
		.optional()
		.catch(undefined),
});
export type Item = z.infer<typeof Item>;
export const Size = z.object({ size: z.object({ width: z.number(), height: z.number() }) });
export const Items = z.array(z.unknown()).catch([]);
export const Document = z.object({
	schema_name: z.literal("DoclingDocument"),
	version: Text,
	body: z.object({ children: Refs }).catch({ children: [] }),
	furniture: z.object({ children: Refs }).catch({ children: [] }),
	groups: Items,
	texts: Items,
	tables: Items,
	pictures: Items,
	key_value_items: Items,
	form_items: Items,
	pages: freeRecord(z.unknown()).catch({}),
});

export const isDocling = (json: unknown) =>
	z.object({ schema_name: z.literal("DoclingDocument") }).safeParse(json).success;
