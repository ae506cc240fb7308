/*
 * MuSiQue's way of naming an earlier step in a later one: `#1` stands for the answer of the first step, counted from 1.
 */

const reference = /#(\d{1,2})(?!\d)/g;

/** The steps that a question refers to, each once, in order. */
export function numbersIn(question: string): number[] {
	const numbers = [...question.matchAll(reference)].map(([, digits]) => Number(digits)).filter((number) => number > 0);
	return [...new Set(numbers)].sort((a, b) => a - b);
}

/** The question as a reader meets it: answers where the references stood. */
export function answersFilledIn(question: string, answerOf: (number: number) => string): string {
	return question.replace(reference, (whole, digits: string) => answerOf(Number(digits)) || whole);
}

/** The question with `#k` where it names the answer of a step that it needs; the longest form goes first. */
export function answersNumbered(
	question: string,
	needed: readonly { number: number; forms: readonly string[] }[],
): string {
	let text = question;
	const forms = needed
		.flatMap(({ number, forms }) => forms.map((form) => ({ number, form: form.trim() })))
		.filter(({ form }) => form !== "")
		.sort((a, b) => b.form.length - a.form.length);
	for (const { number, form } of forms) {
		const at = text.toLowerCase().indexOf(form.toLowerCase());
		if (at >= 0 && !text.includes(`#${number}`)) text = `${text.slice(0, at)}#${number}${text.slice(at + form.length)}`;
	}
	return text;
}
