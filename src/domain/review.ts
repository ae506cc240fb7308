import { z } from "zod";
import { HopId } from "./chain.ts";
import { EvidenceId } from "./evidence.ts";
import { freeRecord } from "./free-keys.ts";
import { Reason } from "./item.ts";
import { Box } from "./layout.ts";

const item = z.string().min(1).max(200);
const reviewer = z.string().min(1).max(100);
/** 1, 2, …; `adjudication` settles what the rounds left open. */
export const ReviewRound = z.union([z.number().int().positive(), z.literal("adjudication")]);
export type ReviewRound = z.infer<typeof ReviewRound>;

/** A part of a picture that a person pointed at, in its pixels: of a question image by its id, or of an evidence. */
export const ReviewBox = z.object({
	picture: z.discriminatedUnion("is", [
		z.object({ is: z.literal("image"), id: z.string().min(1).max(200) }),
		z.object({ is: z.literal("evidence"), id: EvidenceId }),
	]),
	/** The hop that it answers. */
	hop: HopId.optional(),
	box: Box,
});
export type ReviewBox = z.infer<typeof ReviewBox>;

/** What one person decided on one item. */
export const Review = z.object({
	item,
	reviewer,
	decision: z.enum(["retain", "discard", "edit", "unsure"]),
	reasons: z.array(Reason).default([]),
	hops: freeRecord(HopId, z.object({ right: z.boolean(), reasons: z.array(Reason).default([]) })).optional(),
	/** Whether an evidence answers its hop, where the person was asked. */
	evidence: freeRecord(EvidenceId, z.boolean()).optional(),
	/** The wording or the accepted answers that the person put in place. */
	edits: z
		.object({ question: z.string().min(1).optional(), accepted: z.array(z.string().min(1)).min(1).optional() })
		.optional(),
	/** Where in pictures the person saw it. */
	pointed: z.array(ReviewBox).max(100).optional(),
	comment: z.string().max(10_000).optional(),
	round: ReviewRound.default(1),
	/** Whether the person had not seen what models said. */
	blind: z.boolean().default(true),
	/** Milliseconds spent, where known. */
	ms: z.number().min(0).optional(),
	at: z.string().optional(),
});
export type Review = z.infer<typeof Review>;

/** Takes back the last decision of a person on an item in a round: decisions are only ever appended. */
export const Withdrawal = z.object({ withdrawn: z.literal(true), item, reviewer, round: ReviewRound, at: z.string() });
export type Withdrawal = z.infer<typeof Withdrawal>;

/** A line of `reviews.jsonl`. */
export const ReviewLine = z.union([Review, Withdrawal]);
export type ReviewLine = z.infer<typeof ReviewLine>;

/** The decisions that stand, in the order in which they came in. */
export function standingReviews(lines: readonly ReviewLine[]): Review[] {
	const standing: (Review | undefined)[] = [];
	const byPerson = new Map<string, number[]>();
	for (const line of lines) {
		const key = JSON.stringify([line.item, line.reviewer, line.round]);
		const own = byPerson.get(key) ?? [];
		byPerson.set(key, own);
		if ("withdrawn" in line) {
			const last = own.pop();
			if (last !== undefined) standing[last] = undefined;
		} else own.push(standing.push(line) - 1);
	}
	return standing.filter((review) => review !== undefined);
}
