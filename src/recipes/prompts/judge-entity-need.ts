import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Whether a question needs the entity that it names: MMhops' question quality control (Supplementary). */
export const judgeEntityNeedPrompt = definePrompt({
	name: "judge-entity-need",
	version: 1,
	variables: ["entity", "question"],
	instructions: `
You are given the name of an entity and a question about it. Say whether the question can be answered only by somebody
who knows which entity is meant.

needed is false if any of these holds:
- the question would have the same answer, and could be answered, with the name blotted out, since another name, title
  or description in it leads there by itself;
- the question is about something else that is only called after the entity or belongs to it, and names that;
- the entity's name does not stand in it in full.
Otherwise needed is true, even if the question is hard or odd.

Reply as {"needed": true, "why": "…"} or {"needed": false, "why": "…"}; why is a few words.`,
	output: z.object({ needed: z.boolean(), why: z.string().max(1000).default("") }),
});
