import { ownField } from "#domain";
/** Whole questions into asks, in English and Spanish; operations on letters, choices and arithmetic are taken off first. */
import type { Ask, Want } from "./ask.ts";
import { parseComparison } from "./comparison.ts";
import type { NounContext } from "./extent.ts";
import {
	articles,
	auxiliaries,
	imageWords,
	isInterrogative,
	lex,
	prepositions,
	relatives,
	textOf,
	type Word,
} from "./lexer.ts";
import { parseNoun, readNoun, withRest } from "./noun-phrase.ts";
import { lookUp } from "./relate.ts";
import { wantOf } from "./relations.ts";
import { parseTransform } from "./transform-words.ts";
import { startsNoun } from "./word-kinds.ts";

/** Reads a question; whatever its words, it gives some ask and never throws. `images` counts the question's images. */
export function parseQuestion(question: string, options: { images: number }): Ask {
	return parseClause(asking(lex(question)), options);
}

function parseClause(words: Word[], context: NounContext): Ask {
	return (
		parseTransform(words, (inner) => parseClause(inner, context)) ??
		parseComparison(words, context) ??
		parseLookup(words, context)
	);
}

const unit =
	/^(?:km2?|km²|m|metres|meters|kilomet(?:re|er)s|miles|feet|years|metros|kilometros|anos|hectares|ingles|english)$/;

/** The sentence that asks. What was said before it goes to its end: "In the country …, what is spoken?". */
function asking(words: Word[]): Word[] {
	const mark = words.findIndex((word, index) => word.mark === "?" && index > 0);
	const end = mark === -1 ? words.length : mark + 1;
	let start = 0;
	for (let index = 0; index < end - 1; index += 1) {
		const next = words[index + 1];
		if (words[index]?.mark === "." && next && /^\p{Lu}/u.test(next.text)) start = index + 1;
	}
	let sentence = words.slice(start, end);
	const last = sentence.at(-1);
	const preposition = sentence.at(-2);
	// "… in km²": the unit asked for says nothing about what to look up.
	if (last && unit.test(last.key) && /^(?:in|en)$/.test(preposition?.key ?? "") && sentence.length > 4)
		sentence = sentence.slice(0, -2);
	const wh = sentence.findIndex(
		(word, index) => isInterrogative(word) && (index === 0 || sentence[index - 1]?.mark === ","),
	);
	const before = sentence[wh - 1];
	const opening = wh > 1 && before && prepositions.has(before.key) && before.mark === "" ? wh - 1 : wh;
	const first = sentence[0];
	if (opening > 0 && first && !auxiliaries.has(first.key))
		return [...sentence.slice(opening), ...sentence.slice(0, opening)];
	const named = sentence.some((word, index) => (word.name && index > 0) || imageWords.has(word.key));
	if (start > 0 && !named) return [...sentence, ...words.slice(0, start)];
	return sentence;
}

function parseLookup(words: Word[], context: NounContext): Ask {
	const [first] = words;
	if (!first) return { is: "name", name: "" };
	if (auxiliaries.has(first.key) && !isInterrogative(first)) return verify(words, context);
	const wh = words.findIndex(isInterrogative);
	const word = words[wh];
	if (!word) {
		// "¿Carece de litoral el país …?": a verb opens, and what it says belongs to the relation.
		const verb =
			words.at(-1)?.mark === "?" && !startsNoun(words.slice(1), 0) && !articles.has(first.key) && words.length > 3;
		return verb && !first.quoted && startsLater(words) ? verify(words, context) : parseNoun(words, context);
	}
	const rest = words.slice(wh + 1);
	if (wh > 2) {
		// "X is a song by which band?"
		const type = typeOf(rest);
		return clause([...words.slice(0, wh), ...rest.slice(type.length)], context, {
			type: textOf(type),
			want: wantOf(textOf(type)),
		});
	}
	const next = rest[0];
	if (!next) return parseNoun(words, context);
	const copula = /^(?:is|are|was|were|es|son|era|eran|fue|fueron)$/.test(next.key);
	switch (word.key) {
		case "who":
		case "whom":
		case "quien":
		case "quienes":
			return clause(rest, context, { want: "person" });
		case "where":
		case "donde":
			return clause(rest, context, { want: "place", adds: "located" });
		case "when":
		case "cuando":
			return clause(rest, context, { want: "date", adds: "date" });
		case "how":
		case "cuanto":
		case "cuanta":
		case "cuantos":
		case "cuantas":
			return howMany(word, rest, context);
		default: {
			if (copula || auxiliaries.has(next.key)) return clause(rest, context, { want: "any" });
			const type = typeOf(rest);
			const noun = textOf(type);
			return clause(rest.slice(type.length), context, { type: noun, want: noun ? wantOf(noun) : "any" });
		}
	}
}

/** The noun after "which": lower-case words up to an auxiliary, a name, an article or a preposition. */
function typeOf(words: Word[]): Word[] {
	let length = 0;
	while (length < Math.min(words.length, 6)) {
		const word = words[length];
		if (!word || word.quoted || articles.has(word.key) || relatives.has(word.key) || auxiliaries.has(word.key)) break;
		if (word.key === "se" || word.key === "there") break;
		if (prepositions.has(word.key)) {
			const kind = /^(?:kind|type|sort|part|day|tipo|clase|parte)$/.test(words[length - 1]?.key ?? "");
			if (!kind) break;
			length += articles.has(words[length + 1]?.key ?? "") ? 2 : 1;
			continue;
		}
		if (word.name && length > 0) break;
		length += 1;
	}
	// Without an auxiliary the last lower-case word is the verb: "which country borders Peru".
	const stop = words[length];
	const verbTaken = length > 1 && stop !== undefined && !auxiliaries.has(stop.key) && stop.key !== "se";
	return words.slice(0, verbTaken ? length - 1 : length);
}

const measures: Record<string, string> = {
	long: "length",
	high: "height elevation",
	tall: "height",
	deep: "depth",
	large: "area",
	big: "area",
	old: "age",
	far: "distance",
	heavy: "mass weight",
	wide: "width",
};

function howMany(word: Word, rest: Word[], context: NounContext): Ask {
	const key = rest[0]?.key ?? "";
	if (word.key === "how" && key !== "many" && key !== "much") {
		const measure = ownField(measures, key);
		return clause(rest.slice(1), context, { want: measure ? "number" : "any", adds: measure ?? key });
	}
	const counted = word.key === "how" ? rest.slice(1) : rest;
	const length = counted.findIndex(
		(one) => auxiliaries.has(one.key) || one.name || one.quoted || articles.has(one.key),
	);
	const noun = counted.slice(0, length === -1 ? Math.min(2, counted.length) : length);
	return clause(counted.slice(noun.length), context, { want: "number", adds: textOf(noun) });
}

/** A clause with one noun phrase in it: the other words say the relation. */
function clause(words: Word[], context: NounContext, asked: { want: Want; type?: string; adds?: string }): Ask {
	const { type, want } = asked;
	let start = words.findIndex((_, index) => startsNoun(words, index));
	if (start === -1) start = words.findIndex((word) => !auxiliaries.has(word.key) && word.key !== "se");
	if (start === -1) return { is: "fact", words: [type, asked.adds].filter(Boolean).join(" "), of: [], want };
	const { ask, next } = readNoun(words, start, context);
	const around = [...words.slice(0, start), ...words.slice(next)].filter((word) => !auxiliaries.has(word.key));
	const says = around.some((word) => !prepositions.has(word.key));
	const counted = want === "number" && asked.adds;
	if (!says && ask.is === "fact" && !asked.type && !counted) {
		// "What is the R of NP?", "Where was the place of death of NP?": the phrase asks it all.
		const kind = want === "any" || (want !== "place" && ask.want !== "any") ? ask.want : want;
		return { ...ask, want: kind };
	}
	if (!says && ask.is === "image" && !asked.type) return ask;
	const adds = says && (want === "place" || want === "date") ? undefined : asked.adds;
	const relation = [type, adds, textOf(around)].filter(Boolean).join(" ");
	if (ask.is === "fact" && start <= 1 && !asked.type && !adds && want === "any") return withRest(ask, around);
	return lookUp({
		words: relation,
		of: ask,
		want: want === "any" && type ? "entity" : want,
		...(type ? { type } : {}),
	});
}

const startsLater = (words: Word[]) => words.some((_, index) => index > 1 && startsNoun(words, index));

function verify(words: Word[], context: NounContext): Ask {
	const opening = auxiliaries.has(words[0]?.key ?? "") ? 1 : 0;
	const found = words.findIndex((_, index) => index > 0 && startsNoun(words, index));
	const start = found === -1 ? Math.min(1, words.length - 1) : found;
	const { ask, next } = readNoun(words, start, context);
	const around = [...words.slice(opening, start), ...words.slice(next)].filter((word) => !auxiliaries.has(word.key));
	return { is: "verify", words: textOf(around), of: [ask] };
}
