/**
 * Whether a reply asserts a name. The reply is not searched for the name: what it asserts is found by how sentences are
 * built, with the words of the question as what is known, and must be the name.
 */
import { rememberingTexts } from "#domain";
import {
	corrected,
	deniesSomething,
	doubted,
	endsInDoubt,
	leavesOpen,
	mainSentence,
	sentencesOf,
	settled,
	withoutConclusion,
} from "./clauses.ts";
import { agree, type Name, type Naming, nameOf, namingOf, sameName, speltOut, withoutPlace } from "./name-variants.ts";
import {
	foldWord,
	isFunctionWord,
	poleOf,
	questionStems,
	sharedStems,
	stemOf,
	type Token,
	tokensOf,
} from "./question-words.ts";
import { isRegion } from "./regions.ts";
import { trimQuotes, unwrap } from "./unwrap.ts";

export interface Asked {
	question?: string | undefined;
	language?: string | undefined;
}

const mostForms = 200;
const mostTokens = 120;

/** 1 if a reply asserts one of the accepted names, by the variants that `name-variants.ts` lists; else 0. */
export function assertedName(reply: string, accepted: readonly string[], asked: Asked = {}): 0 | 1 {
	const naming = namingOf(asked.question);
	const golds = accepted.slice(0, mostForms).flatMap(goldsOf);
	const { text: written, announced: stated, bold: marked } = unwrap(reply);
	if (endsInDoubt(written)) return 0;
	// where the question asks what is wrong, that it is wrong denies nothing
	const asksWhatIsWrong = /(?<!\p{L})(?:wrong|incorrect|false|untrue|falsch)/iu.test(asked.question ?? "");
	const taken = (said: string) => (asksWhatIsWrong ? said : corrected(said));
	const text = taken(written);
	const announced = stated === undefined ? undefined : taken(stated);
	if (text === "" || (golds.length > 0 && severalNamed(text, { golds, stems: questionStems(asked.question) })))
		return 0;
	const asks = asked.question?.toLowerCase() ?? "";
	const named = marked.filter(
		(one) => !asks.includes(one.toLowerCase()) && (/\p{L}/u.test(one) || golds.some(({ raw }) => !/\p{L}/u.test(raw))),
	);
	const bold = named.length === 1 ? named[0] : marked.length === 1 ? marked[0] : undefined;
	const isGold = (said: string) => {
		const forms = [said, withoutPlace(said, isRegion) ?? []].flat().map(nameOf);
		return golds.some((gold, index) =>
			forms.some((form, at) => (at === 0 || (index === 0 && gold.beside.length === 0)) && sameName(form, gold, naming)),
		);
	};
	if (isGold(text) || isGold(trimQuotes(reply))) return 1;
	const result = /=\s*([^=]+)$/.exec(text)?.[1];
	if (result !== undefined && isGold(trimQuotes(result))) return 1;
	const [, outer = "", inner = ""] = /^([^()]{1,80}) \(([^()]{1,120})\)[.]?$/.exec(text) ?? [];
	if (/^\p{Lu}{2,6}$/u.test(outer.trim()) && isGold(inner)) return 1;
	const said = [announced, bold].filter((one) => one !== undefined);
	const main = withoutConclusion(announced ?? mainSentence(text));
	const stems = questionStems(asked.question);
	if (bold !== undefined && announced === undefined && !unsure.test(ofMain(main))) {
		const sentence = sentencesOf(text).find((one) => one.includes(bold)) ?? "";
		const around = settled(sentence);
		const holds = isGold(bold) || golds.some((gold) => asserts(bold, gold, { stems, naming }));
		if (holds && around.includes(bold) && !deniedBefore(around, bold) && !alternativeBeside(around, bold)) return 1;
	}
	if (unsure.test(ofMain(main)) || doubted(ofMain(main))) return 0;
	if (said.some((one) => isGold(settled(one)))) return 1;
	const sentence = trimQuotes(answering(settled(main), stems));
	if (isGold(sentence)) return 1;
	return golds.some((gold) => asserts(sentence, gold, { stems, naming })) ? 1 : 0;
}

/** An accepted name; `beside` is what places it and was left out of it, in words. */
interface Gold extends Name {
	beside: readonly string[];
}
const goldOf =
	(form: string) =>
	(text: string): Gold => {
		const name = nameOf(text);
		const beside = form.length > text.length ? nameOf(form).words.filter((word) => !name.words.includes(word)) : [];
		return { ...name, beside: speltOut(form) === text ? [] : beside };
	};

/** The names that an accepted form stands for. */
const goldsOf = rememberingTexts((form): readonly Gold[] =>
	[form, withoutPlace(form, isRegion) ?? [], speltOut(form) ?? []].flat().map(goldOf(form)),
);

/** Bare names in a row are several answers: "Paris. London.", "Paris - London", "Paris → London". */
function severalNamed(text: string, { golds, stems }: { golds: readonly Gold[]; stems: ReadonlySet<string> }): boolean {
	if (text.length > 400 || golds.some(({ raw }) => /[\n;/→-]\s|[.!?]\s/.test(raw))) return false;
	const parts = text
		.split(/\n+|;\s|\s[-–—]\s|\s?→\s?|\s(?:vs\.?|versus|then)\s|(?<=\p{Ll}{3})[.!]\s/u)
		.map((part) => part.trim());
	const possible = parts.filter((part) => {
		const tokens = tokensOf(part);
		return (
			tokens.length > 0 &&
			tokens.length <= 5 &&
			!/[:?]/.test(part) &&
			tokens.every(({ word, written }) => /^[\p{Lu}\p{Lo}\d]/u.test(written) || isFunctionWord(word)) &&
			!tokens.every(({ word }) => isFunctionWord(word) || isAsked(word, stems)) &&
			!/^(?:yes|no|correct|right|source|note|explanation|answer)(?!\p{L})/iu.test(part)
		);
	});
	// one is not several: few replies need the names of countries, which take a while to gather
	if (possible.length < 2) return false;
	const names = possible.filter((part) => !isRegion(part)).map(nameOf);
	const [first] = names;
	return (
		first !== undefined &&
		names.some(
			(name) => !sameName(name, first) && !sameName(first, name) && !golds.every((gold) => sameName(name, gold)),
		)
	);
}

/**
 * Of a sentence that says several things the one that answers: what it concludes ("…, so Ann is older"), or of two main
 * clauses the one that speaks more of what was asked.
 */
function answering(sentence: string, stems: ReadonlySet<string>): string {
	const asked = (part: string) => sharedStems(part, stems);
	const concluded =
		/[,;–—] ?(?:and )?(?:so|hence|thus|therefore|which means|daher|also|somit) (?!that|far|called|named|as )(.+)$/iu.exec(
			sentence,
		)?.[1];
	if (concluded !== undefined && (asked(concluded) > 0 || tokensOf(concluded).length <= 3)) return concluded;
	const pieces = sentence.split(
		/[,;] (?:and|while|whereas|but|und|während|aber) (?=(?:the |der |die |das )?\P{P}{1,80}(?:is|was|are|were|ist|war)(?!\p{L}))/iu,
	);
	const [one, other] = pieces;
	if (one === undefined || other === undefined || pieces.length > 2) return sentence;
	if (tokensOf(one).every(({ written }) => /^[\p{Lu}\d]/u.test(written) && written !== "I")) return one;
	// what goes on from the first clause belongs to it
	const met = new Set(
		tokensOf(one)
			.filter(({ word, written }) => /^\p{Lu}/u.test(written) && !isFunctionWord(word) && !stems.has(stemOf(word)))
			.map(({ word }) => word),
	);
	const goesOn = tokensOf(other).some(
		({ word }) =>
			met.has(word) || /^(?:he|him|his|she|her|it|its|they|them|their|this|that|er|ihn|sie|sein|ihr)$/.test(word),
	);
	if (goesOn || asked(one) === asked(other)) return sentence;
	return asked(one) > asked(other) ? one : other;
}

/** What a sentence says before it tells more of what it named. */
const ofMain = (sentence: string) =>
	sentence.split(/, (?:which|who|whose|where|although|though)(?!\p{L})/u)[0] ?? sentence;

const unsure =
	/(?<!\p{L})(?:not sure|unsure|uncertain|unclear|no idea|cannot (?:be )?(?:determine|confirm|say|verif)|can['’]t (?:determine|confirm|say|verif)|could not (?:find|determine|verif)|couldn['’]t (?:find|determine|verif)|unable to|don['’]t know|do not know|unknown|not (?:known|stated|mentioned|specified|given)|no information|nicht sicher|unbekannt|ich weiß (?:es )?nicht|no lo sé|no se sabe|je ne sais pas)(?!\p{L})/iu;

function deniedBefore(sentence: string, name: string): boolean {
	return deniesSomething(sentence.slice(0, sentence.indexOf(name)));
}

function alternativeBeside(sentence: string, name: string): boolean {
	const at = sentence.indexOf(name);
	return (
		/(?:^|\s)(?:or|either|oder|ou|o) (?:the )?$/i.test(sentence.slice(Math.max(0, at - 14), at)) ||
		/^,? (?:or|and|oder|und|ou|et|o|y) (?:the )?\p{Lu}/iu.test(sentence.slice(at + name.length))
	);
}

/** Whether a sentence asserts a name. */
function asserts(
	sentence: string,
	gold: Gold,
	{ stems, naming }: { stems: ReadonlySet<string>; naming: Naming },
): boolean {
	if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(gold.raw)) return assertsUnspaced(sentence, gold);
	const tokens = tokensOf(sentence).slice(0, mostTokens);
	const size = Math.max(1, tokensOf(gold.raw).length);
	for (const [index, token] of tokens.entries()) {
		for (const length of [size + 2, size + 1, size, size - 1, size - 2]) {
			const last = tokens[index + length - 1];
			if (length < 1 || !last) continue;
			const said = nameOf(sentence.slice(token.start, last.end));
			if (
				!sameName(said, gold, naming) ||
				(said.words.length !== tokens.slice(index, index + length).length && said.words.length === 0)
			)
				continue;
			if (length > 1 && isFunctionWord(last.word) && !isFunctionWord(tokensOf(gold.raw).at(-1)?.word ?? "")) continue;
			// an article or a title before the name belongs to it
			if (isFunctionWord(token.word) && length > 1 && !isFunctionWord(tokensOf(gold.raw)[0]?.word ?? "")) continue;
			if (stands(sentence, { tokens, from: index, to: index + length, gold, stems })) return true;
			break;
		}
	}
	return false;
}

interface Place {
	tokens: Token[];
	from: number;
	/** The first token behind it. */
	to: number;
	gold: Gold;
	stems: ReadonlySet<string>;
}

const copula =
	/^(?:is|was|are|were|be|been|being|called|named|titled|entitled|as|ist|war|sind|waren|heißt|hieß|es|fue|son|era|est|était|sont|equals|remains|became|becomes)$/;
const comparatives =
	/^(?:\p{L}{2,}er|more|less|fewer|later|earlier|before|after|first|last|best|worst|\p{L}{3,}est|not|never|than)$/u;
const apposition = /^(?:,? ?\(| ?[–—:] | - )/;

function stands(sentence: string, place: Place): boolean {
	const { tokens, from, to, gold, stems } = place;
	const first = tokens[from];
	const last = tokens[to - 1];
	if (!first || !last) return false;
	if (/^, \d+(?:st|nd|rd|th)\b/.test(sentence.slice(last.end)) && !/\d(?:st|nd|rd|th)/.test(gold.raw)) return false;
	const before = sentence.slice(0, first.start);
	const after = sentence.slice(last.end);
	// what places it may be left out, but not be another
	if (gold.beside.length > 0 && !agree(placedBy(after), gold.beside)) return false;
	if (/^ (?:to|bis|nach|and|und) /.test(after) && /(?:^|\s)(?:from|between|von|zwischen) $/i.test(before)) return false;
	if (turnedRound(sentence, { stems, after })) return false;
	const clause = after.split(/[,;(–—]/)[0] ?? "";
	if (deniesSomething(before) || deniesSomething(clause) || leavesOpen(`${before} ${clause}`)) return false;
	if (/^,? (?:or|oder|ou|o) /i.test(after)) return false;
	const asked = (token: Token | undefined) => token !== undefined && isAsked(token.word, stems);
	// of "A was succeeded by B" who succeeded is B
	const passive = /(?<!\p{L})(?:is|was|were|are|been) (\p{L}+) by(?!\p{L})/iu.exec(after)?.[1];
	if (passive !== undefined && stems.has(stemOf(foldWord(passive))) && first.start < 8) return false;
	return (
		tailFits(after, { ...place, asked }) &&
		headFits(before, { ...place, asked, after }) &&
		!choosesOther({ tokens, from, to, gold, stems })
	);
}

/** The words that place a name from behind: its region, its author, where it is. */
function placedBy(after: string): string[] {
	const [, sign, told = ""] = /^(,| by| in) (\p{Lu}[^,.;()–—]{0,60})/u.exec(after) ?? [];
	const words = told.trim().split(/\s+/);
	const named =
		sign === ","
			? [3, 2, 1].find((count) => isRegion(words.slice(0, count).join(" ")))
			: words.findIndex((word) => !/^\p{Lu}/u.test(word));
	const place = named === undefined ? "" : words.slice(0, named < 0 ? undefined : named).join(" ");
	return place === "" ? [] : nameOf(`x, ${place}`).words.slice(1);
}

/** "A was released after B" does not choose A where the first is asked for. */
function turnedRound(sentence: string, { stems, after }: { stems: ReadonlySet<string>; after: string }): boolean {
	const [asked, said] = [poleOf([...stems]), poleOf(tokensOf(sentence).map(({ word }) => word))];
	return asked !== 0 && said === -asked && tokensOf(after).some(({ word }) => poleOf([word]) === said);
}

const isCapital = (token: Token | undefined) => token !== undefined && /^\p{Lu}/u.test(token.written);

type Asking = Place & { asked: (token: Token | undefined) => boolean };

/** Whether the question holds a word, or one that begins alike: "Bulgarian" where it says "Bulgaria". */
function isAsked(word: string, stems: ReadonlySet<string>): boolean {
	if (stems.has(stemOf(word))) return true;
	return word.length >= 7 && [...stems].some((stem) => stem.length >= 6 && stem.slice(0, 6) === word.slice(0, 6));
}

/** Whether what follows a name only tells more of it. */
function tailFits(after: string, { tokens, to, asked, from }: Asking): boolean {
	const tail = after.replace(/^["”’'»)\]]+/, "");
	if (/^[.!?…\s]*$/.test(tail)) return true;
	if (
		/^ (?:ge)?\p{Ll}+(?:t|en)[.!\s]*$/u.test(tail) &&
		/(?<!\p{L})(?:wurde|wird)(?!\p{L})/u.test(
			tokens
				.slice(0, from)
				.map(({ written }) => written)
				.join(" "),
		)
	)
		return true;
	if (/^['’]s?\b|^-\p{L}/u.test(tail)) return false;
	if (apposition.test(tail)) return !/^[^)]{0,80}\bor\b/.test(tail);
	const next = tokens[to];
	if (!next) return true;
	if (/^,/.test(tail)) {
		const piece = tail.replace(/^,\s*/, "");
		if (/^(?:and|&|or|und|y|et|or)\s/i.test(piece)) return false;
		if (!/^\p{Lu}/u.test(piece)) return isCapital(tokens[from]) || startsPhrase(piece);
		const [head = ""] = piece.split(/[,.;(]/);
		const words = head.trim().split(/\s+/);
		return [1, 2, 3].some(
			(count) =>
				isRegion(words.slice(0, count).join(" ")) && (words.length === count || !/^\p{Lu}/u.test(words[count] ?? "")),
		);
	}
	if (/^\s(?:and|&|und|y|et|plus)\s/i.test(tail))
		return from === 0 ? false : !/^\s\S+\s(?:the )?\p{Lu}/u.test(tail) && isCapital(tokens[from]);
	if (!/^\s/.test(tail)) return false;
	if (/^\s[\p{Lu}\p{N}]/u.test(tail)) return asked(next) && !/^\s\p{N}/u.test(tail);
	if (/^(?:of|de|del|du|des|von|van|di|da|do|dos)$/.test(next.word)) return to - from >= 3 && tokens.length - to <= 3;
	if (isFunctionWord(next.word) || asked(next) || copula.test(next.word)) return true;
	// a verb behind its subject
	return from === 0
		? isCapital(tokens[from]) &&
				/(?:ed|(?<!^v)s|wrote|won|beat|led|made|became|came|held|got|took|began|built|did|had|sang|gave|found|ran|sold|taught|drew)$/.test(
					next.word,
				)
		: /^(?:during|after|before|since|until|because|while|near|between|through|under|over|around|against)$/.test(
				next.word,
			);
}

const startsPhrase = (text: string) =>
	/^(?:a|an|the|who|which|that|where|when|whose|in|at|on|from|of|by|with|as|also|known|located|born|based|according|since|because|not|so|ein|eine|der|die|das|wo|un|una|el|la|le|qui|que|where)\s/i.test(
		text,
	);

const classNouns = new Set(
	"city town village state kingdom republic province county country river lake island mountain planet film movie novel book song album band group team club company university college school war battle city commune municipality district region team actor actress singer director author writer element language rocket ship game series".split(
		" ",
	),
);

/** Whether what stands before a name leads to it. */
function headFits(before: string, { tokens, from, stems, asked, gold, after }: Asking & { after: string }): boolean {
	if (from === 0) return true;
	const lead = tokens.slice(0, from);
	const near = lead.at(-1);
	if (!near) return true;
	// "Augustus was succeeded by" of who succeeded
	const done = /(?<!\p{L})(?:is|was|were|are|been) (\p{L}+) by $/iu.exec(before)?.[1];
	if (done !== undefined && stems.has(stemOf(foldWord(done)))) return true;
	const gap = before.slice(near.end);
	if (/^(?:near|outside|around|opposite|beside|nahe|bei|außerhalb)$/.test(near.word)) return false;
	if (/[,;]\s*$/.test(gap) && lead.length > 1 && !lead.some(({ word }) => copula.test(word)) && stems.size === 0)
		return false;
	const proper = (token: Token) => /^\p{Lu}/u.test(token.written) && !isFunctionWord(token.word);
	// a capital straight before it makes it a part of another name
	if (
		/^\s$/.test(gap) &&
		proper(near) &&
		lead.length > 0 &&
		!asked(near) &&
		!copula.test(near.word) &&
		!(lead.length === 1 && /^(?:It|He|She|They|Yes|No)$/.test(near.written))
	)
		return false;
	if (/(?:^|\s)(?:and|&|und|or|y|et)$/i.test(before.trim())) return false;
	let at = lead.length - 1;
	while (
		at >= 0 &&
		isFunctionWord(lead[at]?.word ?? "") &&
		!copula.test(lead[at]?.word ?? "") &&
		!/^(?:of|von|vom|de|du)$/.test(lead[at]?.word ?? "")
	)
		at -= 1;
	const anchor = lead[at];
	const by = /(?<!\p{L})(?:wurde|wird|worden|stammt|ist)(?!\p{L})/iu.test(before);
	if (anchor?.word === "of" || (/^(?:von|vom|de|du)$/.test(anchor?.word ?? "") && !by)) {
		const owner = lead[at - 1];
		if (!owner || !(classNouns.has(owner.word) || asked(owner))) return false;
		if (!classNouns.has(owner.word) && !lead.some(({ word }) => copula.test(word))) return false;
	}
	if (stems.size === 0)
		return (
			!anchor ||
			copula.test(anchor.word) ||
			/(?:ed|en|born)$/.test(anchor.word) ||
			lead.every(({ word }) => isFunctionWord(word)) ||
			(classNouns.has(anchor.word) && lead.length <= 3)
		);
	// what the verb points at is said of the rest, where that speaks of what was asked
	const pointed =
		anchor !== undefined &&
		/^(?:is|was|are|were|ist|war|es|est)$/.test(anchor.word) &&
		!/\p{Lu}/u.test(before.slice(anchor.end));
	if (pointed && /^["”’'».!?…\s]*$/.test(after) && lead.some(asked)) return true;
	// the name must be the first thing that the question does not hold
	return (
		!lead.some(
			(token, index) =>
				(proper(token) || /^\d/.test(token.word)) &&
				!asked(token) &&
				!(index === 0 && isFunctionWord(token.word)) &&
				!isAdjective(token, lead[index + 1]) &&
				!dated(lead, index),
		) &&
		(/^\p{Lu}|\d/u.test(gold.raw) ||
			lead.every(
				(token, index) =>
					asked(token) ||
					isFunctionWord(token.word) ||
					copula.test(token.word) ||
					/(?:ed|ly)$/.test(token.word) ||
					(index === from - 1 && classNouns.has(token.word)),
			) ||
			after === "")
	);
}

/** "Italian" of "the Italian artist" */
const isAdjective = ({ word }: Token, next: Token | undefined) =>
	/(?:[aei]an|ish|ese|ch|eek|viet|swiss)$/.test(word) &&
	next !== undefined &&
	/^\p{Ll}/u.test(next.written) &&
	!isFunctionWord(next.word);

/** "In 1859 ...": a year or a month before the name says when. */
function dated(lead: Token[], index: number): boolean {
	const word = lead[index]?.word ?? "";
	return (
		/^(?:1\d|20)\d\d$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/.test(
			word,
		) ||
		(/^\d{1,2}(?:st|nd|rd|th)?$/.test(word) && lead.length > 1)
	);
}

/** Of a name that the question itself holds, a comparison that it does not hold may say the opposite. */
function choosesOther({ tokens, from, to, gold, stems }: Place): boolean {
	if (stems.size === 0) return false;
	const own = tokensOf(gold.raw).filter(({ word }) => !isFunctionWord(word));
	if (own.length === 0 || !own.every(({ word }) => stems.has(stemOf(word)))) return false;
	const others = tokens.filter((_, index) => index < from || index >= to);
	const first = /(?<!\p{L})(?:first|earlier|before|older|oldest|earliest)(?!\p{L})/iu;
	if (
		from === 0 &&
		[...stems].some((stem) => /^(?:first|earlier|befor|older|old)$/.test(stem)) &&
		others.some(({ word }) => first.test(word))
	)
		return false;
	if (
		others.some(
			({ word }) => comparatives.test(word) && word !== "than" && !stems.has(stemOf(word)) && !stems.has(word),
		)
	)
		return true;
	return tokens.slice(0, from).some(({ written, word }) => /^\p{Lu}/u.test(written) && !isFunctionWord(word));
}

/** Chinese and Japanese put no space around a name: it is all there is, or what the verb "to be" points at. */
function assertsUnspaced(sentence: string, gold: Name): boolean {
	const bare = sentence.replace(/(?:です|でした|である|だ)?[。．.!！\s]*$/u, "");
	if (/不是|并非|没有|ではな|じゃな|或|还是|または/.test(bare)) return false;
	if (sameName(nameOf(bare), gold)) return true;
	const head = bare.split(/[，,（(]/)[0] ?? "";
	if (sameName(nameOf(head), gold)) return true;
	for (const part of sentencesOf(bare)) {
		const said = /(?:是|为|為|叫|叫做|名为|在|於|于|は|が|：|:)([^是为為叫在於于はが：:]{1,80})$/u.exec(
			(part.split(/[，,（(]/)[0] ?? "").trim(),
		)?.[1];
		if (said !== undefined && sameName(nameOf(said.trim()), gold)) return true;
	}
	return false;
}
