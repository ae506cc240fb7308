import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** What a blind answer says about a question (Table 22). */
export const judgeLeakPrompt = definePrompt({
	name: "judge-leak",
	version: 1,
	variables: ["question", "answer", "blind", "clues"],
	instructions: `
A question about an image was given to someone who could not see the image. You know the right answer. "blind" is what
was said ("(nothing)" if nothing), "clues" what it was taken from. Decide what is wrong with the question, if anything.

- "whole": the blind answer is right, and every detail of the question was needed for it.
- "leaks": the blind answer is right, and a part of the text was enough or gave it away.
- "ambiguous": the question can be read in more than one way. "under-specified": it lacks what is needed even with the
  image. "non-unique": more than one answer is right.
- "sound": none of these. A wrong or missing blind answer alone is no fault.

"feedback" says in one or two sentences what to change, without the answer itself.

Reply as {"verdict": "sound", "feedback": "..."}.`,
	output: z.object({
		verdict: z.enum(["sound", "whole", "leaks", "ambiguous", "under-specified", "non-unique"]),
		feedback: z.string().max(2000).default(""),
	}),
});
