import type { Task } from "#domain";
import { ownField } from "#domain";
import { lineOf, primaryLanguage, type TextReading } from "../text-reading.ts";

/** Words between the candidates of a choice, by language. */
const between: Record<string, string[]> = {
	ar: ["ام", "او"],
	de: ["oder"],
	en: ["or"],
	es: ["o", "u"],
	fr: ["ou"],
	it: ["o"],
	pt: ["ou"],
};
/** Of scripts without spaces, where words are pairs of characters: looked for in the text itself. */
const betweenUnspaced = /还是|還是|或者|または|もしくは|それとも/u;

const choosing = new Set(["comparison", "compare", "choice", "choose", "multiple-choice", "yesno", "boolean"]);
const choosingOps = new Set(["argmax", "argmin", "select", "equal", "greater", "earlier"]);

/**
 * Whether a question rightly names its answer: yes or no, a comparison or a choice, as the task's type says, the
 * computation of its chain, or its wording ("A or B").
 */
export function isChoice(task: Task, reading: Pick<TextReading, "words">): boolean {
	if (task.answer.type === "boolean") return true;
	const type = task.tags.questionType?.toLowerCase().replace(/[^a-z]+/g, "-") ?? "";
	if (type.split("-").some((word) => choosing.has(word)) || choosing.has(type)) return true;
	if (task.chain?.hops.some(({ compute }) => compute && choosingOps.has(compute.op))) return true;
	if (betweenUnspaced.test(task.question)) return true;
	const language = primaryLanguage(task);
	const words = language === "und" ? Object.values(between).flat() : (ownField(between, language) ?? between.en ?? []);
	const line = lineOf(task.question, reading);
	return task.answer.accepted.some((form) => {
		const answer = lineOf(form, reading);
		const [before = "", ...after] = line.split(answer);
		if (answer.trim() === "" || after.length === 0) return false;
		// the word stands on the far side of the answer from the other candidate, which may be some words long
		return words.some((word) => ` ${before} `.includes(` ${word} `) || ` ${after.join(" ")} `.includes(` ${word} `));
	});
}
