import type { Answer, Chain, Hop } from "#domain";
import { withNumberKind } from "../number-kind.ts";
import { answerOfType, stringAnswer } from "./stated-type.ts";

/*
 * MoreHopQA gives the sub-questions of a task in order, but not which needs which. The last one is a computation and
 * may be spelled out in sub-questions of its own. An edge is read off the words: a sub-question needs the earlier ones
 * whose answer it names. What the words do not tell is assumed by the order and told as a conversion warning.
 */

export interface SubQuestion {
	sub_id: string;
	question: string;
	answer: string;
	paragraph_support_title: string;
}

export interface Decomposed {
	answer: string;
	answer_type: string;
	previous_answer_type: string;
	question_decomposition: (SubQuestion & { details?: SubQuestion[] | undefined })[];
}

interface Draft {
	hop: Hop;
	/** Place in the sequence of main sub-questions, or none for a detail of the last. */
	main: boolean;
}

/**
 * The chain of an item, or why there is none. `evidenceOf` gives the passage ids of a paragraph title, none when the
 * item has no such paragraph. `losses` say what was assumed or could not be carried over.
 */
export function chainOf(
	item: Decomposed,
	answer: Answer,
	evidenceOf: (title: string) => string[],
): { chain: Chain; losses: string[] } | { problem: string } {
	const losses: string[] = [];
	const subQuestions = item.question_decomposition;
	const last = subQuestions.at(-1);
	if (!last) return { problem: "no sub-questions" };
	if (!sameText(last.answer, item.answer))
		return { problem: `the last sub-question answers "${last.answer}", the question "${item.answer}"` };
	const details = detailsOf(last, losses);

	const drafts: Draft[] = [];
	for (const [index, sub] of subQuestions.entries()) {
		if (sub === last && details.length > 0) break;
		const evidence = sub.paragraph_support_title === "" ? [] : evidenceOf(sub.paragraph_support_title);
		if (sub.paragraph_support_title !== "" && evidence.length === 0)
			return {
				problem: `paragraph "${sub.paragraph_support_title}" of sub-question ${sub.sub_id} is not in its context`,
			};
		const computed = index === subQuestions.length - 2 ? item.previous_answer_type : "string";
		const typed = sub === last ? { answer } : answerOfType(sub.answer, computed);
		if ("warning" in typed && typed.warning) losses.push(`hop ${sub.sub_id}: ${typed.warning}`);
		drafts.push({ hop: draft(sub, typed.answer, evidence), main: true });
	}
	for (const [index, sub] of details.entries()) {
		const isSink = index === details.length - 1;
		drafts.push({ hop: draft(sub, isSink ? answer : stringAnswer(sub.answer), []), main: false });
	}
	const hops = drafts.map(({ hop }) => hop);
	const sink = hops.at(-1);
	if (!sink) return { problem: "no sub-questions" };
	connect(drafts, losses);
	return { chain: { hops, sink: sink.id }, losses };
}

/** The details of the last sub-question where they end in its answer; otherwise it stays one computing hop. */
function detailsOf(last: Decomposed["question_decomposition"][number], losses: string[]): SubQuestion[] {
	const details = last.details ?? [];
	const end = details.at(-1);
	if (!end) return [];
	if (sameText(end.answer, last.answer)) return details;
	losses.push(`the details of sub-question ${last.sub_id} end in "${end.answer}", not "${last.answer}": left out`);
	return [];
}

function draft(sub: SubQuestion, answer: Answer, evidence: string[]): Hop {
	const modality = evidence.length > 0 ? "text" : "compute";
	const { question } = sub;
	return { id: sub.sub_id, question, modality, needs: [], evidence, answer: withNumberKind(answer, question) };
}

function connect(drafts: Draft[], losses: string[]): void {
	const ancestors = new Map<Hop, Set<Hop>>();
	const need = (hop: Hop, earlier: Hop) => {
		hop.needs.push({ hop: earlier.id, role: hop.modality === "compute" ? "operand" : "bridge" });
		ancestors.set(hop, new Set([...(ancestors.get(hop) ?? []), earlier, ...(ancestors.get(earlier) ?? [])]));
	};
	for (const [index, { hop, main }] of drafts.entries()) {
		const named = drafts.slice(0, index).flatMap((earlier) => (names(hop, earlier.hop) ? [earlier.hop] : []));
		// of hops with one and the same answer, only the last of a line is meant
		const meant = named.filter(
			(earlier) =>
				!named.some(
					(later) => sameText(later.answer.value, earlier.answer.value) && ancestors.get(later)?.has(earlier),
				),
		);
		for (const earlier of meant) need(hop, earlier);
		const previous = drafts[index - 1]?.hop;
		if (main && previous && meant.length === 0) {
			need(hop, previous);
			losses.push(`hop ${hop.id} names no earlier answer: assumed to need hop ${previous.id}`);
		}
	}
	// a hop that nobody names would dangle: the next one that stands alone is taken to need it, else the next
	for (const [index, { hop }] of drafts.entries()) {
		const following = drafts.slice(index + 1).map((later) => later.hop);
		if (following.length === 0 || following.some((later) => later.needs.some((needed) => needed.hop === hop.id)))
			continue;
		const taker = following.find((later) => later.needs.length === 0) ?? following[0];
		if (!taker) continue;
		need(taker, hop);
		losses.push(`no hop names the answer of hop ${hop.id}: assumed to be needed by hop ${taker.id}`);
	}
}

/** Whether the question holds the whole answer, word for word; a single letter only as its last word. */
function names(hop: Hop, earlier: Hop): boolean {
	const question = words(hop.question);
	const answer = words(earlier.answer.value);
	if (answer.length === 0) return false;
	if (answer.length === 1 && answer[0]?.length === 1 && !/\d/.test(answer[0])) return question.at(-1) === answer[0];
	return ` ${question.join(" ")} `.includes(` ${answer.join(" ")} `);
}

const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
const sameText = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();
