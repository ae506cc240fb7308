/** The prompts of VistaHop: from a picture to a chain of facts, then from a chain to a checked question. */

import { z } from "zod";
import { promptsOf } from "../engine/prompt.ts";

const prompt = promptsOf("vistahop");

export const RegionType = z.enum(["Person", "Organization", "Product", "Location", "Symbol", "Event"]);

/** What a picture shows: named things with their places, and whether the picture serves at all (Tables 2, 10 and 11). */
export const seeRegionsPrompt = prompt(
	"see-regions",
	["size", "unit"],
	z.object({
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
);

/** A compact record of an entity from the beginning of its page (Table 12). */
export const recordEntityPrompt = prompt(
	"record-entity",
	["name", "page"],
	z.object({
		description: z.string().max(1000),
		type: z.string().max(80),
		properties: z.array(z.object({ name: z.string().max(200), value: z.string().max(500) })).max(50),
		related: z.array(z.string().max(200)).max(50),
	}),
);

const entityTypes = [
	...(["PER", "ORG", "LOC", "PROD", "EVENT", "WOA", "ANIMAL", "PLANT", "VEHICLE", "FOOD"] as const),
	...(["DISH", "MATERIAL", "BUILDING", "BRAND", "TECH", "MEDICAL", "NAT", "OTHER", "ABSTRACT"] as const),
] as const;

/** Which entities are concrete: the nineteen labels of Tables 13 and 14. */
export const typeEntitiesPrompt = prompt(
	"type-entities",
	["entities"],
	z.object({
		entities: z.array(
			z.object({ index: z.number().int(), type: z.enum(entityTypes), confidence: z.number().min(0).max(1) }),
		),
	}),
);

/** The next entities that a chain may go to (Table 17). */
export const pickNeighboursPrompt = prompt(
	"pick-neighbours",
	["most", "chain", "hints", "candidates"],
	z.object({ indices: z.array(z.number().int()).max(1000) }),
);

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
export const verifyRelationsPrompt = prompt(
	"verify-relations",
	["pairs"],
	z.object({
		relations: z.array(
			z.object({
				index: z.number().int(),
				category: z.enum([...relationCategories, "none"]),
				confidence: z.number().min(0).max(1),
				reason: z.string().max(1000).default(""),
			}),
		),
	}),
);

/** How well known entities are to an average educated person (Table 18), where no count tells. */
export const rateFamiliarityPrompt = prompt(
	"rate-familiarity",
	["entities"],
	z.object({ scores: z.array(z.object({ index: z.number().int(), score: z.number().min(0).max(1) })) }),
);

/** Neighbours in a chain that are one and the same thing (Table 19). */
export const findDuplicatesPrompt = prompt(
	"find-duplicates",
	["chain"],
	z.object({ pairs: z.array(z.tuple([z.number().int(), z.number().int()])).max(100) }),
);

/** A wording with its parts that can be taken away one by one. */
export const WrittenQuestion = z.object({
	question: z.string().min(1).max(4000),
	clues: z.array(z.string().min(1).max(1000)).max(50).default([]),
});

/** A question for the last entity of a chain, from the end back to its beginning (Table 20). */
export const askChainPrompt = prompt("ask-chain", ["steps", "chain", "answer"], WrittenQuestion);

/** The question with its first entity replaced by a look at the image (Table 24). */
export const pointAtImagePrompt = prompt(
	"point-at-image",
	["phrase", "description", "several", "question", "name", "type", "caption"],
	WrittenQuestion,
);

/** The question in plain words, with nothing that tells who or what is in the image (Table 25). */
export const simplifyQuestionPrompt = prompt(
	"simplify-question",
	["phrase", "description", "question"],
	WrittenQuestion,
);

/** A solver without the image says what the text alone gives away (Table 21). */
export const solveBlindPrompt = prompt(
	"solve-blind",
	["question"],
	z.object({
		answer: z.union([z.string().max(2000), z.number().transform(String), z.null()]),
		confidence: z.number().min(0).max(1),
		clues: z.string().max(2000).default(""),
	}),
);

/** What a blind answer says about a question (Table 22). */
export const judgeLeakPrompt = prompt(
	"judge-leak",
	["question", "answer", "blind", "clues"],
	z.object({
		verdict: z.enum(["sound", "whole", "leaks", "ambiguous", "under-specified", "non-unique"]),
		feedback: z.string().max(2000).default(""),
	}),
);

/** The question rewritten so that the text no longer gives the answer away (Table 23). */
export const hideCluesPrompt = prompt(
	"hide-clues",
	["phrase", "question", "problem", "chain", "answer"],
	WrittenQuestion,
);

/** How a number is made of an answer (Table 26). */
export const extractValuePrompt = prompt(
	"extract-value",
	["methods", "question", "answer"],
	z.object({ method: z.string().max(80), value: z.number().nullable(), how: z.string().max(1000).default("") }),
);

/** Several questions about one image as one, over what each of them leads to (Tables 27 and 28). */
export const fuseQuestionsPrompt = prompt(
	"fuse-questions",
	["form", "rules", "parts"],
	z.object({
		operation: z.string().max(40),
		question: z.string().min(1).max(6000),
		result: z.union([z.string().max(1000), z.number().transform(String)]),
		clues: z.array(z.string().min(1).max(2000)).max(50).default([]),
	}),
);

/** Whether a proposed answer is right, for the probability that is put on it. */
export const confirmAnswerPrompt = prompt("confirm-answer", ["question", "proposed"], z.object({ right: z.boolean() }));

/** One criterion of the final look at an item (Table 6). */
export const meetCriterionPrompt = prompt(
	"meet-criterion",
	["criterion", "question", "answer", "chain", "evidence"],
	z.object({ holds: z.boolean(), reason: z.string().max(1000) }),
);
