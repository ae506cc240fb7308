import type { ChainPlan } from "./chain-steps.ts";

/** Where a protocol has places of its own: a thought need not say the next sub-question again. */
export interface Places {
	subQuestions: boolean;
}

interface Words {
	begin(of: number): string;
	known(at: number, of: number): string;
	next: string;
	finish: string;
}

const english: Words = {
	begin: (of) => (of === 1 ? "One fact is missing." : `${of} facts are missing; I look them up one at a time.`),
	known: (at, of) => `Known, ${at} of ${of}:`,
	next: "Next:",
	finish: "Nothing is missing any more.",
};

const spanish: Words = {
	begin: (of) => (of === 1 ? "Falta un dato." : `Faltan ${of} datos; los busco de uno en uno.`),
	known: (at, of) => `Ya sé ${at} de ${of}:`,
	next: "Lo siguiente:",
	finish: "Ya no falta nada.",
};

/**
 * A short fixed sentence for every turn of a chain's walk, one more than its searches: what came back, what follows from it,
 * how much is missing, what is asked for next. They say nothing that was not seen, and nothing of why. English and Spanish;
 * other languages get English ones.
 */
export function templateThoughts({ steps, computed }: ChainPlan, language: string, places: Places): string[] {
	const words = language.split("-")[0] === "es" ? spanish : english;
	const of = steps.length;
	const stated = ({ question, answer }: ChainPlan["computed"][number]) => `${question} ${withoutStop(answer.value)}.`;
	const known = (at: number): string[] => {
		const step = steps[at - 1];
		return step ? [words.known(at, of), stated(step.hop)] : [];
	};
	const turns = steps.map((step, at) => [
		...(at === 0 ? [words.begin(of)] : known(at)),
		...step.computed.map(stated),
		...(places.subQuestions ? [] : [words.next, step.hop.question]),
	]);
	return [...turns, [...known(of), ...computed.map(stated), words.finish]].map((said) => said.join(" "));
}

const withoutStop = (text: string) => text.replace(/[.\s]+$/, "");
