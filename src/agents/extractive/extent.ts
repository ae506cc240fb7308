/** How far the parts of a noun phrase reach: heads, names with small words inside, compound relations, verb groups. */
import { articles, auxiliaries, determiners, prepositions, relatives, type Word } from "./lexer.ts";
import { isNamed, isOf, isParticiple, isPreposition, isRelative, relativeAfter, startsNoun } from "./word-kinds.ts";

export interface NounContext {
	/** How many images the question has. */
	images: number;
	/** "and" parts the members of a list, also between names. */
	list?: boolean;
}

const nameLinks = new Set(
	"of the de la del las los el von van der den di da do dos du le and y e & in on to at a for with en".split(" "),
);
const tightLinks = new Set("of the de la del las los el von van der den di da do dos du le and y e &".split(" "));

/** Where the head of a phrase ends: a name with its small words, or plain nouns up to what modifies them. */
export function headEnd(words: Word[], start: number, context: NounContext): number {
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

/** "place of birth of X", "punto de fusión del argón": the relation goes on over a bare noun before another "of". */
export function compoundEnd(words: Word[], at: number): number {
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

/** A noun phrase before its verb: with article or name, or one plain word before an auxiliary ("rhodium was"). */
export function startsClauseNoun(words: Word[], at: number): boolean {
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

const linkVerbs = /^(?:become|became|becomes|remain|remained|is|was|are|were|be|been|se)$/;

/** One verb with its auxiliaries before and its prepositions after, as long as no noun phrase follows them. */
export function verbEnd(words: Word[], at: number): number {
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
export function phraseEnd(words: Word[], at: number): number {
	const object = words[at + 1];
	if (!isPreposition(words[at]) || isOf(words[at]) || !object || words[at - 1]?.mark === ",") return at;
	if (!object.quoted) return at;
	return at + 2;
}
