import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** The next entities that a chain may go to (Table 17). */
export const pickNeighboursPrompt = definePrompt({
	name: "pick-neighbours",
	version: 1,
	variables: ["most", "chain", "hints", "candidates"],
	instructions: `
A chain of facts leads from one entity to the next. You choose up to {{most}} of the numbered candidates to go on with.

- Prefer what the hints about the present entity suggest.
- Of equal ones prefer the less known; "frequency" is how often its relation occurs here, and less is rarer.
- Leave out what is generic or abstract.
- Choose different things, not variants of one.

Reply as {"indices": [1, 2, 3]}.`,
	output: z.object({ indices: z.array(z.number().int()).max(1000) }),
});
