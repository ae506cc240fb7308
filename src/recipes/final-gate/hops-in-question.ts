import { type Item, ownField, questionOf, stopWords } from "#domain";
import { wordsIn } from "./said-forms.ts";

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

function tellingWords(text: string, language: string): Set<string> {
	if (/[^\P{L}\p{Script=Latin}]/u.test(text)) return new Set();
	const frequent = ownField(stopWords, language.toLowerCase().split(/[-_]/)[0] ?? "") ?? stopWords.en;
	const telling = wordsIn(text).filter(
		({ plain }) => plain.length > 2 && !frequent?.has(plain) && !ofAnyQuestion.has(plain),
	);
	return new Set(telling.map(({ plain }) => plain));
}

const areOneFamily = (a: string, b: string): boolean =>
	a.slice(0, ofFamily) === b.slice(0, ofFamily) ||
	(Math.min(a.length, b.length) > ofFamily && (a.includes(b) || b.includes(a)));
