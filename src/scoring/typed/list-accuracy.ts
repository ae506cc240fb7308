import { exactMatch } from "../answers/exact-match.ts";
import { normalise } from "../answers/normalise.ts";

export interface ListVerdict {
	value: 0 | 1;
	/** Items of the gold that the prediction names, items it names, items of the gold. */
	common: number;
	predicted: number;
	gold: number;
}

/**
 * Whether a prediction names exactly the gold items, in any order and each once or more, 1 or 0.
 *
 * Items are compared after normalisation. Gold items that hold a separator themselves ("Trinidad and Tobago",
 * "Washington, D.C.") are found first, the longest before the others; the rest is split at line ends, semicolons, bars,
 * commas outside numbers, and at "and", "&", "y", "e". An exact match with an accepted form is right as a whole.
 */
export function listAccuracy(
	prediction: string,
	gold: { items: readonly string[]; accepted: readonly string[] },
): ListVerdict {
	const wanted = new Set(gold.items.map((item) => normalise(item)));
	const { text, marked } = markItems(prediction, gold.items);
	const pieces = text
		.replace(/[^\S\n]+/g, " ")
		.split(/[\n;|]|,(?!\d{3}(?!\d))/)
		.map((piece) => piece.trim().replace(/^(?:(?:and|y|e|&) |[-*•] |\d{1,4}[.)] )+/i, ""))
		.flatMap((piece) => piece.split(/ (?:and|y|e|&) /i))
		.map((piece) => normalise(piece))
		.filter((piece) => piece !== "");
	const named = new Set(pieces.map((piece) => marked.get(piece) ?? piece));
	const common = [...wanted].filter((item) => named.has(item)).length;
	const exact = common === wanted.size && named.size === wanted.size;
	const value = exact || exactMatch(prediction, gold.accepted) === 1 ? 1 : 0;
	return { value, common, predicted: named.size, gold: wanted.size };
}

/** Replies can be of any length; one longer than this is no list, and is not searched for items. */
const mostCharacters = 20_000;
// a private-use character, which no answer holds: what stands between two of them is the number of an item
const mark = "\ue000";

/** Puts a mark in place of every gold item that splitting would tear apart; `marked` says what each stands for. */
function markItems(prediction: string, items: readonly string[]): { text: string; marked: Map<string, string> } {
	const text = prediction.replaceAll(mark, " ");
	const marked = new Map<string, string>();
	const marks = new Map<string, string>();
	const patterns: string[] = [];
	const torn = items.filter((item) => /[\n;|,]| (?:and|y|e|&) /i.test(item)).sort((a, b) => b.length - a.length);
	for (const written of torn) {
		const item = written.replace(/^(?:the|an?) /i, "");
		const words = item.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
		if (words.length === 0) continue;
		const own = `${mark}${marked.size}${mark}`;
		marked.set(own, normalise(item));
		marks.set(lettersOf(item), own);
		// "Washington DC" is "Washington, D.C.", but no item reaches over a line's end, a semicolon or a bar of the text
		patterns.push(words.join(/[;|\n]/.test(item) ? "[^\\p{L}\\p{N}]*" : "[^\\p{L}\\p{N};|\\n]*"));
	}
	if (patterns.length === 0 || text.length > mostCharacters) return { text, marked };
	const any = new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join("|")})(?![\\p{L}\\p{M}\\p{N}])\\.?`, "giu");
	return { text: text.replace(any, (found) => marks.get(lettersOf(found)) ?? found), marked };
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
