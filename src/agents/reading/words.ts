/** Words of texts in English and Spanish: tokens with their place, folding, light stemming, function words. */

export interface Token {
	text: string;
	/** Offsets into the text the token was cut from. */
	start: number;
	end: number;
}

const tokenPattern = /[\p{L}\p{N}]+(?:[-'’.·][\p{L}\p{N}]+)*/gu;

/** Words and numbers of a text, left to right; linear in its length. */
export function tokens(text: string): Token[] {
	return Array.from(text.matchAll(tokenPattern), (match) => ({
		text: match[0],
		start: match.index,
		end: match.index + match[0].length,
	}));
}

/** Lower case, without accents. */
export function fold(text: string): string {
	return text
		.normalize("NFD")
		.replace(/\p{M}+/gu, "")
		.toLowerCase();
}

const endings = [
	..."ization ations ation ingly ment ness able ible ings ing ions ion ors ers eds ies ied ed es or er al ly s e y".split(
		" ",
	),
	..."amiento imiento ciones cion mente adas ados idas idos ada ado ida ido ando iendo oras ores ora or as os a o".split(
		" ",
	),
].sort((a, b) => b.length - a.length);

const stems = new Map<string, string>();

/** A crude common form of related words: `founder`, `founded` and `founding` meet. At least three letters stay. */
export function stem(word: string): string {
	const known = stems.get(word);
	if (known !== undefined) return known;
	let folded = fold(word).replace(/['’]s$/, "");
	if (!/\d/.test(folded)) {
		const ending = endings.find((candidate) => folded.endsWith(candidate) && folded.length - candidate.length >= 3);
		if (ending) folded = folded.slice(0, -ending.length);
	}
	if (stems.size < 200_000) stems.set(word, folded);
	return folded;
}

const functionWords = new Set(
	[
		"a an the this that these those and or but nor of in on at to for from by with as into about than then after before under over between during until since through beside besides near along within without across around among is are was were be",
		"been being am do does did done has have had having will would shall should can could may might must it its he his him she",
		"her they them their there here who whom whose which what when where why how not no yes also one such same",
		"el la los las lo un una unos unas este esta estos estas ese esa y e o u de del en al a para por con como desde hasta",
		"sobre entre es son era eran fue fueron ser sido estar esta estan ha han habia hay tiene tienen su sus se le les que quien",
		"quienes cual cuales cuyo cuya cuyos cuyas cuando donde cuanto cuanta cuantos cuantas no si",
		"shown depicted pictured seen image picture photo photograph imagen foto fotografia mostrada muestra mostrado aparece",
	]
		.join(" ")
		.split(" "),
);

/** Words that carry the grammar of a question and not its matter. */
export const isFunctionWord = (word: string) => functionWords.has(fold(word));

/** Stems of the words of a text that carry matter, in order, each once. */
export function contentStems(text: string): string[] {
	return [...new Set(tokens(text).flatMap(({ text }) => (isFunctionWord(text) ? [] : stem(text))))];
}

/** A name reduced to what two spellings of it share: folded words, articles and punctuation gone. */
export function nameKey(name: string): string {
	return tokens(fold(name))
		.map(({ text }) => text.replace(/['’.·-]/g, ""))
		.filter((word) => !/^(?:the|a|an|el|la|los|las)$/.test(word))
		.join(" ");
}
/** A title without what tells it apart or names a part of it: "Lima (city)", "Lima — History". */
export function plainTitle(title: string): string {
	return (title.split(/\s[—–|]\s|\s-\s|:\s/)[0] ?? title).replace(/\s*\([^)]*\)\s*$/, "").trim() || title;
}

/** 1 for the same name, 0.9 where one holds all words of the other, less for names that share words. Takes name keys. */
export function likeness(a: string, b: string): number {
	if (a === b) return a === "" ? 0 : 1;
	const left = new Set(a.split(" ").filter(Boolean));
	const right = new Set(b.split(" ").filter(Boolean));
	if (right.size === 0 || left.size === 0) return 0;
	const common = [...right].filter((word) => left.has(word)).length;
	if (common === Math.min(left.size, right.size) && common > 1) return 0.9;
	return (0.7 * (2 * common)) / (left.size + right.size);
}
