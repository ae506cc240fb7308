import { z } from "zod";
import { freeRecord } from "./free-keys.ts";

export const Grade = z.enum(["right", "partly-right", "wrong"]);
export type Grade = z.infer<typeof Grade>;

const name = z.string().min(1).max(100);
const words = z.string().max(1_000_000);

/** What a rater says of an answer, or of two. */
export const Label = z.discriminatedUnion("is", [
	z.object({ is: z.literal("grade"), grade: Grade }),
	/** On the scale of a rubric, by the rubric's name for it. */
	z.object({ is: z.literal("score"), name, value: z.number().min(-1000).max(1000) }),
	/** Between two answers: above 0 the other answer is better, below 0 the submitted one; 2 is much better. */
	z.object({ is: z.literal("preference"), name, value: z.number().int().min(-2).max(2) }),
	/** Those of a rubric's labels that hold; empty where none does. */
	z.object({
		is: z.literal("labels"),
		labels: z
			.array(
				z
					.string()
					.regex(/^(?!none$)[a-z0-9]+(-[a-z0-9]+)*$/)
					.max(100),
			)
			.max(40),
	}),
]);
export type Label = z.infer<typeof Label>;

/** One label with who gave it. What a model said is a second judge's word, never a person's. */
export const Rating = z.object({
	rater: z.string().min(1).max(200),
	kind: z.enum(["human", "model"]),
	/** It settles what others disagree on, and was given with what they said in view. */
	round: z.literal("adjudication").optional(),
	label: Label,
});
export type Rating = z.infer<typeof Rating>;

/** One hop of the gold chain, or one step that was made, as labellers and judges see it. */
const ItemStep = z.object({ question: words, search: words, answer: words, found: z.array(words).max(1000) });

/** An answer as labellers and judges see it, with what they said. One JSON line. */
export const LabelledItem = z.object({
	version: z.literal(1),
	/** Tells nothing of the system; of a run's answer it is made from run, task and repeat. */
	id: z.string().min(1).max(200),
	question: words,
	/** Accepted answers, any of which will do. */
	reference: z.array(words).max(1000),
	submitted: words.nullable(),
	/** A second answer to the same question, where two are compared. */
	other: words.nullable().optional(),
	evidence: z.array(z.object({ id: z.string(), title: words, text: words })).default([]),
	/** The gold chain and the steps made, where the way is to be labelled too. */
	goldSteps: z.array(ItemStep).max(1000).optional(),
	steps: z.array(ItemStep).max(1000).optional(),
	/** An anonymous name of who answered, and of who gave the other answer. */
	system: z.string().max(200).default(""),
	otherSystem: z.string().max(200).optional(),
	/** Items of one cluster share their luck; without one, those of one question do. */
	cluster: z.string().max(1000).optional(),
	tags: freeRecord(z.string()).default({}),
	/** The stratum it was drawn from, under a number that says nothing, and how many answers it stands for. */
	stratum: z.string().max(200).optional(),
	weight: z.number().positive().optional(),
	labels: z.array(Rating).max(1000).default([]),
});
export type LabelledItem = z.infer<typeof LabelledItem>;

/** The first line of a file for labellers: what they are to do, and the labels they may give. */
export const LabelSheet = z.object({
	version: z.literal(1),
	sheet: z.literal("labels"),
	/** Read by people. */
	instructions: z.string(),
	/** By label, the values that it may take. */
	labels: freeRecord(z.string()),
	/** How the items were drawn. */
	drawn: z.object({ from: z.number().int(), items: z.number().int(), seed: z.number().int(), by: z.array(z.string()) }),
});
export type LabelSheet = z.infer<typeof LabelSheet>;
