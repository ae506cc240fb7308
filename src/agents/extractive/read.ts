/**
 * The reader: scores what retrieved passages offer by how much of the relation's words stand around it, whether they
 * are said of the known entity, whether it is of the kind asked for, and rank. No model; the weights stand in one place.
 */
import { partsOf, type Row, type Sentence } from "../reading/passage-parts.ts";
import { type Span, spansOf } from "../reading/spans.ts";
import { contentStems, likeness, nameKey, plainTitle, stem, tokens } from "../reading/words.ts";
import type { Observation } from "../tools/tools.ts";
import type { Want } from "./question.ts";

/** What is looked for: what stands in the relation `words` to `known`, and is none of what the question gives. */
export interface Sought {
	words: string;
	known: string;
	want: Want;
	given: readonly string[];
}

export interface Reading {
	text: string;
	/** Around 0 for a guess, above 1.5 where a sentence states the relation of the known entity. */
	score: number;
	/** How much of the relation's words stand where it does, 0 to 1. */
	match: number;
	language: string;
}

type Result = Observation["results"][number];
/** A stem of the relation's words, the more telling the fewer of the results hold it. */
type Term = [stem: string, rarity: number];

const weight = { match: 1.6, known: 1.2, kind: 0.6, near: 0.7, row: 0.9, rank: 0.25, astray: -0.7 };
/** Added where nothing of the relation, or nothing of the known entity, stands around a span. */
const missing = { relation: -1.2, known: -1.6 };

/** The best readings, best first, one for each different answer. */
export function read(results: Observation["results"], sought: Sought): Reading[] {
	const terms = termsOf(results, sought);
	const best = new Map<string, Reading>();
	for (const result of results) {
		const { sentences, rows } = partsOf(result.text);
		const offers = [
			...rows.flatMap((row) => readRow(row, { result, sought, terms })),
			...sentences.flatMap((sentence) => readSentence(sentence, { result, sought, terms })),
		];
		for (const offer of offers) {
			const key = nameKey(offer.text);
			if (!isNews(key, sought)) continue;
			const before = best.get(key);
			if (!before || offer.score > before.score) best.set(key, { ...offer, language: result.language });
		}
	}
	return [...best.values()].sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1));
}

interface Place {
	result: Result;
	sought: Sought;
	terms: Term[];
}

/** A row answers in either direction: its value of a known subject, or its subject of a known value. */
function readRow(row: Row, { result, sought, terms }: Place): Omit<Reading, "language">[] {
	const match = matchOf(contentStems(`${row.key} ${row.subjectKey ?? ""}`), terms);
	if (match === 0) return [];
	const subject = row.subject ?? plainTitle(result.title);
	const base = weight.match * match + weight.rank / result.rank + weight.row * Math.min(1, match * 1.5) + weight.near;
	const forward = base + weight.known * knownness(subject, sought);
	const offers = [
		...(isName(sought.want) && !/^[-−+]?\d/.test(row.value) ? [{ text: row.value.slice(0, 80), fit: 1 }] : []),
		...spansOf({ text: row.value, tokens: tokens(row.value), index: 0 }, { language: result.language }).flatMap(
			(span) => {
				const fit = kindFit(span, sought.want);
				return fit === undefined ? [] : { text: span.text, fit: span.kind === "name" ? 0.5 : fit };
			},
		),
	].map(({ text, fit }) => ({ text, score: forward + weight.kind * fit, match }));
	const read = knownness(subject, sought) >= 0.7 ? offers : [];
	const backward = knownness(row.value, sought);
	if (backward >= 0.85 && match >= 0.3 && isName(sought.want))
		read.push({ text: subject, score: base + weight.known * backward + weight.kind, match });
	return read;
}

const isName = (want: Want) => want === "any" || want === "person";

function readSentence(sentence: Sentence, { result, sought, terms }: Place): Omit<Reading, "language">[] {
	const stems = sentence.tokens.map(({ text }) => stem(text));
	const places = stems.flatMap((word, at) => (terms.some(([term]) => term === word) ? [at] : []));
	const match = Math.max(matchOf(stems, terms), 0.3 * matchOf(contentStems(result.title), terms));
	const titled = knownness(result.title, sought);
	const named = says(sentence.text, sought.known);
	const known = named ? 1 : titled * 0.95;
	const base =
		weight.match * match +
		weight.known * known +
		weight.rank / result.rank +
		(match === 0 ? missing.relation : 0) +
		(known < 0.7 ? missing.known : 0);
	const spans = spansOf(sentence, { language: result.language });
	const names = spans.filter(({ kind, text }) => kind === "name" && nameKey(text) !== nameKey(sought.known));
	const readings = spans.flatMap((span) => {
		const fit = kindFit(span, sought.want);
		if (fit === undefined || (span.kind === "name" && span.from === 0 && span.to === 0)) return [];
		// "across the border lies X, whose capital is Y" says nothing of the capital of what the passage is about
		const astray = !named && names.some(({ to }) => to < span.from) ? weight.astray : 0;
		const score = base + weight.kind * fit + weight.near * nearness(span, places) + astray;
		return { text: span.text, score, match };
	});
	// what the passage is about answers where the sentence says the relation of the known name to it
	if (named && titled < 0.8 && isName(sought.want)) {
		const title = plainTitle(result.title);
		const typed = isOfKind(partsOf(result.text), terms);
		const astray = !typed && names.some(({ text }) => nameKey(text) !== nameKey(title)) ? weight.astray : 0;
		readings.push({ text: title, score: base + weight.kind + (typed ? 2 * weight.near : 0) + astray, match });
	}
	return readings;
}

/** Whether a passage says of its subject that it is a thing of the kind asked for: "X is a country in …". */
function isOfKind({ sentences, rows }: ReturnType<typeof partsOf>, terms: Term[]): boolean {
	const words = sentences[0]?.tokens.slice(0, 24).map(({ text }) => text) ?? contentStems(rows[0]?.key ?? "");
	const verb = words.findIndex((word) => /^(?:is|are|was|were|es|son|era|fue)$/.test(word));
	return words.slice(verb + 1, verb + 9).some((word) => terms.some(([term]) => term === stem(word)));
}

/** Yes or no by the sentence or row that says most of the words of the known name; undefined where none does. */
export function judge(results: Observation["results"], { words, known }: Pick<Sought, "words" | "known">) {
	const terms: Term[] = contentStems(words).map((term) => [term, 1]);
	let best = { share: 0, says: true };
	for (const { text, title } of results) {
		const { sentences, rows } = partsOf(text);
		const stated = rows.map(({ key, value, subject }) => ({ text: `${key} ${value}`, of: subject ?? title }));
		for (const one of [...sentences.map((sentence) => ({ text: sentence.text, of: title })), ...stated]) {
			const share = matchOf(contentStems(one.text), terms);
			if (share > best.share && (says(one.of, known) || says(one.text, known)))
				best = { share, says: isNegated(one.text) === isNegated(words) };
		}
	}
	return best.share > 0 ? (best.says ? "yes" : "no") : undefined;
}

const negations = /\b(?:not|no|never|without|lacks?|lacking|none|landless|sin|ni|nunca|carecen?)\b/giu;
const isNegated = (text: string) => (text.match(negations)?.length ?? 0) % 2 === 1;

function termsOf(results: Observation["results"], { words, known }: Sought): Term[] {
	const own = new Set(contentStems(known));
	const texts = results.map(({ title, text }) => new Set(contentStems(`${title} ${text.slice(0, 4000)}`)));
	return contentStems(words).flatMap((term) => {
		const holding = texts.filter((text) => text.has(term)).length;
		return own.has(term) ? [] : [[term, Math.log(1 + (texts.length + 1) / (holding + 0.5))] as Term];
	});
}

/** How much of the terms, by rarity, some stems carry: 0 to 1. */
function matchOf(stems: string[], terms: Term[]): number {
	const total = terms.reduce((sum, [, rarity]) => sum + rarity, 0);
	const matched = terms.reduce((sum, [term, rarity]) => sum + (stems.includes(term) ? rarity : 0), 0);
	return total > 0 ? matched / total : 0;
}

const says = (text: string, name: string) => ` ${nameKey(text)} `.includes(` ${nameKey(name)} `);

const knownness = (name: string, { known }: Sought) => likeness(nameKey(plainTitle(name)), nameKey(plainTitle(known)));

/** An answer is not what the question gives already, nor a piece of it. */
const isNews = (key: string, { given, known }: Sought) =>
	!/^(?:|yes|no|si)$/.test(key) && ![...given, known].some((one) => says(one, key) || nameKey(one) === key);

/** How well a span's kind fits what is wanted; undefined when it cannot be the answer. */
function kindFit(span: Span, want: Want): number | undefined {
	switch (want) {
		case "number":
			if (span.kind !== "number") return undefined;
			return span.quantity?.unit ? 1 : /^(?:1[5-9]|20)\d\ds?$/.test(span.text) ? 0 : 0.8;
		case "date":
			return span.kind === "date" ? (span.date?.day ? 1 : 0.7) : undefined;
		case "person":
			return span.kind === "name" ? (/\s/.test(span.text) ? 1 : 0.6) : undefined;
		case "any":
			return span.kind === "name" ? 0.8 : undefined;
	}
}

/** 1 beside a word of the relation, less the further away. */
function nearness({ from, to }: Span, places: number[]): number {
	const distances = places.filter((at) => at < from || at > to).map((at) => (at < from ? from - at : (at - to) * 1.3));
	return distances.length > 0 ? Math.exp(-(Math.min(...distances) - 1) / 5) : 0;
}
