/** Characters of one evidence that a model is shown. */
const maxLength = 4000;

/**
 * Text of a document or page, cut to what is shown and without anything that reads as a tag, or would with the words that
 * come to stand behind it: it can neither end the place it is quoted in, nor act or think in the model's name, nor write a
 * chat template's control tokens.
 */
export function harmless(text: string, { longest = maxLength }: { longest?: number } = {}): string {
	return (
		text
			.slice(0, longest)
			// half a character, e.g. one that the cut went through: some servers cannot encode it
			.replace(/\p{Cs}/gu, "\uFFFD")
			// no two repetitions of the same side by side: they take time with the square
			.replace(/<(?=[\s\p{Cf}]*(?:[/|\p{L}]|[!?][\s\p{Cf}]*(?:[\p{L}|]|$)|$))/gu, "&lt;")
			.trim()
	);
}
