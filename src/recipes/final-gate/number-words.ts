/** "first" to "thirty ninth". */
export const ordinals =
	"first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(
		" ",
	);
for (const ten of ["twenty", "thirty"]) for (const one of ordinals.slice(0, 9)) ordinals.push(`${ten} ${one}`);
ordinals.splice(29, 0, "thirtieth");

export const upTo19 =
	"zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
		" ",
	);
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** The text with ordinals in words, large Roman numerals and a few words of quantity in figures or plain numbers. */
export function inFigures(text: string): string {
	return text
		.replace(/(?<![\p{L}\p{N}]|\p{Lu}\p{Ll}+ )[MDCLX][MDCLXVI]{2,}(?![\p{L}\p{N}])/gu, (roman) =>
			String(romanOf(roman) ?? roman),
		)
		.replace(
			/(?<!\p{L})((?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[ -])(\p{L}+)(?!\p{L})/giu,
			(whole, ten: string, one: string) => {
				const at = ordinals.indexOf(one.toLowerCase());
				return at >= 0 && at < 9 ? `${ten}${upTo19[at + 1]}` : whole;
			},
		)
		.replace(/(?<![\p{L}\p{N}])(\d{2,})(?:st|nd|rd|th)(?!\p{L})/gu, "$1")
		.replace(/(?<!\p{L})(?:anderthalb|eineinhalb)(?!\p{L})/giu, "1,5")
		.replace(/(?<!\p{L})(?:one and a half|a \p{L}+ and a half)(?!\p{L})/giu, "1.5");
}

const romanDigits: Record<string, number> = { M: 1000, D: 500, C: 100, L: 50, X: 10, V: 5, I: 1 };
export function romanOf(roman: string): number | undefined {
	if (!/^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/.test(roman)) return undefined;
	const digits = [...roman].map((letter) => romanDigits[letter] ?? 0);
	return digits.reduce((sum, digit, at) => sum + (digit < (digits[at + 1] ?? 0) ? -digit : digit), 0);
}

/** How English says a year of four digits that stands alone: "nineteen twelve", "nineteen hundred twelve". */
export function yearInWords(iso: string): string[] {
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
