import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** What else could answer a step: MC-Search's uniqueness check within the cluster. */
export const findConfoundersPrompt = definePrompt({
	name: "find-confounders",
	version: 1,
	variables: ["question", "answer", "texts", "images"],
	instructions: `
A step of a longer question has its answer from one piece of evidence. You are shown the step and other pieces about the
same subject (texts with their ids, images with theirs; the pictures stand before this text in the order of the list).

List the ids of those that by themselves settle the step, be it with the answer given or with another that fits the
step as well. Pieces that only touch the subject are not listed.

Reply as {"resolving": ["…"]}, with an empty list if there are none.`,
	output: z.object({ resolving: z.array(z.string()).max(100) }),
});
