import { z } from "zod";
import { EvidenceId } from "./evidence.ts";
import { freeRecord } from "./free-keys.ts";
import { Usage } from "./trajectory.ts";

/** What one run of a judge says by a rubric. A judge that failed says nothing of what it was shown. */
export const Judgement = z.discriminatedUnion("is", [
	z.object({
		is: z.literal("judged"),
		/** `rule`: no model was asked, since none is needed (no answer) or since the judge is the rule-based one. */
		by: z.enum(["model", "rule"]),
		/** What means are taken of, in [0, 1]; null for rubrics that only give labels. */
		value: z.number().min(0).max(1).nullable(),
		/** By the rubric's own limits; null for rubrics that only give labels. */
		grade: z.enum(["right", "partly-right", "wrong"]).nullable(),
		/** What the rubric asks to be scored, by name, on its own scale. */
		scores: freeRecord(z.number()),
		/** Of the rubric's closed set, in its order. */
		labels: z.array(z.string()),
		/** Of the evidence shown, what bears on the question; absent where the rubric does not ask. */
		relevant: z.array(EvidenceId).optional(),
		/** How far the evidence shown supports the answer; null where none was shown, absent where not asked. */
		support: z.enum(["full", "part", "none"]).nullable().optional(),
		reason: z.string(),
	}),
	z.object({
		is: z.literal("unscored"),
		/**
		 * `model`: the provider failed, and is asked again on resuming; `unparsed`: it replied in no usable form, even
		 * after a repair turn; `inapplicable`: the rubric has nothing to say of such a record.
		 */
		because: z.enum(["model", "unparsed", "inapplicable"]),
		reason: z.string().min(1),
	}),
]);
export type Judgement = z.infer<typeof Judgement>;

/** Who judged, and by what: verdicts that differ in any of it are never averaged together. */
export const JudgeStamp = z.object({
	/** The model's id, or `rule`. */
	model: z.string(),
	/** Name of the rubric. */
	rubric: z.string(),
	/** SHA-256 over all fixed words that the judge reads, or over the rule's version. */
	prompt: z.string(),
	/** Orders what is shown. */
	seed: z.number().int(),
	/** The model as the provider returned it. */
	served: z.string().optional(),
});
export type JudgeStamp = z.infer<typeof JudgeStamp>;

/** One run of a judge over one record: a line of `verdicts.jsonl`. The last line of a (record, judge, run) counts. */
export const Verdict = z.object({
	version: z.literal(2),
	task: z.string(),
	repeat: z.number().int().min(0),
	attempt: z.number().int().min(0),
	/** 0-based: runs of one judge over the same answer are independent samples. */
	run: z.number().int().min(0),
	judge: JudgeStamp,
	/** The judge is the model that it judges: counted only because the user insisted. */
	sameModel: z.literal(true).optional(),
	/** What was shown, in order; evidence whose text is not at hand is only counted. */
	shown: z.object({
		first: z.enum(["reference", "submitted"]),
		evidence: z.array(EvidenceId),
		withoutText: z.number().int().min(0),
	}),
	judgement: Judgement,
	/** The judge's last reply as it came. */
	reply: z.string().optional(),
	/** Calls, tokens and money of this verdict, a repair turn included. */
	usage: Usage,
	/** Wall time, in milliseconds. */
	ms: z.number().min(0),
	at: z.string(),
});
export type Verdict = z.infer<typeof Verdict>;
