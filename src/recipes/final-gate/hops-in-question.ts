import { type Evidence, type Item, ownField, questionOf, stopWords } from "#domain";
import { wordsIn } from "./words.ts";

/** Words that questions of any chain have. */
const ofAnyQuestion = new Set(
	"name names named called year years date time number many much long does kind type thing things person people place following given known".split(
		" ",
	),
);

/** Letters that words of one family begin with ("direct", "director"), unless one holds the other ("grandmother"). */
const ofFamily = 4;

/**
 * Whether the question holds no word of any sub-question: then it asks about something else than its chain. Only of
 * questions and hops in one alphabet that has spaces, and where both have words enough for one of them to be shared.
 */
export function isOffItsChain(item: Item): boolean {
	const question = questionOf(item);
	const hops = item.chain.hops.map((hop) => hop.question);
	if (hops.length === 0 || hops.includes(question)) return false;
	const language = item.tags.language;
	const own = tellingWords(question, language);
	const theirs = tellingWords(hops.join(" "), language);
	if (own.size < 2 || theirs.size < 2) return false;
	return ![...own].some((word) => [...theirs].some((other) => areOneFamily(word, other)));
}

/** Only so much of a text is compared: a model can write any length. */
const mostCharacters = 4000;

/** Characters before and behind an answer that are about it. */
const around = 300;

/**
 * Whether a question of one hop holds no word of the title of its evidence, nor of what stands around its answer there:
 * then it is some other question with that answer. Only where the evidence says the answer as it is written.
 */
export function isOffItsEvidence(item: Item, evidence: readonly Evidence[]): boolean {
	const { answer, chain, tags } = item;
	if (chain.hops.length !== 1 || item.images.length > 0 || !["string", "time", "number"].includes(answer.type))
		return false;
	const own = tellingWords(questionOf(item), tags.language);
	if (own.size < 2) return false;
	// "The River Talm" of a sentence is the River Talm
	const value = answer.value.replace(/^(?:the|an?)\s+(?=\S)/iu, "");
	const stated = evidence.flatMap((one) => {
		if (!("text" in one)) return [];
		const places: string[] = [];
		for (let at = one.text.indexOf(value); at >= 0; at = one.text.indexOf(value, at + around))
			places.push(one.text.slice(Math.max(0, at - around), at + value.length + around));
		return places.length === 0 ? [] : [one.title, ...places].join(" ");
	});
	if (stated.length === 0) return false;
	const theirs = new Set(stated.flatMap((text) => [...tellingWords(text, tags.language)]));
	return theirs.size > 1 && ![...own].some((word) => [...theirs].some((other) => areOneFamily(word, other)));
}

function tellingWords(text: string, language: string): Set<string> {
	// a text of another alphabet shares no word, whatever it asks
	if (/[^\P{L}\p{Script=Latin}]/u.test(text)) return new Set();
	const frequent = ownField(stopWords, language.toLowerCase().split(/[-_]/)[0] ?? "") ?? stopWords.en;
	const telling = wordsIn(text.slice(0, mostCharacters)).filter(
		({ plain }) => plain.length > 2 && !frequent?.has(plain) && !ofAnyQuestion.has(plain),
	);
	return new Set(telling.map(({ plain }) => plain));
}

const areOneFamily = (a: string, b: string): boolean =>
	a.slice(0, ofFamily) === b.slice(0, ofFamily) ||
	(Math.min(a.length, b.length) > ofFamily && (a.includes(b) || b.includes(a)));
