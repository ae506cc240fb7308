import { z } from "zod";
import { Answer, HopId } from "#domain";

/** What one hop's answer has come to, by one way of looking. */
export const HopLook = z.object({
	hop: HopId,
	/**
	 * holds: still right; changed: another answer is right now; gone: none of its evidence is there any more;
	 * rests-on-changed: it asks about the answer of a hop that changed; open: nobody could tell.
	 */
	is: z.enum(["holds", "changed", "gone", "rests-on-changed", "open"]),
	by: z.enum(["evidence", "encyclopedia", "model", "arithmetic", "chain"]),
	says: z.string(),
	/** Of a changed answer the one of today, where exactly one was found. */
	now: Answer.optional(),
});
export type HopLook = z.infer<typeof HopLook>;
