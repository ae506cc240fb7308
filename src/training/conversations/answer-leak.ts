import { type Answer, type Hop, identifyingHops, inDependencyOrder, type Task } from "#domain";
import { mentionsAny } from "#scoring";
import type { TrainingExample } from "./example.ts";
import { wordsOf } from "./training-messages.ts";

/** Something that the policy may say only once it knows it. */
export interface Fact {
	hop: string;
	/** All forms that state it. */
	forms: readonly string[];
	/** The policy's turn, from 0, from which on it is known whatever the texts say; none: only the texts tell. */
	from?: number | undefined;
}

/** A form of fewer letters and digits stands in texts by chance; a sign that is a syllable or a word counts twice. */
const leastLength = 3;
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** A number of as many digits is told by itself, whatever its unit and however its digits are grouped. */
const leastDigits = 5;

/** The forms of an answer; none of a yes or no, which say nothing by themselves, nor where there is no answer. */
export function formsOf({ type, value, accepted }: Answer): string[] {
	if (type === "boolean" || type === "none") return [];
	const forms = [value, ...accepted].flatMap((form) => [form, ...(type === "number" ? numbersIn(form) : [])]);
	return [...new Set(forms)].filter((form) => lengthOf(form) >= leastLength);
}

const lengthOf = (form: string): number => form.replace(/[^\p{L}\p{N}]/gu, "").length + (form.match(wide)?.length ?? 0);

/** Long numbers as they stand, and without the marks between groups of three digits. */
function numbersIn(form: string): string[] {
	const long = (form.match(/\d[\d.,\s]*\d/gu) ?? []).filter(
		(number) => number.replace(/\D/g, "").length >= leastDigits,
	);
	return long.flatMap((number) => [number, number.replace(/[.,\s](?=\d{3}(?!\d))/g, "")]);
}

/** Whether a text states one of the forms, in whatever accents and escapes of JSON. */
export const states = (forms: readonly string[], texts: readonly string[]): boolean =>
	mentionsAny(forms.map(comparable), texts.map(comparable));

const comparable = (text: string): string =>
	text
		.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
		.replace(/\\[nrt]/g, " ")
		.normalize("NFD")
		.replace(/[\u0300-\u036f\p{Cf}]/gu, "")
		.normalize("NFC");

/** What was shown before each of the policy's turns, and what it said in it. */
export function turnsOf({ messages }: Pick<TrainingExample, "messages">): { shown: string[]; said: string }[] {
	const shown: string[] = [];
	const turns: { shown: string[]; said: string }[] = [];
	for (const message of messages) {
		const words = wordsOf(message);
		if (message.role === "assistant") turns.push({ shown: [...shown], said: words });
		else shown.push(words);
	}
	return turns;
}

/**
 * Facts that a turn gives away before anything shown states them: what the policy could only have guessed, and would learn
 * to. The last turn gives the answer and is left out; whether that is supported is the diagnosis's to say.
 */
export function leaksIn(example: Pick<TrainingExample, "messages">, facts: readonly Fact[]): string[] {
	const turns = turnsOf(example);
	return turns.slice(0, -1).flatMap(({ shown, said }, at) => {
		const isKnown = ({ from = Number.POSITIVE_INFINITY }: Fact) => from <= at;
		// two hops may have one answer
		const known = new Set(facts.filter(isKnown).flatMap(({ forms }) => forms));
		return facts
			.filter((fact) => !isKnown(fact))
			.map(({ hop, forms }) => ({ hop, forms: forms.filter((form) => !known.has(form)) }))
			.filter(({ forms }) => states(forms, [said]) && !states(forms, shown))
			.map(({ hop }) => `turn ${at + 1} states the answer of ${hop} before it was seen`);
	});
}

/** Whether the question states the final answer: so do choices, so it is only noticed. */
export function answerInQuestion({ question, answer }: Pick<Task, "question" | "answer">): boolean {
	return states(formsOf(answer), [question]);
}

/** The facts of a recorded conversation: when each became known is read from what was shown. */
export function factsOf(task: Task, example: Pick<TrainingExample, "messages">): Fact[] {
	if (!task.chain) return [];
	const turns = turnsOf(example);
	const looks = example.messages.find(({ role }) => role !== "assistant")?.content.some(({ type }) => type === "image");
	const identified = looks ? identifyingHops(task) : new Map<string, number>();
	const known = new Map<string, number>();
	const firstKnown = (hop: Hop): number => {
		// what a picture of the question shows can be seen in it
		if (identified.has(hop.id)) return 0;
		const stated = turns.findIndex(({ shown }) => states(formsOf(hop.answer), shown));
		const computed =
			hop.evidence.length > 0
				? Number.POSITIVE_INFINITY
				: Math.max(0, ...hop.needs.map((need) => known.get(need.hop) ?? Number.POSITIVE_INFINITY));
		return Math.min(stated === -1 ? pictured(example) : stated, computed);
	};
	return inDependencyOrder(task.chain).map((hop) => {
		const from = firstKnown(hop);
		known.set(hop.id, from);
		return { hop: hop.id, forms: formsOf(hop.answer), from };
	});
}

/** The first turn behind a picture that a search brought: nobody knows what it shows. */
function pictured({ messages }: Pick<TrainingExample, "messages">): number {
	let said = 0;
	for (const { role, content } of messages) {
		if (role === "assistant") said += 1;
		else if (said > 0 && content.some(({ type }) => type === "image")) return said;
	}
	return Number.POSITIVE_INFINITY;
}
