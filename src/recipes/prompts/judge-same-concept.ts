import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Whether two entries are about one thing: MMhops' removal of near entities before comparison. */
export const judgeSameConceptPrompt = definePrompt({
	name: "judge-same-concept",
	version: 1,
	variables: ["first", "second"],
	instructions: `
You are given the beginnings of two encyclopedia articles. Say whether they are about the same thing, or one of them about
a part, a version or another name of the other, so that a comparison of the two would be pointless. Two different things
of one kind are not the same.

Reply as {"same": true} or {"same": false}.`,
	output: z.object({ same: z.boolean() }),
});
