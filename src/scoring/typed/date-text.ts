import { asciiDigit } from "./infoseek-number.ts";

/** A date as far as it was written; years before our era are negative (44 BC is -44). */
export interface CalendarDate {
	year: number;
	month?: number;
	day?: number;
}

const months: Record<string, number> = {};
for (const list of [
	"january february march april may june july august september october november december",
	"jan feb mar apr may jun jul aug sep oct nov dec",
	"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
	"ene feb mar abr may jun jul ago set oct nov dic",
])
	for (const [index, name] of list.split(" ").entries()) months[name] = index + 1;
Object.assign(months, { sept: 9, setiembre: 9 });

const month = `(?<month>${Object.keys(months)
	.sort((a, b) => b.length - a.length)
	.join("|")})\\.?`;
const day = "(?<day>\\d{1,2})(?:st|nd|rd|th|º|°)?";
const era = "(?: ?(?<era>b\\.? ?c\\.?(?: ?e\\.?)?|a\\. ?c\\.?|a\\. de c\\.?|ac)(?![\\p{L}\\p{N}]))";
const year = `(?<year>\\d{3,4})(?![\\d%]|[.,]\\d|s(?!\\p{L}))${era}?`;
const edge = "(?<![\\p{L}\\p{N}]|\\d[.,])";
const of = "(?:,? (?:of |de |del |de el )?|,|-)";

// fullest first: what a text writes in full wins over what it writes in part
const patterns = [
	`${edge}(?<sign>-)?(?<year>\\d{4,6})-(?<number>\\d{2})-(?<day>\\d{2})(?!\\d)`,
	`${edge}${day}${of}${month}${of}${year}`,
	`${edge}${month} ${day},? ${year}`,
	`${edge}(?<first>\\d{1,2})[/.-](?<second>\\d{1,2})[/.-]${year}`,
	`${edge}(?<sign>-)?(?<year>\\d{4,6})-(?<number>\\d{2})(?![\\d-])`,
	`${edge}${month}${of}${year}`,
	`${edge}(?<sign>-)?${year}`,
	`${edge}(?<year>\\d{1,2})${era}`,
	`${edge}(?:ad|a\\.d\\.) ?(?<year>\\d{1,4})(?!\\d)`,
	`${edge}(?<year>\\d{1,2}) ?(?:ad|a\\.d\\.|ce|d\\. ?c\\.)(?!\\p{L})`,
].map((pattern) => new RegExp(pattern, "u"));

const mostCharacters = 2000;

/**
 * Reads the fullest date of a text, the first of several alike: "4 July 1776", "July 4, 1776", "1776-07-04",
 * "4 de julio de 1776", "July 1776", "1776", "44 BC". All-number dates whose order of day and month is open give both
 * readings. Empty when there is none.
 */
export function readDates(text: string): CalendarDate[] {
	const plain = text
		.slice(0, mostCharacters)
		.normalize("NFKC")
		.replace(/\p{Nd}/gu, asciiDigit)
		.replace(/[‐-―−]/g, "-")
		.replace(/\s+/g, " ")
		.toLowerCase();
	for (const pattern of patterns) {
		const groups = pattern.exec(plain)?.groups;
		const dates = groups ? datesOf(groups).filter(isPossible) : [];
		if (dates.length > 0) return dates;
	}
	return [];
}

function datesOf(groups: Record<string, string | undefined>): CalendarDate[] {
	const size = Number(groups.year);
	const before = groups.sign !== undefined || groups.era !== undefined;
	const inYear = before ? -size : size;
	if (groups.first !== undefined && groups.second !== undefined) {
		const [a, b] = [Number(groups.first), Number(groups.second)];
		const both = [
			{ year: inYear, month: b, day: a },
			{ year: inYear, month: a, day: b },
		];
		return a === b ? both.slice(0, 1) : both;
	}
	const named = groups.month === undefined ? Number(groups.number ?? Number.NaN) : months[groups.month];
	if (named === undefined || Number.isNaN(named)) return [{ year: inYear }];
	return groups.day === undefined
		? [{ year: inYear, month: named }]
		: [{ year: inYear, month: named, day: Number(groups.day) }];
}

function isPossible({ year, month = 1, day = 1 }: CalendarDate): boolean {
	return Number.isFinite(year) && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}
