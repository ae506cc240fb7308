import type { Answer } from "#domain";

/** An answer as released: a text, texts that all count, or lists of them (of annotators, of parts). */
export type GivenAnswer = string | number | boolean | readonly GivenAnswer[] | null | undefined;

/** Every form of an answer as released that is not blank, in its order, as written. */
export function formsOf(given: GivenAnswer): string[] {
	if (Array.isArray(given)) return given.flatMap((one: GivenAnswer) => formsOf(one));
	if (given === null || given === undefined) return [];
	const text = `${given as string | number | boolean}`;
	return text.trim() === "" ? [] : [text];
}

/**
 * An answer whose type is not stated: yes and no are read out of sentences, all else is compared as it is written. The
 * first form is the one that is written back. Undefined where there is none.
 */
export function untypedAnswer(...given: GivenAnswer[]): Answer | undefined {
	const accepted = formsOf(given);
	const [value] = accepted;
	if (value === undefined) return undefined;
	const plain = value.trim().toLowerCase().replace(/\.$/, "");
	if (plain === "yes" || plain === "no") return { type: "boolean", value: plain, accepted };
	return { type: "string", value, accepted };
}

/** Declining is right; `said` is what the set writes for that. */
export function noAnswer(said: string): Answer {
	return { type: "none", value: said, accepted: [said] };
}

/** The answer as a released file has it: the first form, which is how it was written. */
export function writtenAnswer(answer: Answer): string {
	return answer.accepted[0] ?? answer.value;
}
