import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** The checklist for questions of several hops: Double-Bench's multi-hop filter (Figure 22). */
export const inspectWalkPrompt = definePrompt({
	name: "inspect-walk",
	version: 1,
	variables: ["question", "answer", "steps"],
	instructions: `
You examine a question that was put together from steps along a graph of facts. You see the question, its answer, and
the steps: each with its question, its answer, and the fact as entity, relation, entity. Go through the list and name the
first point that is not met.

- "uniqueness", which counts most: in every step, entity and relation leave one answer only, also for somebody who knows
  more than these facts; and no step's question holds its own answer.
- "necessity": every step is needed. Each step's answer is what its question asks for, and without any one of them the
  last answer could not be reached.
- "clarity": the question is fluent, can be understood by itself, is exact enough to have this answer only, does not hold
  it, and nowhere says "the entity that", "the thing which" or the like.
- "significance": somebody could want to know it; it is neither trivial nor far-fetched.

Reply as {"reason": "what you found", "keep": "yes" or "no", "failed": one of the names above, or "none"}.`,
	output: z
		.object({
			reason: z.string(),
			keep: z.enum(["yes", "no"]),
			failed: z.enum(["none", "uniqueness", "necessity", "clarity", "significance"]),
		})
		.refine(({ keep, failed }) => (keep === "yes") === (failed === "none"), {
			message: "keep is yes if and only if failed is none",
		}),
});
