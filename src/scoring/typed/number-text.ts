import { remembering } from "#domain";
import { foldText } from "./fold-text.ts";
import { digitsForMixedHan, readHanScale } from "./han-numbers.ts";
import { digitsForWords, scales } from "./number-words.ts";
import { convertUnit, readUnit, type Unit } from "./units.ts";

/** A number or a range read in running text, in the unit that was written, or null. */
export interface Quantity {
	low: number;
	high: number;
	unit: Unit | null;
	/** Its name as written, folded. */
	unitName: string | null;
	/** A four-digit number placed as a year ("in 2019", "(2021)"). */
	year: boolean;
}

/** A quantity with the place where it stands in the folded text. */
export interface PlacedQuantity extends Quantity {
	start: number;
	end: number;
	/** What it was multiplied by: 1,000,000 of "5 million". */
	scale: number;
	/** "2nd", "4º": it says which one, not how many. */
	ordinal: boolean;
}
type Found = PlacedQuantity;

export interface QuantityOptions {
	decimalComma?: boolean | undefined;
	kelvin?: boolean;
	language?: string | undefined;
	/** As the published readings have always been taken here: no powers, no parts of units, no shared words of scale. */
	plain?: boolean;
}

/** Only so much of an answer is searched for numbers: model replies can be of any length. */
const mostCharacters = 2000;

// scripts whose words stand against digits without a space, prefixes of Arabic among them
const apart = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Arabic}ー";
const number = new RegExp(
	[
		`(?<![^\\P{L}${apart}]|[\\p{Nd}\\p{No}_^]|\\d[.,/])`,
		"(?<sign>(?<!\\d ?)[-+]|(?:minus|menos|negative|moins|سالب|ناقص) |(?:マイナス|负|負|零下|氷点下) ?)?",
		"(?<currency>(?:(?:us)?[$€£¥]|(?:usd|eur|jpy|cny|rmb)(?= ?\\d)) ?)?",
		"(?:(?<fraction>(?:\\d{1,4} )?\\d{1,4} ?[/⁄] ?\\d{1,4}(?![\\d/]))",
		"|(?<digits>\\d{1,3}(?:[ '’]\\d{3})+(?!\\d)(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)*|[.,]\\d+)",
		"(?:(?:\\^|\\*\\*)(?<raised>-?\\d{1,3})(?![\\d.])|e(?<exponent>[-+]?\\d{1,3})(?![\\p{L}\\d])|(?: ?[x×·*] ?10\\^?(?<power>[-+]?\\d{1,3})))?)",
	].join(""),
	"gu",
);

/**
 * Reads the quantities of a text in order: digits with thousands separators of any usual kind, decimal point or comma,
 * fractions, powers, million and the like, percent, common units and currencies; written numbers where the text
 * has no digits; ranges ("between 10 and 12", "9-10", "10 a 12 millones", "10から12万人"). English, Spanish, French,
 * German, Arabic, Chinese, Japanese; digits of any script.
 *
 * One separator before exactly three digits is ambiguous: "1,285" reads as thousands and "1.285" as a decimal, the
 * other way round with `decimalComma`. "5 K" is five thousand, or five kelvins with `kelvin`. `language` (BCP 47) settles
 * words that languages share (a French "billion" is a million millions). Everything else is decided by the text itself.
 */
export function readQuantities(text: string, options: QuantityOptions = {}): readonly Quantity[] {
	return placeQuantities(text, options).found;
}

/** As `readQuantities`, with where each stands in `source`: the text as it is read, folded and with words as digits. */
export function placeQuantities(text: string, options: QuantityOptions = {}): PlacedQuantities {
	const asked = { text, options };
	return text.length > mostRemembered ? findQuantities(asked) : remembered(asked);
}

interface PlacedQuantities {
	source: string;
	found: readonly PlacedQuantity[];
}
interface Asked {
	text: string;
	options: QuantityOptions;
}

/** Short texts come again and again: answers of a benchmark, short replies. */
const mostRemembered = 300;
const remembered = remembering(findQuantities, {
	most: 5000,
	keyOf: ({ text, options: { decimalComma, kelvin, language, plain } }) =>
		`${decimalComma} ${kelvin} ${plain} ${language}\n${text}`,
});

function findQuantities({ text, options }: Asked): PlacedQuantities {
	const written = options.plain
		? text
		: text
				.replace(attachedScale, (_, digit, letter) => `${digit} ${long[letter]}`)
				.replace(/(?<=\p{L}) ?(?:pour cent|por ciento|per cent)(?!\p{L})/giu, " %");
	const plain = digitsForMixedHan(foldText(written.slice(0, mostCharacters)));
	const source = /\d/.test(plain) ? plain : digitsForWords(plain, options);
	const dates = [...(/[年月]/.test(source) ? source.matchAll(eastAsianDate) : [])].map(
		(match) => [match.index, match.index + match[0].length] as const,
	);
	const found: Found[] = [];
	for (const match of source.matchAll(number)) {
		if (match.index < (found.at(-1)?.end ?? 0)) continue;
		const groups = match.groups ?? {};
		const raised = options.plain ? undefined : groups.raised;
		const size = readNumber(groups, options.decimalComma ?? false);
		const whole = size !== undefined && raised !== undefined ? size ** Number(raised) : size;
		if (whole === undefined) continue;
		const unread = options.plain && groups.raised !== undefined ? /(?:\^|\*\*).*$/.exec(match[0])?.[0].length : 0;
		const digitsEnd = match.index + match[0].length - (unread ?? 0);
		const end = digitsEnd + halfAt(source, digitsEnd);
		const scaled = readScale(source, end, {
			money: match.groups?.currency !== undefined,
			kelvin: options.kelvin ?? false,
			longScale: /^(?:fr|de)\b/i.test(options.language ?? ""),
		});
		const skipped = /^(?: (?:de |d['’]|of an? )?|[多余餘] ?)/.exec(source.slice(scaled.end))?.[0].length ?? 0;
		const after = scaled.end + skipped;
		const inDate = dates.some(([from, to]) => match.index >= from && match.index < to);
		const unit = inDate ? undefined : readUnit(source.slice(after, after + 60));
		const currency = currencyOf(match.groups?.currency);
		const readTo = unit ? after + unit.length : scaled.end;
		const half = end > digitsEnd ? 0 : halfAt(source, readTo);
		const halved = half > 0 || end > digitsEnd;
		// "un millon y medio" has become digits by now, and its half is of the million
		const value = (whole + (halved ? halfOf(whole, { spelt: source !== plain }) : 0)) * scaled.scale;
		found.push({
			low: value,
			high: value,
			unit: unit?.unit ?? currency?.unit ?? null,
			unitName: unit ? source.slice(after, readTo) : (currency?.name ?? null),
			year: inDate || (!unit && scaled.scale === 1 && isYear(source, match.index, match[0])),
			start: match.index,
			end: readTo + half,
			scale: scaled.scale,
			ordinal: /^(?:st|nd|rd|th|º|ª|er|eme)(?![\p{L}\d])/u.test(source.slice(digitsEnd, digitsEnd + 5)),
		});
	}
	const parts = joinParts(source, found);
	const joined = joinRanges(source, options.plain ? parts : joinUnits(source, parts));
	return { source, found: joined.filter(({ low, high }) => Number.isFinite(low) && Number.isFinite(high)) };
}

/** "1.5M people", "$2B": a capital written onto the digits, which is no unit there. */
const attachedScale = /(\d)(M|B|Bn|Mn)(?![\p{L}\p{N}^/²³])/gu;
const long: Readonly<Record<string, string>> = { M: "million", B: "billion", Bn: "billion", Mn: "million" };

/** Neighbours made one where `join` says what they come to together. */
function joinNeighbours(found: Found[], join: (first: Found, next: Found) => Found | undefined): Found[] {
	const joined: Found[] = [];
	for (const next of found) {
		const first = joined.at(-1);
		const made = first && join(first, next);
		if (made) joined[joined.length - 1] = made;
		else joined.push(next);
	}
	return joined;
}

/** Adds up a measure written in two units of a kind, the greater first: "1 h 30 min", "5 ft 11 in". */
const joinUnits = (source: string, found: Found[]): Found[] =>
	joinNeighbours(found, (first, next) => {
		const [unit, smaller] = [first.unit, next.unit];
		const fits = unit && smaller && unit.dimension === smaller.dimension && unit.factor > smaller.factor;
		const summed =
			fits && /^(?:time|length|mass)$/.test(unit.dimension) ? convertUnit(next.low, smaller, unit) : undefined;
		if (summed === undefined || first.low !== first.high || next.low !== next.high || summed >= 1) return undefined;
		if (!/^,? ?(?:and |und |y |et )?$/.test(source.slice(first.end, next.start))) return undefined;
		const value = first.low + summed;
		return { ...first, low: value, high: value, end: next.end };
	});

/** How many characters "and a half" takes where it stands at `from`; 0 where it does not. */
function halfAt(source: string, from: number): number {
	const half = /^ (?:and a half|einhalb|y medi[oa]|et demie?|و ?نصف)(?![\p{L}\d])/u.exec(source.slice(from, from + 15));
	return half?.[0].length ?? 0;
}

/** Half of one, or of the million where that was spelt out; on the side of zero that the whole is on. */
function halfOf(whole: number, { spelt }: { spelt: boolean }): number {
	const size = Math.abs(whole);
	const one = (spelt && [1e12, 1e9, 1e6, 1e3].find((scale) => size >= scale && size % scale === 0)) || 1;
	return whole < 0 ? -one / 2 : one / 2;
}

const eastAsianDate = /(?<!\d)\d{4}年(?!間)(?:\d{1,2}月(?:\d{1,2}[日号號])?)?|(?<!\d)\d{1,2}月\d{1,2}[日号號]/g;

const currencies: Record<string, string> = {
	us$: "usd",
	$: "usd",
	usd: "usd",
	"€": "eur",
	eur: "eur",
	jpy: "jpy",
	cny: "cny",
	rmb: "cny",
};

/** The currency written before a number; undefined for signs that several currencies share. */
function currencyOf(sign: string | undefined): { unit: Unit; name: string } | undefined {
	const name = currencies[sign?.trim() ?? ""];
	const unit = name === undefined ? undefined : readUnit(name)?.unit;
	return name === undefined || unit === undefined ? undefined : { unit, name };
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
	{ money, kelvin, longScale }: { money: boolean; kelvin: boolean; longScale: boolean },
): { scale: number; end: number } {
	const han = readHanScale(source.slice(from, from + 10));
	if (han) return { scale: han.factor, end: from + han.length };
	let scale = 1;
	let end = from;
	for (;;) {
		const match = /^[ -]?(?:de )?(\p{L}+)(?![\p{L}\d^/])/u.exec(source.slice(end, end + 40));
		const word = match?.[1] ?? "";
		if (kelvin && word === "k") return { scale, end };
		const factor = factorOf(word, { money: money || /^ ?m ?[€$]/.test(source.slice(end, end + 4)), longScale });
		if (!match || factor === undefined) return { scale, end };
		scale *= factor;
		end += match[0].length;
	}
}

function factorOf(word: string, { money, longScale }: { money: boolean; longScale: boolean }): number | undefined {
	if (longScale && /^billions?$/.test(word)) return 1e12;
	return scales.get(word) ?? (money && word === "m" ? 1e6 : undefined);
}

function isYear(source: string, start: number, token: string): boolean {
	if (!/^(?:1\d|20)\d\d$/.test(token)) return false;
	return /(?:^|[ (])(?:in|im jahr|im jahre|seit|en|since|desde|depuis|as of|year|ano|an|annee|منذ|عام|سنة)(?: the year)? $|\($/.test(
		source.slice(Math.max(0, start - 20), start),
	);
}

/** Adds up neighbours that are written as parts of one number: "5 ملايين و200 ألف". */
const joinParts = (source: string, found: Found[]): Found[] =>
	joinNeighbours(found, (first, next) => {
		const parts = first.unit === null && next.scale < first.scale && next.high < first.scale;
		if (!parts || !/^ و ?$/.test(source.slice(first.end, next.start))) return undefined;
		const value = first.low + next.low;
		return { ...next, low: value, high: value, start: first.start };
	});

/** Joins neighbours that are written as one range; a scale or unit written once, at the end, holds for both. */
const joinRanges = (source: string, found: Found[]): Found[] =>
	joinNeighbours(found, (first, next) => {
		if (first.low !== first.high || !isRange(source, first, next)) return undefined;
		const shared = first.scale === 1 && first.unit === null && first.low <= next.low / next.scale ? next.scale : 1;
		const ends = [first.low * shared, next.low].sort((a, b) => a - b);
		const [low = next.low, high = next.low] = ends;
		const { unit, unitName } = first.unit ? first : next;
		return { ...next, low, high, unit, unitName, year: false, start: first.start };
	});

function isRange(source: string, first: Found, next: Found): boolean {
	const between = source.slice(first.end, next.start).trim();
	if (/^(?:-|–|—|―|~|〜|ー|to|a|bis|hasta|jusqu'a|到|至|から|الى|حتى)$/.test(between)) return true;
	const before = source.slice(Math.max(0, first.start - 40), first.start);
	if (/^(?:and|und|y|et|و)$/.test(between)) return /(?:between|zwischen|entre|بين) [^\d]{0,20}$/.test(before);
	return /^(?:和|与|與|と|跟)$/.test(between) && /^ ?(?:の間|之[间間])/.test(source.slice(next.end, next.end + 5));
}
