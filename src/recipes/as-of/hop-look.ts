import { z } from "zod";
import { statesAnswer, type TextReading } from "#benchmarks";
import { Answer, HopId } from "#domain";
import { agreement } from "../probes/agreement.ts";

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

/**
 * Whether what is said today is the answer. A number must lie within what counts as right or be it but for rounding: the
 * tenth that scoring allows an agent would hide that it changed.
 */
export function agrees(said: string, answer: Answer, options: { reading: TextReading; language: string }): boolean {
	const { reading, language } = options;
	if (answer.type === "number") return statesAnswer(said, answer, reading, language);
	return agreement(said, answer, { scorer: "stated", language }) === 1;
}
