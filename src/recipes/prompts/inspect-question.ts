import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** The last look at a single-hop question: Double-Bench's filter (Figures 14 and 15). */
export const inspectQuestionPrompt = definePrompt({
	name: "inspect-question",
	version: 1,
	variables: ["question", "answer", "evidence"],
	instructions: `
You decide whether a question with its answer is worth keeping for testing search over documents. You also see the
pages that it is said to be answered by.

Faults, the gravest first; name the first that you find:
- "source-reference": it speaks of "the text", "the table", "the image", "the given information" or the like.
- "vague": it does not name what it is about, so that many documents could be meant.
- "unsupported": the answer, or a part of it, does not stand on the pages, or is wrong.
- "inference": it needs more than the pages say.
- "meaningless": it is about an appendix's listing, a list of references, or a picture without meaning; it asks for no
  fact, value, process or idea.

Reply as {"reason": "one or two sentences", "keep": "yes" or "no", "fault": one of the names above, or "none"}.`,
	output: z
		.object({
			reason: z.string(),
			keep: z.enum(["yes", "no"]),
			fault: z.enum(["none", "source-reference", "vague", "unsupported", "inference", "meaningless"]),
		})
		.refine(({ keep, fault }) => (keep === "yes") === (fault === "none"), {
			message: "keep is yes if and only if fault is none",
		}),
});
