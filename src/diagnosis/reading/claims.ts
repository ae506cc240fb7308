import type { AnswerType } from "#domain";
import { foldedWords, holdsWords } from "./folded-words.ts";
import type { GoldReading } from "./gold-reading.ts";
import type { NameCue } from "./name-cue.ts";
import { splitWords } from "./query-words.ts";

/** Words that open a thought's sentences and name nothing. */
const openers = new Set(
	"next then now first finally also however thus hence okay let need search searching result results according based answer question yes look check luego ahora entonces primero después según resultado respuesta pregunta".split(
		" ",
	),
);

const numbers = /(?<![\p{L}\p{N}])\p{Nd}[\p{Nd}.,]*/gu;
const dates =
	/\p{Nd}{1,2}\.? (?:de )?\p{L}+ (?:de )?\p{Nd}{4}|\p{Lu}\p{L}+ \p{Nd}{1,2}, \p{Nd}{4}|(?<!\p{Nd})\p{Nd}{4}(?!\p{Nd})/gu;
const names =
	/(?:\p{Lu}[\p{L}\p{M}'’-]*|\p{Lu}\.)(?: (?:(?:of|de|del|the|la|von|and|y) )?(?:\p{Lu}[\p{L}\p{M}'’-]+|\p{Lu}\.))*/gu;

/** A name without the small word that a sentence opens with: "It's Eva Chamberlain". */
const withoutOpener = (claim: string): string => {
	const [first = "", ...rest] = claim.split(" ");
	return rest.length > 0 && /^(?:it|that|this|he|she|they|there|here|what|who)['’]/iu.test(first)
		? rest.join(" ")
		: claim;
};

/** A name without the small words of a sentence behind it that no full stop keeps apart: "headcount of Belize That is …". */
function withoutCloser(claim: string, gold: GoldReading): string {
	const words = claim.split(" ");
	const isSmallWord = (word: string) => /^\p{Lu}\p{Ll}+$/u.test(word) && isOpener(word.toLowerCase(), gold);
	while (words.length > 1 && isSmallWord(words.at(-1) ?? "")) words.pop();
	return words.join(" ");
}

const isOpener = (word: string, gold: GoldReading): boolean => openers.has(word) || gold.isEmpty(word);

const opensSentence = (text: string, at: number): boolean =>
	/(?:^|[.!?:;¿¡«»"“”(\n-])\s*$/u.test(text.slice(Math.max(0, at - 3), at));

/** Longer thoughts are cut. */
const longest = 4000;

/**
 * The values of a type that a thought says, but for those that the question or the query before it held. Names need
 * capitals to be told from words: where these mark none, there is no claim.
 */
export function claimsIn(
	thought: string,
	type: AnswerType,
	{ gold, cue, except }: { gold: GoldReading; cue: NameCue; except: readonly string[] },
): string[] {
	const text = thought.slice(0, longest);
	const isName = type !== "number" && type !== "time";
	if (isName && !cue.capitals) return [];
	const found = [...text.matchAll(type === "number" ? numbers : type === "time" ? dates : names)];
	const claims = found
		// a single word that opens a sentence may have its capital from there
		.filter(({ index, 0: claim }) => !isName || claim.includes(" ") || !opensSentence(text, index))
		.map(([claim]) => (isName ? withoutCloser(withoutOpener(claim), gold) : claim).replace(/[.,]+$/, ""))
		.filter((claim) => {
			const folded = foldedWords(claim);
			if (folded.trim().length < 2 || (isName && folded.trim().length < 3)) return false;
			if (splitWords(folded).every((word) => isOpener(word, gold) || (isName && gold.isRelation(word)))) return false;
			return !holdsWords(gold.asked, folded) && !except.some((said) => holdsWords(said, folded));
		});
	return [...new Set(claims)];
}
