import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Whether a proposed answer is right, for the probability that is put on it. */
export const confirmAnswerPrompt = definePrompt({
	name: "confirm-answer",
	version: 1,
	variables: ["question", "proposed"],
	instructions: `
You see a question about an image, the image, and a proposed answer. Say whether the proposed answer is right.

Reply as {"right": true} or {"right": false}.`,
	output: z.object({ right: z.boolean() }),
});
