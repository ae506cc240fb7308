/**
 * Numbers written in Arabic words, folded as by `foldText`: units, tens, hundreds, thousands and up, duals included, each
 * part joined to the one before by "and", a prefix of the word ("ثلاثة وعشرون", "مئتان وخمسون ألفا").
 */
import { foldText } from "./fold-text.ts";
import { withDigits, wordValues } from "./word-values.ts";

const table = (entries: Record<string, number>) => wordValues(entries, foldText);
const units = table({
	صفر: 0,
	"واحد واحدة احدى أحد": 1,
	"اثنان اثنين اثنتان اثنتين اثنا اثني اثنتا اثنتي": 2,
	"ثلاثة ثلاث": 3,
	"أربعة أربع": 4,
	"خمسة خمس": 5,
	"ستة ست": 6,
	"سبعة سبع": 7,
	"ثمانية ثماني ثمان": 8,
	"تسعة تسع": 9,
});
const ten = table({ "عشرة عشر": 10 });
const tens = table({
	"عشرون عشرين": 20,
	"ثلاثون ثلاثين": 30,
	"أربعون أربعين": 40,
	"خمسون خمسين": 50,
	"ستون ستين": 60,
	"سبعون سبعين": 70,
	"ثمانون ثمانين": 80,
	"تسعون تسعين": 90,
});
const hundred = table({ "مئة مائة ميه مية": 100 });
const hundreds = table({
	"مئتان مئتين مائتان مائتين مئتا مائتا مئتي مائتي": 200,
	"ثلاثمئة ثلاثمائة": 300,
	"أربعمئة أربعمائة": 400,
	"خمسمئة خمسمائة": 500,
	"ستمئة ستمائة": 600,
	"سبعمئة سبعمائة": 700,
	"ثمانمئة ثمانمائة ثمانيمئة ثمانيمائة": 800,
	"تسعمئة تسعمائة": 900,
});
/** What multiplies the number before it. */
export const arabicScales = table({
	"ألف ألفا آلاف": 1e3,
	"مليون مليونا ملايين": 1e6,
	"مليار مليارا مليارات بليون بليونا": 1e9,
	"تريليون تريليونا تريليونات": 1e12,
});
const duals = table({ "ألفان ألفين ألفي": 2e3, "مليونان مليونين": 2e6, "ملياران مليارين": 2e9 });

/** Rewrites Arabic number words as digits, leaving all else. */
export function digitsForArabic(text: string): string {
	if (!/\p{Script=Arabic}/u.test(text)) return text;
	return withDigits(text, readArabic);
}

function readArabic(parts: string[], start: number): { value: number; end: number } | undefined {
	let total = 0;
	let current = 0;
	let end = -1;
	for (let at = start; at < parts.length; at += 2) {
		const written = parts[at] ?? "";
		if (written === "و" && end >= 0 && isNumberWord(parts[at + 2] ?? "")) continue;
		const joined = end >= 0 && !isNumberWord(written) && written.startsWith("و");
		const word = joined ? written.slice(1) : written;
		const value = units.get(word) ?? tens.get(word) ?? hundreds.get(word);
		const scale = arabicScales.get(word);
		if (ten.has(word)) current += 10;
		else if (hundred.has(word)) current = !joined && current > 2 && current < 10 ? 100 * current : current + 100;
		else if (scale !== undefined && (current > 0 || end < 0 || joined)) {
			total += (current || 1) * scale;
			current = 0;
		} else if (duals.has(word)) total += duals.get(word) ?? 0;
		else if (value !== undefined) current += value;
		else break;
		end = at + 1;
		if (parts[at + 1] !== " ") break;
	}
	return end < 0 ? undefined : { value: total + current, end };
}

function isNumberWord(word: string): boolean {
	return [units, ten, tens, hundred, hundreds, arabicScales, duals].some((words) => words.has(word));
}
