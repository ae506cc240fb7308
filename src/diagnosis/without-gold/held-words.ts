import { type Evidence, grouped, shownAs, type Trajectory } from "#domain";
import type { FindEvidence } from "../reading/came-back.ts";
import { areForms, stemLength, wordsOf } from "./words.ts";

/** More different results of one record are not read, nor more of one text, nor more of all. */
const mostEvidence = 2000;
const longestText = 200_000;
const mostCharacters = 8_000_000;

/** A result with the step that brought it first. */
export interface CameBack {
	place: number;
	id: string;
	/** Undefined where its text is not at hand. */
	evidence: Evidence | undefined;
}

/** The different results of some steps, each where it first came back, with their texts. */
export async function cameBack(
	steps: Trajectory["steps"],
	find: FindEvidence | undefined,
): Promise<{ results: CameBack[]; cut: boolean }> {
	const first = new Map<string, number>();
	for (const [place, { results }] of steps.entries())
		for (const id of results.map(shownAs)) if (!first.has(id)) first.set(id, place);
	const results: CameBack[] = [];
	for (const [id, place] of [...first].slice(0, mostEvidence))
		results.push({ id, place, evidence: find ? await find(id) : undefined });
	return { results, cut: first.size > mostEvidence };
}

export const textOf = (evidence: Evidence): string =>
	`${evidence.title}\n${evidence.kind === "image" ? evidence.caption : evidence.text}`.slice(0, longestText);

/** Which of some wanted words stand in which of some texts, read once. */
export interface HeldWords {
	/** Numbers of the texts that hold the word or a form of it, ascending. */
	textsWith(word: string): readonly number[];
	/** How often the texts write a word small, and with a capital behind a word written small. */
	writtenAs(word: string): { small: number; capital: number };
	/** Whether some text was not read whole. */
	cut: boolean;
}

/**
 * Reads texts for wanted words. Only those are kept, so that memory is bounded by what the agent wrote and time by the
 * texts' length.
 */
export function heldWords(texts: readonly (string | undefined)[], wanted: ReadonlySet<string>): HeldWords {
	const stemmed = [...wanted].filter(({ length }) => length >= stemLength);
	const byStem = grouped(stemmed, (one) => one.slice(0, stemLength));
	const holding = new Map<string, number[]>();
	const written = new Map<string, { small: number; capital: number }>();
	// a word is looked up once, however often the texts hold it
	const formsOf = new Map<string, readonly string[]>();
	let characters = 0;
	let cut = false;
	for (const [at, text] of texts.entries()) {
		if (text === undefined) continue;
		characters += text.length;
		if (characters > mostCharacters) {
			cut = true;
			break;
		}
		for (const one of new Set(wordsOf(text)))
			for (const form of formsOf.get(one) ?? remember(one)) {
				const list = holding.get(form);
				if (!list) holding.set(form, [at]);
				else if (list.at(-1) !== at) list.push(at);
			}
		count(text);
	}
	return {
		textsWith: (one) => holding.get(one) ?? [],
		writtenAs: (one) => written.get(one) ?? { small: 0, capital: 0 },
		cut,
	};

	function remember(one: string): readonly string[] {
		const forms = byStem.get(one.slice(0, stemLength))?.filter((other) => areForms(one, other)) ?? [];
		const digits = /^\d+/.exec(one)?.[0] ?? one;
		for (const other of [one, digits]) if (wanted.has(other) && !forms.includes(other)) forms.push(other);
		if (formsOf.size < 1_000_000) formsOf.set(one, forms);
		return forms;
	}

	function count(text: string): void {
		for (const match of text.matchAll(small)) tally(match[0], "small");
		for (const match of text.matchAll(capitalWithin)) tally(match[0], "capital");
	}

	function tally(raw: string, how: "small" | "capital"): void {
		const [one = ""] = raw.length < 2 ? [] : wordsOf(raw);
		if (!wanted.has(one)) return;
		const known = written.get(one) ?? { small: 0, capital: 0 };
		known[how] += 1;
		written.set(one, known);
	}
}

const small = /(?<![\p{L}\p{M}\p{Nd}'’./@_-])\p{Ll}[\p{L}\p{M}]*(?![\p{L}\p{M}\p{Nd}./@_-]\S)/gu;
const capitalWithin = /(?<=\p{Ll},? )\p{Lu}[\p{L}\p{M}]*/gu;
