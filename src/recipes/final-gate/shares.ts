import { upTo19 } from "./number-words.ts";
import { wordsIn } from "./words.ts";

/** A share of a whole, as a text says it: "30%", "3 parts in 10", "three tenths", "3/10", "a third". */
interface Share {
	value: number;
	written: string;
}

const parts = "half third quarter fifth sixth seventh eighth ninth tenth".split(" ");
const number = `\\d+(?:[.,]\\d+)?|${upTo19.join("|")}|twenty|hundred|an?`;
const patterns = [
	`(?<a>${number})\\s?(?:%|per ?cent|Prozent)`,
	`(?<a>${number})\\s+(?:parts?\\s+|units?\\s+)?(?:in|out of|of every|in every|von)\\s+(?:every\\s+)?(?<b>${number})(?!\\p{L})`,
	"(?<a>\\d{1,3})\\s?[/⁄]\\s?(?<b>\\d{1,3})(?![\\p{N}/])",
	`(?<a>${number})[ -](?<part>halves|${parts.join("|")})s?(?!\\p{L})`,
	"(?<part>half)(?=\\s+(?:of|the|a)(?!\\p{L})|\\W*$)",
].map((pattern) => new RegExp(`(?<![\\p{L}\\p{N}/.,])${pattern}`, "giu"));

export function sharesIn(text: string): Share[] {
	const found: Share[] = [];
	for (const pattern of patterns)
		for (const { 0: written, groups = {} } of text.matchAll(pattern)) {
			const whole = groups.part ? parts.indexOf(groups.part.toLowerCase().replace("halves", "half")) + 2 : undefined;
			const value = read(groups.a ?? "one") / (whole ?? (groups.b ? read(groups.b) : 100));
			if (value > 0 && value <= 1) found.push({ value, written });
		}
	return found;
}

function read(word: string): number {
	const plain = word.toLowerCase();
	if (/^\d/.test(plain)) return Number(plain.replace(",", "."));
	if (/^an?$/.test(plain)) return 1;
	return { twenty: 20, hundred: 100 }[plain] ?? upTo19.indexOf(plain);
}

/** Shares closer than this are one. */
export const sameShare = 0.0005;

/** The share that a whole answer is; "Half-Life" is none. */
export function shareIn(answer: string): number | undefined {
	const [share] = wordsIn(answer).length > 4 ? [] : sharesIn(answer);
	return share && answer.trim().startsWith(share.written) ? share.value : undefined;
}
