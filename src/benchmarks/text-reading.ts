import { type Answer, ownField, remembering, type Task } from "#domain";

/** How texts are read. Given by whoever calls: this room knows no languages. */
export interface TextReading {
	/** Words in order, folded (case, accents), so that spellings of one word are alike. */
	words(text: string): string[];
	/** The numbers that a text states, whatever their separators; `language` is BCP 47. */
	numbers(text: string, language: string): number[];
}

/** A text as its folded words between single spaces, with a space at both ends: one word or phrase is found by `in`. */
export function lineOf(text: string, reading: Pick<TextReading, "words">): string {
	const line = (one: string) => ` ${reading.words(one).join(" ")} `;
	if (text.length > mostRemembered) return line(text);
	const remembered = lines.get(reading) ?? remembering(line, { most: 5000 });
	lines.set(reading, remembered);
	return remembered(text);
}

/** A check asks for a question and its answers one after another, and again for each hop: passages are long, and read once. */
const mostRemembered = 300;
const lines = new WeakMap<Pick<TextReading, "words">, (text: string) => string>();

/** The language of a task without its region, `und` where none is stated. */
export const primaryLanguage = ({ tags }: Pick<Task, "tags">): string =>
	tags.language.toLowerCase().split("-")[0] ?? "und";

/** What a question says of the patterns of its language; of a language that has none, by all of them. */
export function saidByLanguage(task: Task, patterns: Readonly<Record<string, RegExp>>): string | undefined {
	const own = ownField(patterns, primaryLanguage(task));
	const [said] = (own ? [own] : Object.values(patterns)).flatMap((one) => one.exec(task.question)?.[0] ?? []);
	return said;
}

/** Forms with fewer letters and digits ("US", "in") cannot be told from words of a sentence. */
const fewestCharacters = 3;
const capital = /^\p{Lu}/u;

/**
 * The first form that a question says, whatever the case of several words; a single word with a capital ("Lost") only with
 * one. Forms too short to be told from other words are not looked for.
 */
export function saidIn(
	question: string,
	forms: readonly string[],
	reading: Pick<TextReading, "words">,
): string | undefined {
	const line = lineOf(question, reading);
	return forms.find((form) => {
		const wanted = lineOf(form, reading);
		if (!line.includes(wanted)) return false;
		const words = wanted.trim();
		const isShort = [...words.replaceAll(" ", "")].length < fewestCharacters && !/[^\p{ASCII}]/u.test(words);
		if (words === "" || isShort) return false;
		if (words.includes(" ") || !capital.test(form.trim())) return true;
		return (question.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).some(
			(word) => capital.test(word) && lineOf(word, reading) === wanted,
		);
	});
}

/** An answer's accepted forms, and each without what sets it apart from others of its name: `Henry V (1944 film)`. */
export const formsOf = ({ accepted }: Pick<Answer, "accepted">): string[] => [
	...new Set(accepted.flatMap((form) => [form, withoutBrackets(form)])),
];

function withoutBrackets(form: string): string {
	const text = form.trimEnd();
	const open = text.lastIndexOf("(");
	const isLast = open >= 0 && text.indexOf(")", open) === text.length - 1;
	return isLast ? text.slice(0, open).trimEnd() : form;
}

/** Numbers this close, of their size, are one number written with other digits. */
const roundingOf = 0.005;

/**
 * Whether a text states an answer: one of its accepted forms stands there, word for word; of a list every item; of a
 * number, any number within what counts as right. A rule of words: it knows no synonyms.
 */
export function statesAnswer(text: string, answer: Answer, reading: TextReading, language = "und"): boolean {
	const line = lineOf(text, reading);
	const holds = (form: string) => {
		const wanted = lineOf(form, reading);
		return wanted.trim() !== "" && line.includes(wanted);
	};
	if (formsOf(answer).some(holds)) return true;
	if (answer.type === "list") return answer.items.every(holds);
	if (answer.type !== "number") return false;
	const { value, range, tolerance = roundingOf } = answer.number;
	const slack = Math.abs(value) * tolerance;
	const [low, high] = range ?? [value - slack, value + slack];
	return reading.numbers(text, language).some((number) => number >= low && number <= high);
}
