import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** What a full answer must name: MC-Search's key entities, by which answers are judged. */
export const keyEntitiesPrompt = definePrompt({
	name: "key-entities",
	version: 1,
	variables: ["question", "answer"],
	instructions: `
List what an answer must name to be complete: the people, places, works, things, dates and amounts of the right answer
that the question asks for. Copy each as the answer writes it. Leave out what the question names already and words that
say nothing by themselves.

Reply as {"key_entities": ["…"]}.`,
	output: z.object({ key_entities: z.array(z.string().min(1).max(300)).max(30) }),
});
