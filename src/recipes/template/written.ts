/** Numbers, units and dates as each language writes them; no locale data of the machine is used. */
import type { Language } from "./graph.ts";

const months: Record<Language, string[]> = {
	en: "January February March April May June July August September October November December".split(" "),
	es: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(" "),
};

/** "1,285,216" or "1.285.216"; decimals as given. */
export function numberText(value: number, language: Language, separator = language === "en" ? "," : "."): string {
	const [whole = "0", decimals] = String(Math.abs(value)).split(".");
	const grouped = whole.replace(/\B(?=(\d{3})+$)/g, separator);
	const text = decimals === undefined ? grouped : `${grouped}${language === "en" ? "." : ","}${decimals}`;
	return value < 0 ? `−${text}` : text;
}

/** The unit with the space before it, nothing for what is counted. `unit` is the English sign in every language. */
export function unitText(unit: string | undefined, language: Language): string {
	if (unit === undefined) return "";
	if (unit === "%") return language === "en" ? "%" : " %";
	if (language === "es" && unit === "years") return " años";
	if (language === "es" && unit === "ft") return " pies";
	return ` ${unit}`;
}

/** "28 July 1821", "28 de julio de 1821"; the month and year, or the year alone, where there is no more. */
export function timeText(iso: string, language: Language): string {
	const [digits = "", month, day] = iso.replace(/^-/, "").split("-");
	const year = iso.startsWith("-") ? `${Number(digits)} ${language === "en" ? "BC" : "a. C."}` : digits;
	if (month === undefined) return year;
	const name = months[language][Number(month) - 1] ?? "";
	if (day === undefined) return language === "en" ? `${name} ${year}` : `${name} de ${year}`;
	return language === "en" ? `${Number(day)} ${name} ${year}` : `${Number(day)} de ${name} de ${year}`;
}

/** The ISO form of a date in English words, or nothing. */
export function isoOf(text: string): string | undefined {
	const parsed = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text.trim());
	const month = months.en.indexOf(parsed?.[2] ?? "");
	if (!parsed || month < 0) return undefined;
	return `${parsed[3]}-${String(month + 1).padStart(2, "0")}-${(parsed[1] ?? "").padStart(2, "0")}`;
}
