/**
 * What a reply settles on: its sentences, the one that concludes, and what is left when something is set against something
 * else ("not 1989 but 1961") or left open ("either 120 or 450 km").
 */

const abbreviation =
	/(?:^|[\s(.-])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Sen|Rep|Gen|Col|Capt|Lt|Sgt|Rev|Hon|No|Nr|vs|ca|c|approx|Inc|Ltd|Co|Corp|Mt|Ft|bzw|etc|Mio|Mrd|[a-z]|av|apr|Chr|ant|Jan|Feb|Mar|Mär|Mrz|Apr|Jun|Jul|Aug|Sept?|Okt|Oct|Nov|Dec|Dez)$/;

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

const rejected =
	/^[^.;\n]{1,200}?(?<!\p{L})(?:is|was|are|were|seems|sounds|would be|ist|war|es|est)(?: (?:clearly|simply|just|definitely|also|certainly))? (?:wrong|incorrect|false|untrue|out|mistaken|not (?:right|correct|true|it|the (?:right |correct )?answer)|falsch|unrichtig|nicht (?:richtig|korrekt|die (?:richtige )?antwort)|incorrect[oa]|fals[oa]|faux)[\s.!;]*$/iu;
const turns =
	/^.*?(?:\?|[.;,!—–-]) ?(?:(?:no|nein|non),? ?(?:wait|actually|sorry)|wait,? no|oh,? no|(?<=\? ?)(?:no|nein|non)|(?<=[.;!—–] ?)(?:actually|correction|sorry|scratch that|or rather))[,:;.—–-]+ (?=\S)|^.*?[.;!] (?:actually|correction)[,:]? (?=\S)/isu;

/**
 * What a reply still holds when it takes something back: "Paris? No, London.", "First I thought 42. Actually 41.", "Paris is
 * wrong; London is the answer". Empty where all is taken back.
 */
export function corrected(text: string): string {
	if (text.length > 4000) return text;
	const sentences = sentencesOf(text);
	const kept = sentences.filter((sentence) => !rejected.test(sentence));
	const left = kept.length < sentences.length ? kept.join(" ") : text;
	const rest = left.replace(/^(?:unlike|in contrast to|im gegensatz zu|anders als) [^,;.\n]{1,80}, (?=\S)/iu, "");
	const turn = turns.exec(rest);
	return turn && /[\p{L}\p{N}]/u.test(rest.slice(turn[0].length)) ? rest.slice(turn[0].length) : rest;
}

const doubts =
	/(?<!\p{L})(?:(?:could|might|may)(?: (?:well|also|possibly|perhaps))? (?:be|have been)|whether|not (?:sure|certain)|unsure|uncertain|unclear|no idea|not known|unknown|(?:do not|don['’]t|did not|didn['’]t) know|(?:cannot|can['’]t|could not|couldn['’]t) (?:be )?(?:determined?|confirm(?:ed)?|verif(?:y|ied)|say|tell|find)|unable to|könnte|vielleicht|ob(?= )|nicht sicher|unbekannt|ich weiß (?:es )?nicht|no lo sé|no se sabe|je ne sais pas)(?!\p{L})|(?:^|[,(] ?)(?:perhaps|maybe|possibly|vielleicht|quizás|peut-être)(?: not)?[\s.!)]*$/iu;
const without = /(?<!\p{L})(?:anything|everything|all|anyone|everyone|alles|alle) (?:but|except|außer)(?!\p{L})|≠|!=/iu;

/** Whether a sentence doubts what it says, or names it only to leave it out ("anything but Paris"). */
export const doubted = (sentence: string): boolean => doubts.test(sentence) || without.test(sentence);

/** A doubt that a reply ends with counts for all of it: "Paris? I am not sure". */
export const endsInDoubt = (text: string): boolean => {
	const sentences = sentencesOf(text);
	return sentences.length === 2 && /\?$/.test(sentences[0] ?? "") && doubted(sentences[1] ?? "");
};

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
