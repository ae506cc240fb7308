import { grouped, type Review } from "#domain";

/** How several decisions become one. `unanimous`: one reviewer who does not retain is enough against it (VistaHop). */
export type SettlePolicy = "majority" | "unanimous";

/** Where an item stands after its reviews. */
export interface Settled {
	item: string;
	/** waiting: fewer reviews than needed; conflict: they do not agree, an adjudication is needed. */
	state: "retain" | "discard" | "edit" | "waiting" | "conflict";
	/** The decisions that counted: an adjudication, else the last of each reviewer. */
	reviews: Review[];
	/** The wording and the accepted answers that were put in place, where all who edited agree. */
	edits?: Review["edits"];
}

/**
 * Settles every item. Of one reviewer the last decision of the last round counts; an adjudication outweighs all. `unsure`
 * counts as a review but decides nothing. A retained item that reviewers edit alike is an edit; edits that differ are a
 * conflict.
 */
export function settle(
	items: Iterable<string>,
	reviews: readonly Review[],
	{ perItem, policy = "majority" }: { perItem: number; policy?: SettlePolicy },
): Settled[] {
	const byItem = grouped(reviews, ({ item }) => item);
	return [...items].map((item) => settleOne(item, byItem.get(item) ?? [], { perItem, policy }));
}

function settleOne(
	item: string,
	all: readonly Review[],
	{ perItem, policy }: { perItem: number; policy: SettlePolicy },
): Settled {
	const adjudicated = all.findLast(({ round, decision }) => round === "adjudication" && decision !== "unsure");
	if (adjudicated) {
		const { decision, edits } = adjudicated;
		const state = decision === "unsure" ? "conflict" : decision;
		return { item, state, reviews: [adjudicated], ...(decision === "edit" && edits ? { edits } : {}) };
	}
	const reviews = lastOfEach(all);
	if (reviews.length < perItem) return { item, state: "waiting", reviews };
	const decided = reviews.filter(({ decision }) => decision !== "unsure");
	const against = decided.filter(({ decision }) => decision === "discard").length;
	const favour = decided.length - against;
	if (policy === "unanimous" ? against > 0 : against > favour) return { item, state: "discard", reviews };
	if (decided.length === 0 || favour === against || (policy === "unanimous" && decided.length < perItem))
		return { item, state: "conflict", reviews };
	const edited = decided.filter(({ decision }) => decision === "edit");
	if (edited.length === 0) return { item, state: "retain", reviews };
	const [first, ...others] = edited.map(({ edits }) => edits);
	const alike = first !== undefined && others.every((edits) => JSON.stringify(edits) === JSON.stringify(first));
	return alike ? { item, state: "edit", reviews, edits: first } : { item, state: "conflict", reviews };
}

/** The last decision of each reviewer, later rounds after earlier ones. */
export function lastOfEach(reviews: readonly Review[]): Review[] {
	const last = new Map<string, Review>();
	for (const review of reviews) {
		if (review.round === "adjudication") continue;
		const before = last.get(review.reviewer);
		if (!before || Number(before.round) <= review.round) last.set(review.reviewer, review);
	}
	return [...last.values()];
}
