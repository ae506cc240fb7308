/** The prompts of Double-Bench, in the order of its stages. */

import { z } from "zod";
import { promptsOf } from "../engine/prompt.ts";

const prompt = promptsOf("double-bench");

/** Language and summary of a document (Double-Bench, section 3.1; the summary serves the walks of 3.3). */
export const describeDocumentPrompt = prompt(
	"describe-document",
	["title", "pages"],
	z.object({ language: z.string().regex(/^[A-Za-z]{2}$/), summary: z.string().min(1).max(4000) }),
);

/** Whether a part of a page can carry a question: Double-Bench's content filter (section 3.1, Figure 11). */
export const inspectBlockPrompt = prompt(
	"inspect-block",
	["modality", "block", "caption", "near"],
	z.object({ keep: z.enum(["yes", "no"]) }),
);

const output = z.object({ question: z.string().min(1).max(2000), answer: z.string().min(1).max(4000) });

/** A question about a passage: Double-Bench's single-hop generation (Figure 12). */
export const askTextPrompt = prompt("ask-text", ["language", "title", "block"], output);

/** A question about a figure or table: Double-Bench's single-hop generation (Figure 13). */
export const askVisualPrompt = prompt("ask-visual", ["language", "modality", "title", "block", "caption"], output);

/** Makes a question that too many pages answer mean one of them: Double-Bench's refinement (Figure 24). */
export const refineQuestionPrompt = prompt(
	"refine-question",
	["language", "question", "answer", "truth", "others"],
	z.object({ reason: z.string(), question: z.string().min(1).max(2000) }),
);

/** The last look at a single-hop question: Double-Bench's filter (Figures 14 and 15). */
export const inspectQuestionPrompt = prompt(
	"inspect-question",
	["question", "answer", "evidence"],
	z
		.object({
			reason: z.string(),
			keep: z.enum(["yes", "no"]),
			fault: z.enum(["none", "source-reference", "vague", "unsupported", "inference", "meaningless"]),
		})
		.refine(({ keep, fault }) => (keep === "yes") === (fault === "none"), {
			message: "keep is yes if and only if fault is none",
		}),
);

const short = z.string().max(200);

/** Facts of a page as directed relations with their quotes: what Double-Bench takes LightRAG for (section 3.3). */
export const extractRelationsPrompt = prompt(
	"extract-relations",
	["title", "text"],
	z.object({
		triples: z
			.array(
				z.object({
					subject: short,
					relation: short,
					object: short,
					quote: z.string().max(4000),
					types: z.array(short).max(2).default([]),
				}),
			)
			.max(500),
		aliases: z
			.array(z.object({ name: short, alias: short, quote: z.string().max(4000) }))
			.max(200)
			.default([]),
	}),
);

/** What somebody could want to know who begins at an entity: Double-Bench's intent (section 3.3). */
export const inferIntentPrompt = prompt(
	"infer-intent",
	["language", "entity", "summary", "facts"],
	z.object({ intent: z.string().min(1).max(1000) }),
);

/** The next step of a walk: Double-Bench's relation selection (Figures 18 and 19). */
export const chooseRelationPrompt = prompt(
	"choose-relation",
	["entity", "intent", "candidates"],
	z.object({ reasoning: z.string(), selected_index: z.number().int().min(0).nullable() }),
);

/** A question about one fact: Double-Bench's step question (Figure 20). */
export const askRelationPrompt = prompt(
	"ask-relation",
	["language", "entity", "fact", "asked"],
	z.object({ question: z.string().min(1).max(1000), answer: z.string().min(1).max(400) }),
);

/** The checklist for questions of several hops: Double-Bench's multi-hop filter (Figure 22). */
export const inspectWalkPrompt = prompt(
	"inspect-walk",
	["question", "answer", "steps"],
	z
		.object({
			reason: z.string(),
			keep: z.enum(["yes", "no"]),
			failed: z.enum(["none", "uniqueness", "necessity", "clarity", "significance"]),
		})
		.refine(({ keep, failed }) => (keep === "yes") === (failed === "none"), {
			message: "keep is yes if and only if failed is none",
		}),
);
