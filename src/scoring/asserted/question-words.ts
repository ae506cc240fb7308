/** The words of a question and of a reply, brought to a form in which "born" and "births" may meet but "1904" and "1905" not. */
import { rememberingTexts } from "#domain";
import { foldText } from "../typed/fold-text.ts";

export interface Token {
	/** Folded. */
	word: string;
	written: string;
	start: number;
	end: number;
}

const wordPattern = /[\p{L}\p{N}\p{M}]+(?:['’.][\p{L}\p{M}]+)*(?:[+#*]+)?|[\p{L}\p{N}]\+{1,2}/gu;

export function tokensOf(text: string): Token[] {
	return Array.from(text.matchAll(wordPattern), ({ 0: written, index }) => ({
		word: foldWord(written),
		written,
		start: index,
		end: index + written.length,
	}));
}

export function foldWord(written: string): string {
	// most words are plain and have nothing to fold
	if (/^[A-Za-z0-9]+$/.test(written)) return written.toLowerCase();
	return foldText(written)
		.replace(/[’']s$/u, "")
		.replace(/['’.]/g, "");
}

/** The stem by which words of a question and a reply are compared; crude, English endings only. */
export function stemOf(word: string): string {
	const irregular = irregulars.get(word);
	if (irregular) return irregular;
	if (/^\d/.test(word) || word.length < 4) return word;
	return word.replace(/(?:ies|ied)$/, "y").replace(/(?:ing|ed|es|s|e)$/, "");
}

const irregulars = new Map(
	"born:birth births:birth birthday:birth birthplace:birth fell:fall came:come went:go rose:ris took:take got:get ran:run left:leave met:meet died:die dies:die death:die wrote:writ written:writ write:writ writes:writ founded:found founder:found located:locat location:locat lies:locat led:lead won:win winner:win made:make held:hold began:begin begun:begin built:build taught:teach sang:sing sung:sing grew:grow known:know called:name named:name name:name length:long height:tall depth:deep width:wide directed:direct director:direct author:writ writer:writ composed:compos composer:compos"
		.split(" ")
		.map((pair) => pair.split(":") as [string, string]),
);

const functionWords = new Set(
	"a an the of in on at to from by for with as is was are were be been being it its he she they his her their this that these those there and which who whom whose what when where why how do does did has have had will would can could should i we you my our your also very than then so el la los las un una de del en que es fue son y por para con le les des du une est sont et dans der die das den dem des ein eine einer eines ist war sind und im am vom zu von mit".split(
		" ",
	),
);
export const isFunctionWord = (word: string): boolean => functionWords.has(word);

/** The stems of what a question asks about. */
export const questionStems = (question: string | undefined): ReadonlySet<string> => stemsOf(question ?? "");

/** One question is asked of several replies in turn. */
export const ofQuestions = { longest: 1000, most: 100 };
const stemsOf = rememberingTexts((question): ReadonlySet<string> => {
	return new Set(
		tokensOf(question.slice(0, 4000))
			.map(({ word }) => word)
			// an English "die" is no article
			.filter((word) => !isFunctionWord(word) || (word === "die" && !isGerman(question)))
			.map(stemOf),
	);
}, ofQuestions);

/** How many of some stems a text holds. */
export const sharedStems = (text: string, stems: ReadonlySet<string>): number =>
	new Set(
		tokensOf(text)
			.map(({ word }) => stemOf(word))
			.filter((stem) => stems.has(stem)),
	).size;

const poles = [
	"first first earlier earliest earli before befor older oldest old elder taller tallest tall larger largest larg bigger biggest big higher highest high longer longest long greater greatest great more most heavier heavy faster fast vor alter altest grosser grosst hoher hochst langer langst mehr",
	"last later latest late after younger youngest young newer newest new shorter shortest short smaller smallest small lower lowest low fewer fewest less least lighter light slower slow nach junger jungst kleiner kleinst niedriger kurzer weniger",
].map((words) => new Set(words.split(" ")));

/** Which end of a scale words name, 1 the greater or earlier, -1 the other; 0 where they name none or both. */
export function poleOf(words: readonly string[]): -1 | 0 | 1 {
	const [up, down] = poles.map((pole) => words.some((word) => pole.has(word)));
	return up === down ? 0 : up ? 1 : -1;
}

/** The stems of what a question says of the names in it. */
export function predicateStems(question: string): Set<string> {
	return new Set(
		tokensOf(question.slice(0, 4000))
			.filter(({ word, written }) => /^\p{Ll}/u.test(written) && (!isFunctionWord(word) || word === "die"))
			.map(({ word }) => stemOf(word)),
	);
}

const german = /(?<!\p{L})(?:wie|wer|wann|wo|welche[rsnm]?|ist|sind|wurden?|der|das|dem|ein|eine|und)(?!\p{L})/giu;

/** Whether a question is German, by its small words. */
export const isGerman = (question: string): boolean =>
	new Set(question.slice(0, 4000).toLowerCase().match(german) ?? []).size >= 2;
