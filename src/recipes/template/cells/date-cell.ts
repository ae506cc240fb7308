import { monthNumbers } from "#scoring";
import { unaccented } from "../answers.ts";

/**
 * How dates are written in cells. Two of them, told apart by nothing but the column they stand in, are of day and month
 * in digits; dates with points have the day first wherever they are used.
 */
export const dateForms = [
	"yyyy-mm-dd",
	"yyyy/mm/dd",
	"yyyy.mm.dd",
	"dd/mm/yyyy",
	"mm/dd/yyyy",
	"dd-mm-yyyy",
	"mm-dd-yyyy",
	"dd.mm.yyyy",
	"d month yyyy",
	"month d, yyyy",
	"month yyyy",
	"yyyy-mm",
	"mm/yyyy",
	"yyyy",
] as const;
export type DateForm = (typeof dateForms)[number];

/** Forms that read one cell in two ways: day first, month first. */
export const openOrders: readonly [DateForm, DateForm][] = [
	["dd/mm/yyyy", "mm/dd/yyyy"],
	["dd-mm-yyyy", "mm-dd-yyyy"],
];

/** Whether a form leaves open to a reader which of two numbers is the month. */
export const isOpenForm = (form: DateForm): boolean => openOrders.some((pair) => pair.includes(form));

const year = "(?<year>[12]\\d{3})";
const month = "(?<month>0?[1-9]|1[0-2])";
const day = "(?<day>0?[1-9]|[12]\\d|3[01])";
const name = "(?<name>\\p{L}{3,})\\.?";
const nth = "(?:st|nd|rd|th|\\.)?";
const of = "(?:,? (?:of |de )?|-)";

const readers: Record<DateForm, RegExp> = {
	"yyyy-mm-dd": whole(`(?<year>-?\\d{4})-${month}-${day}`),
	"yyyy/mm/dd": whole(`${year}/${month}/${day}`),
	"yyyy.mm.dd": whole(`${year}\\.${month}\\.${day}`),
	"dd/mm/yyyy": whole(`${day}/${month}/${year}`),
	"mm/dd/yyyy": whole(`${month}/${day}/${year}`),
	"dd-mm-yyyy": whole(`${day}-${month}-${year}`),
	"mm-dd-yyyy": whole(`${month}-${day}-${year}`),
	"dd.mm.yyyy": whole(`${day}\\. ?${month}\\. ?${year}`),
	"d month yyyy": whole(`${day}${nth}${of}${name}${of}${year}`),
	"month d, yyyy": whole(`${name} ${day}${nth},? ${year}`),
	"month yyyy": whole(`${name}${of}${year}`),
	"yyyy-mm": whole(`${year}-(?<month>0[1-9]|1[0-2])`),
	"mm/yyyy": whole(`${month}/${year}`),
	yyyy: whole("(?<year>-\\d{4}|[0-2]\\d{3})"),
};

/** Spreadsheets and databases write a day as its first second. */
const midnight = /[T ]00:00(?::00(?:\.0+)?)?(?: ?(?:Z|UTC|[+-]00:?00))?$/;

function whole(pattern: string): RegExp {
	return new RegExp(`^${pattern}$`, "u");
}

/** The cell as a date of the form, ISO to the precision that is written; undefined where the whole cell is none. */
export function readDate(cell: string, form: DateForm): string | undefined {
	const groups = readers[form].exec(cell.trim().replace(midnight, ""))?.groups;
	if (!groups?.year) return undefined;
	const number =
		groups.name === undefined ? Number(groups.month) : monthNumbers.get(unaccented(groups.name).toLowerCase());
	if (groups.name !== undefined && number === undefined) return undefined;
	const of = number !== undefined && !Number.isNaN(number) ? number : undefined;
	if (of === undefined) return groups.year;
	if (groups.day === undefined) return `${groups.year}-${two(of)}`;
	return isDay(Number(groups.year), of, Number(groups.day))
		? `${groups.year}-${two(of)}-${two(Number(groups.day))}`
		: undefined;
}

/** The forms that the cell can be read in. */
export const formsOf = (cell: string): DateForm[] =>
	/\d{4}/.test(cell) ? dateForms.filter((form) => readDate(cell, form) !== undefined) : [];

const numericShort = /^(\d{1,2})([/.-])(\d{1,2})\2\d{2}$/;
const namedShort = /^(?:\d{1,2}[ -])?(\p{L}{3,})\.?(?: \d{1,2},)?[ -]['’]?\d{2}$/u;

/** Whether the cell is a date whose year has two digits: of which century, nobody can say. */
export function isShortYear(cell: string): boolean {
	const [, first, , second] = numericShort.exec(cell) ?? [];
	if (first !== undefined) {
		const [a, b] = [Number(first), Number(second)];
		return Math.min(a, b) >= 1 && Math.min(a, b) <= 12 && Math.max(a, b) <= 31;
	}
	return monthNumbers.has(unaccented(namedShort.exec(cell)?.[1] ?? "").toLowerCase());
}

/** Days of the Gregorian calendar from 1 January 1970, for differences. */
export function dayNumber(iso: string): number | undefined {
	const [, sign = "", years, months, days] = /^(-?)(\d{4,6})-(\d{2})-(\d{2})$/.exec(iso) ?? [];
	if (years === undefined) return undefined;
	// counted from 1 March, so that the leap day is a year's last
	const month = (Number(months) + 9) % 12;
	const year = Number(`${sign}${years}`) - (month > 9 ? 1 : 0);
	const leaps = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
	return 365 * year + leaps + Math.floor((153 * month + 2) / 5) + Number(days) - 719_469;
}

function isDay(year: number, month: number, day: number): boolean {
	const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
	const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
	return day <= days;
}

const two = (part: number) => String(part).padStart(2, "0");
