/** Numbers with their units and dates, found in text: English and Spanish, digits and common number words. */

export interface Quantity {
	value: number;
	/** What stands after the number as its unit, "" when nothing does. */
	unit: string;
	start: number;
	end: number;
}

/** A calendar date; month and day are absent where the text does not give them. */
export interface CalendarDate {
	year: number;
	month?: number;
	day?: number;
	start: number;
	end: number;
}

const months = [
	["january", "enero", "jan"],
	["february", "febrero", "feb"],
	["march", "marzo", "mar"],
	["april", "abril", "apr"],
	["may", "mayo"],
	["june", "junio", "jun"],
	["july", "julio", "jul"],
	["august", "agosto", "aug"],
	["september", "septiembre", "setiembre", "sep", "sept"],
	["october", "octubre", "oct"],
	["november", "noviembre", "nov"],
	["december", "diciembre", "dec"],
];
const monthNumber = new Map(months.flatMap((names, index) => names.map((name) => [name, index + 1] as const)));
const monthPattern = [...monthNumber.keys()].sort((a, b) => b.length - a.length).join("|");

const dayFirst = new RegExp(
	`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s{1,3}(?:of |de )?(${monthPattern})\\.?,?\\s{1,3}(?:of |de |del )?(\\d{3,4})\\b`,
	"giu",
);
const monthFirst = new RegExp(
	`\\b(${monthPattern})\\.?\\s{1,3}(\\d{1,2})(?:st|nd|rd|th)?,?\\s{1,3}(\\d{3,4})\\b`,
	"giu",
);
const monthYear = new RegExp(`\\b(${monthPattern})\\.?,?\\s{1,3}(?:of |de |del )?(\\d{4})\\b`, "giu");
const isoDate = /\b(\d{4})-(\d{2})-(\d{2})\b/g;
const bareYear = /(?<![\d.,])(1\d{3}|20\d{2}|[3-9]\d{2})(?:s\b)?(?![\d%]|[.,]\d)/g;

/** The dates of a text, left to right; a bare three- or four-digit number is read as a year where one could stand. */
export function datesIn(text: string): CalendarDate[] {
	const found: CalendarDate[] = [];
	const add = (start: number, length: number, year: number, month?: number, day?: number) => {
		const end = start + length;
		if (found.some((date) => start < date.end && date.start < end)) return;
		if ((month !== undefined && (month < 1 || month > 12)) || (day !== undefined && (day < 1 || day > 31))) return;
		found.push({ year, ...(month ? { month } : {}), ...(day ? { day } : {}), start, end });
	};
	const month = (name: string | undefined) => monthNumber.get((name ?? "").toLowerCase());
	for (const m of text.matchAll(isoDate)) add(m.index, m[0].length, Number(m[1]), Number(m[2]), Number(m[3]));
	for (const m of text.matchAll(dayFirst)) add(m.index, m[0].length, Number(m[3]), month(m[2]), Number(m[1]));
	for (const m of text.matchAll(monthFirst)) add(m.index, m[0].length, Number(m[3]), month(m[1]), Number(m[2]));
	for (const m of text.matchAll(monthYear)) add(m.index, m[0].length, Number(m[2]), month(m[1]));
	for (const m of text.matchAll(bareYear)) add(m.index, m[0].length, Number(m[1]));
	return found.sort((a, b) => a.start - b.start);
}

/** Days since year 0, missing parts taken as the first: orders dates and measures days between whole ones. */
export function dayNumber(date: CalendarDate): number {
	return Math.round(utc(date.year, date.month ?? 1, date.day ?? 1).getTime() / 86_400_000);
}

/** `Date.UTC` without its special reading of years below 100. */
export function utc(year: number, month: number, day: number): Date {
	const date = new Date(Date.UTC(2000, month - 1, day));
	date.setUTCFullYear(year, month - 1, day);
	return date;
}

const scales: Record<string, number> = {
	thousand: 1e3,
	mil: 1e3,
	million: 1e6,
	millions: 1e6,
	millon: 1e6,
	millón: 1e6,
	millones: 1e6,
	billion: 1e9,
	trillion: 1e12,
};
const numberPattern =
	/(?<![\p{L}\d.,])([-−]?\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,4}(?![\d])|[-−]?\d[\d.,]{0,24})(?:\s{0,2}(thousand|millions?|mill[oó]n(?:es)?|mil millones|mil|billion|trillion)\b)?/giu;
const unitPattern =
	/^\s{0,2}(%|°\s?[CF]?|(?:(?:square|cubic|metric)\s)?(?:[kcm]?m[²³23]?|km\/h|kilomet(?:re|er)s?|met(?:re|er)s?|miles?|feet|foot|ft|hectares?|kil[oó]metros?(?: cuadrados)?|metros?(?: cuadrados)?|tonnes?|tons?|kg|g|K|pies|years?|days?|hours?|minutes?|seconds?|people|inhabitants|habitantes|años|[$€£¥]|[kKMG]?W|[A-Z]?Hz|percent|per cent)(?![\p{L}\d]))/u;

/**
 * The numbers of a text, left to right, thousands separators and scale words resolved. The language settles what a
 * lone separator means: "1.285" is 1285 in Spanish.
 */
export function quantitiesIn(text: string, options: { language?: string } = {}): Quantity[] {
	const commaDecimal = options.language?.startsWith("es") ?? false;
	const found: Quantity[] = [];
	for (const match of text.matchAll(numberPattern)) {
		const digits = (match[1] ?? "").replace(/[.,]+$/, "");
		const plain = plainNumber(digits.replace("−", "-").replace(/[ \u00a0\u202f]/g, ""), commaDecimal);
		if (plain === undefined) continue;
		const scale = (match[2] ?? "").toLowerCase();
		const factor = scale === "mil millones" ? 1e9 : (scales[scale] ?? 1);
		const end = match.index + (scale ? match[0].length : digits.length);
		const unit = unitPattern.exec(text.slice(end, end + 40))?.[0] ?? "";
		found.push({ value: plain * factor, unit: unit.trim(), start: match.index, end: end + unit.length });
	}
	return found;
}

/** One number's digits, separators told apart from decimal marks by what follows them. */
function plainNumber(digits: string, commaDecimal: boolean): number | undefined {
	let text = digits;
	const dots = text.split(".").length - 1;
	const commas = text.split(",").length - 1;
	if (dots > 0 && commas > 0) {
		const decimal = text.lastIndexOf(".") > text.lastIndexOf(",") ? "." : ",";
		text = text.replaceAll(decimal === "." ? "," : ".", "").replace(decimal, ".");
	} else if (commas > 0)
		text = commas > 1 || (/,\d{3}$/.test(text) && !commaDecimal) ? text.replaceAll(",", "") : text.replace(",", ".");
	else if (dots > 1 || (commaDecimal && /^-?\d{1,3}\.\d{3}$/.test(text))) text = text.replaceAll(".", "");
	const value = Number(text);
	return text !== "" && Number.isFinite(value) ? value : undefined;
}

/** A number as a reader writes it: no exponent, at most four decimals, none trailing. */
export function writeNumber(value: number): string {
	return String(Number(value.toFixed(4)));
}
