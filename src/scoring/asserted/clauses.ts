/**
 * What a reply settles on: its sentences, the one that concludes, and what is left when something is set against something
 * else ("not 1989 but 1961") or left open ("either 120 or 450 km").
 */

const abbreviation =
	/(?:^|[\s(.-])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Sen|Rep|Gen|Col|Capt|Lt|Sgt|Rev|Hon|No|Nr|vs|ca|c|approx|Inc|Ltd|Co|Corp|Mt|Ft|bzw|etc|Mio|Mrd|[a-z]|av|apr|Chr|ant|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)$/;

/** The sentences of a text, in order; a stop after an initial, an abbreviation or a German ordinal ends none. */
export function sentencesOf(text: string): string[] {
	const found: string[] = [];
	let from = 0;
	for (const match of text.matchAll(/[.!?]+["”')\]]*(?=\s|$)|[。！？]|\n+|;(?=\s)/g)) {
		const end = match.index + match[0].length;
		const before = text.slice(Math.max(from, match.index - 12), match.index);
		const next = text.slice(end, end + 3);
		if (
			match[0] === "." &&
			(abbreviation.test(before) ||
				(/\d$/.test(before) &&
					/^\s\p{Ll}|^\s\p{Lu}\p{Ll}/u.test(next) &&
					/(?:^|\s)\d{1,2}$/.test(before) &&
					isGermanDay(text, end)))
		)
			continue;
		const sentence = text.slice(from, end).trim();
		if (sentence !== "") found.push(sentence);
		from = end;
	}
	const rest = text.slice(from).trim();
	if (rest !== "") found.push(rest);
	return found;
}

/** "4. Juli", "21. Jahrhundert" */
const isGermanDay = (text: string, at: number) =>
	/^\s(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Jahrhundert|Bezirk|Platz)/.test(text.slice(at, at + 14));

const concludes =
	/^(?:so|thus|therefore|hence|in conclusion|in summary|overall|consequently|finally|as a result|in total|altogether|final answer|correction|actually|no,? wait|wait|also|daher|somit|folglich|insgesamt|por (?:lo )?tanto|así que|en total|en conclusión|donc|par conséquent|ainsi|au total|因此|所以|总之|したがって|よって)[,:：，、 ]/i;

/** The sentence that says the answer: the last that concludes, else the first. */
export function mainSentence(text: string): string {
	const sentences = sentencesOf(text);
	return sentences.findLast((sentence) => concludes.test(sentence)) ?? sentences[0] ?? text;
}

export const withoutConclusion = (sentence: string): string => sentence.replace(concludes, "").trim();

const contrasts: readonly (readonly [RegExp, (match: RegExpMatchArray, text: string) => string])[] = [
	// "not A but B", "nicht A, sondern B", "no A sino B", "pas A mais B", "不是A而是B": B
	[
		/(?:^|[^\p{L}])(?:not|isn't|wasn't|aren't|nicht|kein(?:e|er|en)?|no|pas) (?!only|just|nur|solo)[^.;\n]{1,120}?,? (?:but(?: rather| instead)?|sondern|sino|mais) (?=\S)/iu,
		(match, text) => `${text.slice(0, match.index)} ${text.slice((match.index ?? 0) + match[0].length)}`,
	],
	[
		/不是[^。；\n]{1,60}?[，,]?而是/u,
		(match, text) => text.slice(0, match.index) + text.slice((match.index ?? 0) + match[0].length),
	],
	// "A, not B", "A (not B)", "A rather than B", "A instead of B": A
	[
		/[,(]? ?(?:and |und )?(?:(?<![\p{L}])not (?!only|just|to be)|rather than|instead of|as opposed to|(?<=, )nicht |anstatt|statt (?=\S)|en lugar de|en vez de|(?<=, )no (?=\S)|plutôt que|au lieu de|(?<=, )(?:et )?(?:pas|non) (?=\S)|而不是|而非)[^.;\n)]{1,160}\)?/iu,
		(match, text) =>
			match.index === 0 ? text : text.slice(0, match.index) + text.slice((match.index ?? 0) + match[0].length),
	],
];

/** A text without what it sets itself against; as it stands where it sets nothing against another. */
export function settled(text: string): string {
	if (text.length > 4000) return text;
	let rest = text;
	for (const [pattern, without] of contrasts) {
		const match = pattern.exec(rest);
		if (!match) continue;
		const left = without(match, rest).replace(/\s+/g, " ").trim();
		// a sentence that only denies is no contrast
		const denial = match.index > 0 && endsInVerb.test(rest.slice(0, match.index).trim());
		if (/[\p{L}\p{N}]/u.test(left) && (!denial || /but|sondern|sino|mais|而是/.test(match[0]))) rest = left;
	}
	return rest;
}

/** "It is" of "It is not landlocked" */
const endsInVerb =
	/(?:^|\s)(?:is|was|are|were|be|been|do|does|did|has|have|had|can|could|will|would|should|it|they|he|she|ist|war|sind|waren|es|son|era|eran|fue|est|sont|était)$/i;

const openWords = /(?:^|[^\p{L}])(?:either|neither|and\/or|entweder|weder|ya sea|soit\b[^.]*\bsoit)(?![\p{L}])/iu;
const joinsAlternatives = /(?<![\p{L}])(?:or|oder|ou|o|u)(?![\p{L}])|或者?|还是|または|あるいは|もしくは/iu;

/** Whether a text names alternatives of which it chooses none. */
export function leavesOpen(text: string): boolean {
	return openWords.test(text) || joinsAlternatives.test(text);
}

const denies =
	/(?<![\p{L}])(?:not|never|no longer|cannot|nor|neither|nicht|nie|niemals|kein(?:e|er|en|em|es)?|nunca|jamás|jamais|pas)(?![\p{L}])|n['’]t(?!\p{L})|不是|不在|没有|并非|ではない|じゃない|ではありません/iu;

export const deniesSomething = (text: string): boolean => denies.test(text);
