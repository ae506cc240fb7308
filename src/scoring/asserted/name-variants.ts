/**
 * When two names are the same name, beyond what normalising for exact match makes equal. The whole list:
 * - case, accents, Unicode forms, quotes, articles, hyphens and spacing do not count; signs that tell names apart do ("C++",
 *   "C#", "+"), and a name of signs only is compared as it stands;
 * - the kind of thing may stand behind the name or not where the question names it ("Orange" and "Orange County"), two
 *   capitalised words may be turned round ("Damjanich János"), umlauts spelt out ("Roentgen"), the days of the week short or
 *   in German, Spanish or French, and a title of five words may differ in a plural;
 * - sub- and superscripts are the digits they show (H₂O), "&" is "and";
 * - dotted abbreviations are the same without dots ("U.S.A.");
 * - an initial stands for a name that begins with it, and a middle initial may be left out ("J. R. R. Tolkien");
 * - an inverted name is turned round ("Flynn, Matt");
 * - a title before a name ("Sir", "Dr.", "Captain") and a company's form after one ("Inc.", "Corporation") may be left out;
 * - "St." is "Saint", "Mt." "Mount", "Jr." "Junior", "Sr." "Senior";
 * - numbers in words, Roman numerals behind a word and ordinals are numbers ("World War Two", "Louis the Fourteenth");
 * - a few countries have two names that everyone uses (USA, UK, UAE), and American states their two letters ("Nauvoo, IL");
 * - what only places the name may be left out: a country, state or county behind a comma ("Nairobi, Kenya"), "in" such a
 *   place, a noble title behind a comma ("John VI, Prince of ..."), "by" an author;
 * - where a person is asked for: middle names and further first names may be left out, and the surname alone is enough
 *   unless the question holds it or asks for a relative.
 */
import { rememberingTexts } from "#domain";
import { foldArabic } from "../answers/arabic-forms.ts";
import { ofQuestions } from "./question-words.ts";

/** A name of more characters is compared by its normalised words only. */
const mostCharacters = 300;

const letters: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d" };
const kept = "+#=<>±×÷−°$€£%·";

const numbers = new Map<string, string>();
for (const [
	value,
	word,
] of "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
	.split(" ")
	.entries())
	numbers.set(word, String(value));
for (const [
	index,
	word,
] of "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
	.split(" ")
	.entries())
	numbers.set(word, ordinal(index + 1));
numbers.set("twentyfirst", "21st");

function ordinal(value: number): string {
	const ending = value >= 11 && value <= 13 ? "th" : (["th", "st", "nd", "rd"][value % 10] ?? "th");
	return `${value}${ending}`;
}

const words = new Map([
	["saint", "st"],
	["mount", "mt"],
	["fort", "ft"],
	["junior", "jr"],
	["senior", "sr"],
	["versus", "vs"],
	["v", "vs"],
	["street", "st"],
	["avenue", "ave"],
	["road", "rd"],
	["number", "no"],
	["volume", "vol"],
	["issue", "no"],
]);
const romans = new Map(
	"II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI"
		.split(" ")
		.map((roman, index) => [roman, String(index + 2)]),
);
const titles = new Set(
	"mr mrs ms miss dr prof professor sir dame lord lady capt captain col colonel gen general lt lieutenant sgt sergeant maj major adm admiral rev reverend cardinal king queen emperor empress prince princess duke baron president senator sen chancellor herr frau dom don señor senor monsieur".split(
		" ",
	),
);
const companyForms = new Set(
	"inc incorporated corp corporation co company ltd limited llc plc gmbh ag sa spa nv bv kg fc cf afc".split(" "),
);
const shortForms: Readonly<Record<string, string>> = {
	incorporated: "inc",
	corporation: "corp",
	company: "co",
	limited: "ltd",
	professor: "prof",
	sergeant: "sgt",
};
const articles = new Set(["a", "an", "the"]);

const sameCountries = [
	["usa", "us", "unitedstates", "unitedstatesofamerica", "america"],
	["uk", "unitedkingdom", "unitedkingdomofgreatbritainandnorthernireland"],
	["uae", "unitedarabemirates"],
	["ussr", "sovietunion", "unionofsovietsocialistrepublics"],
	["eu", "europeanunion"],
	["un", "unitednations"],
];
const countryOf = new Map(sameCountries.flatMap((names) => names.map((name) => [name, names[0]])));

/** The words of a name by which it is compared. */
export function nameWords(text: string): string[] {
	const plain = text
		.normalize("NFC")
		.replace(/[₀-₉⁰¹²³⁴-⁹]/g, (digit) => digit.normalize("NFKC"))
		.replace(
			/(?<![\p{L}\p{N}])((?:\p{Lu}\.\s?){2,})(?!\p{L})/gu,
			(dotted) => ` ${dotted.replace(/[.]/g, "").replace(/\s/g, " ")} `,
		)
		.replace(/(?<=\p{L})\.(?=\p{L}\.)/gu, "")
		.replace(/(?<=\d),(?=\d{3}(?!\d))/g, "")
		.replace(/(?<=\d)\.(?=\d)/g, "·")
		.replace(/\b([A-E])-(?=\s|$)/g, "$1−")
		.replace(/&/g, " and ")
		.replace(/[ßæœøłđ]/gi, (letter) => letters[letter.toLowerCase()] ?? letter);
	const folded = foldArabic(plain.normalize("NFKC")).replace(/\p{Diacritic}|[\u0300-\u036f]/gu, "");
	const bare = folded
		.normalize("NFD")
		.replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
		.normalize("NFC");
	const spaced = bare
		.replace(/['’ʼ`´‘"“”«»„.!?,:;()[\]{}*_~^|\\@…・¿¡]/g, (sign) => (/['’ʼ`´‘.*]/.test(sign) ? "" : " "))
		.replace(/[-‐‑‒–—/]/g, " ");
	const found: string[] = [];
	for (const [index, written] of spaced
		.split(/[\s\p{Cc}]+/u)
		.filter((word) => word !== "")
		.entries()) {
		const word = written.replace(/[^\p{L}\p{N}\p{M}]/gu, (sign) => (kept.includes(sign) ? sign : ""));
		if (word === "") continue;
		// "George the Sixth" is "George VI"
		const regnal =
			index > 1 && found.at(-1) === "the"
				? /^(\d+)(?:st|nd|rd|th)$/.exec(numbers.get(word.toLowerCase()) ?? word)?.[1]
				: undefined;
		const roman = index > 0 && word.length <= 5 ? romans.get(word) : undefined;
		const lower = word.toLowerCase();
		found.push(regnal ?? roman ?? numbers.get(lower) ?? words.get(lower) ?? lower);
	}
	const named = found.filter((word) => !articles.has(word));
	return named.length === 0 ? found : named;
}

const postal = new Map(
	"AL:Alabama AK:Alaska AZ:Arizona AR:Arkansas CA:California CO:Colorado CT:Connecticut DE:Delaware FL:Florida GA:Georgia HI:Hawaii ID:Idaho IL:Illinois IN:Indiana IA:Iowa KS:Kansas KY:Kentucky LA:Louisiana ME:Maine MD:Maryland MA:Massachusetts MI:Michigan MN:Minnesota MS:Mississippi MO:Missouri MT:Montana NE:Nebraska NV:Nevada NH:New_Hampshire NJ:New_Jersey NM:New_Mexico NY:New_York NC:North_Carolina ND:North_Dakota OH:Ohio OK:Oklahoma OR:Oregon PA:Pennsylvania RI:Rhode_Island SC:South_Carolina SD:South_Dakota TN:Tennessee TX:Texas UT:Utah VT:Vermont VA:Virginia WA:Washington WV:West_Virginia WI:Wisconsin WY:Wyoming"
		.split(" ")
		.map((pair) => pair.replace("_", " ").split(":") as [string, string]),
);

for (const [index, names] of [
	"monday mon montag lunes lundi",
	"tuesday tue tues dienstag martes mardi",
	"wednesday wed mittwoch miércoles mercredi",
	"thursday thu thur thurs donnerstag jueves jeudi",
	"friday fri freitag viernes vendredi",
	"saturday sat samstag sonnabend sábado samedi",
	"sunday sun sonntag domingo dimanche",
].entries())
	for (const name of names.split(" "))
		if (name !== "sun" && name !== "mon") words.set(name.normalize("NFD").replace(/\p{M}/gu, ""), `weekday ${index}`);

export interface Name {
	words: readonly string[];
	/** The words without spaces. */
	squashed: string;
	/** Without titles and a company's form. */
	core: string;
	/** These titles and forms. */
	titles: readonly string[];
	/** Turned round, where it may be inverted. */
	turned: string | undefined;
	raw: string;
}

/** A benchmark's answers and the words of replies come again and again. */
export const nameOf: (text: string) => Name = rememberingTexts(readName);

function readName(text: string): Name {
	const raw = text
		.normalize("NFC")
		.trim()
		.replace(
			/(?<=\p{L}, )(\p{Lu})\.?(\p{L})\.?$/u,
			(all, a: string, b: string) => postal.get(a + b.toUpperCase()) ?? all,
		);
	const found = nameWords(raw.slice(0, 4000));
	const squashed = squash(found);
	const short = raw.length <= mostCharacters;
	const [from, to] = coreWithin(found);
	return {
		words: found,
		squashed: countryOf.get(squashed) ?? squashed,
		core: squash(found.slice(from, to)),
		titles: [...found.slice(0, from), ...found.slice(to)].map((word) => shortForms[word] ?? word),
		turned: short ? turned(raw) : undefined,
		raw,
	};
}

const umlauts: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue" };

/** A name with its umlauts spelt out; undefined where it has none. */
export const speltOut = (text: string): string | undefined =>
	/[äöüÄÖÜ]/.test(text) ? text.replace(/[äöüÄÖÜ]/g, (sign) => umlauts[sign.toLowerCase()] ?? sign) : undefined;

/** One space stays between digits, so that "1 2" is not "12". */
const squash = (list: readonly string[]) => list.join(" ").replace(/(?<!\d) | (?!\d)/g, "");

const coreOf = (list: readonly string[]) => list.slice(...coreWithin(list));

function coreWithin(list: readonly string[]): [number, number] {
	let from = 0;
	while (from < list.length - 1 && titles.has(list[from] ?? "")) from += 1;
	let to = list.length;
	while (to > from + 1 && companyForms.has(list[to - 1] ?? "")) to -= 1;
	return [from, to];
}

function turned(raw: string): string | undefined {
	const [, last, first] = /^([^,;()\n]{1,60}), ?([^,;()\n]{1,60})$/.exec(raw) ?? [];
	if (last === undefined || first === undefined) return undefined;
	const count = (text: string) => text.trim().split(/\s+/).length;
	if (count(last) > 3 || count(first) > 3 || !/^\p{Lu}/u.test(first.trim()) || /^(?:jr|sr|inc)\b/i.test(first))
		return undefined;
	return squash(nameWords(`${first} ${last}`));
}

/** What the question settles about names. */
export interface Naming {
	/** Whether it asks for a person, and of these for no relative. */
	person: boolean;
	relative: boolean;
	/** Whether several names are asked for: surnames may then be said with what goes before them. */
	several?: boolean;
	/** Whether it says a word, which is folded. */
	says(word: string): boolean;
}
export const unasked: Naming = { person: false, relative: false, says: () => false };

const asksForPerson =
	/(?<!\p{L})(?:who|whom|whose|person|people|poet|composer|author|writer|novelist|playwright|president|scientist|mathematician|physicist|chemist|outlaw|player|racer|footballer|philosopher|architect|artist|painter|singer|musician|actor|actress|director|politician|minister|king|queen|emperor|individual|figure|philanthropist|inventor|explorer|general|leader|woman|man|ballets by|wer|wen|quién|qui)(?!\p{L})/iu;
const asksForRelative =
	/(?<!\p{L})(?:father|mother|son|daughter|brother|sister|wife|husband|spouse|sibling|child|children|uncle|aunt|nephew|niece|cousin|parents?|(?:grand|step)\p{L}+|\p{L}+-in-law|consort|vater|mutter|sohn|tochter|bruder|schwester)(?!\p{L})/iu;

export const namingOf = (question: string | undefined): Naming => (question ? readNaming(question) : unasked);

const readNaming = rememberingTexts((question): Naming => {
	const asked = question.slice(0, 4000);
	// few names make it matter what else the question says
	let words: ReadonlySet<string> | undefined;
	const says = (word: string) => {
		words ??= new Set(nameWords(asked));
		return words.has(word);
	};
	return { person: asksForPerson.test(asked), relative: asksForRelative.test(asked), says };
}, ofQuestions);

const nobility =
	/^(?:\d+(?:st|nd|rd|th)|prince|princess|duke|duchess|baron|baroness|earl|count|countess|viscount|viscountess|marquess|margrave|king|queen|lord|lady|jr|sr|elector|landgrave|archduke|emperor|empress|baronet|of)\b/i;

/** The name without what only places it; undefined where nothing does. `isRegion` knows countries and states. */
export function withoutPlace(raw: string, isRegion: (text: string) => boolean): string | undefined {
	const by = /^(\S.{1,120}) by (?:the )?\p{Lu}[\p{L}.]+(?: \p{L}[\p{L}.]*){0,4}$/u.exec(raw)?.[1];
	if (by !== undefined) return by;
	const dashed = /^(\S.{1,120}?) [-–—] \S.{0,120}$/u.exec(raw)?.[1];
	if (dashed !== undefined) return dashed;
	const parts = raw.split(/,\s*/);
	const [head = "", ...rest] = parts;
	if (rest.length === 0 || rest.length > 3 || raw.length > mostCharacters) return undefined;
	const places = rest.every((part) => isRegion(part.replace(/[.]$/, "")) || /^D\.?C\.?$/.test(part));
	const place = places ? /^(\S.{2,100}?) in \p{Lu}/u.exec(head)?.[1] : undefined;
	if (place !== undefined) return place;
	return places || rest.every((part) => nobility.test(part)) ? head : undefined;
}

const common = new Set(
	"party castle state city company book award club team day street river lake island church school university college museum stadium symphony war battle league prize section edition records band group house park bridge station airport".split(
		" ",
	),
);

function uprightOf(raw: string): string[] {
	const [last = "", first = ""] = raw.split(",");
	return nameWords(`${first} ${last}`);
}

/** Whether one is the other's name without some of its first or middle names, or the surname alone. */
function samePerson(said: Name, gold: Name, { person, relative, several, says }: Naming): boolean {
	if (!person || said.raw.length > 80 || gold.raw.length > 80 || /\d|[,;]/.test(said.raw) || /\d|[;]/.test(gold.raw))
		return false;
	const upright = gold.turned === undefined ? gold.words : uprightOf(gold.raw);
	const [a, b] = [coreOf(said.words), coreOf(upright)];
	if (a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0]) return true;
	const [short, full] = a.length <= b.length ? [a, b] : [b, a];
	// what is said before a name may deny it or be another's: "not Plato", "Michelle Obama"
	const added = a.length > b.length && (b.length < 2 ? !several : !standsFor(b[0] ?? "", a[0] ?? ""));
	if (added) return false;
	const last = full.at(-1) ?? "";
	if (short.at(-1) !== last || last.length < 4 || full.length > 5 || common.has(last)) return false;
	if (full.some((word) => /^(?:of|and|in|for|at|on|to)$/.test(word))) return false;
	if (short.length === 1) return full.length > 1 && !relative && !says(last);
	let at = 0;
	const initials = (list: readonly string[]) => list.slice(1, -1).every((word) => word.length === 1);
	if (short.length > 2 && initials(short) && initials(full) && short[1] !== full[1]) return false;
	for (const word of full)
		if (
			word === short[at] ||
			(word.length === 1 && short[at]?.startsWith(word)) ||
			(short[at]?.length === 1 && word.startsWith(short[at] ?? ""))
		)
			at += 1;
	return at === short.length && (short[0] === full[0] || !relative || full.length - short.length === 1);
}

/** Whether two lists may belong to one thing: what one leaves out is no difference, what both name apart is. */
export const agree = (a: readonly string[], b: readonly string[]): boolean =>
	a.every((word) => b.includes(word)) || b.every((word) => a.includes(word));

/** Whether two texts are the same name by the rules above. */
export function sameName(said: Name, gold: Name, naming: Naming = unasked): boolean {
	if (gold.words.length === 0 || said.words.length === 0) return said.raw === gold.raw && gold.raw !== "";
	if (said.squashed === gold.squashed) return true;
	if (!agree(said.titles, gold.titles)) return false;
	if (said.core !== "" && said.core === gold.core) return true;
	if (said.turned !== undefined && said.turned === gold.squashed) return true;
	if (gold.turned !== undefined && gold.turned === said.squashed) return true;
	if (sameButClass(said.words, gold.words, naming) || sameButClass(gold.words, said.words, naming)) return true;
	if (turnedPair(said, gold)) return true;
	if (sameButTitle(said.words, gold.words) || sameButPlurals(said.words, gold.words)) return true;
	return byInitials(said, gold) || byInitials(gold, said) || samePerson(said, gold, naming);
}

const noble = new Set(
	"prince princess duke duchess baron baroness count countess earl king queen emperor empress landgrave margrave elector viscount marquess".split(
		" ",
	),
);

/** "Prince John VI of Anhalt-Zerbst" and "John VI, Prince of Anhalt-Zerbst" */
function sameButTitle(a: readonly string[], b: readonly string[]): boolean {
	const [one, other] = [a, b].map((list) => list.filter((word) => !noble.has(word)));
	if (!agree(...([a, b].map((list) => list.filter((word) => noble.has(word))) as [string[], string[]]))) return false;
	if (!one || !other || one.length < 3 || (one.length === a.length && other.length === b.length)) return false;
	return squash(one) === squash(other);
}

/** "Orange" for "Orange County" where the question asks for a county, and the other way round. */
function sameButClass(short: readonly string[], long: readonly string[], { says }: Naming): boolean {
	const last = long.at(-1) ?? "";
	if (long.length !== short.length + 1 || short.length === 0 || !kinds.has(last) || !says(last)) return false;
	return squash(short) === squash(long.slice(0, -1));
}

const kinds = new Set(
	"city town village county state province country river lake island mountain planet film movie novel book song album band team club company university festival rocket ship language castle party dynasty kingdom pistol element mineral newspaper magazine journal".split(
		" ",
	),
);

/** Two words the other way round: "P08 Luger", "Damjanich János". */
function turnedPair(said: Name, gold: Name): boolean {
	const [[a, b], [c, d]] = [said.words, gold.words];
	if (said.words.length !== 2 || gold.words.length !== 2 || a !== d || b !== c) return false;
	return /(?:^|\s)[\p{Lu}\d]\S*\s+[\p{Lu}\d]/u.test(gold.raw);
}

/** A long title but for a plural. */
function sameButPlurals(a: readonly string[], b: readonly string[]): boolean {
	if (a.length < 5 || a.length !== b.length) return false;
	return a.every(
		(word, index) =>
			word === b[index] || (word.length > 3 && `${word}s` === b[index]) || (word.length > 4 && word === `${b[index]}s`),
	);
}

/** Whether `short` is `full` with initials for some of its names, or without its middle initials. */
function byInitials(short: Name, full: Name): boolean {
	if (short.raw.length > 80 || full.raw.length > 80) return false;
	if (!/^\p{Lu}/u.test(full.raw) || !/^\p{Lu}/u.test(short.raw)) return false;
	const a = initialsApart(short);
	const b = initialsApart(full);
	if (a.length < 2 || b.length < 2 || a.at(-1) !== b.at(-1) || (a.at(-1)?.length ?? 0) < 2) return false;
	let at = 0;
	for (const word of a.slice(0, -1)) {
		if (at >= b.length - 1 || !standsFor(word, b[at] ?? "")) return false;
		at += 1;
	}
	return b.slice(at, -1).every((word) => word.length === 1 || (a.some((one) => one.length === 1) && a.length === 2));
}

const standsFor = (short: string, full: string) =>
	short === full || (short.length === 1 && full.startsWith(short) && /\p{L}/u.test(short));

/** "JRR" before a name is three initials. */
function initialsApart({ raw, words: list }: Name): string[] {
	const [first = "", ...rest] = coreOf(list);
	const written = /^(?:\p{Lu}\.? ?){2,3}(?=\s?\p{Lu}\p{Ll})/u.exec(raw)?.[0].replace(/[\s.]/g, "").toLowerCase();
	return written === first && rest.length > 0 && first.length <= 3 ? [...first, ...rest] : [first, ...rest];
}
