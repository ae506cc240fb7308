import { seeded } from "../seeded.ts";

/** Who reviews what: as many reviewers an item as asked for, everyone about equally many, every pair about equally often. */
export interface Assignment {
	/** Item ids by reviewer, each in an order of its own. */
	queues: Map<string, string[]>;
}

/**
 * Assigns items to reviewers. Groups of `perItem` reviewers take turns, so that every group has about as many common
 * items as any other, which is what agreement rests on. The same seed gives the same assignment.
 */
export function assign(
	items: readonly string[],
	{ reviewers, perItem, seed }: { reviewers: readonly string[]; perItem: number; seed: number },
): Assignment {
	if (perItem > reviewers.length)
		throw new RangeError(`${perItem} reviewers an item need at least as many reviewers, not ${reviewers.length}`);
	const draws = seeded(seed, "assign");
	const groups = draws.shuffle(groupsOf(reviewers, perItem));
	const queues = new Map(reviewers.map((reviewer) => [reviewer, [] as string[]]));
	for (const [index, item] of draws.shuffle(items).entries())
		for (const reviewer of groups[index % groups.length] ?? []) queues.get(reviewer)?.push(item);
	// everyone in an order of his own: tiredness must not strike the same items
	for (const [reviewer, queue] of queues) queues.set(reviewer, seeded(seed, "order", reviewer).shuffle(queue));
	return { queues };
}

/** More than this many groups are not listed: turns through the reviewers serve then. */
const mostGroups = 5000;

function groupsOf(reviewers: readonly string[], size: number): string[][] {
	const groups: string[][] = [];
	const grown = (chosen: string[], from: number): void => {
		if (groups.length >= mostGroups) return;
		if (chosen.length === size) groups.push(chosen);
		else for (let next = from; next < reviewers.length; next += 1) grown([...chosen, reviewers[next] ?? ""], next + 1);
	};
	grown([], 0);
	if (groups.length < mostGroups) return groups;
	return reviewers.map((_, start) =>
		Array.from({ length: size }, (_one, step) => reviewers[(start + step) % reviewers.length] ?? ""),
	);
}
