import { z } from "zod";

/** [x0, y0, x1, y1], origin top left: pixels on images, points on pages. */
export const Box = z.tuple([z.number(), z.number(), z.number(), z.number()]);
export type Box = z.infer<typeof Box>;

/** A place on a page: 0-based page of the evidence's document, box in points, and the page's size they refer to. */
export const Region = z.object({
	page: z.number().int().min(0),
	box: Box,
	/** Width and height of the page, in points. */
	size: z.tuple([z.number(), z.number()]),
});
export type Region = z.infer<typeof Region>;

/** One cell of a table; rows and columns from 0. */
export const Cell = z.object({
	row: z.number().int().min(0),
	column: z.number().int().min(0),
	rows: z.number().int().positive().default(1),
	columns: z.number().int().positive().default(1),
	text: z.string(),
	header: z.boolean().default(false),
	box: Box.optional(),
});
export type Cell = z.infer<typeof Cell>;

export const BlockKind = z.enum([
	"text",
	"heading",
	"list",
	"table",
	"figure",
	"caption",
	"formula",
	"code",
	"header",
	"footer",
]);
export type BlockKind = z.infer<typeof BlockKind>;

/** A part of a page. Blocks stand in reading order; header and footer are what the pages repeat. */
export const Block = z.object({
	kind: BlockKind,
	/** Points, origin top left; absent where the source has no layout. */
	box: Box.optional(),
	/** A table's text is its rows, cells parted by ` | `; a figure's is what is printed in it. */
	text: z.string(),
	/** Of a heading: 1 is the highest. */
	level: z.number().int().min(1).max(9).optional(),
	cells: z.array(Cell).optional(),
	/** The evidence id of the crop of a figure or table. */
	image: z.string().min(1).max(512).optional(),
	/** Index among the page's blocks of the caption that belongs to it. */
	caption: z.number().int().min(0).optional(),
	/** 0 to 1, of recognised text. */
	confidence: z.number().min(0).max(1).optional(),
});
export type Block = z.infer<typeof Block>;
