import { ownField, stopWords } from "#domain";
import { quotesIn } from "./looked-at.ts";
import { titles } from "./names.ts";
import { isGermanAdjective } from "./peoples.ts";
import type { Form } from "./said-forms.ts";
import { isSameWord, plainOf, unspaced, type Word, wordsIn } from "./words.ts";

interface Place {
	/** As it stands in the text. */
	found: string;
	from: number;
	to: number;
	form: Form;
}

/** Where a text says one of the forms: by words, inflected or not, and not as a part of a longer name. */
export function saidIn(
	text: string,
	forms: readonly Form[],
	options: {
		language: string;
		/** Places that give nothing away. */
		passes?: ((from: number, to: number) => boolean) | undefined;
		/** In longer names too. */
		anywhere?: boolean;
		/** The text asks for the answer itself: "the capital of São Tomé and Príncipe". */
		own?: boolean;
	},
): Place | undefined {
	const { language, passes, anywhere = false, own = false } = options;
	const words = wordsIn(text);
	const plain = ` ${plainOf(text)} `;
	const quotes = quotesIn(text);
	for (const form of forms) {
		const wanted = wordsIn(form.text);
		if (wanted.length === 0) continue;
		if (unspaced.test(form.text)) {
			if (plain.replace(/\s/g, "").includes(plainOf(form.text).replace(/\s/g, "")))
				return { found: form.text, from: 0, to: 0, form };
			continue;
		}
		for (let at = 0; at + wanted.length <= words.length; at += 1) {
			const matched = wanted.every((word, offset) => isSaidBy(word, words[at + offset]));
			const adjective = !matched && wanted.length === 1 && isDerived(wanted[0], words[at], { language, form });
			if (!matched && !adjective) continue;
			const span = { first: at, last: at + wanted.length - 1 };
			if (!adjective && !isWrittenLike(wanted, words.slice(at, at + wanted.length), { text, form })) continue;
			const named = form.is === "whole" || form.is === "other name";
			if (
				named &&
				wanted.length === 1 &&
				/^ (?:del|de la|of|of the|do|da|du) \p{Lu}/u.test(text.slice(words[span.last]?.to))
			)
				continue;
			if (own && /^ (?:and|y|e|und|et) \p{Lu}/u.test(text.slice(words[span.last]?.to))) continue;
			if (!anywhere && !adjective && isPartOfName(text, words, span, { form, language, quotes })) continue;
			const [from, to] = [words[span.first]?.from ?? 0, words[span.last]?.to ?? 0];
			if (form.is === "part" && !isApposed(text, from, to)) continue;
			// "in Orlando, Florida" is where, not which university
			if (form.is === "distinctive part" && /\b(?:in|at|near|from) \p{Lu}[\p{L}\p{M}]+, $/u.test(text.slice(0, from)))
				continue;
			// a family is no one of it
			if (
				form.is === "surname" &&
				/^(?: \p{Ll}+)? (?:family|group|clan|dynasty|brothers|sisters|siblings)(?!\p{L})/u.test(text.slice(to))
			)
				continue;
			if (passes?.(from, to)) continue;
			return { found: text.slice(from, to), from, to, form };
		}
	}
	return undefined;
}

/** Short abbreviations are found in capitals only ("US", "IT"), and a name in a text that has capitals not as a plain word. */
function isWrittenLike(
	wanted: readonly Word[],
	found: readonly Word[],
	{ text, form }: { text: string; form: Form },
): boolean {
	const [name, word] = [wanted[0], found[0]];
	if (!name || !word || wanted.length > 1) return true;
	if (/^\p{Lu}{2,4}$/u.test(name.written)) return word.written === name.written;
	const named = /^\p{Lu}/u.test(name.written);
	// "swede" is no Swede
	if (form.is === "people" && /^\p{Ll}/u.test(word.written) && /\p{Lu}/u.test(text)) return false;
	return !(
		named &&
		/^\p{Ll}/u.test(word.written) &&
		(form.proper ? /^\W*\p{Lu}/u : name.plain.length < 5 ? /\s\p{Lu}/u : /(?!)/u).test(text)
	);
}

/** "New York" of "New York Times", "Ford" of "Ford Motor Company" or of another Ford: another thing is named. */
function isPartOfName(
	text: string,
	words: readonly Word[],
	{ first, last }: { first: number; last: number },
	{ form, language, quotes }: { form: Form; language: string; quotes: readonly [number, number][] },
): boolean {
	const [from, to] = [words[first]?.from ?? 0, words[last]?.to ?? 0];
	const quote = quotes.find(([start, end]) => start < from && to < end);
	// a title that holds more than the name is another name
	if (quote && quote[1] - quote[0] - 2 > to - from + 2) return true;
	const capital = (word: Word | undefined) => word !== undefined && /^\p{Lu}/u.test(word.written);
	if (!capital(words[first])) return false;
	// where every noun has a capital, or every word, capitals tell nothing
	if (/^de\b/i.test(language) || isTitled(words)) return false;
	const before = words[first - 1];
	const after = words[last + 1];
	const between = (a: Word | undefined, b: Word | undefined) => (a && b ? text.slice(a.to, b.from) : "|");
	if (capital(after) && !form.kinds?.includes(after?.plain ?? "") && /^(?: |-| & )$/u.test(between(words[last], after)))
		return true;
	if (!before) return false;
	const joined = /^(?:\.? |-)$/u.test(between(before, words[first]));
	if (joined && capital(before) && !titles.has(before.plain)) {
		const opens = first - 1 === 0 || /[.?!¿¡]\s*["“(]?$/u.test(text.slice(0, before.from));
		// the first word of a sentence has a capital whatever it is; an initial is the person's own
		if (!opens && !(form.is === "surname" && before.written.length === 1)) return true;
		if (
			opens &&
			!/ing$|^(?:given|granted|unlike|despite|besides|notwithstanding|among|amongst|amid|across|along|around|behind|below|beneath|beside|beyond|inside|outside|past|per|round|since|throughout|till|toward|towards|underneath|until|upon|via|within|without|seen|viewed|like|near|off|onto|opposite|versus|except|minus|plus|how|who|whose|which|what|when|where|why|name|are|is|was|were|did|does|do|has|had|can)$/u.test(
				before.plain,
			) &&
			!Object.values(stopWords).some((list) => list?.has(before.plain)) &&
			form.is !== "whole" &&
			form.is !== "other name"
		)
			return true;
	}
	const joining =
		/^(?:of|de|di|du|del|von|van|and|for)$/u.test(before.written) && capital(words[first - 2]) && first - 2 > 0;
	return joining && between(words[first - 2], before) === " " && !titles.has(words[first - 2]?.plain ?? "");
}

/** Written as a title is: the words of any text have capitals too. */
function isTitled([, ...words]: readonly Word[]): boolean {
	const common = words.filter(({ plain }) => Object.values(stopWords).some((list) => list?.has(plain)));
	const titled = common.filter(({ written }) => /^\p{Lu}/u.test(written)).length;
	return titled > 1 && titled * 2 > common.length;
}

/** Words that stand for one another in names. */
const spelledOut: Record<string, string> = { st: "saint", mt: "mount", ft: "fort", dr: "doctor", bros: "brothers" };

/** The same word, inflected, shortened ("St", "Calif.") or from another alphabet in another way ("Chaikovsky"). */
function isSaidBy(name: Word, word: Word | undefined): boolean {
	if (!word) return false;
	if (isSameWord(name.plain, word.plain)) return true;
	if ((ownField(spelledOut, name.plain) ?? name.plain) === (ownField(spelledOut, word.plain) ?? word.plain))
		return true;
	const capitals = /^\p{Lu}/u.test(name.written) && /^\p{Lu}/u.test(word.written);
	if (capitals)
		return isShortened(name, word) || (name.plain.length > 5 && soundOf(name.plain) === soundOf(word.plain));
	// "glassmakers" of glassmaking
	const plain = /^\p{Ll}/u.test(name.written) && /^\p{Ll}/u.test(word.written);
	return plain && name.plain.length > 6 && familyOf(name.plain) === familyOf(word.plain);
}

const isShortened = (name: Word, word: Word): boolean =>
	word.point === true &&
	word.plain.length > 2 &&
	name.plain.length > word.plain.length + 1 &&
	name.plain.startsWith(word.plain);

/** Letters that one name is written with in one language or another, each as one. */
const soundOf = (word: string): string =>
	word
		.replace(/^tch|^tsch/u, "ch")
		.replace(/tsch|tch|cz/gu, "ch")
		.replace(/sch|sz/gu, "sh")
		.replace(/kh/gu, "ch")
		.replace(/ph|ff|v(?=$)/gu, "f")
		.replace(/th/gu, "t")
		.replace(/ck|q/gu, "k")
		.replace(/[jyi]+/gu, "i")
		.replace(/w/gu, "v")
		.replace(/(.)\1+/gu, "$1");

const familyOf = (word: string): string =>
	word.replace(/(?:ing|ings|ers?|ed|s|ment|ments|ion|ions|ors?|ery|ist|ists)$/u, "");

/** What is of a place or follows a person: "Parisian", "Viennese", "Darwinist", "Kafkaesque". */
const derived =
	/^(?:n|an|ian|ean|ese|ish|ite|ist|ism|ic|ical|esque|like|ensian|onian|oid|ic|ene|ine|eño|ois|oise|ard|iana|ana|ized|ised|ization|isation|phile|ward|wards|ness|less|ly|hood|dom|ship|ista|ista|iste|istic)s?$/u;
/** "Berliner", "Münchner", "Berlinerisch": who or what is of a town in German. */
const germanDerived = /^(?:n?er(?:in|innen|n|s|isch\p{L}*)?|sch(?:e[nrms]?)?|isch(?:e[nrms]?)?|s)$/u;
const fewestDerived = 5;

/** A name with the ending of an adjective, in capitals: a last vowel may give way to it. */
function isDerived(
	name: Word | undefined,
	word: Word | undefined,
	{ language, form }: { language: string; form: Form },
): boolean {
	if (!name || !word || !/^\p{Lu}/u.test(name.written)) return false;
	if (/^de\b/iu.test(language)) {
		if (form.is === "whole" && isGermanAdjective(name.written, word.written)) return true;
		const root = name.plain.replace(/e?n$|e$/u, "");
		if (root.length > 3 && word.plain !== name.plain && word.plain.startsWith(root))
			return germanDerived.test(word.plain.slice(root.length)) && word.plain.length > name.plain.length - 2;
	}
	if (name.plain.length < fewestDerived) return false;
	if (!/^\p{Lu}/u.test(word.written)) return false;
	const root = name.plain.replace(/[aeiouy]+$/u, "");
	if (!word.plain.startsWith(root)) return false;
	const whole = word.plain.startsWith(name.plain) ? word.plain.slice(name.plain.length) : "";
	// "Martin" is no "Marti" with an n
	if (whole === "n" || whole === "ns") return /[ao]$/u.test(name.plain);
	const cut = root === name.plain ? "" : word.plain.slice(root.length);
	return derived.test(whole) || (cut.length > 1 && derived.test(cut));
}

/** Set beside what the question tells of: "(Talm)", "i.e. Talm", ", Talm, …", "Talm, the yard …"; not "in Talm, the …". */
function isApposed(text: string, from: number, to: number): boolean {
	const [before, after] = [text.slice(Math.max(0, from - 40), from), text.slice(to, to + 40)];
	if (/\b(?:in|at|from|of|near|to|around|outside|within|for|by)\s+(?:the\s+)?$/iu.test(before)) return false;
	const inside = /[([—–]\s*(?:the\s+)?$/u.test(before) && /^\s*[)\]—–]/u.test(after);
	const named =
		/(?:\bi\.\s?e\.,?|\bnamely,?|\bthat is(?: to say)?,|\b(?:called|named|dubbed|nicknamed)|\bknown as)\s+(?:the\s+)?["“]?$/iu.test(
			before,
		) && !/^ \p{Lu}/u.test(after);
	const between = /\p{Ll},\s+(?:the\s+)?$/u.test(before) && /^(?:,|\s*[?.])/u.test(after);
	const opening = /^,\s+(?:the|an?|which|who|where)\s/u.test(after);
	return inside || named || between || opening;
}
