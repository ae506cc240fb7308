import { type Answer, type Hop, type Item, questionOf } from "#domain";
import { conjunctionsOf } from "./conjunctions.ts";

/** Computations whose answer is one of what the question names, or yes or no. */
const choosing: ReadonlySet<string> = new Set(["argmax", "argmin", "select", "equal", "greater", "earlier"]);
const choiceTag = /^(?:comparison|comparative|bridge_comparison|choose|choice|yes-?no)$/i;

export const isChoosing = (hop: Pick<Hop, "compute">): boolean => choosing.has(hop.compute?.op ?? "");

/**
 * Whether a question offers what it may be answered with: a comparison, a choice, a yes or no. Such a question holds its
 * answer of necessity, and is right by chance half of the time.
 */
export function isComparison(item: Item): boolean {
	const { answer, chain, tags } = item;
	if (answer.type === "boolean") return true;
	const sink = chain.hops.find(({ id }) => id === chain.sink);
	if (sink !== undefined && isChoosing(sink)) return true;
	return Object.values(tags).some((tag) => choiceTag.test(tag)) || isOffered(item);
}

/** The wording offers the answer beside another thing: "…, A or B?", "between A and B". Benchmarks seldom say so in tags. */
function isOffered(item: Item): boolean {
	const question = questionOf(item);
	const plain = question.toLowerCase();
	const { and, or } = conjunctionsOf(item.tags.language);
	return [item.answer.value, ...item.answer.accepted].some((form) => {
		// most questions do not hold their answer at all, and to make the expression costs more than the rest of the rule
		if (form.trim() === "" || !plain.includes(form.trim().toLowerCase())) return false;
		const name = `(?:the |an? )?(?<![\\p{L}\\p{N}])${form.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}])`;
		const beside = (word: string) => `${name}[\\s,;"'’”»)]*${word}|${word}[\\s"'’“‘«(]*${name}`;
		return new RegExp(`${beside(or)}|\\b(?:between|out of) [^?]*(?:${beside(and)})`, "iu").test(question);
	});
}

/** Whether an answer is one of the two that a yes-or-no question has. */
export const isYesOrNo = (answer: Answer): boolean => answer.type === "boolean" || /^(?:yes|no)$/i.test(answer.value);
