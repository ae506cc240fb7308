/**
 * The review as its pages have it: queues of items of a benchmark, of answers that judges are calibrated on, and of
 * searches that were made without a gold chain. A vote is blind: what models and others said of an item comes only with
 * one's own decision.
 */
import { z } from "zod";
import { EvidenceCard, Media } from "./evidence-card.ts";

export const ReviewKind = z.enum(["items", "answers", "hops"]);
export type ReviewKind = z.infer<typeof ReviewKind>;

export const ReviewRound = z.union([z.number().int().positive().max(1000), z.literal("adjudication")]);
export type ReviewRound = z.infer<typeof ReviewRound>;

/** A queue: of a benchmark's items, or of a run's answers or searches. */
export const ReviewOf = z.object({ kind: ReviewKind, of: z.string().min(1).max(200) });
export type ReviewOf = z.infer<typeof ReviewOf>;

/** A queue as one person sees it. */
export const ReviewSeat = ReviewOf.extend({
	reviewer: z
		.string()
		.max(100)
		.refine((name) => name.trim() === name && name !== "", "must be a name"),
	round: ReviewRound.default(1),
});
export type ReviewSeat = z.infer<typeof ReviewSeat>;

/** A queue in the list of them. */
export const ReviewLine = ReviewOf.extend({
	/** What is reviewed, in a few words. */
	title: z.string(),
	items: z.number(),
	/** Who reviews, and how far each is. */
	reviewers: z.array(z.object({ name: z.string(), done: z.number(), of: z.number() })),
	/** Whether only those may review to whom it was given out. */
	closed: z.boolean(),
	/** Items in conflict. */
	conflicts: z.number(),
	/** What must be done before it can begin, as a command; empty where it can. */
	before: z.string(),
});
export type ReviewLine = z.infer<typeof ReviewLine>;

export const ReviewsPage = z.object({ queues: z.array(ReviewLine) });
export type ReviewsPage = z.infer<typeof ReviewsPage>;

/** One person's queue, in that person's order. */
export const ReviewQueue = ReviewSeat.extend({
	title: z.string(),
	items: z.array(z.object({ id: z.string(), done: z.boolean() })),
	/** Reasons for a decision: the first nine have a digit. */
	reasons: z.array(z.object({ reason: z.string(), name: z.string(), meaning: z.string() })),
});
export type ReviewQueue = z.infer<typeof ReviewQueue>;

const Corners = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** One hop, step or search of an item, with what it rests on. */
export const ReviewPart = z.object({
	id: z.string(),
	/** From 1. */
	place: z.number(),
	question: z.string(),
	modality: z.string(),
	answer: z.string().nullable(),
	/** Parts that it needs, by place. */
	needs: z.array(z.number()),
	evidence: z.array(EvidenceCard),
	/** Evidence beyond that. */
	more: z.number(),
	/** What is told apart in its texts: the accepted answers. */
	highlight: z.array(z.string()),
	/** What it looks at in a question image: the image's place, and a box in its pixels. */
	region: z.object({ image: z.number(), box: Corners }).nullable(),
	/** Whether it is what is asked about, where not every part is. */
	asked: z.boolean(),
});
export type ReviewPart = z.infer<typeof ReviewPart>;

/** A question to the reviewer with all that may be said. */
export const ReviewAsk = z.object({
	name: z.string(),
	title: z.string(),
	meaning: z.string(),
	/** Several options may hold, and none. */
	several: z.boolean(),
	options: z.array(z.object({ value: z.string(), key: z.string(), title: z.string(), meaning: z.string() })),
});
export type ReviewAsk = z.infer<typeof ReviewAsk>;

/** A part of a picture that is pointed at: by the picture's name, corners in its pixels. */
export const PointedBox = z.object({
	picture: z.string().max(2000),
	hop: z.string().max(128).optional(),
	box: Corners,
});
export type PointedBox = z.infer<typeof PointedBox>;

const text = z.string().trim().min(1).max(20_000);

/** What a person says of an item: a decision on an item of a benchmark, or options of what is asked. */
export const ReviewSaid = z.discriminatedUnion("is", [
	z.object({
		is: z.literal("decision"),
		decision: z.enum(["retain", "discard", "edit", "unsure"]),
		reasons: z.array(z.string().max(100)).max(60).default([]),
		/** By hop, whether it is right; absent: nothing said. */
		hops: z
			.array(z.object({ hop: z.string().min(1).max(128), right: z.boolean() }))
			.max(200)
			.default([]),
		question: text.optional(),
		accepted: z.array(text).min(1).max(100).optional(),
		boxes: z.array(PointedBox).max(100).default([]),
		comment: z.string().trim().max(10_000).default(""),
	}),
	z.object({
		is: z.literal("options"),
		/** By what is asked, what holds. */
		given: z.array(z.object({ ask: z.string().max(120), values: z.array(z.string().max(120)).max(60) })).max(60),
	}),
]);
export type ReviewSaid = z.infer<typeof ReviewSaid>;

/** What somebody said, in words. */
export const SaidInWords = z.object({
	/** Empty where it is not told. */
	who: z.string(),
	says: z.string(),
	/** Reasons, a comment. */
	why: z.string(),
});
export type SaidInWords = z.infer<typeof SaidInWords>;

/** One item under review. */
export const ReviewEntry = z.object({
	id: z.string(),
	kind: ReviewKind,
	question: z.string(),
	images: z.array(Media),
	/** The gold answer; null where there is none. */
	answer: z.string().nullable(),
	/** Other forms that count as right. */
	alsoRight: z.array(z.string()),
	/** The answer that is judged; null: none was given. Absent where none is. */
	submitted: z.string().nullable().optional(),
	parts: z.array(ReviewPart),
	asks: z.array(ReviewAsk),
	/** What the reviewer decided before; null: nothing yet. */
	mine: ReviewSaid.nullable(),
	/** In an adjudication: the decisions that disagree, without names. */
	disagreement: z.array(SaidInWords),
	/** Only beside one's own decision: what models and others said. */
	revealed: z.object({ models: z.array(SaidInWords), others: z.array(SaidInWords) }).nullable(),
});
export type ReviewEntry = z.infer<typeof ReviewEntry>;

/** A decision to be kept: on which item, how long it took, what it says. */
export const ReviewPut = ReviewSeat.extend({
	item: z.string().min(1).max(1000),
	said: ReviewSaid,
	ms: z.number().min(0).max(86_400_000).optional(),
});
export type ReviewPut = z.infer<typeof ReviewPut>;

export const ReviewTake = ReviewSeat.extend({ item: z.string().min(1).max(1000) });
export type ReviewTake = z.infer<typeof ReviewTake>;

const Figure = z.object({
	name: z.string(),
	value: z.number().nullable(),
	low: z.number().nullable(),
	high: z.number().nullable(),
	unit: z.enum(["percent", "number"]),
	/** What it rests on, or why there is none. */
	note: z.string(),
});

/** How far a review is, and how far reviewers agree. */
export const ReviewStandingPage = z.object({
	line: ReviewLine,
	/** How many items are in which state. */
	states: z.array(z.object({ state: z.string(), count: z.number() })),
	/** What that rests on, in a sentence. */
	about: z.string(),
	agreement: z.array(Figure),
	reviewers: z.array(
		z.object({
			reviewer: z.string(),
			reviews: z.number(),
			kept: z.number().nullable(),
			traps: z.number(),
			caught: z.number(),
			ms: z.number().nullable(),
		}),
	),
	/** What is in conflict. */
	conflicts: z.array(z.object({ id: z.string(), question: z.string() })),
	/** What is done next, as commands. */
	next: z.array(z.object({ does: z.string(), command: z.string() })),
});
export type ReviewStandingPage = z.infer<typeof ReviewStandingPage>;

/** Reviews as the pages read and write them. A decision is on disk before it is answered. */
export interface ReviewData {
	queues(): Promise<ReviewsPage>;
	standing(queue: ReviewOf): Promise<ReviewStandingPage>;
	queue(seat: ReviewSeat): Promise<ReviewQueue>;
	entry(seat: ReviewTake): Promise<ReviewEntry>;
	/** Keeps a decision; what comes back is the item with all that was kept from the reviewer until now. */
	put(said: ReviewPut): Promise<ReviewEntry>;
	/** Takes back the last decision on an item. */
	undo(seat: ReviewTake): Promise<ReviewEntry>;
	/** Where a picture is fetched from. */
	media(queue: ReviewOf, name: string, options?: { small?: boolean }): string;
	/** Where the decisions are fetched from, as a file. */
	file(queue: ReviewOf): string;
}
