/**
 * Whether a text says one of the names: whole words, upper and lower case and accents alike. What a question must not
 * do with its answer, with the answers on the way, and with what an image hides.
 */
import { remembering } from "#domain";
export function says(text: string, names: readonly string[]): boolean {
	const whole = folded(text);
	return names.some((name) => {
		const wanted = folded(name);
		return wanted !== "  " && whole.includes(wanted);
	});
}

/** Names of one or two letters ("US", "In") cannot be told from the words of a sentence. */
export const isShort = (name: string) => folded(name).length < 5;

/** Lower case without accents, words parted by one space, a space at both ends. */
export const folded = remembering((text: string): string => {
	const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
	return ` ${plain.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;
});
