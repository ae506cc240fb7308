import { ownField, stopWords } from "#domain";
import { withoutQuotes } from "./looked-at.ts";

/** Words of asking, and of languages that the lists of the search index lack; whole lists, since a question is short. */
const more: Record<string, string> = {
	en: "how's what's who's according between during both each every following given known located born died first last name called would should could may might must very under before since until within without upon whether while named made became get go new one two",
	de: "bitte antworten sie dir mir dich mich wurden zwei drei aber ohne welche welcher welches welchen welchem wann warum wieso wofür woher wohin wessen wem wen wieviel viele heißt heisst hieß gibt ab gegen während zwischen dessen deren ihre ihren ihrer ihres seiner seinem seinen wurden haben beim ins eines jahr stadt",
	es: "cuánta cuántas quiénes cuáles está hizo nació murió año ciudad país nombre llama tras durante según cuyas cuyos fueron había donde fueron del",
	fr: "a quels quelles combien quand pourquoi comment lequel laquelle dont né née année ville pays nom après avant entre selon ont fut fait lors cet aussi est-ce qu'est depuis chez plusieurs d l",
	it: "quali quanto quanti quante perché nacque anno città paese nome dopo prima dello degli dagli nello negli sulla sul fu stato stata ha hanno viene",
	pt: "quantos quantas quais nasceu ano cidade país nome após durante dos das pelo pelos pelas onde foi será cujo cuja",
	nl: "de het een en van in is op te dat die voor met zijn werd was aan door wie wat waar wanneer welke welk hoe hoeveel waarom naar uit bij ook niet maar dan nog over heeft hebben worden er deze dit hun haar jaar stad",
	sv: "och i att det som en ett på är av för med den till inte var han hon vem vad vilken vilket vilka när hur många har hade från om sin sitt efter blev också år staden",
	da: "og i at det som en et på er af for med den til ikke var han hun hvem hvad hvilken hvilket hvilke hvornår hvor mange har havde fra om sin sit efter blev også år byen",
	pl: "i w na z do się jest nie to że od po przez dla który która które był była było kto co gdzie kiedy jaki jaka jakie ile jak oraz roku tego jego jej ich został miasto",
	tr: "ve bir bu da de için ile olan olarak hangi kim nedir ne zaman kaç nerede nasıl mi mı mu mü çok daha sonra yılında doğdu adı kimdir hangisi",
	id: "yang dan di ke dari untuk dengan pada adalah itu ini siapa apa mana kapan berapa bagaimana mengapa tidak oleh dalam tahun kota nama sebuah",
	fi: "ja on ei se että oli joka mikä mitä missä kuka milloin kuinka minkä minä vuonna hän ovat sekä kaupunki",
	hu: "az és egy nem hogy van volt melyik milyen hány hol mikor aki amely ez azt meg is kinek",
	ro: "a s au și este în la cu pe din care nu sunt fost cine unde când cât câți câte pentru mai lui orașul",
	cs: "je se že na ve který která které kdo kdy kde jak jaký jaká jaké kolik byl byla roku pro není jeho město",
	vi: "và của là có được trong những một các cho không người năm nào ai gì ở đâu khi thành phố tên với này",
};

export const lists = new Map<string, ReadonlySet<string>>();
for (const language of new Set([...Object.keys(stopWords), ...Object.keys(more)])) {
	const own = (ownField(more, language) ?? "").split(" ").filter((word) => word !== "");
	lists.set(language, new Set([...(stopWords[language] ?? []), ...own]));
}

/** Words that a question opens with, where no other language has them: one tells as much as two others. */
const asking: Record<string, string> = {
	en: "who whose whom which what when where why how",
	de: "wer wann welche welcher welches welchen welchem wessen wem wen warum wieviel wo wie",
	es: "quién quiénes quien cuál cuáles cual cuándo dónde cómo cuánto cuántos cuánta cuántas qué",
	fr: "qui quel quelle quels quelles quand où combien pourquoi comment lequel laquelle",
	it: "chi qual quale quali quando dove quanto quanti quante perché",
	pt: "quem qual quais quando onde quanto quantos quantas",
	nl: "wie welke welk wanneer waar waarom hoeveel wat hoe",
	sv: "vem vad vilken vilket vilka när varför hur",
	da: "hvem hvad hvilken hvilket hvilke hvornår hvor hvorfor hvordan",
	pl: "kto kiedy gdzie jaki jaka jakie który która które ile dlaczego",
	tr: "kim hangi nedir nerede kaç nasıl kimdir",
	id: "siapa apa kapan berapa bagaimana mengapa siapakah apakah",
	fi: "kuka mikä missä milloin kuinka minkä miksi",
	hu: "melyik milyen hány mikor kinek hol",
	ro: "cine când unde câți câte",
	cs: "kdo kdy kde jaký jaká jaké kolik který která které",
};
const askingIn = new Map(Object.entries(asking).map(([language, words]) => [language, new Set(words.split(" "))]));

const scripts = {
	Latin: /\p{Script=Latin}/gu,
	Han: /\p{Script=Han}/gu,
	kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
	Hangul: /\p{Script=Hangul}/gu,
	Arabic: /\p{Script=Arabic}/gu,
	Cyrillic: /\p{Script=Cyrillic}/gu,
	Greek: /\p{Script=Greek}/gu,
	Hebrew: /\p{Script=Hebrew}/gu,
	Devanagari: /\p{Script=Devanagari}/gu,
	Thai: /\p{Script=Thai}/gu,
} as const;
type Script = keyof typeof scripts;

/** The scripts that a language is written in; any other of those that have a list is written in Latin. */
const writtenIn: Record<string, readonly Script[]> = {
	zh: ["Han"],
	ja: ["kana", "Han"],
	ko: ["Hangul"],
	...Object.fromEntries(["ar", "fa", "ur"].map((one) => [one, ["Arabic"]])),
	...Object.fromEntries(["ru", "uk", "bg", "sr", "mk", "be"].map((one) => [one, ["Cyrillic"]])),
	el: ["Greek"],
	he: ["Hebrew"],
	...Object.fromEntries(["hi", "mr", "ne"].map((one) => [one, ["Devanagari"]])),
	th: ["Thai"],
};

export const primaryOf = (language: string): string => language.toLowerCase().split(/[-_]/)[0] ?? "";

/**
 * Why a text cannot be in the language, or undefined where it is, or where nothing can be told: names, numbers and a few
 * words are in any. Each sentence is looked at by itself and all together, without what stands in quotation marks. The
 * evidence is the script of the letters and the function words: a question has some of its own language, and hardly any
 * that only another has.
 */
export function otherLanguage(
	text: string,
	language: string,
	{ bare = false }: { /** Words need no verb or article: an answer. */ bare?: boolean } = {},
): string | undefined {
	const asked = primaryOf(language);
	const expected = ownField(writtenIn, asked) ?? (lists.has(asked) ? (["Latin"] as const) : undefined);
	// "A >> capital" is a relation, and no sentence of any language
	if (!expected || text.includes(">>")) return undefined;
	const plain = withoutQuotes(text.slice(0, 5000)).replace(/\bhttps?:\S+/g, " ");
	// only Spanish and its neighbours turn the mark that opens; a title between such marks is a word or two
	const turned = /¿[^?]*\p{Ll}{2,}\s\p{Ll}{2,}[^?]*\?/u.exec(plain)?.[0];
	if (turned && !/^(?:es|gl|ast|ca|eu)$/.test(asked)) return `"${clipped(turned)}" (es?)`;
	const latin = expected[0] === "Latin";
	const look = (part: string) =>
		scriptProblem(part, asked, expected) ?? (latin ? wordProblem(part, asked, bare) : undefined);
	const parts = (pattern: RegExp) => plain.split(pattern).filter((one) => /\p{L}/u.test(one));
	const sentences = parts(/(?<=\p{L}{2}[.?!;:])(?!\.)\s*|(?<=[。？！；؟])\s*|\n+/u);
	for (const part of sentences.length > 1 ? [...sentences, plain] : [plain]) {
		const found = look(part);
		if (found) return found;
	}
	const clauses = latin ? parts(/[,()–—]/u) : [];
	return clauses.length > 1 ? clauses.map((clause) => clauseProblem(clause, asked)).find((one) => one) : undefined;
}

const countOf = (text: string, script: Script) => text.match(scripts[script])?.length ?? 0;

/** A sign that stands for a word or a syllable counts for as many letters. */
const wordSigns: ReadonlySet<Script> = new Set(["Han", "kana", "Hangul"]);
const lettersOfSign = 3;

/** Letters of a script of more than this share are no name any more. */
const mostForeign = 0.5;

function scriptProblem(text: string, language: string, expected: readonly Script[]): string | undefined {
	const letters = text.match(/\p{L}/gu)?.length ?? 0;
	const own = expected.reduce((sum, script) => sum + countOf(text, script), 0);
	if (language === "zh" && countOf(text, "kana") > 1 && countOf(text, "kana") * 5 > letters)
		return "kana, which Japanese has";
	if (language === "ja" && letters >= 8 && countOf(text, "kana") === 0 && countOf(text, "Han") === letters)
		return "no kana, which Japanese has";
	if (letters < 4) return undefined;
	const other = (Object.keys(scripts) as Script[])
		.filter((script) => !expected.includes(script))
		.map((script) => ({ script, count: countOf(text, script) * (wordSigns.has(script) ? lettersOfSign : 1) }))
		.sort((a, b) => b.count - a.count)[0];
	if (!other || other.count <= own) return undefined;
	// a word of Latin is shorter by far than it has letters
	if (other.script === "Latin") {
		const words = text.match(/\p{Script=Latin}+/gu) ?? [];
		const common = words.filter((word, at) => at === 0 || !/\p{Lu}/u.test(word));
		return own === 0
			? common.length > 1
				? `"${clipped(text)}" is in Latin letters`
				: undefined
			: common.length > own
				? `mostly in Latin letters`
				: undefined;
	}
	return other.count > letters * mostForeign ? `"${clipped(text)}" is in ${other.script} letters` : undefined;
}

/** Function words of another language that tell; and words of none of the own that do. */
const fewestTelling = 2;
const fewestWords = 5;
const fewestOfQuestion = 3;

function wordProblem(text: string, language: string, bare: boolean): string | undefined {
	const own = lists.get(language);
	if (!own) return undefined;
	const words = wordsOf(text);
	const best = likeliest(words, language, own);
	const asksOther = best.found.some((word) => askingIn.get(best.language)?.has(word) && words.indexOf(word) < 2);
	const weight = best.found.length + (asksOther ? 1 : 0);
	if (weight >= fewestTelling && weight > 2 * best.against)
		return `"${[...new Set(best.found)].slice(0, 4).join(", ")}" (${best.language}?)`;
	if (words.some((word) => own.has(word)) || (bare && best.found.length < fewestTelling)) return undefined;
	const asks = /\?\s*$/u.test(text);
	const fewest = asks ? fewestOfQuestion : fewestWords;
	const plain = words.filter((word) => word.length > 1);
	const foreign =
		asks && (best.found.length > 0 || (language === "en" && words.slice(1).some((word) => /[^a-z]/u.test(word))));
	return plain.length >= fewest || (foreign && plain.length > 1)
		? `no word of ${language} in "${clipped(text)}"`
		: undefined;
}

/** A clause with two function words of another language in lower case, and none of the own. */
export function clauseProblem(clause: string, language: string): string | undefined {
	const own = lists.get(language) ?? new Set();
	const words = wordsOf(clause).slice(/^\P{L}*\p{Lu}/u.test(clause) ? 1 : 0);
	const { found, language: other } = likeliest(words, language, own);
	// "…, an welchem Fluss": a word of asking that only another language has
	const asks = words.slice(0, 2).some((word) => !own.has(word) && word.length > 2 && askingIn.get(other)?.has(word));
	if (asks && words.length > 1 && !words.some((word) => own.has(word) && !lists.get(other)?.has(word)))
		return `"${words.slice(0, 3).join(" ")}" (${other}?)`;
	const telling = found.filter((word) => word.length > 1).length;
	const against = words.filter((word) => own.has(word) && !lists.get(other)?.has(word)).length;
	return telling >= fewestTelling && telling > 2 * against
		? `"${[...new Set(found)].slice(0, 4).join(", ")}" (${other}?)`
		: undefined;
}

/**
 * The words without names, which begin with capitals and keep their own language, as do the articles and prepositions in
 * them ("the River Talm", "The Bridge of Sighs"); the first word may be any.
 */
function wordsOf(text: string): string[] {
	const all = [...text.matchAll(/[\p{Script=Latin}\p{M}]+(?:['’][\p{Script=Latin}\p{M}]+)*/gu)];
	const capital = (at: number) => /^\p{Lu}/u.test(all[at]?.[0] ?? "");
	const beside = (a: number, b: number) =>
		text.slice((all[a]?.index ?? 0) + (all[a]?.[0].length ?? 0), all[b]?.index) === " ";
	const ofName = (at: number) =>
		capital(at + 1) &&
		beside(at, at + 1) &&
		(all[at]?.[0] === "the" || (all[at]?.[0] === "of" && at > 1 && capital(at - 1) && beside(at - 1, at)));
	const plain = all.filter((_, at) => !ofName(at) && (at === 0 || !capital(at)));
	return plain.flatMap(([word]) => word.toLowerCase().split(/['’]/u));
}

/** The other language with the most words in a text that the own one has not, against those that only the own has. */
function likeliest(words: readonly string[], language: string, own: ReadonlySet<string>) {
	let best = { language: "", found: [] as string[], against: 0 };
	const owned = words.filter((word) => own.has(word));
	const others = words.filter((word) => !own.has(word));
	for (const [other, list] of lists) {
		if (other === language) continue;
		const found = others.filter((word) => list.has(word));
		if (found.length === 0) continue;
		const against = owned.filter((word) => !list.has(word)).length;
		if (best.found.length === 0 || found.length - against > best.found.length - best.against)
			best = { language: other, found, against };
	}
	return best;
}

const clipped = (text: string) => (text.trim().length > 80 ? `${text.trim().slice(0, 80)}…` : text.trim());
