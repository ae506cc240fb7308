import type { Answer } from "#domain";
import { typedAccuracy } from "#scoring";

/** Whether a text states an answer, by the rule of its type. */
export const isRight = (text: string, answer: Answer, { language }: { language?: string } = {}): boolean =>
	typedAccuracy(text, answer, { language }).value === 1;
