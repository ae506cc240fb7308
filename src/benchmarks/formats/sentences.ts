/*
 * Sets that give paragraphs as lists of sentences count support by sentence, so the edges must come back as they were.
 * Kept are the places where sentences begin and end in the joined text, or the sentences themselves where the text does
 * not hold them as they are.
 */

/** Begin and end of each sentence in the text, one after another; or the sentences. */
export type Edges = number[] | string[];

/** Sentences as one text: where no white space stands between two, a space is put there. */
export function joinedSentences(sentences: readonly string[]): string {
	const pieces: string[] = [];
	let before = "";
	for (const sentence of sentences) {
		if (sentence === "") continue;
		if (before !== "" && !/\s/.test(before.at(-1) ?? "") && !/^\s/.test(sentence)) pieces.push(" ");
		pieces.push(sentence);
		before = sentence;
	}
	return pieces.join("").trim();
}

export function edgesOf(text: string, sentences: readonly string[]): Edges {
	const edges: number[] = [];
	let at = 0;
	for (const sentence of sentences) {
		const found = text.startsWith(sentence, at) ? at : text.startsWith(sentence, at + 1) ? at + 1 : -1;
		if (found < 0) return [...sentences];
		edges.push(found, found + sentence.length);
		at = found + sentence.length;
	}
	return edges;
}

export function sentencesAt(text: string, edges: Edges): string[] {
	if (edges.every((edge) => typeof edge === "string")) return edges as string[];
	const places = edges as number[];
	return places.flatMap((from, index) => (index % 2 === 0 ? [text.slice(from, places[index + 1])] : []));
}

/** The sentences of a text that comes without edges. */
export function segmented(text: string, language: string): string[] {
	const locale = /^[a-z]{2,3}(-|$)/i.test(language) && language !== "und" ? language : "en";
	const segmenter = new Intl.Segmenter(locale, { granularity: "sentence" });
	return [...segmenter.segment(text)].map(({ segment }) => segment);
}
