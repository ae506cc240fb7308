import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** The eight categories of VistaHop's relations. */
export const relationCategories = [
	"part_whole",
	"member_collection",
	"causal",
	"temporal",
	"spatial",
	"comparative",
	"attributive",
	"associative",
] as const;

/** Whether one entity really stands in a relation to the next, and in which (Tables 15 and 16). */
export const verifyRelationsPrompt = definePrompt({
	name: "verify-relations",
	version: 1,
	variables: ["pairs"],
	instructions: `
You check statements. Each numbered line names a source, a relation and a target. Say which one category holds between
source and target, and how sure you are that the statement is true.

- part_whole: one is a part of the other. member_collection: one belongs to a group that the other is.
- causal: one brings about the other. temporal: one comes before, after or at the time of the other.
- spatial: where one is with regard to the other. comparative: one is more or less than the other in some respect.
- attributive: the target is a property or value of the source. associative: they are tied in some other, definite way.
- none: there is no such relation, or you do not know of one.

Being mentioned together is no relation. Do not fall back on associative when you are unsure: say none.

Reply as {"relations": [{"index": 1, "category": "spatial", "confidence": 0 to 1, "reason": "..."}]}, every index once.`,
	output: z.object({
		relations: z.array(
			z.object({
				index: z.number().int(),
				category: z.enum([...relationCategories, "none"]),
				confidence: z.number().min(0).max(1),
				reason: z.string().max(1000).default(""),
			}),
		),
	}),
});
