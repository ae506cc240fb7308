/** Phrases that mean what a question image shows: "the country whose flag is shown in the second image", "esta ciudad". */
import type { Ask } from "./ask.ts";
import { articles, auxiliaries, determiners, imageWords, prepositions, relatives, type Word } from "./lexer.ts";

const ordinals = new Map<string, number>(
	[
		"first 1 left 1 second 2 right 2 third 3 fourth 4 fifth 5 1 1 2 2 3 3 4 4",
		"primera 1 primer 1 primero 1 izquierda 1 segunda 2 segundo 2 derecha 2 tercera 3 tercer 3 cuarta 4 cuarto 4 quinta 5",
	]
		.join(" ")
		.split(" ")
		.flatMap((word, index, all) => (index % 2 === 0 ? [[word, Number(all[index + 1]) - 1] as const] : [])),
);
const showing =
	/^(?:shown|shows?|seen|depicted|displayed|pictured|illustrated|represented|given|above|below|here|provided|appears?|attached|visible|muestran?|mostrad[oa]|aparecen?|ven?|representad[oa]|adjunt[oa]|dad[oa])$/;
/** Words between the head and the image word; longer is no pointing phrase. */
const maxBetween = 9;

/**
 * Reads a phrase that points at an image, from its head on; undefined when it is none. Between head and image word
 * stand a preposition or a short relative clause without a noun phrase of its own: in "the country whose capital is the
 * city in the image" only "the city in the image" points.
 */
export function readImage(words: Word[], at: number, images: number): { ask: Ask; next: number } | undefined {
	if (images === 0) return undefined;
	const before = words[at - 1];
	const found = findImageWord(words, at);
	if (found === undefined) {
		const determined = before !== undefined && /^(?:this|that|these|este|esta|ese|esa)$/.test(before.key);
		const word = words[at];
		if (!determined || !word || word.name || determiners.has(word.key) || prepositions.has(word.key)) return undefined;
		return { ask: { is: "image", index: 0, type: word.text }, next: at + 1 };
	}
	const between = words.slice(at, found);
	const head = between.findIndex(
		(word) => relatives.has(word.key) || prepositions.has(word.key) || showing.test(word.key),
	);
	const type = between.slice(0, head === -1 ? 0 : head).filter((word) => !ordinals.has(word.key));
	const rest = head === -1 ? [] : between.slice(head);
	if (type.length > 3 || (head === -1 && between.some((word) => !ordinals.has(word.key) && !articles.has(word.key))))
		return undefined;
	if (!points(rest)) return undefined;
	let next = found + 1;
	let index = between.map((word) => ordinals.get(word.key)).findLast((ordinal) => ordinal !== undefined);
	const after = words[next];
	if (index === undefined && after && /^\d$/.test(after.key)) {
		index = ordinals.get(after.key);
		next += 1;
	}
	while (words[next] && showing.test(words[next]?.key ?? "") && words[next - 1]?.mark === "") next += 1;
	const noun = type.map((word) => word.text).join(" ");
	return { ask: { is: "image", index: Math.min(index ?? 0, images - 1), ...(noun ? { type: noun } : {}) }, next };
}

function findImageWord(words: Word[], at: number): number | undefined {
	for (let index = at; index < Math.min(words.length, at + maxBetween + 4); index += 1) {
		const word = words[index];
		if (!word || word.quoted) return undefined;
		if (imageWords.has(word.key)) return index;
		if (word.name && !ordinals.has(word.key)) return undefined;
		if (word.mark !== "" && index > at) return undefined;
	}
	return undefined;
}

/** Whether the words between head and image word say no more than that the image shows it. */
function points(rest: Word[]): boolean {
	if (rest.length > maxBetween) return false;
	let matter = 0;
	let pronouns = 0;
	const relative = rest.findIndex((word) => relatives.has(word.key));
	for (const [place, word] of rest.entries()) {
		const next = rest[place + 1];
		// "of the internet of the country whose …": nouns before the relative make another phrase the head.
		const plain =
			articles.has(word.key) || prepositions.has(word.key) || auxiliaries.has(word.key) || showing.test(word.key);
		if (place < relative && !plain) return false;
		if (relatives.has(word.key)) {
			pronouns += 1;
			if (pronouns > 1) return false;
			continue;
		}
		// "is the city", "of the country": another noun phrase, which the image word belongs to.
		const opens = auxiliaries.has(word.key) || (prepositions.has(word.key) && place === 0);
		if (opens && next && articles.has(next.key)) {
			const beyond = rest[place + 2];
			if (beyond && !ordinals.has(beyond.key) && !relatives.has(beyond.key)) return false;
		}
		if (articles.has(word.key) || prepositions.has(word.key) || auxiliaries.has(word.key)) continue;
		if (showing.test(word.key) || ordinals.has(word.key) || word.key === "se") continue;
		matter += 1;
	}
	return pronouns > 0 ? matter <= 3 : matter === 0;
}
