import { withNumberKind } from "#benchmarks";
import type { Answer } from "#domain";
import { type CalendarDate, readDates, readQuantities } from "#scoring";
import { unaccented } from "../template/answers.ts";
import { numberText } from "../template/written.ts";
import { isoDate, timeForms, yearlessForms } from "./time-forms.ts";

export interface ReadingOptions {
	/** What was asked: it settles whether 1897 is a year and 5 K a temperature. */
	question?: string;
	language?: string;
	/** The question names the scale ("in millions"), so that the number without it is right too. */
	scaled?: boolean;
	/** What is counted is kept as the number's unit (`118,218 entries`); otherwise a count has none. */
	counted?: boolean;
}

/**
 * An answer's words as the answer of a type: a time (a year, month or day), a number with its unit or range, a yes or no,
 * else a string. Written as one form (YYYY-MM-DD, `8%`, `$1,000`), right in all that mean the same. What is only an
 * estimate or says nothing definite is vague. "16th century" and "4th" are strings.
 * Source: MMhops-R1 (answer verification and classification), AgenticRAGTracer (refinement of answers).
 */
export function typedAnswer(text: string, options: ReadingOptions = {}): Answer | { vague: string } {
	const said = text.trim().replace(/(?<=[\p{L}\p{N}%)])\.$/u, "");
	if (said === "") return { vague: "it is empty" };
	if (/^(?:yes|no)$/i.test(said)) {
		const value = said.toLowerCase() === "yes" ? "yes" : "no";
		return { type: "boolean", value, accepted: [value] };
	}
	const hedge = hedged.exec(said)?.[0];
	if (hedge !== undefined) return { vague: `"${hedge.trim()}" states nothing definite` };
	return timeOf(said, options) ?? numberOf(said, options) ?? stringOf(said);
}

const number =
	"\\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|a (?:few|dozen|hundred)";
const hedged = new RegExp(
	`^(?:(?:about|almost|nearly|around|approximately|roughly|circa|c\\.|some|over|under|more than|less than|fewer than|at least|up to|an estimated|estimated)\\s+(?=[$€£]?(?:${number}))|(?:many|several|various|numerous|few|a few)(?:\\s|$)|unknown$)`,
	"i",
);

const months =
	"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
/** Everything that a date is written with. */
const dateWords = new RegExp(`\\b(?:${months}|of|the|in|on|year|ad|ce|bce?)\\b|\\d+(?:st|nd|rd|th)?|[\\s,./-]+`, "giu");
const yearless = new RegExp(
	`^(?:(?<d1>\\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<m1>${months})|(?<m2>${months}) (?<d2>\\d{1,2})(?:st|nd|rd|th)?)$`,
	"iu",
);

const asksForTime = new RegExp(
	`(?<![\\p{L}])(?:${[
		"when|what time|years?|date|decade|since|until",
		...["cuándo|años?|fecha|quand|années?|ans?|wann|jahr(?:e|en)?|seit|quando|anno|anni|anos?"],
	].join("|")})(?![\\p{L}])|年|いつ|何时|何時|什么时候|什麼時候|متى|عام|سنة`,
	"iu",
);

function timeOf(said: string, { question }: ReadingOptions): Answer | undefined {
	const day = yearless.exec(said)?.groups;
	if (day) {
		const at = (day.m1 ?? day.m2 ?? "").slice(0, 3).toLowerCase();
		const month = "janfebmaraprmayjunjulaugsepoctnovdec".indexOf(at) / 3 + 1;
		const forms = yearlessForms({ month, day: Number(day.d1 ?? day.d2) });
		return { type: "string", value: said, accepted: [...new Set([said, ...forms])] };
	}
	if (said.replace(dateWords, "") !== "") return undefined;
	// a span of days is no day
	if (/\b\d{1,2}\s?[-–]\s?\d{1,2}\b/.test(said) && !/^\d{4}-\d{2}(?:-\d{2})?$/.test(said)) return undefined;
	const dates = readDates(said);
	const [date] = dates;
	if (!date || dates.length > 1) return undefined;
	// digits alone are a year where one is asked for, or could be
	const bare = /^\d+$/.test(said);
	const asked = question === undefined || asksForTime.test(question);
	if (bare && (said.length !== 4 || !asked)) return undefined;
	return timeAnswerOf(date, said);
}

function timeAnswerOf(date: CalendarDate, said: string): Answer {
	const iso = isoDate(date);
	const precision = date.month === undefined ? "year" : date.day === undefined ? "month" : "day";
	return { type: "time", value: iso, accepted: [...new Set([...timeForms(date), said])], time: { iso, precision } };
}

const scaleWords = /\b(?:thousand|million|billion|trillion)\b/i;

function numberOf(
	said: string,
	{ question = "", language, scaled = false, counted: keepsCounted = false }: ReadingOptions,
): Answer | undefined {
	if (/\d(?:st|nd|rd|th)\b/i.test(said)) return undefined;
	// "21 to 35 (°C)" names its unit in brackets
	const plain = said.replace(/\s*\(([^()]{1,12})\)$/, " $1");
	// thousands of thousands are nothing that one would write so
	const kelvin = /\d\s?K$/.test(plain) && (/temperature|kelvin/i.test(question) || /\d[,.]?\d{3}\s?K$/.test(plain));
	const [quantity, another] = readQuantities(plain, { kelvin, language });
	if (!quantity || another || !startsWithNumber.test(plain)) return undefined;
	const counted = counting.exec(plain)?.[1] ?? "";
	// "7 Seconds" is a name
	if (/^\p{Lu}\p{Ll}/u.test(counted) && !namedScales.test(counted)) return undefined;
	if (quantity.unit === null && counted.split(/\s+/).length > 3) return undefined;
	const { low, high, unitName } = quantity;
	const unit = unitOf(plain, unitName, kelvin) ?? (keepsCounted ? countedIn(plain) : undefined);
	const value = (low + high) / 2;
	const range = low === high ? undefined : ([low, high] satisfies [number, number]);
	const written = range ? `${numberText(low, "en")}–${numberText(high, "en")}` : numberText(value, "en");
	const forms = withUnit(written, unit);
	const digits = scaleWords.test(plain) ? (/[\d.,]+/.exec(plain)?.[0] ?? "") : "";
	const accepted = [...forms, said, ...(range ? [] : [written, String(value)]), ...(scaled && digits ? [digits] : [])];
	const answer: Answer = {
		type: "number",
		value: scaleWords.test(plain) ? said : (forms[0] ?? written),
		accepted: [...new Set([scaleWords.test(plain) ? said : (forms[0] ?? written), ...accepted])],
		number: { value, ...(range ? { range } : {}), ...(unit === undefined ? {} : { unit }) },
	};
	return withNumberKind(answer, question);
}

const startsWithNumber = new RegExp(
	`^(?:(?:minus|between|from)\\s+)?[-+−]?\\s?(?:us)?[$€£¥]?\\s?(?:${number}|zero|hundred|thousand|million)`,
	"i",
);
/** Units and scales that are written with a capital. */
const namedScales = /^(?:thousand|million|billion|trillion|celsius|fahrenheit|kelvin|euros?|dollars?)\b/i;
/** What is counted, behind the digits. */
const counting = /^[-+−$€£¥\d.,\s–%]+(.*)$/u;

/** Numbers in digits or words, one after the other, as an amount begins with them. */
const amount = new RegExp(
	`^(?:(?:[-+−$€£¥]?\\d[\\d.,]*|${number}|hundred|thousand|million|billion|trillion|between|from|to|and)(?:[\\s–-]+|$))+`,
	"iu",
);

/** What is counted: the words behind the number. */
export function countedIn(said: string): string | undefined {
	const rest = said.replace(amount, "").trim();
	return rest !== said && /^\p{L}/u.test(rest) ? rest : undefined;
}

/** The unit as it was written, percent, dollars and kelvins by their signs. */
function unitOf(said: string, name: string | null, kelvin: boolean): string | undefined {
	if (kelvin) return "K";
	if (name === null) return undefined;
	if (/^kelvins?$/i.test(name)) return "K";
	if (/^(?:%|per ?cent(?:age)?s?)$/i.test(name)) return "%";
	if (/^(?:usd|us\$|\$|dollars?|us dollars?)$/i.test(name)) return "$";
	const at = said.toLowerCase().indexOf(name.toLowerCase());
	return at < 0 ? name : said.slice(at, at + name.length);
}

function withUnit(written: string, unit: string | undefined): string[] {
	if (unit === undefined) return [written];
	if (unit === "$") return [`$${written}`, `${written} dollars`];
	if (unit === "%") return [`${written}%`, `${written} percent`, `${written} per cent`];
	return [`${written} ${unit}`, `${written}${unit}`];
}

function stringOf(said: string): Answer {
	return { type: "string", value: said, accepted: [...new Set([said, unaccented(said)])] };
}

/** Most forms of a string that are kept. */
const mostForms = 20;

/**
 * The answer with other names of the same thing, its own first. Times and numbers have the forms that code gives them. A
 * name that another answer of the chain bears is left out: it would make two hops' answers one.
 */
export function withAliases(answer: Answer, aliases: readonly string[], others: readonly string[] = []): Answer {
	if (answer.type !== "string") return answer;
	const taken = new Set(others.map((other) => other.trim().toLowerCase()));
	const fit = aliases
		.map((alias) => alias.trim())
		.filter((alias) => /[\p{L}\p{N}]/u.test(alias) && alias.length <= 200 && !taken.has(alias.toLowerCase()));
	return { ...answer, accepted: [...new Set([...answer.accepted, ...fit])].slice(0, mostForms) };
}
