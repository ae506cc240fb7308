import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** The bare answer of a longer one (AgenticRAGTracer, Figure 16). Its form is given by code. */
export const refineAnswer = definePrompt({
	name: "refine-answer",
	version: 1,
	variables: ["question", "answer"],
	instructions: `
Shorten an answer to what its question asks for.

- Take words from the answer alone. Add nothing, conclude nothing.
- Leave out nothing that was asked for; of a comparison keep both sides and how they compare.
- Keep numbers, dates, units, currencies and ordinals.

Give {"refined_answer": "…"}.`,
	output: z.object({ refined_answer: z.string().min(1).max(500) }),
});
