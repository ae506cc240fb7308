/** What a reader of records is shown, as one text, and whether what it quotes stands there. */
import { readQuantities } from "#scoring";
import { foldedWords, holdsWords } from "../reading/folded-words.ts";
import type { ShownAction, ShownHop, ShownResult } from "./shown-hop.ts";

export const actionWith = (quote: string, { actions }: Pick<ShownHop, "actions">) =>
	actions.find(({ text }) => stands(quote, text));
export const resultWith = (quote: string, { results }: Pick<ShownHop, "results">) =>
	results.find(({ title, text }) => stands(quote, `${title}\n${text}`));

/** One JSON object, so that a text of others can neither end the place it stands in nor write a chat template's tokens. */
export function materialOf(asked: Record<string, string>, { results, actions }: ShownHop): string {
	const material = { ...asked, results: results.map(numbered), actions: actions.map(named) };
	return JSON.stringify(material, null, 1).replaceAll("<", "\\u003c");
}
const numbered = ({ title, text }: ShownResult, index: number) => ({ number: index + 1, title, text });
const named = ({ kind, text }: ShownAction, index: number) => ({ number: index + 1, kind, text });

/** Whether a text holds a quote letter by letter, case, forms of characters and white space aside. */
const stands = (quote: string, text: string): boolean => plain(text).includes(plain(quote));
const plain = (text: string) => text.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();

export function holdsValue(text: string, value: string): boolean {
	if (holdsWords(foldedWords(text), foldedWords(value))) return true;
	// "36,917 km" in "36917km of railway"
	const [number] = /\p{Nd}/u.test(value) ? readQuantities(value) : [];
	return number !== undefined && readQuantities(text).some(({ low }) => low === number.low);
}
