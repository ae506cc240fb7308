import { z } from "zod";
import { HopId } from "./chain.ts";
import { EvidenceId } from "./evidence.ts";
import { Usage } from "./trajectory.ts";

/**
 * What a judge model, as a second reader, found that an agent took from the evidence of one gold hop: a line of
 * `readings.jsonl`. The last line of a (record, hop, reader) counts. Whether the value is right is not in it: that is for the
 * program, from the gold answer of the day.
 */
export const SecondReading = z.object({
	version: z.literal(1),
	task: z.string(),
	repeat: z.number().int().min(0),
	attempt: z.number().int().min(0),
	hop: HopId,
	reader: z.object({
		/** The model's id. */
		model: z.string(),
		/** SHA-256 over all fixed words that it reads. */
		prompt: z.string(),
		/** The model as the provider returned it. */
		served: z.string().optional(),
	}),
	/** The reader is the model that it reads: counted only because the user insisted. */
	sameModel: z.literal(true).optional(),
	/** SHA-256 over what it was shown; where that would be another today, it is asked anew. */
	shown: z.string(),
	outcome: z.discriminatedUnion("is", [
		z.object({
			is: z.literal("read"),
			/** What was carried on as the answer of the hop. */
			value: z.string().min(1),
			/** Words of the agent that carry it, found to stand there, and the step; without one the final answer. */
			written: z.object({ quote: z.string(), step: z.number().int().min(0).optional() }),
			/** Words of a result that it was read from, found to stand there; null: the reader names none. */
			read: z.object({ quote: z.string(), evidence: EvidenceId }).nullable(),
			/** Whether the program finds the value in what had come back by then; null where no text tells. */
			stands: z.boolean().nullable(),
			reason: z.string(),
		}),
		z.object({ is: z.literal("cannot-tell"), reason: z.string() }),
		/** It replied in no usable form, or with words that stand nowhere, even after a repair turn. */
		z.object({ is: z.literal("unparsed"), reason: z.string().min(1) }),
		/** The provider failed, and is asked again on resuming. */
		z.object({ is: z.literal("model"), reason: z.string().min(1) }),
	]),
	/** The reader's last reply as it came. */
	reply: z.string().optional(),
	usage: Usage,
	/** Wall time, in milliseconds. */
	ms: z.number().min(0),
	at: z.string(),
});
export type SecondReading = z.infer<typeof SecondReading>;
