import type { Answer } from "#domain";
import { pageEvidence } from "./pages.ts";
import type { TaskInput } from "./reading.ts";
import type { RowContext } from "./row-context.ts";

/** A chain of one hop, answered by the task's answer; any one of the evidence states it. */
export function singleHop(
	question: string,
	answer: Answer,
	evidence: readonly string[],
	modality: "text" | "image" | "page" | "table",
): NonNullable<TaskInput["chain"]> {
	return { hops: [{ id: "h1", question, modality, evidence: [...evidence], answer }], sink: "h1" };
}

/**
 * What a question over a document's pages rests on, where the set says which pages are needed but not what each states:
 * one page is a hop; several are supporting evidence without an order; declining needs none.
 */
export function overPages(
	question: string,
	answer: Answer,
	pages: readonly string[],
): Pick<TaskInput, "chain" | "supporting"> {
	const each = [...new Set(pages)];
	if (answer.type === "none") return each.length > 0 ? { supporting: each } : {};
	if (each.length === 1) return { chain: singleHop(question, answer, each, "page") };
	return each.length > 0 ? { supporting: each } : {};
}

/** The same of pages by their numbers, from `base`, in one document; that none is named is told. */
export function overNumberedPages(
	{ question, answer }: { question: string; answer: Answer },
	{ document, numbers, base }: { document: string; numbers: readonly number[]; base: 0 | 1 },
	{ options, warn }: RowContext,
): ReturnType<typeof overPages> {
	const pages = numbers.map((page) => pageEvidence(document, page, { base, prefix: options.documents }));
	if (pages.length === 0 && answer.type !== "none") warn("no evidence page is named: kept without a chain");
	return overPages(question, answer, pages);
}
