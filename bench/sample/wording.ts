/** Lists and contractions as each language writes them. */
import type { Language } from "#recipes";

/** "a, b and c"; in Spanish "e" before an i sound. */
export function conjunction(items: string[], language: Language): string {
	const last = items.at(-1) ?? "";
	if (items.length < 2) return last;
	const word = language === "en" ? "and" : /^(i|í|hi(?!e))/i.test(last) ? "e" : "y";
	return `${items.slice(0, -1).join(", ")} ${word} ${last}`;
}

/** Spanish "de el" and "a el" drawn together; names whose article is a capital ("El Cairo") keep it. */
export const contracted = (text: string) =>
	text.replace(/\b(de|a) el (?=\p{L})/giu, (whole, word: string) => (whole.endsWith("El ") ? whole : `${word}l `));
