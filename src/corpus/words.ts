/** Longer runs of letters are no words (base64, hashes) and would only fill the index. */
const longestWord = 64;

/** Words in lower case, compatibility forms unified, possessive endings dropped; scripts without spaces as pairs. */
export function wordsOf(text: string): string[] {
	// the same rules where they are plain, several times as fast: most texts of most corpora have no other characters
	if (isAscii(text)) {
		const found =
			text
				.toLowerCase()
				.replace(/'s\b/g, "")
				.match(/[a-z0-9]+/g) ?? [];
		return found.filter((word) => word.length <= longestWord);
	}
	const plain = text
		.normalize("NFKC")
		.toLowerCase()
		.replace(/['’]s\b/gu, "");
	const words = plain.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
	return (unspaced.test(plain) ? words.flatMap(pairs) : words).filter((word) => word.length <= longestWord);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII too
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text);

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function pairs(word: string): string[] {
	if (!unspaced.test(word)) return [word];
	const characters = [...word];
	if (characters.length < 3) return [word];
	return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Accents do not tell words apart: people leave them out, and names keep or lose them between languages. */
export const fold = (word: string) => (isAscii(word) ? word : word.normalize("NFKD").replace(/\p{M}+/gu, ""));
