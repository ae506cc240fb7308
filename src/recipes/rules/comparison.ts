import type { Answer, Hop, Item } from "#domain";

type Chosen = Pick<Item, "answer" | "chain" | "tags">;

/** Computations whose answer is one of what the question names, or yes or no. */
const choosing: ReadonlySet<string> = new Set(["argmax", "argmin", "select", "equal", "greater", "earlier"]);
const choiceTag = /^(?:comparison|comparative|bridge_comparison|choose|choice|yes-?no)$/i;

export const isChoosing = (hop: Pick<Hop, "compute">): boolean => choosing.has(hop.compute?.op ?? "");

/**
 * Whether a question offers what it may be answered with: a comparison, a choice, a yes or no. Such a question holds its
 * answer of necessity, and is right by chance half of the time.
 */
export function isComparison({ answer, chain, tags }: Chosen): boolean {
	if (answer.type === "boolean") return true;
	const sink = chain.hops.find(({ id }) => id === chain.sink);
	return (sink !== undefined && isChoosing(sink)) || Object.values(tags).some((tag) => choiceTag.test(tag));
}

/** Whether an answer is one of the two that a yes-or-no question has. */
export const isYesOrNo = (answer: Answer): boolean => answer.type === "boolean" || /^(?:yes|no)$/i.test(answer.value);
