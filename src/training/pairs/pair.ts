import { z } from "zod";
import { brokenOrder, EvidenceId, freeRecord, HopId } from "#domain";
import { TrainingImage, TrainingMessage, TrainingTool } from "../conversations/example.ts";

/** The record that one side of a pair was said in. */
export const PairRecord = z.object({
	run: z.string(),
	repeat: z.number().int().min(0),
	attempt: z.number().int().min(0),
});
export type PairRecord = z.infer<typeof PairRecord>;

/**
 * Where the two sides part. `broken-hop`: the turn in which the wrong one breaks its first broken hop, all before it being
 * the same. `first-difference`: the first turn that is not the same, before it was broken. `whole`: from the first turn on.
 */
export const PairPlace = z.enum(["broken-hop", "first-difference", "whole"]);
export type PairPlace = z.infer<typeof PairPlace>;

/**
 * Two ways to go on from one conversation, the one that led to a right and supported answer and the one that broke a hop.
 *
 * `prompt` is what both had said and read, character for character; it holds no system turn and ends with what the policy
 * reads. `chosen` and `rejected` begin with the policy's turn: that turn alone, or all that followed.
 */
export const PreferencePair = z.object({
	id: z.string().min(1),
	task: z.string().min(1),
	place: PairPlace,
	/** The first hop that the rejected one broke, and how. */
	hop: HopId,
	verdict: z.enum(brokenOrder),
	/** 0-based place, among the policy's turns, of the first turn that differs. */
	turn: z.number().int().min(0),
	source: z.object({
		benchmark: z.string(),
		agent: z.string(),
		setting: z.string().optional(),
		chosen: PairRecord,
		rejected: PairRecord,
	}),
	system: z.string().optional(),
	tools: z.array(TrainingTool).optional(),
	prompt: z.array(TrainingMessage).min(1),
	chosen: z.array(TrainingMessage).min(1),
	rejected: z.array(TrainingMessage).min(1),
	/** Of all three; messages name them by index. */
	images: z.array(TrainingImage).default([]),
	tags: freeRecord(z.string()).default({}),
});
export type PreferencePair = z.infer<typeof PreferencePair>;

/** A piece of evidence as a retriever reads it. `image`: an index into the pair's images, of a picture or a page. */
export const RetrieverEvidence = z.object({
	id: EvidenceId,
	kind: z.enum(["passage", "page", "image"]),
	title: z.string(),
	text: z.string(),
	image: z.number().int().min(0).optional(),
});
export type RetrieverEvidence = z.infer<typeof RetrieverEvidence>;

/** What came back without being what was looked for: by which search, and at which rank, from 1. */
export const RetrieverNegative = RetrieverEvidence.extend({
	from: z.enum(["record", "search"]),
	rank: z.number().int().positive(),
});
export type RetrieverNegative = z.infer<typeof RetrieverNegative>;

/**
 * A query with evidence that answers it and evidence that only looks so.
 *
 * The query is the hop's gold sub-question or one that an agent made for the hop; one of the two, `query` or `queryImage`,
 * is there. No negative is acceptable evidence of the hop, and none states the hop's answer.
 */
export const RetrieverPair = z
	.object({
		id: z.string().min(1),
		task: z.string().min(1),
		hop: HopId,
		by: z.enum(["sub-question", "agent"]),
		query: z.string().min(1).optional(),
		/** The query as a picture: an index into the images. */
		queryImage: z.number().int().min(0).optional(),
		positives: z.array(RetrieverEvidence).min(1),
		negatives: z.array(RetrieverNegative),
		source: z.object({
			benchmark: z.string(),
			knowledge: z.string(),
			run: z.string().optional(),
			agent: z.string().optional(),
			repeat: z.number().int().min(0).optional(),
			step: z.number().int().min(0).optional(),
		}),
		images: z.array(TrainingImage).default([]),
		tags: freeRecord(z.string()).default({}),
	})
	.refine(({ query, queryImage }) => query !== undefined || queryImage !== undefined, {
		message: "a pair has a query in words or a picture",
		path: ["query"],
	});
export type RetrieverPair = z.infer<typeof RetrieverPair>;
