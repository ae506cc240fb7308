import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** One criterion of the final look at an item (Table 6). */
export const meetCriterionPrompt = definePrompt({
	name: "meet-criterion",
	version: 1,
	variables: ["criterion", "question", "answer", "chain", "evidence"],
	instructions: `
You check one thing about a question on an image, and nothing else:

{{criterion}}

"chain" is the way to the answer, step by step. Go by the chain and the evidence; where they do not show that it holds,
it does not.

Reply as {"holds": true or false, "reason": "one sentence"}.`,
	output: z.object({ holds: z.boolean(), reason: z.string().max(1000) }),
});
