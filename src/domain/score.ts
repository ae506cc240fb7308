import { z } from "zod";
import { freeRecord } from "./free-keys.ts";

/** What one metric says of one trajectory. Not scored is not zero. */
export const Score = z.discriminatedUnion("is", [
	z.object({ is: z.literal("scored"), value: z.number(), details: freeRecord(z.unknown()).optional() }),
	z.object({ is: z.literal("unscored"), reason: z.string().min(1) }),
]);
export type Score = z.infer<typeof Score>;

export const scored = (value: number, details?: Record<string, unknown>): Score =>
	details ? { is: "scored", value, details } : { is: "scored", value };
export const unscored = (reason: string): Score => ({ is: "unscored", reason });

/** How one record ended: a closed set, so that no table can drop a row. */
export const Outcome = z.enum([
	"right",
	"partly-right",
	"wrong",
	"abstained",
	"context-limit",
	"error",
	"ungraded",
	"unparsed-judge",
	"budget",
]);
export type Outcome = z.infer<typeof Outcome>;
