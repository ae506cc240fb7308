import { writtenOut } from "#agents";
import type { ChainPlan } from "./chain-steps.ts";
import { oneBy } from "./search-words.ts";

/** Where a protocol has places of its own: a thought need not say the next sub-question again. */
export interface Places {
	subQuestions: boolean;
	/** False where a turn has no place for a thought at all. */
	thoughts: boolean;
}

interface Words {
	begin: string[];
	known: string[];
	next: string[];
	/** After a search that brought nothing of use. */
	again: string[];
	finish: string[];
}

const english: Words = {
	begin: ["This has to be looked up.", "I look it up step by step.", "I begin with what can be found first."],
	known: ["Known now:", "So far:", "That tells it:"],
	next: ["Next:", "Now:", "To be found next:"],
	again: [
		"That does not tell it; I search in other words.",
		"Not found yet: other words.",
		"This does not help. Again, more exactly.",
	],
	finish: ["That suffices.", "So the question can be answered.", "Nothing is missing any more."],
};

const spanish: Words = {
	begin: ["Hay que buscarlo.", "Lo busco paso a paso.", "Empiezo por lo que se puede encontrar primero."],
	known: ["Ya sé:", "Hasta ahora:", "Queda claro:"],
	next: ["Lo siguiente:", "Ahora:", "Falta por encontrar:"],
	again: [
		"Eso no lo dice; busco con otras palabras.",
		"Aún no aparece: otras palabras.",
		"No sirve. Otra vez, con más precisión.",
	],
	finish: ["Con eso basta.", "Ya se puede responder.", "Ya no falta nada."],
};

const wordsIn = (language: string) => (language.split("-")[0] === "es" ? spanish : english);

/**
 * A short sentence for every search of a chain's walk and one for its answer: what came back, what follows from it, what is
 * asked for next; computations are written out. They say nothing that was not seen, nothing of how much is still to come, and
 * nothing of why. English and Spanish; other languages get English ones. `key` draws among words that say the same.
 */
export function templateThoughts(
	{ steps, computed }: ChainPlan,
	{ language, key, places }: { language: string; key: string; places: Places },
): string[] {
	const words = wordsIn(language);
	const hops = [...steps.flatMap((step) => [step.hop, ...step.computed]), ...computed];
	const answers = new Map(hops.map(({ id, answer }) => [id, withoutStop(answer.value)]));
	const stated = ({ question, answer }: Hop) => `${question} ${withoutStop(answer.value)}.`;
	const worked = (hop: Hop): string => {
		const operands = hop.needs.flatMap((need) => answers.get(need.hop) ?? []);
		const sum = operands.length === hop.needs.length ? writtenOut(hop, operands, { language }) : undefined;
		if (sum !== undefined) return `${hop.question} ${sum}.`;
		const isTold = operands.every((operand) => hop.question.includes(operand));
		return operands.length > 1 && !isTold
			? `${hop.question} ${operands.join("; ")}: ${withoutStop(hop.answer.value)}.`
			: stated(hop);
	};
	const known = (at: number): string[] => {
		const step = steps[at - 1];
		return step ? [oneBy(words.known, key, at, "known"), stated(step.hop)] : [];
	};
	const turns = steps.map((step, at) => [
		...(at === 0 ? [oneBy(words.begin, key)] : known(at)),
		...step.computed.map(worked),
		...(places.subQuestions ? [] : [oneBy(words.next, key, at, "next"), step.hop.question]),
	]);
	const last = [...known(steps.length), ...computed.map(worked), oneBy(words.finish, key, "finish")];
	return [...turns, last].map((said) => said.join(" "));
}

/** What is thought after a search that did not bring what it was for. */
export function thoughtOfRetry(
	question: string,
	{ language, key, places }: { language: string; key: string; places: Places },
): string {
	const words = wordsIn(language);
	const again = oneBy(words.again, key, question);
	return places.subQuestions ? again : `${again} ${oneBy(words.next, key, question)} ${question}`;
}

type Hop = ChainPlan["computed"][number];

const withoutStop = (text: string) => text.replace(/[.\s]+$/, "");
