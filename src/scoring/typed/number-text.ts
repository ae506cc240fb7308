import { asciiDigit } from "./infoseek-number.ts";
import { digitsForWords, scales } from "./number-words.ts";
import { readUnit, type Unit } from "./units.ts";

/** A number or a range read in running text, in the unit that was written, or null. */
export interface Quantity {
	low: number;
	high: number;
	unit: Unit | null;
	/** A four-digit number placed as a year ("in 2019", "(2021)"). */
	year: boolean;
}

interface Found extends Quantity {
	start: number;
	end: number;
	scale: number;
}

/** Only so much of an answer is searched for numbers: model replies can be of any length. */
const mostCharacters = 2000;

const number =
	/(?<![\p{L}\p{N}_^]|\d[.,/])(?<sign>(?<!\d ?)[-+]|(?:minus|menos|negative) )?(?<currency>(?:us)?[$€£¥] ?)?(?:(?<fraction>(?:\d{1,4} )?\d{1,4} ?[/⁄] ?\d{1,4}(?![\d/]))|(?<digits>\d{1,3}(?:[ '’]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*|[.,]\d+)(?:e(?<exponent>[-+]?\d{1,3})(?![\p{L}\d])|(?: ?[x×·*] ?10\^?(?<power>[-+]?\d{1,3})))?)/gu;

/**
 * Reads the quantities of a text in order: digits with thousands separators of any usual kind, decimal point or comma,
 * fractions, powers of ten, million and the like in English and Spanish, percent and common units; written numbers
 * where the text has no digits; ranges ("between 10 and 12", "9-10", "10 a 12 millones").
 *
 * One separator before exactly three digits is ambiguous: "1,285" reads as thousands and "1.285" as a decimal, the
 * other way round with `decimalComma`. "5 K" is five thousand, or five kelvins with `kelvin`. Everything else is decided
 * by the text itself.
 */
export function readQuantities(
	text: string,
	options: { decimalComma?: boolean | undefined; kelvin?: boolean } = {},
): Quantity[] {
	const plain = prepare(text);
	const source = /\d/.test(plain) ? plain : digitsForWords(plain);
	const found: Found[] = [];
	for (const match of source.matchAll(number)) {
		if (match.index < (found.at(-1)?.end ?? 0)) continue;
		const value = readNumber(match.groups ?? {}, options.decimalComma ?? false);
		if (value === undefined) continue;
		const end = match.index + match[0].length;
		const money = match.groups?.currency !== undefined;
		const scaled = readScale(source, end, { money, kelvin: options.kelvin ?? false });
		const unit = readUnit(source.slice(scaled.end, scaled.end + 60).replace(/^ (?:de )?/, ""));
		const skipped = /^ (?:de )?/.exec(source.slice(scaled.end))?.[0].length ?? 0;
		found.push({
			low: value * scaled.scale,
			high: value * scaled.scale,
			unit: unit?.unit ?? null,
			year: !unit && scaled.scale === 1 && isYear(source, match.index, match[0]),
			start: match.index,
			end: unit ? scaled.end + skipped + unit.length : scaled.end,
			scale: scaled.scale,
		});
	}
	return joinRanges(source, found).filter(({ low, high }) => Number.isFinite(low) && Number.isFinite(high));
}

/** Lower-case, without accents; powers as "^2", dashes and digits of every script in their ASCII form. */
function prepare(text: string): string {
	return text
		.slice(0, mostCharacters)
		.replace(/[⁰¹²³⁴-⁹⁻]+/g, (power) => `^${power.normalize("NFKC").replace("−", "-")}`)
		.replace(/[¼½¾⅐-⅞]/g, (fraction) => ` ${fraction.normalize("NFKC")}`)
		.normalize("NFKC")
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.replace(/\p{Nd}/gu, asciiDigit)
		.replace(/−/g, "-")
		.replace(/\s+/g, " ")
		.toLowerCase();
}

function readNumber(groups: Record<string, string | undefined>, decimalComma: boolean): number | undefined {
	const { sign, fraction, digits, exponent, power } = groups;
	const size = fraction ? readFraction(fraction) : readDigits(digits ?? "", decimalComma);
	if (size === undefined) return undefined;
	const value = exponent || power ? Number(`${size}e${Number(exponent ?? power)}`) : size;
	return sign && sign !== "+" ? -value : value;
}

function readFraction(text: string): number | undefined {
	const parts = text.split(/[ /⁄]+/).map(Number);
	const [a = 0, b = 1, c] = parts;
	const value = c === undefined ? a / b : a + b / c;
	return Number.isFinite(value) ? value : undefined;
}

function readDigits(text: string, decimalComma: boolean): number | undefined {
	const body = text.replace(/[ '’]/g, "");
	const separators = body.replace(/\d/g, "");
	const last = separators.at(-1);
	if (last === undefined) return Number(body);
	const groups = body.split(/[.,]/);
	const wholeGroups = (list: string[]) =>
		/^\d{1,3}$/.test(list[0] ?? "") &&
		list.slice(1, -1).every((group) => group.length === 2 || group.length === 3) &&
		list.length > 1 &&
		list.at(-1)?.length === 3;
	if (separators.length > 1) {
		const mixed = separators.slice(0, -1).includes(last) === false;
		const grouping = mixed ? groups.slice(0, -1) : groups;
		// more than one kind: the last sign is the decimal one, if it stands once and the rest groups digits
		if (!wholeGroups(grouping) || new Set(mixed ? separators.slice(0, -1) : separators).size > 1) return undefined;
		return Number(mixed ? `${grouping.join("")}.${groups.at(-1)}` : grouping.join(""));
	}
	const [whole = "", rest = ""] = groups;
	const spaced = body !== text;
	const thousands = rest.length === 3 && /^[1-9]\d{0,2}$/.test(whole) && !spaced && (last === ",") !== decimalComma;
	return Number(thousands ? whole + rest : `${whole || "0"}.${rest}`);
}

function readScale(
	source: string,
	from: number,
	{ money, kelvin }: { money: boolean; kelvin: boolean },
): { scale: number; end: number } {
	let scale = 1;
	let end = from;
	for (;;) {
		const match = /^[ -]?(?:de )?(\p{L}+)(?![\p{L}\d^/])/u.exec(source.slice(end, end + 40));
		const word = match?.[1] ?? "";
		if (kelvin && word === "k") return { scale, end };
		const factor = Object.hasOwn(scales, word) ? scales[word] : money && word === "m" ? 1e6 : undefined;
		if (!match || factor === undefined) return { scale, end };
		scale *= factor;
		end += match[0].length;
	}
}

function isYear(source: string, start: number, token: string): boolean {
	if (!/^(?:1\d|20)\d\d$/.test(token)) return false;
	return /(?:^|[ (])(?:in|en|since|desde|as of|year|ano)(?: the year)? $|\($/.test(
		source.slice(Math.max(0, start - 20), start),
	);
}

/** Joins neighbours that are written as one range; a scale or unit written once, at the end, holds for both. */
function joinRanges(source: string, found: Found[]): Found[] {
	const joined: Found[] = [];
	for (const next of found) {
		const first = joined.at(-1);
		if (!first || first.low !== first.high || !isRange(source, first, next)) {
			joined.push(next);
			continue;
		}
		const shared = first.scale === 1 && first.unit === null && first.low <= next.low / next.scale ? next.scale : 1;
		const ends = [first.low * shared, next.low].sort((a, b) => a - b);
		const [low = next.low, high = next.low] = ends;
		joined[joined.length - 1] = { ...next, low, high, unit: first.unit ?? next.unit, year: false, start: first.start };
	}
	return joined;
}

function isRange(source: string, first: Found, next: Found): boolean {
	const between = source.slice(first.end, next.start).trim();
	if (/^(?:-|–|—|~|to|a|hasta)$/.test(between)) return true;
	return /^(?:and|y)$/.test(between) && /(?:between|entre) [^\d]{0,20}$/.test(source.slice(0, first.start));
}
