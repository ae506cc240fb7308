/** The words that an injected agent searches with, by its style. */
import type { QueryStyle } from "#domain";
import { isFunctionWord, tokens } from "../reading/words.ts";
import { drawn, oneOf } from "../walker/drawn.ts";
import { rephrased } from "./rephrasings.ts";

/** Verbs and other words that carry little in a list of search words. */
const weak = new Set(
	"belong belongs lie lies took gain gained become became shown seen drawn called many much long some pertenece encuentra mide miden recibió produjo data vive".split(
		" ",
	),
);

/** What a question asks about and its other words that carry matter: "Kurumoch International Airport city serve". */
export function keywords(question: string, { names, turn }: { names: readonly string[]; turn: number }): string {
	const held = names.filter((name) => question.includes(name));
	const rest = held.reduce((text, name) => text.replaceAll(name, " , "), question);
	const words = tokens(rest).filter(({ text }) => !isFunctionWord(text) && !weak.has(text.toLowerCase()));
	const matter = words.map(({ text }) => text).join(" ");
	const parts = turn % 2 === 0 ? [...held, matter] : [matter, ...held];
	return parts.filter((part) => part !== "").join(" ") || question;
}

const fillers = {
	en: ["can you tell me", "hey, i need to know", "please find out", "ok so", "quick question:", "looking for"],
	es: ["me puedes decir", "oye, necesito saber", "por favor busca", "a ver,", "una pregunta:", "estoy buscando"],
};
const trailers = { en: ["", " thanks", " ??", " wiki", " pls"], es: ["", " gracias", " ??", " wiki", " porfa"] };

/** A question as somebody in a hurry types it: lower case, slips of the finger, lost small words, words that say nothing. */
export function noisy(question: string, { seedKey, language }: { seedKey: string; language: string }): string {
	const own = language.startsWith("es") ? "es" : "en";
	const words = question.replace(/[¿?]/g, "").toLowerCase().split(/\s+/).filter(Boolean);
	const typed = words.flatMap((word, place) => {
		if (isFunctionWord(word) && drawn(seedKey, "lost", place) < 0.35) return [];
		return word.length >= 6 && drawn(seedKey, "slip", place) < 0.2
			? [slipped(word, drawn(seedKey, "where", place))]
			: [word];
	});
	return `${oneOf(fillers[own], seedKey, "filler")} ${typed.join(" ")}${oneOf(trailers[own], seedKey, "trailer")}`;
}

/** Two neighbouring letters change places, or one is lost. */
function slipped(word: string, where: number): string {
	const letters = [...word];
	const at = 1 + Math.floor(where * (letters.length - 3));
	const [a = "", b = ""] = [letters[at], letters[at + 1]];
	letters.splice(at, 2, ...(where * 1000 - Math.floor(where * 1000) < 0.5 ? [b, a] : [a]));
	return letters.join("");
}

export interface Asking {
	style: QueryStyle;
	language: string;
	seedKey: string;
	/** What the question asks about, where it is known apart. */
	names: readonly string[];
}

/** Up to three queries for one question, in the order in which a competent agent tries them. */
export function queriesFor(question: string, { style, language, seedKey, names }: Asking): string[] {
	const first = Math.floor(drawn(seedKey, "turn", question) * 2);
	const other = rephrased(question, first);
	const another = rephrased(question, first + 1);
	const queries = {
		verbatim: [question, keywords(question, { names, turn: 0 }), other],
		keyword: [
			keywords(question, { names, turn: first }),
			keywords(other, { names, turn: first + 1 }),
			keywords(another, { names, turn: first }),
		],
		paraphrased: [other, another, keywords(other, { names, turn: 0 })],
		noisy: [question, other, question].map((text, turn) => noisy(text, { seedKey: `${seedKey} ${turn}`, language })),
		combined: [question, other, keywords(question, { names, turn: 0 })],
	}[style];
	return [...new Set(queries)];
}

/** Two questions in one search. */
export function together(first: string, second: string, { style, language, seedKey, names }: Asking): string {
	const [one, two] = [first, second].map((text) => text.replace(/[¿?]/g, "").trim());
	const joined = language.startsWith("es") ? `¿${one} y ${lowered(two)}?` : `${one} and ${lowered(two)}?`;
	return style === "noisy"
		? noisy(joined, { seedKey, language })
		: drawn(seedKey, "joined") < 0.5
			? joined
			: keywords(joined, { names, turn: 0 });
}

const lowered = (text = "") => text.replace(/^\p{L}/u, (letter) => letter.toLowerCase());

/** Runs of capitalised words in a question, its first word apart: what it names. */
export function namesIn(question: string): string[] {
	const run =
		/\p{Lu}[\p{L}\p{N}'’.-]*(?:(?:\s(?:of|the|de|del|la|las|los|el|and|y|e|von|van|zu|in))*\s[\p{Lu}\p{N}][\p{L}\p{N}'’.-]*)*/gu;
	const from = question.indexOf(" ") + 1;
	return [...question.slice(from).matchAll(run)]
		.map(([name]) => name.replace(/[.'’]s?$/, ""))
		.filter((name) => name.length > 1);
}
