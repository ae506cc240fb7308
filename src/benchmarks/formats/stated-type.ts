import type { Answer } from "#domain";

const monthNames = [
	"January",
	"February",
	"March",
	"April",
	"May",
	"June",
	"July",
	"August",
	"September",
	"October",
	"November",
	"December",
];

/**
 * An answer of MoreHopQA as a typed answer. `type` is what the data set states: number, date, year, letter, and names
 * of kinds of strings (string, person, place, organization). A value that does not fit its stated type stays a
 * string, and `warning` says so.
 */
export function answerOfType(value: string, type: string): { answer: Answer; warning?: string } {
	if (type === "number") return numberAnswer(value) ?? asString(value, "no plain number");
	if (type === "year") return yearAnswer(value) ?? asString(value, "no year");
	if (type === "date") return dateAnswer(value) ?? asString(value, "no date that is understood");
	if (type === "datetime") return asString(value, "a time of day, which a time answer does not hold");
	if (type === "letter" && [...value].length === 1) return { answer: letterAnswer(value) };
	return { answer: stringAnswer(value) };
}

/** An answer whose type is not stated: kept as it is written. */
export function stringAnswer(value: string): Answer {
	return { type: "string", value, accepted: [value] };
}

function asString(value: string, why: string): { answer: Answer; warning: string } {
	return { answer: stringAnswer(value), warning: `the answer "${value}" is ${why}: kept as a string` };
}

/** Plain digits with an optional decimal part; `1.0` also accepts `1`. */
function numberAnswer(value: string): { answer: Answer } | undefined {
	if (!/^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return undefined;
	const number = Number(value);
	return { answer: { type: "number", value, accepted: unique([value, String(number)]), number: { value: number } } };
}

function yearAnswer(value: string): { answer: Answer } | undefined {
	if (!/^\d{4}$/.test(value)) return undefined;
	return { answer: { type: "time", value, accepted: [value], time: { iso: value, precision: "year" } } };
}

/** `1981-12-22`, `22 December 1981` or `December 22, 1981`; all three are then accepted. */
function dateAnswer(value: string): { answer: Answer } | undefined {
	const date = readDate(value);
	if (!date) return undefined;
	const { year, month, day } = date;
	const name = monthNames[month - 1] ?? "";
	const iso = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
	const accepted = unique([value, iso, `${name} ${day}, ${year}`, `${day} ${name} ${year}`]);
	return { answer: { type: "time", value, accepted, time: { iso, precision: "day" } } };
}

function readDate(value: string): { year: number; month: number; day: number } | undefined {
	const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
	const dayFirst = /^(\d{1,2}) (\p{L}+),? (\d{4})$/u.exec(value);
	const monthFirst = /^(\p{L}+) (\d{1,2}),? (\d{4})$/u.exec(value);
	const [year, month, day] = iso
		? [Number(iso[1]), Number(iso[2]), Number(iso[3])]
		: dayFirst
			? [Number(dayFirst[3]), monthNames.indexOf(dayFirst[2] ?? "") + 1, Number(dayFirst[1])]
			: monthFirst
				? [Number(monthFirst[3]), monthNames.indexOf(monthFirst[1] ?? "") + 1, Number(monthFirst[2])]
				: [0, 0, 0];
	const real = new Date(Date.UTC(2000, month - 1, day));
	real.setUTCFullYear(year, month - 1, day);
	const exists = month >= 1 && day >= 1 && real.getUTCMonth() === month - 1 && real.getUTCDate() === day;
	return exists ? { year, month, day } : undefined;
}

/** Case is not what a question for a letter asks: both are right. */
function letterAnswer(value: string): Answer {
	return { type: "string", value, accepted: unique([value, value.toLowerCase(), value.toUpperCase()]) };
}

const unique = (values: string[]) => [...new Set(values)];
