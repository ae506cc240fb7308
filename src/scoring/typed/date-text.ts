import { foldArabic } from "../answers/arabic-forms.ts";
import { lazily } from "../lazily.ts";
import { inOurYears, withoutOtherCalendars } from "./calendars.ts";
import { asciiDigit } from "./infoseek-number.ts";
import { monthNames, monthNumbers } from "./month-names.ts";

/** A date as far as it was written; years before our era are negative (44 BC is -44). */
export interface CalendarDate {
	year: number;
	month?: number;
	day?: number;
}

const edge = "(?<![^\\P{L}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Arabic}]|\\p{Nd}|\\d[.,])";
const day = "(?<day>\\d{1,2})(?:st|nd|rd|th|er|º|°|\\.)?";
const before =
	"before christ|before the common era|b\\.? ?c\\.?(?: ?e\\.?)?|a\\. ?c\\.?|a\\. de c\\.?|ac|antes de cristo|v\\. ?chr\\.?|vor christus|av(?:\\.|ant) ?(?:j\\.?[ -]?c\\.?|jesus[ -]christ|notre ere)|ق\\.? ?م\\.?|قبل الميلاد";
const era = `(?:,? ?(?<era>${before})(?![\\p{L}\\p{N}]))`;
// years of one and two digits are none unless they say so
const year = `(?<year>\\d{3,4}(?![\\d%]|[.,]\\d|s(?!\\p{L}))|\\d{1,2}(?=,? ?(?:${before})(?![\\p{L}\\p{N}])))${era}?`;
const month = `(?<month>${monthNames})(?:\\.| ?[/(] ?(?<second>${monthNames})\\)?)?`;
const of = "(?:,? (?:of |de |del |de el |من )?(?:(?:ال)?عام |سنة )?|,|-)";
const after =
	"n\\. ?chr\\.?|nach christus|ad|anno domini|a\\.d\\.|ce|d\\. ?c\\.|d\\. de c\\.|ap(?:\\.|r\\.|res) ?j\\.?[ -]?c\\.?|م\\.?(?!\\p{L})|بعد الميلاد|ميلادية?";
const eastern = "(?<!\\d)(?<before>(?:公元|西元|紀元|纪元|西暦)?前)?(?<anno>公元|西元|西暦|紀元|纪元)?";

// fullest first: what a text writes in full wins over what it writes in part
const patterns = lazily(() =>
	[
		`${edge}(?<sign>-)?(?<year>\\d{4,6})-(?<number>\\d{2})-(?<day>\\d{2})(?!\\d)`,
		`${eastern} ?(?<year>\\d{1,4}) ?年 ?(?<number>\\d{1,2}) ?月 ?(?<day>\\d{1,2}) ?[日号號]`,
		`${edge}(?<year>\\d{4})(?<separator>[/.-])(?<number>\\d{1,2})\\k<separator>(?<day>\\d{1,2})(?![\\d/-]|\\.\\d)`,
		`${edge}${day}${of}(?:شهر )?${month}${of}${year}`,
		`${edge}${month} ${day},? ${year}`,
		`${edge}(?<first>\\d{1,2})[/.-](?<second>\\d{1,2})[/.-]${year}`,
		`${edge}(?<sign>-)?(?<year>\\d{4,6})-(?<number>\\d{2})(?![\\d-])`,
		`${eastern} ?(?<year>\\d{1,4}) ?年 ?(?<number>\\d{1,2}) ?月`,
		`${edge}${month}${of}${year}`,
		`${eastern} ?(?<year>\\d{1,4}) ?年(?![代間间])`,
		`${edge}(?<sign>-)?${year}(?! ?年)`,
		`${edge}(?:ad|a\\.d\\.) ?(?<year>\\d{1,4})(?!\\d)`,
		`${edge}(?<year>\\d{1,2}) ?(?:${after})(?!\\p{L})`,
	].map((pattern) => new RegExp(pattern, "gu")),
);

/** Every pattern holds a number, and making them takes longer than reading most texts. */
const hasDigit = /\d/;

const mostCharacters = 2000;

/**
 * Reads the fullest date of a text, the first of several alike: "4 July 1776", "July 4, 1776", "1776-07-04",
 * "4 de julio de 1776", "4 juillet 1776", "٤ يوليو ١٧٧٦", "1776年7月4日", "昭和44年", "July 1776", "1776", "44 BC",
 * "44 av. J.-C.", "前44年". Years of Japan's modern eras and of the Republic of China are counted in ours. All-number
 * dates whose order of day and month is open give both readings. Empty when there is none, and for dates of calendars
 * that cannot be converted by counting (Hijri, lunar).
 */
export function readDates(text: string): CalendarDate[] {
	const plain = withoutOtherCalendars(inOurYears(foldDateText(text.slice(0, mostCharacters))));
	if (!hasDigit.test(plain)) return [];
	for (const pattern of patterns()) {
		pattern.lastIndex = 0;
		const groups = pattern.exec(plain)?.groups;
		const dates = groups ? datesOf(groups).filter(isPossible) : [];
		if (dates.length > 0) return dates;
	}
	return [];
}

/** A date with the place where it stands; `dates` are two where the order of day and month is open. */
export interface PlacedDate {
	dates: CalendarDate[];
	start: number;
	end: number;
}

/** Every date of a text, in order, with where each stands in `source`: the text as it is read. */
export function placeDates(text: string): { source: string; found: PlacedDate[] } {
	const source = withoutOtherCalendars(inOurYears(foldDateText(text.slice(0, mostCharacters))));
	const found: PlacedDate[] = [];
	if (!hasDigit.test(source)) return { source, found };
	let rest = source;
	for (const pattern of patterns())
		rest = rest.replace(pattern, (match, ...others) => {
			const groups = others.at(-1) as Record<string, string | undefined>;
			const start = others.at(-3) as number;
			const dates = datesOf(groups).filter(isPossible);
			if (dates.length === 0) return match;
			found.push({ dates, start, end: start + match.length });
			// what a fuller form has taken is no year by itself
			return "\u0000".repeat(match.length);
		});
	return { source, found: found.sort((a, b) => a.start - b.start) };
}

/** Lower-case, Latin letters without accents, Arabic ones in their bare form, digits of every script as ASCII. */
function foldDateText(text: string): string {
	// printable ASCII has nothing to fold
	if (!/[^ -~\s]/.test(text)) return text.replace(/\s+/g, " ").toLowerCase();
	return foldArabic(text.normalize("NFKC"))
		.normalize("NFD")
		.replace(/(?<=[a-z])\p{M}+/giu, "")
		.normalize("NFC")
		.replace(/[\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069]/g, "")
		.replace(/\p{Nd}/gu, asciiDigit)
		.replace(/[‐-―−]/g, "-")
		.replace(/[،，]/g, ",")
		.replace(/\s+/g, " ")
		.toLowerCase();
}

function datesOf(groups: Record<string, string | undefined>): CalendarDate[] {
	const size = Number(groups.year);
	// two digits before 年 may be a short form, or of an era that is not known here
	if (groups.year !== undefined && groups.year.length < 3 && eastAsian(groups) && !groups.before && !groups.anno)
		return [];
	const bce = groups.sign !== undefined || groups.era !== undefined || groups.before !== undefined;
	const inYear = bce ? -size : size;
	if (groups.first !== undefined && groups.second !== undefined) {
		const [a, b] = [Number(groups.first), Number(groups.second)];
		const both = [
			{ year: inYear, month: b, day: a },
			{ year: inYear, month: a, day: b },
		];
		return a === b ? both.slice(0, 1) : both;
	}
	// "تموز/يوليو" names one month twice; of "February/March 2025" the month beside the year is read
	const name = groups.second ?? groups.month;
	const named = name === undefined ? Number(groups.number ?? Number.NaN) : monthNumbers.get(name);
	if (named === undefined || Number.isNaN(named)) return [{ year: inYear }];
	return groups.day === undefined
		? [{ year: inYear, month: named }]
		: [{ year: inYear, month: named, day: Number(groups.day) }];
}

const eastAsian = (groups: Record<string, string | undefined>) => "anno" in groups;

function isPossible({ year, month = 1, day = 1 }: CalendarDate): boolean {
	return Number.isFinite(year) && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}
