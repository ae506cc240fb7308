import { normalise } from "./normalise.ts";

const declining = "I cannot answer this question";

/** Whether a prediction opens with the sentence that AgenticRAGTracer's prompts make a model decline with. */
export function startsDeclining(prediction: string): boolean {
	return prediction.startsWith(declining);
}

const phrases = [
	"i cannot answer",
	"i cant answer",
	"cannot answer",
	"i do not know",
	"i dont know",
	"do not know",
	"dont know",
	"unknown",
	"unanswerable",
	"not answerable",
	"noanswer",
	"no answer",
	"none",
	"not enough information",
	"insufficient information",
	"insufficient evidence",
	"cannot be determined",
	"cannot be answered",
	"not known",
	"no lo sé",
	"no sé",
	"no se sabe",
	"no puedo responder",
	"no se puede responder",
	"desconocido",
	"sin respuesta",
];

/**
 * Whether a whole answer only declines. Used where the gold answer is that there is none; that an agent abstained on
 * other tasks is its protocol's word (`Trajectory.abstained`), never guessed from its text.
 */
export function declines(prediction: string): boolean {
	const text = normalise(prediction, { unicodePunctuation: true });
	if (text === "") return true;
	return (
		text.startsWith(normalise(declining)) || phrases.some((phrase) => text === phrase || text === `answer is ${phrase}`)
	);
}
