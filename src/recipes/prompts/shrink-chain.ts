import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

const said = z.string().min(1).max(2000);

/** A chain without the steps that it does not need: MC-Search's hop shrinkage (section 2.1). */
export const shrinkChainPrompt = definePrompt({
	name: "shrink-chain",
	version: 1,
	variables: ["language", "question", "answer", "steps", "redundant"],
	instructions: `
A question comes with its answer and its steps. Some steps were found to be of no use: the answer is reached without
them. Take them out.

- Write the question so that it no longer speaks of what those steps find. Its answer stays exactly as it is.
- Write each step that stays so that it needs none of those taken out; change no more than that requires. Its own answer
  and its evidence stay.
- Use every id that stays once, and no other. Everything is in {{language}}.

Reply as {"question": "…", "steps": [{"id": "…", "subquestion": "…"}]}.`,
	output: z.object({ question: said, steps: z.array(z.object({ id: z.string(), subquestion: said })).max(12) }),
});
