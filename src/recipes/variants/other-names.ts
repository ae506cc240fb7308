import { fold } from "#corpus";

const word = "\\p{Lu}[\\p{L}\\p{M}\\p{N}'’-]*";
const run = `${word}(?:\\s(?:of|de|von|van|the|la|le|da|and|&|${word}))*`;
const openings = [
	// "(German: Rosen aus dem Süden)", "(original title: Kajsa Kavat)"
	/\((?:\p{Lu}\p{L}+|original title):\s*["“]?([^();,"”\p{Nd}]{3,60})/gu,
	new RegExp(
		`\\b(?:known|called|spelled|credited|titled|marketed|released)\\s(?:as\\s|by\\s\\p{L}+\\sstage\\sname,\\s)?["“]?(${run})`,
		"gu",
	),
	new RegExp(`\\b(?:née|né|formerly|alias|a\\.k\\.a\\.|born)\\s["“]?(${run})`, "gu"),
	/\btitle (?:was|is) ["“]([^"”]{3,60})/gu,
];
const inBrackets = /^[^()]{0,120}\(([^()]{1,200})\)/u;
const quoted = /["“]([^"”]{3,80})["”]/gu;
const professionally = /\b(?:known|stage name|pen name|pseudonym)\b/u;
const month =
	/^(?:January|February|March|April|May|June|July|August|September|October|November|December)(?!\p{L})|^(?:in|on)\s/u;
const mostOpening = 400;
const fewestWords = 2;

/** Other names that the beginning of an entity's own passage gives it: in full, in another language, as it is also known. */
export function otherNames(name: string, text: string): string[] {
	// a later sentence may name relatives
	const opening = (text.slice(0, mostOpening).split(/\n|(?<=[\p{Ll}\p{N})"”]{2})\.\s/u)[0] ?? "").trim();
	const brackets = inBrackets.exec(opening)?.[1] ?? "";
	const given = [
		...openings.flatMap((pattern) => [...opening.matchAll(pattern)].map((match) => match[1] ?? "")),
		...[...brackets.matchAll(quoted)].map((match) => match[1] ?? ""),
	].map((other) => other.trim());
	const words = wordsOf(name);
	const begins = new RegExp(`^(?:The\\s)?["“]?(${run})["”]?(?=\\s*\\(|,|\\s(?:is|was|are|were|or)\\b)`, "u");
	const first = begins.exec(opening)?.[1] ?? "";
	const full = wordsOf(first);
	const isFuller = full.length > words.length && full[0] === words[0] && full.at(-1) === words.at(-1);
	const isCivil = wordsOf(name).some((one) => !full.includes(one)) && professionally.test(opening);
	const either = new RegExp(`\\sor\\s["“]?(${run})(?=["”]?\\s+(?:is|was|are|were)\\b)`, "u").exec(opening)?.[1];
	const others = [...(isFuller || isCivil ? [first] : []), ...(either ? [either] : []), ...given];
	return [
		// a single word may be any other's name or a word of the language
		...others.filter((other) => wordsOf(other).length >= fewestWords && !month.test(other)),
		...[...opening.matchAll(/(?<![\p{L}\p{N}])\p{Lu}{2,8}(?![\p{L}\p{N}])/gu)].flatMap(([acronym]) =>
			isAcronym(acronym, name) ? [acronym] : [],
		),
	];
}

/** Its letters are the first ones of the name's words, small words aside or not. */
function isAcronym(letters: string, name: string): boolean {
	const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
	const initials = (list: readonly string[]) => list.map((one) => one.charAt(0).toUpperCase()).join("");
	return [words, words.filter((one) => /^\p{Lu}/u.test(one))].some((list) => initials(list) === letters);
}

const wordsOf = (text: string): string[] => fold(text.toLowerCase()).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
