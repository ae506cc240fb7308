import { ownField, stopWords } from "#domain";
import { withoutQuotes } from "./looked-at.ts";

/** Words of asking, and of languages that the lists of the search index lack; whole lists, since a question is short. */
const more: Record<string, string> = {
	en: "how's what's who's according between during both each every following given known located born died first last name called would should could may might must very under before since until within without upon whether while named made became get go new one two",
	de: "welche welcher welches welchen welchem wann warum wieso wofür woher wohin wessen wem wen wieviel viele heißt heisst hieß gibt ab gegen während zwischen dessen deren ihre ihren ihrer ihres seiner seinem seinen wurden haben beim ins eines jahr stadt",
	es: "cuánta cuántas quiénes cuáles está hizo nació murió año ciudad país nombre llama tras durante según cuyas cuyos fueron había donde fueron del",
	fr: "quels quelles combien quand pourquoi comment lequel laquelle dont né née année ville pays nom après avant entre selon ont fut fait lors cet aussi est-ce qu'est depuis chez plusieurs d l",
	it: "quali quanto quanti quante perché nacque anno città paese nome dopo prima dello degli dagli nello negli sulla sul fu stato stata ha hanno viene",
	pt: "quantos quantas quais nasceu ano cidade país nome após durante dos das pelo pelos pelas onde foi será cujo cuja",
	nl: "de het een en van in is op te dat die voor met zijn werd was aan door wie wat waar wanneer welke welk hoe hoeveel waarom naar uit bij ook niet maar dan nog over heeft hebben worden er deze dit hun haar jaar stad",
	sv: "och i att det som en ett på är av för med den till inte var han hon vem vad vilken vilket vilka när hur många har hade från om sin sitt efter blev också år staden",
	da: "og i at det som en et på er af for med den til ikke var han hun hvem hvad hvilken hvilket hvilke hvornår hvor mange har havde fra om sin sit efter blev også år byen",
	pl: "i w na z do się jest nie to że od po przez dla który która które był była było kto co gdzie kiedy jaki jaka jakie ile jak oraz roku tego jego jej ich został miasto",
	tr: "ve bir bu da de için ile olan olarak hangi kim nedir ne zaman kaç nerede nasıl mi mı mu mü çok daha sonra yılında doğdu adı kimdir hangisi",
	id: "yang dan di ke dari untuk dengan pada adalah itu ini siapa apa mana kapan berapa bagaimana mengapa tidak oleh dalam tahun kota nama sebuah",
	vi: "và của là có được trong những một các cho không người năm nào ai gì ở đâu khi thành phố tên với này",
};

const lists = new Map<string, ReadonlySet<string>>();
for (const language of new Set([...Object.keys(stopWords), ...Object.keys(more)])) {
	const own = (ownField(more, language) ?? "").split(" ").filter((word) => word !== "");
	lists.set(language, new Set([...(stopWords[language] ?? []), ...own]));
}

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

const primaryOf = (language: string): string => language.toLowerCase().split(/[-_]/)[0] ?? "";

/**
 * Why a text cannot be in the language, or undefined where it is, or where nothing can be told: names, numbers and a few
 * words are in any. Each sentence is looked at by itself and all together, without what stands in quotation marks. The
 * evidence is the script of the letters and the function words: a question has some of its own language, and hardly any
 * that only another has.
 */
export function otherLanguage(text: string, language: string): string | undefined {
	const asked = primaryOf(language);
	const expected = ownField(writtenIn, asked) ?? (lists.has(asked) ? (["Latin"] as const) : undefined);
	if (!expected) return undefined;
	const plain = withoutQuotes(text.slice(0, 5000)).replace(/\bhttps?:\S+/g, " ");
	const sentences = plain.split(/(?<=[.?!;:。？！；؟])\s*|\n+/u).filter((one) => /\p{L}/u.test(one));
	for (const part of sentences.length > 1 ? [...sentences, plain] : [plain]) {
		const found =
			scriptProblem(part, asked, expected) ?? (expected[0] === "Latin" ? wordProblem(part, asked) : undefined);
		if (found) return found;
	}
	return undefined;
}

const countOf = (text: string, script: Script) => text.match(scripts[script])?.length ?? 0;

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
		.map((script) => ({ script, count: countOf(text, script) }))
		.sort((a, b) => b.count - a.count)[0];
	if (!other || other.count <= own) return undefined;
	// a word of Latin is shorter by far than it has letters
	if (other.script === "Latin") {
		const words = text.match(/\p{Script=Latin}+/gu) ?? [];
		const common = words.filter((word) => !/\p{Lu}/u.test(word));
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

function wordProblem(text: string, language: string): string | undefined {
	const own = lists.get(language);
	if (!own) return undefined;
	const all = text.match(/[\p{Script=Latin}\p{M}]+(?:['’][\p{Script=Latin}\p{M}]+)*/gu) ?? [];
	// names keep their own language's words, and begin with capitals; so does the first word, which may be any
	const plain = all.flatMap((word, at) =>
		at === 0 || !/^\p{Lu}/u.test(word) ? [word.toLowerCase().replace("’", "'")] : [],
	);
	const words = plain.flatMap((word) => word.split("'"));
	let best: { language: string; found: string[]; against: number } | undefined;
	for (const [other, list] of lists) {
		if (other === language) continue;
		const found = words.filter((word) => list.has(word) && !own.has(word));
		const against = words.filter((word) => own.has(word) && !list.has(word)).length;
		if (!best || found.length - against > best.found.length - best.against) best = { language: other, found, against };
	}
	if (best && best.found.length >= fewestTelling && best.found.length > 2 * best.against)
		return `"${[...new Set(best.found)].slice(0, 4).join(", ")}" (${best.language}?)`;
	const lower = words.filter((word) => word.length > 1);
	return lower.length >= fewestWords && !lower.some((word) => own.has(word))
		? `no word of ${language} in "${clipped(text)}"`
		: undefined;
}

const clipped = (text: string) => (text.trim().length > 80 ? `${text.trim().slice(0, 80)}…` : text.trim());
