import {
	type Answer,
	type Box,
	type CheckRecord,
	cut,
	type Evidence,
	type Hop,
	type ImageRef,
	type Item,
} from "#domain";
import type { ImagePart } from "#models";
import { skipped, type Verdict } from "../engine/check.ts";
import { wordsShown } from "../stages/picture-of.ts";

/** What one trial of a solver is about: the question as asked, and all that is shown with it. */
export interface View {
	/** As trials name it: `closed-book`, `without h2`. */
	condition: string;
	question: string;
	evidence: readonly Evidence[];
	images: readonly ImagePart[];
	/** Steps whose answers are told beside the evidence. */
	told?: readonly Pick<Hop, "question" | "answer">[];
	/** What would be right. */
	gold: Answer;
	on?: CheckRecord["on"];
}

/** A counterfactual: what a solver is shown instead of everything. */
export interface Condition {
	name: string;
	/** Everything else that it depends on, as JSON. */
	params?: Record<string, unknown>;
	/** Views that an item is expected to have, for plans. */
	expected: number;
	/** What an item lacks for there to be anything to show or to take away, in words. */
	lacks?(item: Item): string | undefined;
	/** None: what must be shown cannot be; the words say what is wanting. */
	views(item: Item, sources: ProbeSources): Promise<View[] | { lacking: string }>;
}

/** Where probes find what they show. */
export interface ProbeSources {
	evidence(id: string): Promise<Evidence | undefined>;
	/**
	 * A question's image or an evidence as a picture; with `mask` all of it (`whole`) or the box, in pixels of the image as
	 * the item states its size, made grey. Undefined where there is none.
	 */
	picture?(
		of: { image: ImageRef } | { evidence: Evidence },
		options?: { mask?: "whole" | Box },
	): Promise<ImagePart | undefined>;
	/** The best of the corpus for a text. */
	search?(text: string, options: { k: number }): Promise<Evidence[]>;
}

/** Characters of one evidence that a solver is shown. */
const mostCharacters = 6000;

/** The evidence as text, with steps whose answers are told behind it; what can only be seen is named, and comes as a picture. */
export function written(evidence: readonly Evidence[], told: View["told"] = []): string {
	const pieces = evidence.map((one) => `${one.title}\n${cut(wordsShown(one), mostCharacters)}`);
	const steps = told.map(({ question, answer }) => `${question}\nAnswer: ${answer.value}`);
	const all = [...pieces, ...(steps.length > 0 ? [`What was asked before\n${steps.join("\n")}`] : [])];
	return all.map((text, at) => `[${at + 1}] ${text}`).join("\n\n") || "(nothing)";
}

/** Pictures of the evidence that has any; undefined where an image among them cannot be shown. */
export async function picturesOf(
	evidence: readonly Evidence[],
	sources: ProbeSources,
): Promise<ImagePart[] | undefined> {
	const parts: ImagePart[] = [];
	for (const one of evidence) {
		if (one.kind === "passage") continue;
		const part = await sources.picture?.({ evidence: one });
		if (part) parts.push(part);
		else if (one.kind === "image") return undefined;
	}
	return parts;
}

export const cannot = ({ lacking }: { lacking: string }): Verdict => skipped(lacking);
