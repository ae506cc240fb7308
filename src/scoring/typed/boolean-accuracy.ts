import { declines } from "../answers/declines.ts";
import { exactMatch } from "../answers/exact-match.ts";
import { type MatchOptions, normalise } from "../answers/normalise.ts";

const yes = new Set(
	"yes true sí si verdadero cierto correct oui vrai نعم اجل بلى صحيح 是 是的 对 對 对的 對的 正确 正確 はい ええ うん そうです".split(
		" ",
	),
);
const no = new Set(
	"no false falso incorrect non faux لا كلا خطا 否 不 不是 不对 不對 没有 沒有 错 錯 错误 錯誤 いいえ いや ううん 違います ちがいます".split(
		" ",
	),
);
const undecided =
	/^(?:yes|no|sí|si|oui|non|نعم|لا) (?:and|or|y|o|et|ou|او|و) ?(?:yes|no|sí|si|oui|non|نعم|لا)(?: |$)|^no (?:answer|idea|information|lo sé|sé|se sabe)(?: |$)|^non (?:précisée?|spécifiée?|connue?|disponible|communiquée?)(?: |$)|^لا (?:اعرف|اعلم|ادري|يمكن|يمكنني|استطيع|جواب|معلومات)(?: |$)|^(?:はい|いいえ|是|不是|否)(?:か|と|または|和|或|或者|还是|還是)(?:はい|いいえ|是|不是|否)/;
// Chinese and Japanese put no space after the first word, but a mark, or the verb that yes and no carry
const firstWord =
	/^(是的?|对的?|對的?|正确|正確|不是|不对|不對|不|否|没有|沒有|はい|ええ|うん|いいえ|いや|ううん|違います)(?=$|[\p{P}\s]|です)/u;
const announced = /^(?:(?:final |correct )?answer(?: is)?|(?:la )?respuesta(?: es)?|(?:la )?réponse(?: est)?) /;
const surely = /^(不是|いいえ)/;

/**
 * Whether a prediction gives the gold yes or no, 1 or 0: an exact match with an accepted form, else the first word
 * decides ("Yes, both are"). Both at once or neither is wrong.
 */
export function booleanAccuracy(
	prediction: string,
	gold: { value: "yes" | "no"; accepted: readonly string[] },
	options: MatchOptions = {},
): 0 | 1 {
	if (exactMatch(prediction, gold.accepted, options) === 1) return 1;
	const folded = { unicodePunctuation: true, nfkc: true, arabicForms: true };
	const said = normalise(prediction, folded).replace(announced, "");
	if (undecided.test(said) || declines(prediction)) return 0;
	const written = prediction.normalize("NFKC").replace(/^[\s\p{P}]+/u, "");
	const [first = ""] = said.split(" ");
	const word = (firstWord.exec(written) ?? surely.exec(written))?.[1] ?? first;
	return (gold.value === "yes" ? yes : no).has(word) ? 1 : 0;
}
