import { exactMatch } from "../answers/exact-match.ts";
import { type MatchOptions, normalise } from "../answers/normalise.ts";

export interface ListVerdict {
	value: 0 | 1;
	/** Items of the gold that the prediction names, items it names, items of the gold. */
	common: number;
	predicted: number;
	gold: number;
}

const separator = /[\n;；؛|、]|[,，،](?!\d{3}(?!\d))/;
/** Words that join the last items, with the space around them; East Asian ones stand without. */
const spacedJoiner = /\s(?:and|y|e|et|&)\s/i;
const attachedJoiner = "以及|及び|および|ならびに|和|与|與|跟|と|や";
const joiners = new RegExp(`${spacedJoiner.source}|(?<=\\P{ASCII})(?:${attachedJoiner})(?=\\P{ASCII})`, "iu");
const leading = new RegExp(
	`^(?:(?:and|y|e|et|&)\\s|(?:${attachedJoiner})(?=\\P{ASCII})|[-*•・] ?(?=\\D)|\\d{1,4}(?:[.)] |、 ?))+`,
	"iu",
);
// "و" is written together with the word it goes before
const arabicJoiner = / و ?(?=\p{L})/u;
const torn = new RegExp(`${separator.source}|${spacedJoiner.source}|${attachedJoiner}|${arabicJoiner.source}`, "iu");

/** Replies can be of any length; one longer than this, and much longer than the gold, is no list. */
const mostCharacters = 20_000;

/**
 * Whether a prediction names exactly the gold items, in any order and each once or more, 1 or 0.
 *
 * Items are compared after normalisation. Gold items that hold a separator themselves ("Trinidad and Tobago",
 * "Washington, D.C.", "大和") are found first, the longest before the others; the rest is split at line ends, semicolons,
 * bars, commas outside numbers (of any script), and at the words for "and" of English, Spanish, French, Arabic, Chinese
 * and Japanese. An exact match with an accepted form is right as a whole.
 */
export function listAccuracy(
	prediction: string,
	gold: { items: readonly string[]; accepted: readonly string[] },
	options: MatchOptions = {},
): ListVerdict {
	const wanted = new Set(gold.items.map((item) => normalise(item, options)));
	const whole = exactMatch(prediction, gold.accepted, options);
	const written = gold.items.reduce((sum, item) => sum + item.length, 0);
	if (prediction.length > Math.max(mostCharacters, 4 * written))
		return { value: whole, common: 0, predicted: 0, gold: wanted.size };
	const { text, marked } = markItems(prediction, gold.items, options);
	const itemOf = (piece: string) => {
		const item = normalise(piece.trim().replace(/(?:です)?[。．.]*$/, ""), options);
		return marked.get(item) ?? item;
	};
	const pieces = text
		.replace(/[^\S\n]+/g, " ")
		.split(separator)
		.map((piece) => piece.trim().replace(leading, ""))
		.flatMap((piece) => (wanted.has(itemOf(piece)) ? [piece] : piece.split(joiners)))
		.flatMap((piece) => (wanted.has(itemOf(piece)) ? [piece] : piece.split(arabicJoiner)))
		.map((piece) => {
			const bare = piece.trim().replace(/^و ?(?=\p{L})/u, "");
			return itemOf(!wanted.has(itemOf(piece)) && wanted.has(itemOf(bare)) ? bare : piece);
		});
	const named = new Set(pieces.filter((piece) => piece !== ""));
	const common = [...wanted].filter((item) => named.has(item)).length;
	const exact = common === wanted.size && named.size === wanted.size;
	const value = exact ? 1 : whole;
	return { value, common, predicted: named.size, gold: wanted.size };
}

// a private-use character, which no answer holds: what stands between two of them is the number of an item
const mark = "\ue000";
const besideJoiner = `|(?<=${attachedJoiner})`;

/** Puts a mark in place of every gold item that splitting would tear apart; `marked` says what each stands for. */
function markItems(
	prediction: string,
	items: readonly string[],
	options: MatchOptions,
): { text: string; marked: Map<string, string> } {
	const text = prediction.replaceAll(mark, " ");
	const marked = new Map<string, string>();
	const marks = new Map<string, string>();
	const patterns: string[] = [];
	// an item whose letters are nowhere needs no pattern, which takes longer to make than all else here
	const letters = lettersOf(text);
	for (const written of items.filter((item) => torn.test(item)).sort((a, b) => b.length - a.length)) {
		const item = written.replace(/^(?:the|an?) /i, "");
		const words = item.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
		if (words.length === 0 || !letters.includes(lettersOf(item))) continue;
		const own = `${mark}${marked.size}${mark}`;
		marked.set(own, normalise(item, options));
		marks.set(lettersOf(item), own);
		// "Washington DC" is "Washington, D.C.", but no item reaches over a line's end, a semicolon or a bar of the text
		patterns.push(words.join(/[;|\n]/.test(item) ? "[^\\p{L}\\p{N}]*" : "[^\\p{L}\\p{N};|\\n]*"));
	}
	if (patterns.length === 0) return { text, marked };
	const before = `(?:(?<![\\p{L}\\p{N}])${besideJoiner}|(?<=(?<!\\p{L})و))`;
	const after = `(?![\\p{L}\\p{M}\\p{N}])|(?=${attachedJoiner}|です)`;
	const any = new RegExp(`${before}(?:${patterns.join("|")})(?:${after})\\.?`, "giu");
	return { text: text.replace(any, (found) => marks.get(lettersOf(found)) ?? found), marked };
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
