import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Puts a question in the place of an entity of another: Double-Bench's chaining (Figure 21). */
export const nestQuestionsPrompt = definePrompt({
	name: "nest-questions",
	version: 1,
	variables: ["language", "inner", "outer", "entity"],
	instructions: `
You are given an inner question, an outer question, and an entity. The entity is the answer of the inner question and
is named in the outer one. Make one question of the two, in {{language}}.

- In the outer question, put a description taken from the inner question in the place of the entity, so that the
  entity's name, and every other name of it, is gone. Everything that the inner question states stays.
- The new question asks what the outer question asks and has its answer.
- It is one grammatical sentence that a person would say. Not "the entity that", "the thing which", "the one that".
- If the sentence could be read in two ways, choose another wording.

Example of the form: from "Which town was the painter born in?" and "Which river runs through Arden?", with the entity
Arden, comes "Which river runs through the town that the painter was born in?".

Reply as {"chained_question": "…"}.`,
	output: z.object({ chained_question: z.string().min(1).max(3000) }),
});
