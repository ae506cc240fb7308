import { withoutQuotes } from "./looked-at.ts";

const primaryOf = (language: string): string => language.toLowerCase().split(/[-_]/)[0] ?? "";

/** Words that something must follow, in the languages that are read; "in" and "to" may end a question, articles may not. */
const goingOn: Record<string, string> = {
	en: "a an the and or nor whose my your their its our than because although unless whether if",
	de: "der die das dem den des ein eine einen einem einer eines und oder dessen deren zum zur vom im am beim ins als weil ob",
	es: "el la los las un una unos unas y o u e de del al en con por para cuyo cuya que su sus",
	fr: "le la les un une des du de à au aux et ou en dans par pour dont que son sa ses leur l d",
	it: "il lo la gli le un uno una di del della dei degli delle e o in con per che il cui nel nella",
	pt: "o a os as um uma de do da dos das e ou em no na com por para cujo cuja que",
	nl: "de het een en of van wiens",
};
const goingOnIn = new Map(Object.entries(goingOn).map(([language, words]) => [language, new Set(words.split(" "))]));

const requests =
	/^\W*(?:please\s+)?(?:name|state|list|give|tell|find|identify|say|provide|describe|explain|nenne|nennen|gib|nombra|indica|nommez|donnez|indiquez|cite[sz]?)\b/iu;
const asks =
	/(?<!\p{L})(?:who|whom|whose|what|when|where|why|how|which|wer|wem|wen|wessen|was|wann|wo|woher|wohin|warum|wie|welche[rsmn]?|quién|quiénes|qué|cuándo|cuál|cuáles|dónde|cómo|cuánt[oa]s?|qui|que|quel|quelle|quels|quelles|quand|où|combien|comment|pourquoi|chi|quale|quali|quando|dove|quanto|quanti|quante|quem|qual|quais|onde|quantos|quantas)(?!\p{L})/iu;

/**
 * What shows that a question ends in its middle, or undefined where it may be whole: a word that another must follow, a
 * bracket or quotation mark that is never closed, or no mark at the end of what begins as a written sentence and asks.
 * `marked`: whether a whole one has a mark, which
 * many sub-questions lack.
 */
export function cutOff(
	text: string,
	{ language, marked = true }: { language: string; marked?: boolean },
): string | undefined {
	const whole = text.trim();
	if (whole === "" || whole.includes(">>")) return undefined;
	const open = openBracket(whole);
	if (open) return open;
	const ended = /[.?!？。！؟…"”’»）)\]」』]$/u.test(whole);
	const plain = withoutQuotes(whole);
	// the last letter of "Sana'a" is no word
	const last = /(?<!\p{L}|\p{L}['’](?=\p{L}[\s.?!]*$))([\p{L}\p{M}]+)[\s.?!]*$/u.exec(plain)?.[1] ?? "";
	const words = goingOnIn.get(primaryOf(language));
	// "A", "The" and "OF" are names and letters, and "Wer weihte es ein?" ends with a verb
	if (!/\p{Lu}/u.test(last) && words?.has(last) && !asksForWord(plain) && !(ended && last === "ein"))
		return `it ends with "${last}"`;
	if (/(?:[,;:/]|\s[-–—])\s*$/u.test(plain)) return `it ends with "${plain.slice(-1)}"`;
	if (/(?:\.{2,}|…)\s*[?？]?$/u.test(plain)) return "it trails off";
	if (ended || !marked || !words || /[?？؟]/u.test(whole)) return undefined;
	// who types a query in lower case gives no mark either
	if (!/^["“¿(]*\p{Lu}/u.test(whole) || requests.test(whole) || !asks.test(plain)) return undefined;
	return "no mark ends it";
}

/** "Which word comes before 'and'?" asks for words, and may end with any. */
const asksForWord = (plain: string): boolean => /\b(?:word|letter|article|conjunction)s?\b/iu.test(plain);

const pairs: readonly [string, string][] = [
	["(", ")"],
	["[", "]"],
	["“", "”"],
	["«", "»"],
	["「", "」"],
	["《", "》"],
];

function openBracket(text: string): string | undefined {
	for (const [open, close] of pairs) {
		const opened = text.split(open).length - text.split(close).length;
		// of German quotation marks “ is the closing one, and )s close the points of a list
		if (opened > 0 && !(open === "“" && /[„"]/u.test(text))) return `"${open}" is never closed`;
	}
	const straight = text.match(/"/gu)?.length ?? 0;
	// one too many behind a word closes what was never opened
	if (/\p{L}"(?!\p{L})[^"]*$/u.test(text)) return undefined;
	// an inch is written so
	return straight % 2 === 1 && !/\p{Nd}\s?"/u.test(text) && !/[“”„]/u.test(text)
		? "a quotation mark is never closed"
		: undefined;
}
