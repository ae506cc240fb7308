const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** A full stop after one of these, or after an initial, ends no sentence. */
const abbreviated = /(?:^|[\s("'])(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|Mt|No|Nr|vs|cf|ca|e\.g|i\.e|approx|Jr|Sr)\.\s*$/u;
const longestAbbreviation = 12;

/** The sentences of a text, trimmed; line ends part sentences too. */
export function sentencesOf(text: string): string[] {
	const sentences: string[] = [];
	for (const line of text.split("\n")) {
		let sentence = "";
		for (const { segment } of segmenter.segment(line)) {
			sentence += segment;
			if (abbreviated.test(sentence.slice(-longestAbbreviation))) continue;
			sentences.push(sentence.trim());
			sentence = "";
		}
		sentences.push(sentence.trim());
	}
	return sentences.filter((sentence) => sentence !== "");
}
