import { withoutQuotes } from "./looked-at.ts";

/** A sentence of a text, titles in it blotted out. */
export interface Sentence {
	text: string;
	/** How it ends. */
	mark: string;
}

/** Words whose point ends no sentence. */
const abbreviated =
	/(?<!\p{L})(?:\p{L}|St|Mt|Ft|Dr|Mr|Mrs|Ms|Prof|Jr|Sr|No|Nr|vs|etc|Inc|Ltd|Co|Corp|Bros|Gen|Col|Capt|Lt|Sgt|Sen|Rep|Gov|Hon|Rev|Vol|ca|approx|Calif|Mass|Penn|bzw|ca|geb|gest|Jh|Chr|z\. ?B|d\. ?h|e\.g|i\.e|a\.k\.a|U\.S|U\.K|\p{Nd}{1,2})\.$/u;

/** The sentences of a text: parted at marks that a capital or a digit follows, and at line breaks. */
export function sentencesOf(text: string): Sentence[] {
	const plain = withoutQuotes(text);
	const sentences: Sentence[] = [];
	let from = 0;
	for (const { 0: mark, index } of plain.matchAll(
		/[.!?？。！؟]+["”’)\]]*(?=\s+["“(¿¡[-]*[\p{Lu}\p{Lo}\p{Nd}]|[。？！]|\s*$)|\n+/gu,
	)) {
		const end = index + mark.length;
		if (mark === "." && abbreviated.test(plain.slice(from, end))) continue;
		add(plain.slice(from, end), mark);
		from = end;
	}
	add(plain.slice(from), "");
	return sentences;

	function add(part: string, mark: string) {
		if (/[\p{L}\p{N}]/u.test(part)) sentences.push({ text: part.trim(), mark: mark.trim() });
	}
}
