import { isFunctionWord, wordsOf } from "./words.ts";

/** A name, number or date in some words, with what is compared of it. */
export interface Entity {
	text: string;
	is: "name" | "number";
	/** Folded words that tell it, at least one. */
	words: string[];
}

export interface Entities {
	found: Entity[];
	/** Why names could not be told from other words. */
	unread?: string;
}

/** How a word, folded, is written elsewhere in the record: with a small letter, or with a capital within a sentence. */
export type WrittenAs = (word: string) => { small: number; capital: number };

/** More of one text is not searched for names. */
const longest = 5000;
/** More names of one text are not followed. */
const mostNames = 200;

/** Languages that write every noun with a capital. */
const nounsWithCapitals = new Set(["de", "lb", "nds", "gsw", "bar", "pfl"]);
const german =
	/(?<![\p{L}])(?:der|die|das|dem|den|und|ist|wer|wie|welche[rsmn]?|wurde|wird|eine[rsmn]?|für|vom|zum)(?![\p{L}])/giu;
const cased = /[\p{Lu}\p{Ll}]/u;
const scripts = /\p{L}/u;

const connectors =
	"(?:of|the|de|da|do|dos|das|del|della|di|la|le|les|los|las|du|des|van|von|der|den|el|al|bin|ibn|y|e|&)";
// a point ends a sentence, unless behind an initial
const word = "(?:\\p{Lu}\\.|\\p{Lu}[\\p{L}\\p{M}\\p{Nd}'’-]*)";
const run = new RegExp(`(?<![\\p{L}\\p{M}\\p{Nd}])${word}(?: (?:${connectors} ){0,2}${word})*`, "gu");
const number = /(?<![\p{L}\p{M}\p{Nd}])\p{Nd}+(?:[.,'’:/-]\p{Nd}+)*/gu;
/** What stands before the first word of a sentence, or of a part that may begin with a capital. */
const opening = /(?:^|[.!?:;\n"“”([•*—–-])\s*$/u;

/** What stands behind a heading within a text. */
const heading = /^\s?(?:[:*]|$)/;

/** Numbers of fewer digits stand in any text. */
const leastDigits = 3;

/**
 * The names, numbers and dates of some words. Names are told by capitals, where the script has them and the language does
 * not give them to every noun; a word that the record writes small elsewhere is no name, nor is the first word of a sentence
 * unless the record writes it with a capital within one; of a heading, no word. `short`: an answer, whose first word may be the whole name.
 * Numbers have three digits or more.
 */
export function entitiesIn(
	text: string,
	{ language, writtenAs, short = false }: { language: string; writtenAs: WrittenAs; short?: boolean },
): Entities {
	const read = text.slice(0, longest);
	const unread = whyUnread(read, { language, short });
	const names = unread === undefined ? namesIn(read, { writtenAs, short }) : [];
	const found = new Map<string, Entity>();
	for (const one of [...names, ...numbersIn(read)]) {
		const key = one.words.join(" ");
		if (!found.has(key) && found.size < mostNames) found.set(key, one);
	}
	return { found: [...found.values()], ...(unread === undefined ? {} : { unread }) };
}

/** Every word that may turn out to belong to a name, or be a number, as it is compared: what the record is searched for. */
export function possibleWords(text: string): string[] {
	const read = text.slice(0, longest);
	return [...(read.match(run) ?? []).flatMap(wordsOf).filter(tells), ...numbersIn(read).flatMap((one) => one.words)];
}

function whyUnread(text: string, { language, short }: { language: string; short: boolean }): string | undefined {
	const letters = scripts.test(text);
	if (!letters) return undefined;
	if (!cased.test(text)) return "its script has no capitals";
	const [primary = ""] = language.toLowerCase().split("-");
	const isGerman = new Set((text.match(german) ?? []).map((one) => one.toLowerCase())).size > 1;
	if (nounsWithCapitals.has(primary) || isGerman) return "its language writes every noun with a capital";
	const words = text.split(/\s+/).filter((one) => scripts.test(one));
	if (!/\p{Lu}/u.test(text)) return words.length > 2 || short ? "it is written without capitals" : undefined;
	const long = words.filter((one) => one.length > 3);
	const capital = long.filter((one) => /^\p{P}*\p{Lu}/u.test(one));
	const isHeading =
		words.some((one, at) => at > 0 && /^(?:Of|In|And|For|To|On|By|With|Is|Was|Are|Did|Does)$/.test(one)) ||
		(words.length > 4 && !words.some((one) => /^\p{Lu}/u.test(one) && /\p{Ll}/u.test(one)));
	if (long.length > 3 && capital.length === long.length && isHeading) return "it writes every word with a capital";
	return undefined;
}

function namesIn(text: string, { writtenAs, short }: { writtenAs: WrittenAs; short: boolean }): Entity[] {
	return [...text.matchAll(run)].flatMap((match): Entity[] => {
		const begins = opening.test(text.slice(Math.max(0, match.index - 12), match.index));
		const end = match.index + match[0].length;
		const isHeading = begins && !short && heading.test(text.slice(end, end + 3));
		const parts = match[0].split(" ");
		const telling = parts.map((part, at) => {
			const words = wordsOf(part).filter(tells);
			return /^\p{Lu}/u.test(part) ? words.filter((one) => isOfName(one, isHeading || (begins && at === 0))) : [];
		});
		const from = telling.findIndex((words) => words.length > 0);
		if (from < 0) return [];
		const to = telling.findLastIndex((words) => words.length > 0) + 1;
		const shown = parts
			.slice(from, to)
			.join(" ")
			.replace(/[.'’-]+$/u, "")
			.replace(/['’]s$/u, "");
		return [{ text: shown, is: "name", words: [...new Set(telling.flat())] }];

		function isOfName(one: string, isFirst: boolean): boolean {
			const { small, capital } = writtenAs(one);
			if (small > capital) return false;
			// a first word has its capital from its place, unless it is more than that or the whole answer
			return !isFirst || capital > 0 || (short && small === 0);
		}
	});
}

function numbersIn(text: string): Entity[] {
	return [...text.matchAll(number)].flatMap((match): Entity[] => {
		const words = wordsOf(match[0]).filter((one) => /^\d/.test(one) && one.length >= leastDigits);
		return words.length === 0 ? [] : [{ text: match[0], is: "number", words: [...new Set(words)] }];
	});
}

const yesOrNo = new Set(["yes", "no", "true", "false", "si", "oui", "non"]);
const tells = (one: string) => one.length > 1 && !isFunctionWord(one) && !yesOrNo.has(one);
