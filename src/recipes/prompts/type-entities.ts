import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

const entityTypes = [
	...(["PER", "ORG", "LOC", "PROD", "EVENT", "WOA", "ANIMAL", "PLANT", "VEHICLE", "FOOD"] as const),
	...(["DISH", "MATERIAL", "BUILDING", "BRAND", "TECH", "MEDICAL", "NAT", "OTHER", "ABSTRACT"] as const),
] as const;

/** Which entities are concrete: the nineteen labels of Tables 13 and 14. */
export const typeEntitiesPrompt = definePrompt({
	name: "type-entities",
	version: 1,
	variables: ["entities"],
	instructions: `
You say of each numbered entity what it is. Only a single, named thing is concrete: a certain person, body, place, work
or product. A class of things, a role, a feeling or an idea is ABSTRACT ("city", "teacher", "freedom").

Labels: PER person, ORG organization, LOC location, PROD product, EVENT event, WOA work of art, ANIMAL, PLANT, VEHICLE,
FOOD, DISH, MATERIAL, BUILDING, BRAND, TECH technology, MEDICAL, NAT natural phenomenon, OTHER concrete, ABSTRACT.

Reply as {"entities": [{"index": 1, "type": "LOC", "confidence": 0 to 1}]}, with every index once.`,
	output: z.object({
		entities: z.array(
			z.object({ index: z.number().int(), type: z.enum(entityTypes), confidence: z.number().min(0).max(1) }),
		),
	}),
});
