import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** What somebody could want to know who begins at an entity: Double-Bench's intent (section 3.3). */
export const inferIntentPrompt = definePrompt({
	name: "infer-intent",
	version: 1,
	variables: ["language", "entity", "summary", "facts"],
	instructions: `
Somebody looks into a document, beginning at one thing that it speaks of. You are shown that thing, a summary of the
document, and some facts about the thing. Say in one sentence, in {{language}}, what this reader most likely wants to
find out by following facts from there. A real interest, not a list.

Reply as {"intent": "…"}.`,
	output: z.object({ intent: z.string().min(1).max(1000) }),
});
