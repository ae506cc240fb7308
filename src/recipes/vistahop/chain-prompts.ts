/** VistaHop's prompts on the way from a picture to a chain of facts. */

import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

export const RegionType = z.enum(["Person", "Organization", "Product", "Location", "Symbol", "Event"]);

/** What a picture shows: named things with their places, and whether the picture serves at all (Tables 2, 10 and 11). */
export const seeRegionsPrompt = definePrompt("see-regions", 1, {
	variables: ["size", "unit"],
	instructions: `
You look at one picture of {{size}} and list the things in it that have a name of their own.

- A thing counts if it could be photographed and told apart from others of its kind: a certain person, organization,
  product, location, symbol or event. "A car" or "a tree" does not count; a model name on the car does.
- Give only what the picture itself lets you recognise, by its look or by writing on it.
- "box" is [left, top, right, bottom], in {{unit}}.
- "label" is what is written or seen there; "name" the usual full name; "text" the writing in the region, "" if none.
- "caption" says in a few words how it looks and where it is, without its name.

Also judge the picture: "clear" is false if the main things are hidden, blurred, too dark, too bright or spoilt by
compression; "context" is "scene" for a picture with meaning, else "icon", "screenshot" or "collage". "category" is the
part of life that it belongs to, "scenario" the kind of situation in two or three words.

Reply as {"clear": true or false, "context": "scene", "category": "Life" | "Science" | "Society" | "Technology" |
"Culture", "scenario": "...", "regions": [{"name": "...", "type": "Person" | "Organization" | "Product" | "Location" |
"Symbol" | "Event", "box": [0, 0, 0, 0], "confidence": 0 to 1, "label": "...", "text": "...", "caption": "..."}]}.`,
	output: z.object({
		clear: z.boolean(),
		context: z.enum(["scene", "icon", "screenshot", "collage"]),
		category: z.enum(["Life", "Science", "Society", "Technology", "Culture"]),
		scenario: z.string().min(1).max(80),
		regions: z
			.array(
				z.object({
					name: z.string().min(1).max(200),
					type: RegionType,
					box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
					confidence: z.number().min(0).max(1),
					label: z.string().max(500).default(""),
					text: z.string().max(500).default(""),
					caption: z.string().max(500).default(""),
				}),
			)
			.max(100),
	}),
});

/** A compact record of an entity from the beginning of its page (Table 12). */
export const recordEntityPrompt = definePrompt("record-entity", 1, {
	variables: ["name", "page"],
	instructions: `
You write a short record of the entity called "name" from the beginning of its page.

- Take everything from the page; the value of a property must stand there in the very words that you give.
- "description" is one sentence on what it is; "type" is person, place, organization, event, object or concept.
- "properties" are its telling attributes; "related" the names of the things it is most closely tied to.

Reply as {"description": "...", "type": "...", "properties": [{"name": "...", "value": "..."}], "related": ["..."]}.`,
	output: z.object({
		description: z.string().max(1000),
		type: z.string().max(80),
		properties: z.array(z.object({ name: z.string().max(200), value: z.string().max(500) })).max(50),
		related: z.array(z.string().max(200)).max(50),
	}),
});

const entityTypes = [
	...(["PER", "ORG", "LOC", "PROD", "EVENT", "WOA", "ANIMAL", "PLANT", "VEHICLE", "FOOD"] as const),
	...(["DISH", "MATERIAL", "BUILDING", "BRAND", "TECH", "MEDICAL", "NAT", "OTHER", "ABSTRACT"] as const),
] as const;

/** Which entities are concrete: the nineteen labels of Tables 13 and 14. */
export const typeEntitiesPrompt = definePrompt("type-entities", 1, {
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

/** The next entities that a chain may go to (Table 17). */
export const pickNeighboursPrompt = definePrompt("pick-neighbours", 1, {
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
export const verifyRelationsPrompt = definePrompt("verify-relations", 1, {
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

/** How well known entities are to an average educated person (Table 18), where no count tells. */
export const rateFamiliarityPrompt = definePrompt("rate-familiarity", 1, {
	variables: ["entities"],
	instructions: `
You estimate how well known each numbered entity is to an average educated person anywhere in the world.

0 is known to hardly anyone (a hamlet, a term of one trade), 0.5 moderately (a well-known company or city), 1 to nearly
everyone (a large country, a world-famous person). The more special a thing is, the lower. Encyclopedias, dictionaries,
atlases, other works of reference and lists are always 1.

Reply as {"scores": [{"index": 1, "score": 0 to 1}]}, every index once.`,
	output: z.object({ scores: z.array(z.object({ index: z.number().int(), score: z.number().min(0).max(1) })) }),
});

/** Neighbours in a chain that are one and the same thing (Table 19). */
export const findDuplicatesPrompt = definePrompt("find-duplicates", 1, {
	variables: ["chain"],
	instructions: `
You look at a chain of numbered entities and name neighbours that are the same thing under two names: synonyms, older
and newer names, an institution and its short form. A thing and its part, its place or its owner are two things.

Reply as {"pairs": [[first number, second number]]}, with an empty list where there are none.`,
	output: z.object({ pairs: z.array(z.tuple([z.number().int(), z.number().int()])).max(100) }),
});
