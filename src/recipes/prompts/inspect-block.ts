import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Whether a part of a page can carry a question: Double-Bench's content filter (section 3.1, Figure 11). */
export const inspectBlockPrompt = definePrompt({
	name: "inspect-block",
	version: 1,
	variables: ["modality", "block", "caption", "near"],
	instructions: `
You choose parts of documents that questions will be asked about. You are shown one part, a {{modality}}, with its
caption and with what stands before and after it; of figures and tables the picture too, where there is one.

Keep it only if it says something by itself: facts that can be checked, that fit what stands around it, and that are
clear enough to be asked about. Do not keep decoration, what cannot be made out, what has hardly any information, what
has nothing to do with its surroundings, and what belongs to an appendix's listing, a list of references or a list of
contents.

Reply as {"keep": "yes"} or {"keep": "no"}.`,
	output: z.object({ keep: z.enum(["yes", "no"]) }),
});
