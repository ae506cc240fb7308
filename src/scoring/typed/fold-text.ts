import { asciiDigit } from "./infoseek-number.ts";

/**
 * Text as the readers of numbers and units take it: lower-case, compatibility forms folded, without accents, vowel signs,
 * voicing marks (so kana are unvoiced), stretching lines and marks of writing direction; powers as "^2"; digits, signs,
 * separators and dashes of every script in their ASCII form, the Arabic thousands separator as an apostrophe.
 */
export function foldText(text: string): string {
	// printable ASCII has nothing to fold
	if (!/[^ -~\s]/.test(text)) return text.replace(/\s+/g, " ").toLowerCase();
	return text
		.replace(/[⁰¹²³⁴-⁹⁻]+/g, (power) => `^${power.normalize("NFKC").replace("−", "-")}`)
		.replace(/[¼½¾⅐-⅞]/g, (fraction) => ` ${fraction.normalize("NFKC")}`)
		.normalize("NFKC")
		.normalize("NFD")
		.replace(/[\p{M}\u0640\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069]/gu, "")
		.replace(/\p{Nd}/gu, asciiDigit)
		.replace(/[−‐‒٪؉٫٬،؛]/g, (sign) => signs[sign] ?? sign)
		.replace(/\s+/g, " ")
		.toLowerCase();
}

const signs: Record<string, string> = {
	"−": "-",
	"‐": "-",
	"‒": "-",
	"٪": "%",
	"؉": "‰",
	"٫": ".",
	"٬": "'",
	"،": ",",
	"؛": ";",
};
