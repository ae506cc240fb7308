import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** How well known entities are to an average educated person (Table 18), where no count tells. */
export const rateFamiliarityPrompt = definePrompt({
	name: "rate-familiarity",
	version: 1,
	variables: ["entities"],
	instructions: `
You estimate how well known each numbered entity is to an average educated person anywhere in the world.

0 is known to hardly anyone (a hamlet, a term of one trade), 0.5 moderately (a well-known company or city), 1 to nearly
everyone (a large country, a world-famous person). The more special a thing is, the lower. Encyclopedias, dictionaries,
atlases, other works of reference and lists are always 1.

Reply as {"scores": [{"index": 1, "score": 0 to 1}]}, every index once.`,
	output: z.object({ scores: z.array(z.object({ index: z.number().int(), score: z.number().min(0).max(1) })) }),
});
