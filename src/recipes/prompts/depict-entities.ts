import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Puts pictures in the place of two names: MMhops' rewriting of comparisons (Supplementary). */
export const depictEntitiesPrompt = definePrompt({
	name: "depict-entities",
	version: 1,
	variables: ["language", "firstName", "secondName", "question", "answer"],
	instructions: `
You are given a question that compares two entities, and its answer. The first entity is shown in the first image, the
second in the second. Write the question so that somebody who sees the images and not the names understands it.

- Say "the … in the first image" and "the … in the second image" (or what {{language}} says for it), with the kind of
  thing that it is: animal, building, vehicle. Neither name nor any part of it is left.
- The meaning, the unit and the answer stay. If the answer is the name of one of them, add "(answer the name)".
- It is short, and sounds as a person would ask.

Reply as {"question": "…"}.`,
	output: z.object({ question: z.string().min(1).max(2000) }),
});
