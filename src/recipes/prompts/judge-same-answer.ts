import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Whether an answer of today says what an earlier one said, in whatever words. */
export const judgeSameAnswerPrompt = definePrompt({
	name: "judge-same-answer",
	version: 1,
	variables: ["question", "earlier", "today"],
	instructions: `
A question was answered at two times. Say whether both answers give the same fact. Other words, another spelling, a fuller
or shorter name and another way of writing a date or number are the same fact; another thing, another amount beyond
rounding, or another date is not. Judge the two answers alone, not which of them is right.

Reply as {"same": true} or {"same": false}.`,
	output: z.object({ same: z.boolean() }),
});
