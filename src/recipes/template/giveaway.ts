/**
 * Whether a text says one of the names: whole words, upper and lower case and accents alike. What a question must not
 * do with its answer, with the answers on the way, and with what an image hides.
 */
export function says(text: string, names: readonly string[]): boolean {
	const whole = folded(text);
	return names.some((name) => {
		const wanted = folded(name);
		return wanted !== "  " && whole.includes(wanted);
	});
}

/** Names of one or two letters ("US", "In") cannot be told from the words of a sentence. */
export const isShort = (name: string) => folded(name).length < 5;

const known = new Map<string, string>();
const mostKnown = 50_000;

/** Lower case without accents, words parted by one space, a space at both ends. */
export function folded(text: string): string {
	const before = known.get(text);
	if (before !== undefined) return before;
	const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
	const words = ` ${plain.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;
	if (known.size >= mostKnown) known.clear();
	known.set(text, words);
	return words;
}
