import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** The next step of a walk: Double-Bench's relation selection (Figures 18 and 19). */
export const chooseRelationPrompt = definePrompt({
	name: "choose-relation",
	version: 1,
	variables: ["entity", "intent", "candidates"],
	instructions: `
You lead a walk along a graph of facts. You are at one entity; a reader's intent is given; the candidates are the facts
that lead on, numbered from 0. Choose the one after which a question has one answer only.

- Given the entity and the relation, the thing at the other end must be the only one that fits, also for a reader who
  knows more than this graph.
- Among such, take the one that serves the intent best.
- A relation that only says that two things have to do with each other ("is related to") may never be chosen.
- If none of them will do, choose null.

Reply as {"reasoning": "why this one", "selected_index": a number or null}.`,
	output: z.object({ reasoning: z.string(), selected_index: z.number().int().min(0).nullable() }),
});
