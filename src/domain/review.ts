import { z } from "zod";
import { HopId } from "./chain.ts";
import { EvidenceId } from "./evidence.ts";
import { freeRecord } from "./free-keys.ts";
import { Reason } from "./item.ts";

/** What one person decided on one item. */
export const Review = z.object({
	item: z.string().min(1).max(200),
	reviewer: z.string().min(1).max(100),
	decision: z.enum(["retain", "discard", "edit", "unsure"]),
	reasons: z.array(Reason).default([]),
	hops: freeRecord(HopId, z.object({ right: z.boolean(), reasons: z.array(Reason).default([]) })).optional(),
	/** Whether an evidence answers its hop, where the person was asked. */
	evidence: freeRecord(EvidenceId, z.boolean()).optional(),
	/** The wording or the accepted answers that the person put in place. */
	edits: z
		.object({ question: z.string().min(1).optional(), accepted: z.array(z.string().min(1)).min(1).optional() })
		.optional(),
	comment: z.string().max(10_000).optional(),
	/** 1, 2, …; `adjudication` settles what the rounds left open. */
	round: z.union([z.number().int().positive(), z.literal("adjudication")]).default(1),
	/** Whether the person had not seen what models said. */
	blind: z.boolean().default(true),
	/** Milliseconds spent, where known. */
	ms: z.number().min(0).optional(),
	at: z.string().optional(),
});
export type Review = z.infer<typeof Review>;
