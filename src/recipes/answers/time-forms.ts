import type { CalendarDate } from "#scoring";
import { timeText } from "../template/written.ts";

/** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, a minus sign before years BCE. */
export function isoDate({ year, month, day }: CalendarDate): string {
	const years = `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`;
	return [years, ...[month, day].flatMap((part) => (part === undefined ? [] : [two(part)]))].join("-");
}

const two = (part: number) => String(part).padStart(2, "0");
const monthName = (month: number) => timeText(`2000-${two(month)}-01`, "en").split(" ")[1] ?? "";
const unique = (forms: string[]) => [...new Set(forms)];

/** Ways of writing the same time, the ISO form first. Which number is the month of "2 3 1981" is anyone's guess: left out. */
export function timeForms(date: CalendarDate): string[] {
	const { year, month, day } = date;
	const iso = isoDate(date);
	if (year < 0) return unique([iso, ...["BC", "BCE"].map((era) => `${-year} ${era}`)]);
	if (month === undefined) return unique([iso, String(year)]);
	const name = monthName(month);
	const short = name.slice(0, 3);
	if (day === undefined)
		return unique([iso, `${name} ${year}`, `${short} ${year}`, `${name}, ${year}`, `${year} ${name}`]);
	return unique([
		iso,
		...[name, short].flatMap((said) => [`${day} ${said} ${year}`, `${said} ${day}, ${year}`, `${said} ${day} ${year}`]),
		`${year} ${name} ${day}`,
		`${year} ${two(month)} ${two(day)}`,
		`${year}.${two(month)}.${two(day)}`,
	]);
}

/** A day of every year. */
export function yearlessForms({ month, day }: { month: number; day: number }): string[] {
	const name = monthName(month);
	const nth = `${day}${ordinalEnding(day)}`;
	return [`${day} ${name}`, `${name} ${day}`, `${nth} ${name}`, `${name} ${nth}`, `${day} ${month}`, `${month} ${day}`];
}

function ordinalEnding(day: number): string {
	if (day >= 11 && day <= 13) return "th";
	return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}
