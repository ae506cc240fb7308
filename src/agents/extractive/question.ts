/**
 * A question as a chain of look-ups, by a handful of rules of English and Spanish. What it names (a name, or what a
 * question image shows) is where the chain starts; each article before that opens a phrase, and the phrases are asked
 * from the nearest one outwards: "the founder of | the capital of | Peru".
 */
import { spansOf } from "../reading/spans.ts";
import { fold, isFunctionWord, type Token, tokens } from "../reading/words.ts";
import { splitTransform, type Transform } from "./transform.ts";

/** The kind of span that can answer. */
export type Want = "number" | "date" | "person" | "any";

export type Ask =
	| { is: "name"; name: string }
	/** What a question image shows; `index` counts from 0. */
	| { is: "image"; index: number }
	/** What stands in the relation `words` to what `of` names. */
	| { is: "fact"; words: string; of: Ask; want: Want }
	/** Yes when evidence that names `of` carries the words. */
	| { is: "verify"; words: string; of: Ask }
	| { is: "compare"; how: Comparison; operands: [Ask, Ask] }
	/** Something made from the letters, digits or days of an answer. */
	| { is: "transform"; transform: Transform; of: Ask };

type Comparison = "same" | "more" | "less" | "most" | "least" | "sum" | "difference" | "mean" | "ratio";

/** Questions are hostile input: what lies beyond is not read. */
const maxLength = 1500;
/** Deeper nesting than any honest question has joins the outermost relation. */
const maxDepth = 8;

const set = (words: string) => new Set(words.split(" "));
const articles = set("the a an el la los las un una del al this esta este");
const relatives = set("that which que who");
const imageWords = set("image picture photo photograph imagen foto fotografia");
const ordinals: Record<string, number> = { first: 0, primera: 0, second: 1, segunda: 1, third: 2, tercera: 2 };
const ofWords = set("of de del by al");
const auxiliaries = set("is are was were do does did has have can es son era esta estan tiene");
/** What states a comparison or a computation and is nothing to look up. */
const noise = set(
	"average difference ratio sum mean total times many much large comparing come comes add up differ make together one " +
		"same also both coincide suma diferencia media promedio separan suman difieren times higher",
);
const interrogatives =
	/(?<!\p{L})(?:what|which|who|whose|where|when|how|qué|cuál|cuáles|quién|dónde|cuándo|cuánt[oa]s?)(?!\p{L})/iu;
const lessWords =
	/\b(?:less|fewer|lower|smaller|shorter|earlier|older|before|first|precedes?|menor|menos|anterior|antes)\b/;
const moreWords =
	/\b(?:more|greater|higher|larger|longer|taller|bigger|later|younger|after|exceeds?|last|mayor|mas|supera|posterior)\b/;
const dateWords = /\b(?:before|after|earlier|later|older|younger|born|date|precedes?|anterior|posterior|antes|fecha)\b/;
const sameWords = /\b(?:same|also|both|share|tambien|mism[oa]|coinciden?)\b/;
const operations: [RegExp, Comparison][] = [
	[/\b(?:sum|total of|together|add up|suma|suman|juntos)\b/, "sum"],
	[/\b(?:mean of|average of|media|promedio)\b/, "mean"],
	[/\b(?:difference|differ|how many more|lie between|diferencia|difieren|separan?|cuant[oa]s mas)\b/, "difference"],
	[/\b(?:ratio|how many times|razon entre|cuantas veces)\b/, "ratio"],
];
const numberWords =
	/\b(?:how (?:many|much|long|high|deep|far|large)|number|population|area|length|height|elevation|depth|mass|percentage|share|amount|point|cuant[oa]s?|numero|poblacion|superficie|longitud|altitud|altura|profundidad|masa|porcentaje|punto de)\b/;
const whenWords = /\b(?:when|date|day|year|cuando|fecha|dia|ano)\b/;
const whoWords = /\b(?:who|whom|quien|father|mother|director|founder|author)\b/;

/** A word of the question; an anchor is a name or a pointing phrase taken as one. */
interface Word extends Token {
	key: string;
	anchor?: Ask;
}

/** Reads a question; whatever its words, it gives some ask and never throws. `images` counts the question's images. */
export function parseQuestion(question: string, { images, depth = 0 }: { images: number; depth?: number }): Ask {
	const text = question.slice(0, maxLength);
	const outer = depth < maxDepth ? splitTransform(text) : undefined;
	if (outer)
		return {
			is: "transform",
			transform: outer.transform,
			of: parseQuestion(outer.inner, { images, depth: depth + 1 }),
		};
	const shown = withImages(wordsOf(text), images);
	const words = withNames(text, shown);
	const plain = fold(words.flatMap(({ anchor, key }) => (anchor ? [] : key)).join(" "));
	const asks = interrogatives.test(text) && !auxiliaries.has(words[0]?.key ?? "");
	const operation = operations.find(([pattern]) => pattern.test(plain))?.[1];
	const degree = lessWords.test(plain) ? "less" : moreWords.test(plain) ? "more" : undefined;
	const yesNo = !asks && (sameWords.test(plain) && !degree ? "same" : degree);
	const how = operation ?? (asks ? degree && (degree === "less" ? "least" : "most") : yesNo);
	const pair = how && (pairOf(withPlainNames(words, 2), how) ?? pairOf(withNames(text, shown, { apart: true }), how));
	if (how && pair) return { is: "compare", how, operands: operandsOf(pair, how, plain) };
	const ask = chain(withPlainNames(words, 1));
	if (asks) return ask;
	return ask.is === "fact" ? { ...ask, is: "verify" } : ask;
}

const wordsOf = (text: string): Word[] =>
	tokens(text).map((token) => ({ ...token, text: token.text.replace(/['’]s$/, ""), key: fold(token.text) }));

const asking = /^(?:when|who|how|which|cuando|quien|cuant[oa]s?|que)$/;

/** The kind of answer, from the phrase that is asked for; of "which country …" from that noun alone. */
function wantOf(phrase: Word[]): Want {
	const at = phrase.findIndex(({ key }) => /^(?:which|que)$/.test(key));
	const asked = at === -1 ? phrase : phrase.slice(at, at + 2);
	const text = asked.map(({ key }) => key).join(" ");
	if (whenWords.test(text)) return "date";
	if (isMeasure(text)) return "number";
	return whoWords.test(text) ? "person" : "any";
}

/** "The population", but not "the largest urban area", which is a place. */
const isMeasure = (text: string) => numberWords.test(text) && !/\b(?:\w+est|most|mas|mayor)\b/.test(text);

/** "The country whose flag is shown in the first image" as one word: back to the article of the phrase that points. */
function withImages(words: Word[], images: number): Word[] {
	if (images === 0) return words;
	const result: Word[] = [];
	for (const word of words) {
		if (!imageWords.has(word.key)) {
			result.push(word);
			continue;
		}
		let start = articleBefore(result, articleBefore(result, result.length));
		// "the country that flies the flag in the image", "el país al que pertenece la bandera de la imagen"
		if (/^(?:that|which|que)$/.test(result[start - 2]?.key ?? "")) start = articleBefore(result, start - 2);
		if (relatives.has(result[start + 1]?.key ?? "") && result[start]?.key === "al")
			start = articleBefore(result, start);
		const phrase = result.splice(start);
		const index = phrase.map(({ key }) => ordinals[key]).findLast((one) => one !== undefined) ?? 0;
		result.push({ ...word, key: "", anchor: { is: "image", index: Math.min(index, images - 1) } });
	}
	return result;
}

function articleBefore(words: Word[], at: number): number {
	for (let index = at - 1; index >= 0; index -= 1) {
		const word = words[index];
		if (!word || word.anchor) return index + 1;
		if (articles.has(word.key)) return index;
	}
	return 0;
}

/** Runs of capitalised words as one word each; where nothing is named, the last word that an "of" leads to. */
function withNames(text: string, words: Word[], { apart = false } = {}): Word[] {
	const all = tokens(text);
	const names = spansOf({ text, tokens: all, index: 0 })
		.filter(({ kind, from, to }) => kind === "name" && (from > 0 || to > 0))
		// "Trinidad and Tobago", or "Alba and Norte" where two are compared
		.filter((span) => !apart || !/ (?:and|y) /.test(span.text))
		.map(({ text: name, from, to }) => ({ name, start: all[from]?.start ?? 0, end: all[to]?.end ?? 0 }))
		.filter(({ start, end }, at, others) => !others.slice(0, at).some((one) => one.start <= start && one.end >= end));
	const result: Word[] = [];
	for (const word of words) {
		const within = word.anchor ? undefined : names.find(({ start, end }) => word.start >= start && word.end <= end);
		if (!within) result.push(word);
		else if (word.start === within.start)
			result.push({ ...word, end: within.end, key: "", anchor: { is: "name", name: within.name } });
	}
	return result.map((word, at) => {
		const before = result[at - 1]?.key ?? "";
		const after = result[at + 1];
		// "after which lutetium was named", "at which thallium melts"
		const leads =
			relatives.has(before) && isFunctionWord(result[at - 2]?.text ?? "") && !articles.has(result[at - 2]?.key ?? "");
		return isMatter(word) && leads && after && !articles.has(after.key) ? named(word) : word;
	});
}

const named = (word: Word): Word => ({ ...word, anchor: { is: "name", name: word.text } });

/** With fewer names than are needed, plain words that an "of" leads to are names: "the discovery of curium". */
function withPlainNames(words: Word[], needed: number): Word[] {
	if (words.filter(({ anchor }) => anchor).length >= needed) return words;
	return words.map((word, at) => (isMatter(word) && ofWords.has(words[at - 1]?.key ?? "") ? named(word) : word));
}

const isAsked = (word: Word) => isMatter(word) && !noise.has(word.key);

const clauseWords = /^(?:that|which|who|whose|que|cuy[oa]s?)$/;

/** A measure or several things of a kind. */
const isPart = (words: string) =>
	isMeasure(words) || /(?:[^su]s|people|gente|share|part|parte|coast(?:line)?|costa)$/.test(words);

const isMatter = ({ text, key, anchor }: Word) => !anchor && (!isFunctionWord(text) || /^(?:without|sin)$/.test(key));

/** The words on either side of what joins two operands, what both share left to the first. */
function pairOf(words: Word[], how: Comparison): [Word[], Word[]] | undefined {
	// "how many times as large as B is A"
	const times = how === "ratio" ? words.findLastIndex(({ key }) => /^(?:is|es|en)$/.test(key)) : -1;
	if (words[0]?.key === "how" && times > 0) return [words.slice(times + 1), words.slice(0, times)];
	const joins = /^(?:and|or|than|exceeds?|also|same|to|before|precedes?|y|o|que|tambien|supera|al?|con|with)$/;
	const named = words.flatMap(({ anchor }, at) => (anchor ? [at] : []));
	const from = named[0] ?? 0;
	const to = named.at(-1) ?? 0;
	const cuts = words.flatMap(({ key }, at) => (at > from && at < to && joins.test(key) ? [at] : []));
	const sure = cuts.filter((at) => !/^(?:que|al?|to)$/.test(words[at]?.key ?? ""));
	const cut = sure.at(-1) ?? cuts[0];
	return cut === undefined ? undefined : [words.slice(0, cut), words.slice(cut + 1)];
}

/**
 * What is asked of the operand that it stands with is asked of both: "the area of A and B", "which is older, A or B?".
 */
function operandsOf(pair: [Word[], Word[]], how: Comparison, plain: string): [Ask, Ask] {
	const want: Want = how === "same" ? "any" : dateWords.test(plain) ? "date" : "number";
	const choosing = how === "most" || how === "least";
	const asking = pair.findIndex((side) => !side.every(isNoDegree));
	const [first, second] = pair.map((side, at) =>
		chain(side.filter(isNoDegree), choosing && at !== asking ? "any" : want),
	) as [Ask, Ask];
	const shares = (ask: Ask, at: number) => (choosing ? at !== asking : ask.is !== "fact" && how !== "same");
	if (first.is === "fact" && shares(second, 1)) return [first, { ...first, of: second }];
	return second.is === "fact" && shares(first, 0) ? [{ ...second, of: first }, second] : [first, second];
}

const isNoDegree = ({ key }: Word) => ![lessWords, moreWords].some((pattern) => pattern.test(key));

/** The phrases around the last thing named, nearest first, each asked of the one inside it. */
function chain(words: Word[], wanted?: Want): Ask {
	const at = words.findLastIndex(({ anchor }) => anchor);
	const start = words[at]?.anchor;
	if (!start)
		return {
			is: "name",
			name: words
				.filter(isMatter)
				.map(({ text }) => text)
				.join(" "),
		};
	const phrases: Word[][] = [[]];
	for (const [index, word] of words.slice(0, at).entries()) {
		// "al que", "en el que": the article belongs to the relative
		const opens = articles.has(word.key) && !relatives.has(words[index + 1]?.key ?? "");
		if (opens && phrases.length < maxDepth) phrases.push([]);
		phrases.at(-1)?.push(word);
	}
	const rest = words.slice(at + 1).filter(isAsked);
	const relations: string[] = [];
	let part = false;
	for (const phrase of phrases.reverse()) {
		const matter = phrase.filter((word) => isAsked(word) || word.anchor?.is === "name");
		// "the city that X serves": a phrase that ends in a relative takes its verb from behind the name
		const open = relatives.has(phrase.at(-1)?.key ?? "");
		const verb = open ? rest.splice(0, 1) : [];
		const text = [...matter, ...verb].map((word) => word.text).join(" ");
		if (text === "") continue;
		// "the length of the coast of X", "the largest share of the exports of X": no thing to look up by itself
		relations.push(part ? [text, relations.pop()].join(" ").trim() : text);
		part = phrase.every(({ key }) => !clauseWords.test(key)) && isPart(fold(text));
	}
	const left = rest.map(({ text }) => text).join(" ");
	// "When was the founder of X born?": the verb is asked of the phrase, elsewhere it belongs to the last relation
	const own =
		words.slice(0, 2).some(({ key }) => /^(?:when|who|cuando|quien)$/.test(key)) ||
		words.slice(at).some(({ key }) => /^(?:which|who|cual)$/.test(key));
	if (left !== "") relations.push(own ? left : [relations.pop(), left].filter(Boolean).join(" "));
	const [opening = [], outermost = []] = phrases.reverse();
	const want = wanted ?? wantOf(opening.some(({ key }) => asking.test(key)) ? opening : outermost);
	return relations.reduce<Ask>(
		(of, text, index) => ({ is: "fact", words: text, of, want: index === relations.length - 1 ? want : "any" }),
		start,
	);
}
