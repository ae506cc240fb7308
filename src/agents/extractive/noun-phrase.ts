/**
 * Noun phrases into asks, by recursive descent over words: "the R of NP", "NP's R", "the T whose R is NP", "the T that
 * NP VERBs", "the T that VERBs NP", "the R in NP", names, and phrases that point at a question image. English and
 * Spanish share the walk. What follows a phrase is left to whoever asked for it: a clause takes it as its relation.
 */
import type { Ask } from "./ask.ts";
import { compoundEnd, headEnd, type NounContext, phraseEnd, startsClauseNoun, verbEnd } from "./extent.ts";
import { readImage } from "./image-phrase.ts";
import { articles, auxiliaries, determiners, prepositions, relatives, textOf, type Word } from "./lexer.ts";
import { lookUp, relate } from "./relate.ts";
import { wantOf } from "./relations.ts";
import { isNamed, isOf, isParticiple, isPreposition, isRelative, relativeAfter, startsNoun } from "./word-kinds.ts";

/** Deeper nesting than any honest question has is read as one name. */
const maxDepth = 12;

interface Noun {
	ask: Ask;
	/** Index of the first word that is not part of the phrase. */
	next: number;
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

function leaf(head: Word[]): Ask {
	const start = head.findIndex(isNamed);
	const type = start > 0 && start <= 4 ? textOf(head.slice(0, start)) : "";
	const name = textOf(type ? head.slice(start) : head);
	return { is: "name", name, ...(type ? { type } : {}) };
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

function readRelative(words: Word[], head: Head, relative: number): Noun {
	const word = words[relative];
	const after = relative + 1;
	const possessed = word !== undefined && /^(?:whose|cuy[oa]s?)$/.test(word.key);
	const governed =
		/^(?:which|whom)$/.test(word?.key ?? "") && isPreposition(words[relative - 1]) && words.length > after + 1;
	if (!possessed && (governed || startsClauseNoun(words, after))) return readObjectClause(words, head, after, relative);
	return readSubjectClause(words, head, after, possessed ? relative + 1 : relative);
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
