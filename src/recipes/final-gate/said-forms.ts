import { type Answer, ownField, stopWords } from "#domain";
import { readDates, readQuantities } from "#scoring";
import { quotesIn } from "./looked-at.ts";

type Unit = NonNullable<ReturnType<typeof readQuantities>[number]["unit"]>;

/** A word of a text: as it is compared, how it is written, and where. */
interface Word {
	plain: string;
	written: string;
	from: number;
	to: number;
}

const arabicLetters: Record<string, string> = { أ: "ا", إ: "ا", آ: "ا", ى: "ي", ة: "ه" };

/** Case, accents and letters that stand for one another aside. */
const plainOf = (text: string): string =>
	text
		.normalize("NFKD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/ß/g, "ss")
		.replace(/[æœøłđı]/g, (letter) => ({ æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i" })[letter] ?? letter)
		.replace(/[أإآىة]/g, (letter) => arabicLetters[letter] ?? letter)
		.replace(/[ـ]/g, "");

/** The words of a text; the s of a possessive is none. */
export function wordsIn(text: string): Word[] {
	return [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].flatMap(({ 0: written, index }) =>
		/^s$/i.test(written) && /['’]/.test(text[index - 1] ?? "")
			? []
			: [{ plain: plainOf(written), written, from: index, to: index + written.length }],
	);
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Endings that a name takes without being another: plural, genitive. */
const stem = (word: string): string => (word.length > 4 ? word.replace(/(?:e?s)$/u, "") : word);
const isSameWord = (a: string, b: string): boolean =>
	a === b ||
	(a.length > 3 && (b === `${a}s` || b === `${a}es`)) ||
	(stem(a) === stem(b) && Math.abs(a.length - b.length) <= 2) ||
	(a.length > 3 &&
		/\p{Script=Arabic}/u.test(a) &&
		b.replace(/^(?:[وفبكل]|ال|[وفبكل]ال|لل)/u, "") === a.replace(/^ال/u, ""));

/** What is of a place or follows a person: "Parisian", "Viennese", "Darwinist", "Kafkaesque". */
const derived = /^(?:n|an|ian|ean|ese|ish|ite|ist|ism|ic|esque|like|ensian|onian)s?$/u;
const fewestDerived = 5;

/** A name with the ending of an adjective, in capitals: a last vowel may give way to it. */
function isDerived(name: Word | undefined, word: Word | undefined): boolean {
	if (!name || !word || name.plain.length < fewestDerived) return false;
	if (!/^\p{Lu}/u.test(name.written) || !/^\p{Lu}/u.test(word.written)) return false;
	const root = name.plain.replace(/[aeiouy]$/u, "");
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

/** Words before or behind a name that tell what kind of thing it is, not which. */
const kindsOfThings = new Set(
	"lake mount mt mountain mountains river sea ocean bay gulf island islands isle cape valley desert fort saint st port city town village county state province district region republic kingdom empire federation commonwealth united university college school institute academy museum gallery library hospital church cathedral temple palace castle tower bridge airport station stadium park street avenue road square building hall house hotel company corporation corp inc incorporated ltd limited llc group holdings gmbh ag co records pictures production productions studios studio films film entertainment band orchestra choir theatre theater award awards prize medal cup league championship club fc football team party movement order association society foundation organization organisation agency department ministry office bureau committee commission council court army navy force war battle treaty act law album song novel book series show magazine newspaper press journal times news international national royal grand great new old north south east west northern southern eastern western central upper lower shipwrights shipyard shipyards boatyard shipbuilders boatbuilders yard works ironworks steelworks foundry forge mill mills brothers bros sons engineers engineering builders construction architects motors industries enterprises partners associates bank banking brewery brewers distillery winery bakery dairy farms foods steel textiles weavers tailors outfitters clothing technologies systems software electronics instruments opticians glassworks pottery potters ceramics airlines airways aviation aircraft aerospace railways railway railroad tramways transport shipping line lines logistics publishing publishers printers printing books communications media network television radio broadcasting pharmaceuticals chemicals chemical energy power oil gas mining mines minerals quarry colliery timber insurance capital ventures laboratories laboratory labs research manufacturing manufacturers tools machinery locomotive locomotives carriage bicycles cycles watches clockmakers jewellers toys games sports stores traders trading merchants import export services solutions consulting management agency clinic abbey priory monastery chapel basilica shrine mosque synagogue minster castle fortress manor villa villas tower towers lighthouse harbour harbor port pier dam canal falls waterfall glacier peak summit ridge pass range plain plains forest wood woods moor heath beach coast creek brook stream reservoir lagoon strait channel cave caverns crater volcano spring springs peninsula archipelago reef borough parish canton municipality prefecture observatory archive archives garden gardens zoo theatre opera cinema arena circuit racecourse ballpark symphony philharmonic quartet trio ensemble chorus festival exhibition gazette herald tribune chronicle post mirror review quarterly the of and de la le el los las der die das von van du des di da del".split(
		" ",
	),
);

/** Words before a surname that are no part of another name. */
const titles = new Set(
	"mr mrs ms miss dr sir dame lord lady prof professor president king queen prince princess pope emperor empress saint captain general colonel major senator governor mayor judge justice chancellor director actor actress singer author writer artist painter composer poet herr frau señor señora don doña monsieur madame m mme".split(
		" ",
	),
);

/** What an answer may be said by, each with how it is to be found. */
export interface Form {
	/** The words as written. */
	text: string;
	/** The kinds that its whole name tells: "Talm River" for the River Talm is no longer name. */
	kinds?: readonly string[];
	/** What of the answer it is, for the detail. */
	is: "whole" | "other name" | "people" | "surname" | "distinctive part" | "part";
}

/** Words from which on an answer is a sentence: only the whole of it gives it away. */
const longAnswer = 8;

/** A person's name: two to four words with capitals, particles among them, that name no kind of thing. */
export function isPersonsName(name: string): boolean {
	const words = name.trim().split(/\s+/);
	if (words.length < 2 || words.length > 5 || /[\p{N},;:&/]/u.test(name)) return false;
	const named = words.filter((word) => /^\p{Lu}/u.test(word));
	if (named.length < 2 || !/^\p{Lu}/u.test(words.at(-1) ?? "")) return false;
	const between = words.filter((word) => !/^\p{Lu}/u.test(word));
	if (
		between.some(
			(word) =>
				!/^(?:de|da|di|del|della|der|den|van|von|zu|la|le|el|al|bin|ibn|y|e|dos|du|ter|af|d['’]\p{L}+)$/u.test(word),
		)
	)
		return false;
	return !named.some((word) => kindsOfThings.has(plainOf(word)));
}

const asksPerson =
	/^\W*(?:(?:by|to|for|from|with|after|of|under|about|against|before|on|in|at) )?(?:who|whom|whose)\b|^[^?]{1,80},\s+(?:(?:by|to|for|from|with|after|of|under) )?(?:who|whom)\s+(?:is|was|were|did|has)\b|(?:\bname of (?:the|an?) |\bwhich |\bwhat |>> ?)(?:[\p{L}-]+ ){0,2}(?:person|people|man|woman|actor|actress|author|writer|novelist|poet|playwright|director|producer|screenwriter|composer|singer|rapper|musician|songwriter|drummer|guitarist|performer|artist|painter|sculptor|architect|photographer|scientist|physicist|chemist|mathematician|biologist|astronomer|philosopher|historian|economist|engineer|inventor|founder|ceo|chairman|president|prime minister|chancellor|king|queen|emperor|monarch|prince|princess|pope|bishop|politician|senator|governor|mayor|minister|general|officer|admiral|coach|manager|player|footballer|athlete|driver|champion|winner|captain|father|mother|parent|son|daughter|child|brother|sister|sibling|spouse|husband|wife|grandfather|grandmother|cousin|uncle|aunt|leader|designer|creator|owner|host|presenter|discoverer|explorer|astronaut|pilot|author|explorer|namesake|character)\b|(?<!\p{L})(?:quién|quien|wer|wem|wen|wessen|qui|chi|quem)\b|谁|誰|من/iu;

/** Whether it is a person that the question wants. */
export const isPersonAsked = (question: string): boolean => asksPerson.test(question);

/** What the answer may be said by in a question. `also` are its names in other languages, where they are known. */
export function formsOf(answer: Answer, { person, also = [] }: { person: boolean; also?: readonly string[] }): Form[] {
	if (answer.type === "boolean" || answer.type === "none") return [];
	const forms: Form[] = [];
	const whole = [
		answer.value,
		...answer.accepted,
		...also,
		...(answer.type === "time" ? yearInWords(answer.time.iso) : []),
	];
	for (const text of new Set(whole)) {
		const is = text === answer.value ? "whole" : "other name";
		const bare = text
			.replace(/(?<=\S)\s+\([^()]*\)$/u, "")
			.replace(/^(?:the|an?|der|die|das|el|la|los|las|le|les|il|lo|gli)\s+(?=\S)/iu, "");
		for (const one of new Set([text, bare])) if (!isWordOfAnyText(one)) forms.push({ text: one, is });
	}
	const people = ownField(demonyms, plainOf(answer.value));
	if (people && answer.type === "string") forms.push({ text: people, is: "people" });
	const words = wordsIn(answer.value);
	if (answer.type === "string" && words.length > 1 && words.length < longAnswer && !unspaced.test(answer.value)) {
		const surname = person ? surnameOf(answer.value) : undefined;
		const given = words[0]?.written ?? "";
		if (surname) {
			forms.push({ text: surname, is: "surname" });
			if (given.length > 3 && given !== surname) forms.push({ text: given, is: "part" });
		} else if (!person) {
			const telling = words.filter(({ plain }) => !kindsOfThings.has(plain));
			const [one] = telling;
			if (
				telling.length === 1 &&
				one &&
				one.plain.length > 4 &&
				/^\p{Lu}/u.test(one.written) &&
				words.every(({ written }) => /^\p{Lu}|^(?:of|the|de|der|von|du|des)$/u.test(written))
			)
				forms.push({ text: one.written, is: "distinctive part", kinds: words.map(({ plain }) => plain) });
			else if (words.length < 5)
				for (const { written, plain } of telling)
					if (plain.length > 4 && /^\p{Lu}/u.test(written)) forms.push({ text: written, is: "part" });
		}
	}
	return forms;
}

/** What is of a country is called in English, where the country's name does not hold the word. */
const demonyms: Record<string, string> = Object.fromEntries(
	"Afghanistan:Afghan Albania:Albanian Algeria:Algerian Argentina:Argentine Armenia:Armenian Australia:Australian Austria:Austrian Belgium:Belgian Bolivia:Bolivian Brazil:Brazilian Bulgaria:Bulgarian Cambodia:Cambodian Canada:Canadian Chile:Chilean China:Chinese Colombia:Colombian Croatia:Croatian Cuba:Cuban Denmark:Danish Ecuador:Ecuadorian Egypt:Egyptian England:English Estonia:Estonian Ethiopia:Ethiopian Finland:Finnish France:French Georgia:Georgian Germany:German Ghana:Ghanaian Greece:Greek Hungary:Hungarian Iceland:Icelandic India:Indian Indonesia:Indonesian Iran:Iranian Iraq:Iraqi Ireland:Irish Israel:Israeli Italy:Italian Jamaica:Jamaican Japan:Japanese Jordan:Jordanian Kenya:Kenyan Latvia:Latvian Lebanon:Lebanese Libya:Libyan Lithuania:Lithuanian Malaysia:Malaysian Mexico:Mexican Mongolia:Mongolian Morocco:Moroccan Nepal:Nepalese Netherlands:Dutch Nigeria:Nigerian Norway:Norwegian Pakistan:Pakistani Peru:Peruvian Philippines:Filipino Poland:Polish Portugal:Portuguese Romania:Romanian Russia:Russian Scotland:Scottish Serbia:Serbian Slovakia:Slovak Slovenia:Slovenian Spain:Spanish Sudan:Sudanese Sweden:Swedish Switzerland:Swiss Syria:Syrian Taiwan:Taiwanese Thailand:Thai Tunisia:Tunisian Turkey:Turkish Ukraine:Ukrainian Uruguay:Uruguayan Venezuela:Venezuelan Vietnam:Vietnamese Wales:Welsh Yemen:Yemeni Zimbabwe:Zimbabwean"
		.split(" ")
		.map((pair) => pair.toLowerCase().split(":") as [string, string]),
);

/** The last part of a person's name, unless it is a number of his line or "the Great". */
function surnameOf(name: string): string | undefined {
	if (!isPersonsName(name)) return undefined;
	const words = name
		.replace(/,.*$/u, "")
		.split(/\s+/)
		.filter((word) => !/^(?:jr|sr|junior|senior|[IVX]+|\d\p{L}*)\.?$/iu.test(word));
	const last = words.at(-1);
	return words.length > 1 && last && last.length > 2 ? last : undefined;
}

/** Single letters and words that any text has: they tell nothing. */
function isWordOfAnyText(form: string): boolean {
	const words = wordsIn(form);
	if (words.length === 0) return true;
	const [first] = words;
	if (words.length > 1 || !first) return false;
	if (unspaced.test(form)) return [...form].length < 2;
	return (
		first.plain.length < 2 ||
		Object.values(stopWords).some((list) => list?.has(first.plain) && !/^\p{Lu}{2,}$/u.test(first.written))
	);
}

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
			const matched = wanted.every((word, offset) => isSameWord(word.plain, words[at + offset]?.plain ?? ""));
			if (!matched && !(wanted.length === 1 && isDerived(wanted[0], words[at]))) continue;
			const span = { first: at, last: at + wanted.length - 1 };
			if (!isWrittenLike(wanted, words.slice(at, at + wanted.length), text)) continue;
			const named = form.is === "whole" || form.is === "other name";
			if (
				named &&
				wanted.length === 1 &&
				/^ (?:del|de la|of|of the|do|da|du) \p{Lu}/u.test(text.slice(words[span.last]?.to))
			)
				continue;
			if (own && /^ (?:and|y|e|und|et) \p{Lu}/u.test(text.slice(words[span.last]?.to))) continue;
			if (!anywhere && isPartOfName(text, words, span, { form, language, quotes })) continue;
			const [from, to] = [words[span.first]?.from ?? 0, words[span.last]?.to ?? 0];
			if (form.is === "part" && !isApposed(text, from, to)) continue;
			// "in Orlando, Florida" is where, not which university
			if (form.is === "distinctive part" && /\b(?:in|at|near|from) \p{Lu}[\p{L}\p{M}]+, $/u.test(text.slice(0, from)))
				continue;
			if (passes?.(from, to)) continue;
			return { found: text.slice(from, to), from, to, form };
		}
	}
	return undefined;
}

/** Short abbreviations are found in capitals only ("US", "IT"), and a name in a text that has capitals not as a plain word. */
function isWrittenLike(wanted: readonly Word[], found: readonly Word[], text: string): boolean {
	const [name, word] = [wanted[0], found[0]];
	if (!name || !word || wanted.length > 1) return true;
	if (/^\p{Lu}{2,4}$/u.test(name.written)) return word.written === name.written;
	const named = /^\p{Lu}/u.test(name.written);
	return !(named && /^\p{Ll}/u.test(word.written) && /\s\p{Lu}/u.test(text) && name.plain.length < 5);
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
			!/ing$|^(?:given|granted|unlike|despite|besides|notwithstanding|regarding)$/u.test(before.plain) &&
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

/** Numbers that texts are full of give nothing away. */
const tellingNumber = (value: number) => Math.abs(value) > 3 || !Number.isInteger(value);

/** A number or a date of the answer that the text says in any form: "seven", "1.100", "May 4th, 1912". */
export function valueSaidIn(text: string, answer: Answer, { language }: { language: string }): string | undefined {
	const date = dateOf(answer);
	if (date) {
		const said = datesIn(text).find(
			(other) =>
				other.year === date.year &&
				(date.month === undefined || other.month === date.month) &&
				(date.day === undefined || other.day === date.day),
		);
		return said?.written ?? dateInWords(text, date);
	}
	const number = numberOf(answer, language);
	if (number === undefined || !tellingNumber(number)) return undefined;
	return (
		numbersIn(text, language).find(({ value }) => value === number)?.written ?? convertedIn(text, answer, language)
	);
}

/** A measure of the answer in another unit of its kind: "389,000 metres" for 389 kilometres. */
function convertedIn(text: string, answer: Answer, language: string): string | undefined {
	const [own] = readQuantities(answer.value, { language });
	if (!own?.unit || own.unit.doubtful || own.low !== own.high) return undefined;
	const inBase = (value: number, unit: Unit) => value * unit.factor + unit.offset;
	const wanted = inBase(own.low, own.unit);
	const found = readQuantities(text, { language }).find(
		({ low, high, unit }) =>
			unit !== null &&
			!unit.doubtful &&
			unit.dimension === own.unit?.dimension &&
			low === high &&
			Math.abs(inBase(low, unit) - wanted) <= Math.abs(wanted) * sameMeasure,
	);
	return found && `${found.low} ${found.unitName}`;
}

/** Of two measures that differ by less than this share, one is the other rounded: "241.7 miles" for 389 kilometres. */
const sameMeasure = 0.002;

/** "May fourteen, eighteen sixty-eight": a year in words tells the date where its month stands beside it. */
function dateInWords(
	text: string,
	{ year, month, day }: { year: number; month?: number; day?: number },
): string | undefined {
	const plain = ` ${wordsIn(text)
		.map((word) => word.plain)
		.join(" ")} `;
	const name = month === undefined ? "" : (monthNames[month - 1] ?? "");
	const ordinal = day === undefined ? undefined : ordinals[day - 1];
	if (ordinal && plain.includes(` ${ordinal} `) && plain.includes(` ${name} `) && plain.includes(` ${year} `))
		return ordinal;
	const said = yearInWords(String(year)).find((words) => plain.includes(` ${words.replaceAll("-", " ")} `));
	if (said === undefined) return undefined;
	return name === "" || plain.includes(` ${name} `) ? said : undefined;
}
const ordinals =
	"first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(
		" ",
	);
for (const ten of ["twenty", "thirty"]) for (const one of ordinals.slice(0, 9)) ordinals.push(`${ten} ${one}`);
ordinals.splice(29, 0, "thirtieth");
const monthNames = "january february march april may june july august september october november december".split(" ");

/** A day with a time of day is more than a day. */
const timeOfDay = /\d:\d\d/;

function dateOf(answer: Answer): { year: number; month?: number; day?: number } | undefined {
	if (answer.type === "time") {
		const [, sign = "", year = "", month, day] = /^(-?)(\d+)(?:-(\d{2}))?(?:-(\d{2}))?/.exec(answer.time.iso) ?? [];
		const parts = { ...(month ? { month: Number(month) } : {}), ...(day ? { day: Number(day) } : {}) };
		return { year: Number(`${sign}${year}`), ...parts };
	}
	if (
		answer.type !== "string" ||
		timeOfDay.test(answer.value) ||
		!/\p{L}.*\d{4}|\d{4}.*\p{L}|^\d{4}[-/.]\d|年/u.test(answer.value) ||
		wordsIn(answer.value).length > 5
	)
		return undefined;
	const [date] = readDates(answer.value);
	return date?.month === undefined ? undefined : date;
}

/** All dates of a text: the fullest at each place that has a year. */
function datesIn(text: string): { year: number; month?: number; day?: number; written: string }[] {
	const found: { year: number; month?: number; day?: number; written: string }[] = [];
	for (const match of text.matchAll(/(?<!\p{Nd})\p{Nd}{3,4}(?!\p{Nd})/gu)) {
		const part = text.slice(Math.max(0, match.index - 25), match.index + 25);
		for (const one of [...readDates(part), ...readDates(match[0])]) found.push({ ...one, written: part.trim() });
	}
	return found;
}

function numberOf(answer: Answer, language: string): number | undefined {
	if (answer.type === "number") return answer.number.value;
	if (answer.type !== "string" || wordsIn(answer.value).length > 4) return undefined;
	const [one, ...more] = readQuantities(answer.value, { language });
	if (!one || more.length > 0 || one.low !== one.high) return undefined;
	// "MI6" and "Room 237" are names
	return /^[\s$€£¥]*[\p{Nd}.,\s]+(?:%|[\p{L}°²³/ ]{0,12})$/u.test(answer.value) ||
		!/\p{Nd}|\p{Lu}\p{Ll}+ \p{Lu}/u.test(answer.value)
		? one.low
		: undefined;
}

/** Numbers of a text in digits and in words: words are read apart from digits, which would keep them from being read. */
function numbersIn(text: string, language: string): { value: number; written: string }[] {
	// "GPT-4" and "A380" are names
	const plain = text
		.replace(/(?<![\p{L}\p{N}-])(\p{Nd}[\p{Nd}.,]*)-(?=\p{Ll})/gu, "$1 ")
		.replace(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu, (word) => (/\p{L}/u.test(word) && /\p{Nd}/u.test(word) ? "·" : word));
	const parts = plain.split(/([\p{Nd}][\p{Nd}.,'’ {2}]*)/u).filter((part) => part.trim() !== "");
	return parts.flatMap((part) =>
		readQuantities(part, { language })
			.filter(({ low, high }) => low === high)
			.map(({ low }) => ({ value: low, written: part.trim() })),
	);
}

const upTo19 =
	"zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
		" ",
	);
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** A year that the text says: in digits, within a date, or in words ("the year nineteen twelve"). */
export function yearSaidIn(text: string, year: number, { language }: { language: string }): string | undefined {
	const written = String(year);
	const digits =
		datesIn(text).find((date) => date.year === year) ?? numbersIn(text, language).find(({ value }) => value === year);
	if (digits) return digits.written;
	const inWords = yearInWords(written).map((words): Form => ({ text: words, is: "whole" }));
	return saidIn(text, inWords, { language, anywhere: true })?.found;
}

/** How English says a year of four digits that stands alone: "nineteen twelve", "nineteen hundred twelve". */
function yearInWords(iso: string): string[] {
	if (!/^(?:1\d|20)\d{2}$/.test(iso)) return [];
	const inWords = (value: number) => {
		if (value < 20) return upTo19[value] ?? "";
		return `${tens[Math.floor(value / 10) - 2]}${value % 10 ? ` ${upTo19[value % 10]}` : ""}`;
	};
	const [century, rest] = [Number(iso.slice(0, 2)), Number(iso.slice(2))];
	const hundreds = `${inWords(century)} hundred`;
	if (rest === 0) return [hundreds];
	const end = rest < 10 ? `oh ${inWords(rest)}` : inWords(rest);
	return [`${inWords(century)} ${end}`, `${hundreds} ${inWords(rest)}`, `${hundreds} and ${inWords(rest)}`];
}
