/**
 * Noun phrases into asks, by recursive descent over words: "the R of NP", "NP's R", "the T whose R is NP", "the T that
 * NP VERBs", "the T that VERBs NP", "the R in NP", names, and phrases that point at a question image. English and
 * Spanish share the walk. What follows a phrase is left to whoever asked for it: a clause takes it as its relation.
 */
import type { Ask, Want } from "./ask.ts";
import { readImage } from "./image-phrase.ts";
import { articles, auxiliaries, determiners, prepositions, relatives, textOf, type Word } from "./lexer.ts";
import { isPartitive, relationChain, wantOf } from "./relations.ts";

/** Deeper nesting than any honest question has is read as one name. */
const maxDepth = 12;

export interface NounContext {
	/** How many images the question has. */
	images: number;
	/** "and" parts the members of a list, also between names. */
	list?: boolean;
}

export interface Noun {
	ask: Ask;
	/** Index of the first word that is not part of the phrase. */
	next: number;
}

const isOf = (word: Word | undefined) => word !== undefined && !word.quoted && /^(?:of|de|del)$/.test(word.key);
const isNamed = (word: Word | undefined): boolean => word !== undefined && (word.name || word.quoted);
const isArticle = (word: Word | undefined) => word !== undefined && !word.quoted && articles.has(word.key);
const isRelative = (word: Word | undefined) => word !== undefined && !word.quoted && relatives.has(word.key);
const isPreposition = (word: Word | undefined) => word !== undefined && !isNamed(word) && prepositions.has(word.key);
const pointing = /^(?:this|that|these|those|este|esta|ese|esa|dicho|dicha)$/;

/** Whether a noun phrase that can be resolved by itself begins here. */
export function startsNoun(words: Word[], at: number): boolean {
	const word = words[at];
	if (!word) return false;
	const contracted = /^(?:del|al)$/.test(words[at - 1]?.key ?? "") && !isPreposition(word);
	return contracted || isNamed(word) || isArticle(word) || (pointing.test(word.key) && !isRelative(words[at - 1]));
}

/** The whole of some words as one noun phrase; what is left over joins the outermost relation. */
export function parseNoun(words: Word[], context: NounContext): Ask {
	const skipped = words.findIndex((word) => isNamed(word) || !prepositions.has(word.key));
	const { ask, next } = readNoun(words, Math.max(0, skipped), context);
	return withRest(ask, words.slice(next));
}

export function withRest(ask: Ask, rest: Word[]): Ask {
	const text = textOf(rest.filter((word) => !auxiliaries.has(word.key)));
	return text !== "" && ask.is === "fact" ? { ...ask, words: `${ask.words} ${text}`.trim() } : ask;
}

/** Reads one noun phrase from `at` on. Never throws, and always moves on where there is a word. */
export function readNoun(words: Word[], at: number, context: NounContext, depth = 0): Noun {
	let start = at;
	while (start < words.length - 1 && isLeadingArticle(words, start)) start += 1;
	const image = readImage(words, start, context.images);
	if (image) return image;
	if (depth >= maxDepth) return { ask: { is: "name", name: textOf(words.slice(start)) }, next: words.length };
	const end = headEnd(words, start, context);
	const head = words.slice(start, end);
	const last = head.at(-1);
	if (!last) return { ask: { is: "name", name: "" }, next: Math.min(words.length, at + 1) };
	if (last.possessive) return readPossessive(words, { ask: leaf(head), next: end });
	// "código ISO 4217 de la moneda": a plain noun with a name to it that goes on to what it is of.
	const labelled = isNamed(last) && !isNamed(head[0]) && isOf(words[end]) && startsNoun(words, end + 1);
	if (isNamed(last) && !labelled) return { ask: leaf(head), next: end };
	return readModifier(words, { head, end, context, depth }) ?? { ask: leaf(head), next: end };
}

function isLeadingArticle(words: Word[], at: number): boolean {
	const word = words[at];
	if (!word || word.quoted || isRelative(words[at + 1])) return false;
	// A capital article amid a sentence begins a title: "director of The Cup".
	if (word.name && at > 0) return false;
	return articles.has(word.key) || determiners.has(word.key);
}

const nameLinks = new Set(
	"of the de la del las los el von van der den di da do dos du le and y e & in on to at a for with en".split(" "),
);
const tightLinks = new Set("of the de la del las los el von van der den di da do dos du le and y e &".split(" "));

/** Where the head of a phrase ends: a name with its small words, or plain nouns up to what modifies them. */
function headEnd(words: Word[], start: number, context: NounContext): number {
	let end = start;
	let inName = false;
	let apposed = false;
	while (end < words.length) {
		const word = words[end];
		const previous = end > start ? words[end - 1] : undefined;
		if (!word) break;
		if (previous?.possessive) break;
		if (previous && previous.mark !== "" && previous.mark !== ".") {
			const goesOn = inName && isNamed(word) && !context.list && (previous.mark === "," || previous.mark === ":");
			if (!goesOn) break;
		}
		if (isNamed(word)) {
			// "film Little Joe": a plain noun before a name says what it is.
			if (!inName && end > start) apposed = true;
			inName = true;
			end += 1;
			continue;
		}
		if (inName) {
			const noun = nounAfterName(words, end);
			if (noun > end) {
				inName = false;
				end = noun;
				continue;
			}
			const beyond = linked(words, end, apposed ? nameLinks : tightLinks, context);
			if (beyond === end) break;
			end = beyond;
			continue;
		}
		if (end > start && (isRelative(word) || auxiliaries.has(word.key) || isOf(word))) break;
		if (end > start && (isParticiple(words, end) || finite.test(word.key) || /^(?:and|or|y|e|o|u)$/.test(word.key)))
			break;
		if (end > start && prepositions.has(word.key)) {
			const beyond = measuredEnd(words, end);
			if (beyond === end) break;
			end = beyond;
			continue;
		}
		if (end - start >= 6) break;
		end += 1;
	}
	return Math.max(end, Math.min(start + 1, words.length));
}

/** Verbs that follow a lower-case name where nothing else marks its end: "the discovery of radium come before …". */
const finite =
	/^(?:come|comes|exceed|exceeds|differ|precede|precedes|surpass|coincide|coinciden|become|became|lie|lies|belong|belongs|greater|higher|lower|earlier|later|larger|smaller|longer|shorter|mayor|menor|anterior|posterior|tambien|also)$/;

/** "ISO code of", "NBC sitcom that": plain nouns after a name that go on to "of" or a relative are the head. */
function nounAfterName(words: Word[], at: number): number {
	for (let next = at; next < Math.min(words.length, at + 4); next += 1) {
		const word = words[next];
		if (!word || isNamed(word)) return at;
		if (next > at && (isOf(word) || (isRelative(word) && word.key !== "que"))) return next;
		if (prepositions.has(word.key) || auxiliaries.has(word.key) || articles.has(word.key) || relatives.has(word.key))
			return at;
		if (tightLinks.has(word.key) || finite.test(word.key)) return at;
	}
	return at;
}

/** Over small words that join a name to more of it; the same place when no name follows. */
function linked(words: Word[], at: number, links: Set<string>, context: NounContext): number {
	let next = at;
	while (next < words.length && next - at < 3) {
		const word = words[next];
		if (!word || word.mark === "," || (context.list && /^(?:and|y|e)$/.test(word.key))) return at;
		if (isNamed(word)) return next;
		if (!links.has(word.key)) return at;
		next += 1;
	}
	return isNamed(words[next]) ? next : at;
}

/** "located in", "served by", "dirigida por": a participle and its preposition. */
function isParticiple(words: Word[], at: number): boolean {
	const word = words[at];
	const next = words[at + 1];
	if (!word || !next || !isPreposition(next)) return false;
	if (/(?:ado|ada|ido|ida|ados|adas|idos|idas|ito|ita)$/.test(word.key)) return !isOf(next);
	return /(?:ed|en|rn|wn|ght|lt)$/.test(word.key);
}

/** "height in feet at which", "expectancy at birth in": a bare noun inside the head, before what modifies it. */
function measuredEnd(words: Word[], at: number): number {
	const unit = words[at + 1];
	const after = words[at + 2];
	if (
		!unit ||
		!after ||
		isNamed(unit) ||
		articles.has(unit.key) ||
		relatives.has(unit.key) ||
		determiners.has(unit.key)
	)
		return at;
	if (prepositions.has(unit.key) || auxiliaries.has(unit.key) || !prepositions.has(after.key)) return at;
	return startsNoun(words, at + 3) || relativeAfter(words, at + 2) !== undefined ? at + 2 : at;
}

function leaf(head: Word[]): Ask {
	const start = head.findIndex(isNamed);
	const type = start > 0 && start <= 4 ? textOf(head.slice(0, start)) : "";
	const name = textOf(type ? head.slice(start) : head);
	return { is: "name", name, ...(type ? { type } : {}) };
}

/** Looks a relation up on what another ask gives; composed relations become several lookups. */
export function relate(relation: string, of: Ask): Ask {
	// "the name of the capital of X" asks for the capital of X.
	if (/^(?:full )?(?:name|title|nombre|título)$/i.test(relation) && of.is === "fact") return of;
	const words = relation.replace(/^(?:current|full) /i, "");
	return relationChain(words).reduceRight<Ask>(
		(inner, part) => lookUp({ words: part, of: inner, want: wantOf(part) }),
		of,
	);
}

/**
 * A fact asked of another ask. A measure, a share or several things cannot be asked about by themselves ("the largest
 * share of the exports of X"), so their words join the relation and what they are of takes their place.
 */
export function lookUp({ words, of, want, type }: { words: string; of: Ask; want: Want; type?: string }): Ask {
	if (of.is === "fact" && isPartitive(type ?? words) && wantOf(words) !== "number")
		return { ...of, words: `${words} ${of.words}`, want };
	// "the coast of the territory of X" is that of X.
	if (of.is === "fact" && !of.type && /^(?:territory|land|territorio|suelo)$/.test(of.words))
		return { is: "fact", words, of: of.of, want, ...(type ? { type } : {}) };
	if (of.is === "fact" && !of.type && (isPartOf(of.words) || isPartitive(type ?? words)))
		return { is: "fact", words: `${words} ${of.words}`.trim(), of: of.of, want, ...(type ? { type } : {}) };
	return { is: "fact", words, of: [of], want, ...(type ? { type } : {}) };
}

function isPartOf(words: string): boolean {
	if (isPartitive(words)) return true;
	const last = words.split(" ").at(-1) ?? "";
	return (
		wantOf(words) === "number" ||
		/^(?:people|children|personas|gente)$/.test(last) ||
		(/[^su]s$/.test(last) && wantOf(words) === "any")
	);
}

const verbs =
	/^(?:born|die|died|dies|live|lived|work|works|worked|study|studied|graduate|located|buried|educated|receive|received|win|won|have|has|play|played|nacio|murio|[a-z]{3,}ed)$/;

/** "X's father's birthday": each possessive takes the plain nouns after it. */
function readPossessive(words: Word[], owner: Noun): Noun {
	let { ask, next } = owner;
	for (;;) {
		const start = next;
		while (next < words.length) {
			const word = words[next];
			if (!word || (word.name && !word.quoted && next > start)) break;
			if (auxiliaries.has(word.key) || prepositions.has(word.key) || relatives.has(word.key)) break;
			if (next > start && verbs.test(word.key)) break;
			next += 1;
			if (word.possessive || word.mark !== "") break;
		}
		// Nothing is owned: the ending belongs to the name ("Saint John's").
		if (next === start && ask.is === "name" && ask === owner.ask)
			return { ask: { ...ask, name: `${ask.name}'s` }, next };
		if (next === start) return { ask, next };
		ask = relate(textOf(words.slice(start, next)), ask);
		if (!words[next - 1]?.possessive) return { ask, next };
	}
}

interface Head {
	head: Word[];
	end: number;
	context: NounContext;
	depth: number;
}

/** What follows a plain head: "of NP", a relative clause, a participle, a preposition with its NP. */
function readModifier(words: Word[], { head, end, context, depth }: Head): Noun | undefined {
	const word = words[end];
	if (!word || isNamed(word) || words[end - 1]?.mark === "," || words[end - 1]?.mark === ":") return undefined;
	const inner = (at: number) => readNoun(words, at, context, depth + 1);
	if (isOf(word)) {
		const relative = relativeAfter(words, end);
		if (relative !== undefined) return readRelative(words, { head, end, context, depth }, relative);
		const compound = compoundEnd(words, end);
		if (compound >= words.length - 1) return undefined;
		const { ask, next } = inner(compound + 1);
		return { ask: relate(textOf(words.slice(end - head.length, compound)), ask), next };
	}
	if (isRelative(word)) return readRelative(words, { head, end, context, depth }, end);
	if (isPreposition(word)) {
		const relative = relativeAfter(words, end);
		if (relative !== undefined) return readRelative(words, { head, end, context, depth }, relative);
		const object = words[end + 1];
		if (!object || /^\p{N}/u.test(object.text) || !(startsNoun(words, end + 1) || prepositions.has(object.key)))
			return undefined;
		// Inside another phrase, "a", "con" and their like lead on to what that phrase is compared with.
		if (/^(?:a|al|as|than|to|by)$/.test(word.key) || (depth > 0 && /^(?:with|con)$/.test(word.key))) return undefined;
		if (word.key === "with" || word.key === "con")
			return readSubjectClause(words, { head, end, context, depth }, end + 1, end);
		const { ask, next } = inner(end + 1);
		return { ask: relate(textOf(head), ask), next };
	}
	if (isParticiple(words, end)) return readSubjectClause(words, { head, end, context, depth }, end + 1, end);
	return undefined;
}

/** "place of birth of X", "punto de fusión del argón": the relation goes on over a bare noun before another "of". */
function compoundEnd(words: Word[], at: number): number {
	const bare = words[at + 1];
	if (!bare || isNamed(bare) || articles.has(bare.key) || determiners.has(bare.key) || words[at]?.key === "del")
		return at;
	for (let next = at + 2; next < Math.min(words.length, at + 6); next += 1) {
		const word = words[next];
		if (!word || isNamed(word) || isRelative(word) || auxiliaries.has(word.key) || isParticiple(words, next)) return at;
		if (finite.test(word.key)) return at;
		if (isOf(word) || (prepositions.has(word.key) && startsNoun(words, next + 1) && word.key !== "al")) return next;
	}
	return at;
}

/** The relative pronoun behind a preposition and article: "in which", "en el que", "a la que". */
function relativeAfter(words: Word[], at: number): number | undefined {
	const skip = articles.has(words[at + 1]?.key ?? "") ? 2 : 1;
	return isRelative(words[at + skip]) ? at + skip : undefined;
}

function readRelative(words: Word[], head: Head, relative: number): Noun {
	const word = words[relative];
	const after = relative + 1;
	const possessed = word !== undefined && /^(?:whose|cuy[oa]s?)$/.test(word.key);
	const governed =
		/^(?:which|whom)$/.test(word?.key ?? "") && isPreposition(words[relative - 1]) && words.length > after + 1;
	if (!possessed && (governed || startsClauseNoun(words, after))) return readObjectClause(words, head, after, relative);
	return readSubjectClause(words, head, after, possessed ? relative + 1 : relative);
}

/** A noun phrase before its verb: with article or name, or one plain word before an auxiliary ("rhodium was"). */
function startsClauseNoun(words: Word[], at: number): boolean {
	if (startsNoun(words, at)) return true;
	const word = words[at];
	const next = words[at + 1];
	return (
		word !== undefined &&
		next !== undefined &&
		!auxiliaries.has(word.key) &&
		auxiliaries.has(next.key) &&
		word.key !== "se"
	);
}

/** "the country that [the city] belongs to", "la fecha en que [el país] se independizó". */
function readObjectClause(words: Word[], { head, end, context, depth }: Head, at: number, relative: number): Noun {
	const inner = startsNoun(words, at)
		? readNoun(words, at, context, depth + 1)
		: { ask: leaf(words.slice(at, at + 1)), next: at + 1 };
	const next = verbEnd(words, inner.next);
	const said = [...words.slice(end, relative), ...words.slice(inner.next, next)];
	return { ask: describe(head, said, inner.ask), next };
}

/** "the country whose capital is [the city]", "the element that takes its name from [X]", "served by [X]". */
function readSubjectClause(words: Word[], { head, context, depth }: Head, at: number, from: number): Noun {
	let start = at;
	while (start < words.length && start - at < 9 && !startsNoun(words, start)) {
		if (words[start]?.mark === "," || words[start]?.mark === ":") {
			start += 1;
			break;
		}
		start += 1;
	}
	const bare = !startsNoun(words, start);
	if (bare) {
		// No name and no article: the last plain word is what is known ("whose currency is euro").
		const stop = Math.min(start, words.length);
		const known = words.slice(Math.max(at, stop - 1), stop);
		return { ask: describe(head, words.slice(from, Math.max(at, stop - 1)), leaf(known)), next: stop };
	}
	const inner = readNoun(words, start, context, depth + 1);
	const next = phraseEnd(words, inner.next);
	return { ask: describe(head, [...words.slice(from, start), ...words.slice(inner.next, next)], inner.ask), next };
}

const linkVerbs = /^(?:become|became|becomes|remain|remained|is|was|are|were|be|been|se)$/;

/** One verb with its auxiliaries before and its prepositions after, as long as no noun phrase follows them. */
function verbEnd(words: Word[], at: number): number {
	let next = at;
	while (next < words.length - 1 && (auxiliaries.has(words[next]?.key ?? "") || words[next]?.key === "se")) next += 1;
	const verb = words[next];
	if (!verb || isNamed(verb) || words[next - 1]?.mark === ",") return next;
	next += 1;
	if (linkVerbs.test(verb.key) && words[next] && !isNamed(words[next])) next += 1;
	while (isPreposition(words[next]) && !startsNoun(words, next + 1) && words[next - 1]?.mark === "") next += 1;
	return next;
}

/** "… in “M*A*S*H”": a further name that a preposition hangs on the clause. */
function phraseEnd(words: Word[], at: number): number {
	const object = words[at + 1];
	if (!isPreposition(words[at]) || isOf(words[at]) || !object || words[at - 1]?.mark === ",") return at;
	if (!object.quoted) return at;
	return at + 2;
}

function describe(head: Word[], said: Word[], known: Ask): Ask {
	const type = textOf(head);
	const relation = textOf(said.filter((word) => !auxiliaries.has(word.key) && !relatives.has(word.key)));
	const kind = wantOf(type);
	const want =
		kind === "any" && !/^(?:code|symbol|name|word|title|codigo|simbolo|nombre)$/.test(head.at(-1)?.key ?? "")
			? "entity"
			: kind;
	return lookUp({ words: `${type} ${relation}`.trim(), of: known, want, type });
}
