import { grouped, type Review } from "#domain";

/**
 * How several decisions become one. `majority`: the greater number, a tie is a conflict. `adjudicated`: every split goes to
 * another person or a meeting. `unanimous`: so does what somebody is unsure of (AgenticRAGTracer, with a consensus meeting).
 * `fail-any`: one who discards is enough (VistaHop).
 */
export const settlePolicies = ["majority", "adjudicated", "unanimous", "fail-any"] as const;
export type SettlePolicy = (typeof settlePolicies)[number];

export const policyInWords: Record<SettlePolicy, string> = {
	majority: "by the majority",
	adjudicated: "by the majority where nobody is against it, every split by adjudication",
	unanimous: "where all agree, else by consensus",
	"fail-any": "against a task by one who discards it",
};

/** What another person or a meeting made of an item on which reviewers differed. */
export interface Consensus {
	by: string;
	at?: string | undefined;
	/** The votes before it. */
	votes: { reviewer: string; decision: Review["decision"] }[];
}

/** Where an item stands after its reviews. */
export interface Settled {
	item: string;
	/** waiting: fewer reviews than needed; conflict: they do not agree, an adjudication is needed. */
	state: "retain" | "discard" | "edit" | "waiting" | "conflict";
	/** Those who looked, as many as needed, differ: some keep it and some discard it, or they edit it differently. */
	split: boolean;
	/** The decisions that counted: an adjudication, else the last of each reviewer. */
	reviews: Review[];
	/** Where an adjudication settled it. */
	consensus?: Consensus;
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

/** What has to go to another person or a meeting: conflicts, and splits that a policy settled without one. */
export const needsAdjudication = ({ state, split, consensus }: Settled): boolean =>
	state === "conflict" || (split && !consensus);

function settleOne(
	item: string,
	all: readonly Review[],
	{ perItem, policy }: { perItem: number; policy: SettlePolicy },
): Settled {
	const reviews = lastOfEach(all);
	const decided = reviews.filter(({ decision }) => decision !== "unsure");
	const against = decided.filter(({ decision }) => decision === "discard").length;
	const favour = decided.length - against;
	const [first, ...others] = decided.filter(({ decision }) => decision === "edit").map(({ edits }) => edits);
	const alike = others.every((edits) => JSON.stringify(edits) === JSON.stringify(first));
	const split = reviews.length >= perItem && ((against > 0 && favour > 0) || !alike);
	const adjudicated = all.findLast(({ round, decision }) => round === "adjudication" && decision !== "unsure");
	if (adjudicated) {
		const { decision, edits, reviewer, at } = adjudicated;
		const votes = reviews.map((vote) => ({ reviewer: vote.reviewer, decision: vote.decision }));
		const consensus = { by: reviewer, at, votes };
		const state = decision === "unsure" ? "conflict" : decision;
		return {
			...{ item, state, split, reviews: [adjudicated], consensus },
			...(decision === "edit" && edits ? { edits } : {}),
		};
	}
	const settled = (state: Settled["state"]): Settled => ({ item, state, split, reviews });
	if (reviews.length < perItem) return settled("waiting");
	const isHung = {
		majority: favour === against,
		adjudicated: decided.length === 0 || (favour > 0 && against > 0),
		unanimous: decided.length < reviews.length || (favour > 0 && against > 0),
		"fail-any": against === 0 && decided.length < reviews.length,
	}[policy];
	if (isHung) return settled("conflict");
	if (policy === "fail-any" ? against > 0 : against > favour) return settled("discard");
	if (first === undefined) return settled("retain");
	return alike ? { ...settled("edit"), edits: first } : settled("conflict");
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

/**
 * What each reviewer said on his own: of the first round that he took part in the last decision, and the last one before he
 * was shown what others said, where there is one.
 */
export function independentVotes(reviews: readonly Review[]): Review[] {
	const rounds = reviews.filter(({ round }) => round !== "adjudication");
	return [...grouped(rounds, ({ reviewer }) => reviewer).values()].flatMap((own) => {
		const first = Math.min(...own.map(({ round }) => Number(round)));
		const said = own.filter(({ round }) => round === first);
		return said.findLast(({ blind }) => blind) ?? said.at(-1) ?? [];
	});
}
