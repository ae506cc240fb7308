import type { Answer } from "#domain";
import { kindsOfThings, surnameOf } from "./names.ts";
import { yearInWords } from "./number-words.ts";
import { ofCountry } from "./peoples.ts";
import { isWordOfAnyText, unspaced, wordsIn } from "./words.ts";

/** What an answer may be said by, each with how it is to be found. */
export interface Form {
	/** The words as written. */
	text: string;
	/** The kinds that its whole name tells: "Talm River" for the River Talm is no longer name. */
	kinds?: readonly string[];
	/** What of the answer it is, for the detail. */
	/** Written with a capital inside a sentence. */
	proper?: boolean;
	is: "whole" | "other name" | "people" | "surname" | "distinctive part" | "part";
}

/** Words from which on an answer is a sentence: only the whole of it gives it away. */
const longAnswer = 8;

/** What the answer may be said by in a question. `also` are its names in other languages, where they are known. */
export function formsOf(
	answer: Answer,
	{ person, also = [], language = "en" }: { person: boolean; also?: readonly string[]; language?: string },
): Form[] {
	if (answer.type === "boolean" || answer.type === "none") return [];
	const forms: Form[] = [];
	const whole = [
		answer.value,
		...answer.accepted,
		...also,
		...(answer.type === "time" ? yearInWords(answer.time.iso) : []),
	];
	for (const text of new Set(whole)) {
		const is = text === answer.value ? "whole" : "other name";
		const bare = text
			.replace(/(?<=\S)\s+\([^()]*\)$/u, "")
			.replace(/^(?:the|an?|der|die|das|el|la|los|las|le|les|il|lo|gli)\s+(?=\S)/iu, "");
		for (const one of new Set([text, bare])) if (!isWordOfAnyText(one)) forms.push({ text: one, is });
	}
	if (answer.type === "string") {
		const { names, peoples } = ofCountry(answer.value, language);
		for (const text of names) forms.push({ text, is: "other name" });
		for (const text of peoples) forms.push({ text, is: "people" });
		for (const text of shortOf(answer.value)) forms.push({ text, is: "other name" });
	}
	const words = wordsIn(answer.value);
	if (answer.type === "string" && words.length > 1 && words.length < longAnswer && !unspaced.test(answer.value)) {
		const surname = person ? surnameOf(answer.value) : undefined;
		const given = words[0]?.written ?? "";
		if (surname) {
			forms.push({ text: surname, is: "surname" });
			if (given.length > 3 && given !== surname) forms.push({ text: given, is: "part" });
		} else if (!person) {
			const telling = words.filter(({ plain }) => !kindsOfThings.has(plain));
			const [one] = telling;
			if (
				telling.length === 1 &&
				one &&
				one.plain.length > 4 &&
				/^\p{Lu}/u.test(one.written) &&
				words.every(({ written }) => /^\p{Lu}|^(?:of|the|de|der|von|du|des)$/u.test(written))
			)
				forms.push({ text: one.written, is: "distinctive part", kinds: words.map(({ plain }) => plain) });
			else if (words.length < 5)
				for (const { written, plain } of telling)
					if (plain.length > 4 && /^\p{Lu}/u.test(written)) forms.push({ text: written, is: "part" });
		}
	}
	return forms;
}

/** Initials that three words or more are known by: "GPL" of the GNU General Public License. */
function shortOf(name: string): string[] {
	if (!/^\p{Lu}/u.test(name) || wordsIn(name).length >= longAnswer) return [];
	const words = name.match(/\p{Lu}[\p{L}\p{M}]+/gu) ?? [];
	const initials = words.map((word) => word[0]).join("");
	const short: string[] = [];
	for (let from = 0; from + 3 <= initials.length; from += 1)
		for (let to = initials.length; to >= from + 3; to -= 1) short.push(initials.slice(from, to));
	return words.length > 6 ? [initials] : short;
}
