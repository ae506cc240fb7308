/** A question as a list of words, quoted titles kept whole: what the parser walks over instead of matching patterns. */
import { fold } from "./words.ts";

export interface Word {
	/** As written, without the punctuation around it. */
	text: string;
	/** Lower case, without accents and possessive ending. */
	key: string;
	/** Starts with a capital letter or a digit, or was quoted: part of a name. */
	name: boolean;
	quoted: boolean;
	/** Ends in 's or a bare apostrophe. */
	possessive: boolean;
	/** Punctuation that follows: "," ";" ":" "." "?" or "". */
	mark: string;
}

/** Questions are hostile input: what lies beyond is not read. */
const maxLength = 1500;
const quotes: Record<string, string> = { '"': '"', "“": "”", "«": "»", "‘": "’" };

export function lex(text: string): Word[] {
	const words: Word[] = [];
	const source = text.slice(0, maxLength).replace(/\s+/g, " ").trim();
	let position = 0;
	while (position < source.length) {
		const character = source.charAt(position);
		if (character === " ") {
			position += 1;
			continue;
		}
		const close = quotes[character];
		const end = close ? source.indexOf(close, position + 1) : -1;
		if (end > position + 1) {
			const after = source.slice(end + 1).match(/^(?:['’]s\b)?[,;:.?!]*/)?.[0] ?? "";
			const title = source
				.slice(position + 1, end)
				.replace(/[,.]$/, "")
				.trim();
			if (title !== "") words.push(makeWord(title, after.replace(/^['’]s/, ""), true, /^['’]s/.test(after)));
			position = end + 1 + after.length;
			continue;
		}
		const space = source.indexOf(" ", position);
		const raw = source.slice(position, space === -1 ? source.length : space);
		position += raw.length;
		const word = readWord(raw);
		const last = words.at(-1);
		if (word && (word.text === "'s" || word.text === "’s") && last) {
			last.possessive = true;
			last.mark = word.mark;
		} else if (word) words.push(word);
		else if (last && raw.length < 3 && /[,;:.?]/.test(raw)) last.mark = raw.charAt(0);
	}
	return words;
}

function readWord(raw: string): Word | undefined {
	const body = raw.replace(/^[¿¡"“«‘]+/, "").replace(/["”»]+$/, "");
	const mark = body.match(/[,;:?!.]+["”»]*$/)?.[0] ?? "";
	// A full stop after one letter or inside an abbreviation belongs to the word: "P.", "U.S."
	const dotted = mark.startsWith(".") && /(?:^|\.)\p{L}\.$/u.test(body);
	const text = (dotted || mark === "" ? body : body.slice(0, -mark.length)).replace(/["”»]+$/, "");
	if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
	return makeWord(text, dotted ? "" : mark, false, /(?:['’]s|s['’])$/.test(text));
}

function makeWord(text: string, mark: string, quoted: boolean, possessive: boolean): Word {
	const bare = quoted ? text : text.replace(/['’]s$/, "").replace(/(s)['’]$/, "$1");
	return {
		text: bare,
		key: fold(bare),
		name: quoted || /^[([]*[\p{Lu}\p{N}]/u.test(bare),
		quoted,
		possessive,
		mark: mark.charAt(0),
	};
}

/** Words as text again, the possessive of the last left out. */
export function textOf(words: Word[]): string {
	return words
		.map((word, index) => {
			const last = index === words.length - 1;
			const mark = !last && (word.mark === "," || word.mark === ":") ? word.mark : "";
			return `${word.text}${word.possessive && !last ? "'s" : ""}${mark}`;
		})
		.join(" ");
}

const sets = (text: string) => new Set(text.split(" "));
export const articles = sets("the a an el la los las un una unos unas lo");
export const determiners = sets(
	"this that these those its their his her este esta ese esa estos estas su sus dicho dicha",
);
export const auxiliaries = sets(
	"is are was were do does did has have had can could will would es son era eran fue fueron esta estan esta tiene tienen ha han hay",
);
export const relatives = sets(
	"whose that which who whom where que quien quienes cuyo cuya cuyos cuyas donde cual cuales",
);
const interrogatives = sets(
	"what which who whom whose where when why how que cual cuales quien quienes donde cuando cuanto cuanta cuantos cuantas como",
);
export const prepositions = sets(
	"of in on at to from by with as for into through between about than after before above de del en a al por con para como desde hasta sobre entre",
);
export const imageWords = sets(
	"image images picture pictures photo photos photograph photographs figure imagen imagenes foto fotos fotografia fotografias figura",
);

const english = sets("what which who whom whose where when why how");

/** Whether a word asks; in Spanish the accent tells "qué" from the relative "que". */
export const isInterrogative = (word: Word | undefined): boolean =>
	word !== undefined &&
	!word.quoted &&
	(english.has(word.key) || (interrogatives.has(word.key) && /[áéíóú]/i.test(word.text)));
