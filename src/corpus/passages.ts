/** One cut of a document: where it stands and what it says. */
export interface Cut {
	/** Stable within the document: section slug, and a part number where a section gives several passages. */
	key: string;
	section?: string;
	text: string;
	form: "prose" | "table";
}

/** Passage length in characters: about 200 words, what a reader takes in and what an encoder sees whole. */
const longest = 1200;
/** Sentences repeated from the passage before, so that a fact on the border stands whole in one of them. */
const overlap = 200;

/** Paragraphs cut by length: each passage is whole paragraphs where they fit, else whole sentences, else words. */
export function cutByLength(text: string, options: { longest?: number; overlap?: number } = {}): string[] {
	const limit = options.longest ?? longest;
	const carry = options.overlap ?? overlap;
	const pieces = text
		.split(/\n\s*\n/)
		.map((paragraph) => paragraph.trim())
		.filter((paragraph) => paragraph !== "")
		.flatMap((paragraph) =>
			sentencesOf(paragraph, limit).map((sentence, index) => ({ sentence, gap: index === 0 ? "\n\n" : " " })),
		);
	const passages: string[] = [];
	let current = "";
	for (const { sentence, gap } of pieces) {
		if (current !== "" && current.length + gap.length + sentence.length > limit) {
			passages.push(current);
			current = tail(current, Math.min(carry, limit - sentence.length - gap.length));
		}
		current = current === "" ? sentence : current + gap + sentence;
	}
	if (current !== "") passages.push(current);
	return passages;
}

/** Between sentences: white space after a stop, or nothing after a stop of scripts that write no spaces. */
const betweenSentences = /(?<=[.!?][\])"'”’»]{0,4})\s+|(?<=[。！？][」』”’）]{0,4})(?![。！？」』”’）])/u;

/** The sentences of a paragraph, kept whole when it fits; a sentence beyond the limit is cut between words. */
function sentencesOf(paragraph: string, limit: number): string[] {
	if (paragraph.length <= limit) return [paragraph];
	return paragraph.split(betweenSentences).flatMap((sentence) => cutWords(sentence.trim(), limit));
}

function cutWords(sentence: string, limit: number): string[] {
	const parts: string[] = [];
	let rest = sentence;
	while (rest.length > limit) {
		const space = rest.lastIndexOf(" ", limit);
		let at = space > limit / 2 ? space : limit;
		// A surrogate pair is not cut apart.
		if (at < rest.length && /[\uDC00-\uDFFF]/.test(rest.charAt(at))) at = Math.max(at - 1, 1);
		parts.push(rest.slice(0, at).trim());
		rest = rest.slice(at).trim();
	}
	if (rest !== "") parts.push(rest);
	return parts;
}

/** The last whole sentences of a passage, at most `length` characters; empty when its last sentence is longer. */
function tail(passage: string, length: number): string {
	if (length <= 0) return "";
	const window = passage.slice(-length - 1);
	const start = window.search(/[.!?]["'”’»)\]]*\s+\S/u);
	return start === -1
		? ""
		: window
				.slice(start)
				.replace(/^[.!?]["'”’»)\]]*\s+/u, "")
				.trim();
}
