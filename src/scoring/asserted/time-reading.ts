/** Whether a reply asserts a time: of the dates it holds the one that answers, to the precision of the gold. */
import type { CalendarDate } from "../typed/date-text.ts";
import { type PlacedDate, placeDates } from "../typed/date-text.ts";
import { corrected, doubted, endsInDoubt, mainSentence, sentencesOf, settled, withoutConclusion } from "./clauses.ts";
import { predicateStems, questionStems, sharedStems } from "./question-words.ts";
import { unwrap } from "./unwrap.ts";

/** `agrees` says which dates are the gold's. */
export function assertedTime(
	reply: string,
	agrees: (date: CalendarDate) => boolean,
	{ question = "" }: { question?: string | undefined } = {},
): 0 | 1 {
	const { text, announced, bold } = unwrap(reply);
	if (endsInDoubt(text)) return 0;
	const marked = bold.filter((one) => placeDates(one).found.length > 0);
	for (const said of [announced, ...(marked.length === 1 ? marked : []), text].filter((one) => one !== undefined)) {
		const asserted = read(spokenYears(spoken(corrected(said))), question.slice(0, 4000));
		if (asserted === "none") continue;
		return asserted !== "open" && asserted.dates.some(agrees) ? 1 : 0;
	}
	return 0;
}

const ordinals =
	"first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first".split(
		" ",
	);
const months = "january|february|march|april|may|june|july|august|september|october|november|december";
const ordinalDay = new RegExp(
	`(?<!\\p{L})(?:(${months}) (?:the )?)?((?:twenty[- ]|thirty[- ])?(?:${ordinals.slice(0, 20).join("|")}|thirtieth))( (?:of )?(?:${months}))?(?!\\p{L})`,
	"giu",
);
const teens: Readonly<Record<string, number>> = Object.fromEntries(
	"ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
		.split(" ")
		.map((word, index) => [word, 10 + index]),
);
const decades: Readonly<Record<string, number>> = Object.fromEntries(
	"twenty thirty forty fifty sixty seventy eighty ninety".split(" ").map((word, index) => [word, 20 + 10 * index]),
);
const units: Readonly<Record<string, number>> = Object.fromEntries(
	"one two three four five six seven eight nine".split(" ").map((word, index) => [word, index + 1]),
);
const yearWords = new RegExp(
	`(?<![\\p{L}-])(${Object.keys(teens).join("|")})[ -](?:hundred(?: and)? ?)?(?:(${Object.keys(decades).join("|")})(?:[ -](${Object.keys(units).join("|")}))?|(?:oh|o)[ -](${Object.keys(units).join("|")})|(${Object.keys(teens).join("|")}))(?![\\p{L}-])|(?<![\\p{L}-])two thousand(?:(?: and)? (?:(${Object.keys(decades).join("|")})(?:[ -](${Object.keys(units).join("|")}))?|(${Object.keys(units).join("|")})|(${Object.keys(teens).join("|")})))?(?![\\p{L}-])`,
	"giu",
);

/** Days and years in words as digits: "the seventeenth of November 2015", "nineteen sixty-seven", "two thousand and nine". */
function spoken(text: string): string {
	return text
		.replace(
			/(?<![\d/.-])(0?[1-9]|1[0-2])\/(\d{4})(?![\d/])/g,
			(_, month: string, year: string) => `${year}-${month.padStart(2, "0")}`,
		)
		.replace(ordinalDay, (all, before: string | undefined, day: string, after: string | undefined) => {
			const number = ordinals.indexOf(day.toLowerCase().replace(" ", "-")) + 1;
			return number > 0 && (before || after) ? `${before ? `${before} ` : ""}${number}${after ?? ""}` : all;
		});
}

/** Years in words as digits: "nineteen sixty-seven", "two thousand and nine". */
export const spokenYears = (text: string): string =>
	text.replace(yearWords, (all, ...parts: (string | undefined)[]) => {
		const at = (index: number, table: Readonly<Record<string, number>>) =>
			table[parts[index]?.toLowerCase() ?? ""] ?? 0;
		const year = parts[0]
			? 100 * at(0, teens) + at(1, decades) + at(2, units) + at(3, units) + at(4, teens)
			: 2000 + at(5, decades) + at(6, units) + at(7, units) + at(8, teens);
		return year >= 1000 ? String(year) : all;
	});

function read(text: string, question: string): PlacedDate | "none" | "open" {
	const said = settled(text);
	const sentences = sentencesOf(said);
	const main = withoutConclusion(mainSentence(said));
	for (const one of sentences.length > 1 ? [main, ...sentences] : [said]) {
		const found = chosen(one, question);
		if (found !== "none") return found;
	}
	return "none";
}

function chosen(text: string, question: string): PlacedDate | "none" | "open" {
	if (doubted(text)) return /\d/.test(text) ? "open" : "none";
	const equal = /=([^=]+)$/.exec(text)?.[1];
	const { source, found } = placeDates(equal ?? text);
	if (found.length === 0) return "none";
	const asked = placeDates(question).found.flatMap(({ dates }) => dates.map(keyOf));
	const steps: ((one: PlacedDate) => boolean)[] = [
		({ start }) => !inBrackets(source, start),
		({ start }) => !/, (?:which|who|whose|where) [^,]*$/.test(source.slice(0, start)),
		(one) => !denied(source, one),
		({ dates }) => !dates.some((date) => asked.includes(keyOf(date))),
	];
	let left = found;
	for (const keep of steps) {
		const kept = left.filter(keep);
		if (kept.length > 0) left = kept;
	}
	const [first] = left;
	if (!first || denied(source, first)) return "open";
	const distinct = left.filter((one) => keyOf(one.dates[0]) !== keyOf(first.dates[0]));
	const one = distinct.length === 0 ? first : byClause(source, left, question);
	if (!one) return "open";
	return bounded(source, one) || besideAnother(source, one, found) ? "open" : one;
}

const keyOf = (date: CalendarDate | undefined) => `${date?.year}/${date?.month ?? ""}/${date?.day ?? ""}`;

function inBrackets(source: string, at: number): boolean {
	const ahead = source.slice(0, at);
	return (
		Math.max(ahead.lastIndexOf("("), ahead.lastIndexOf("[")) > Math.max(ahead.lastIndexOf(")"), ahead.lastIndexOf("]"))
	);
}

const limit =
	/(?<!\p{L})(?:before|after|since|until|till|by|from|prior to|later than|earlier than|no later than|between|up to|as early as|vor|nach|seit|bis|ab|zwischen|von|antes de|despues de|desde|hasta|entre|avant|apres|depuis|jusqu'en|either|entweder) (?:the |about |around |early |late |mid-?|year |dem |den )?(?:mon|tues|wednes|thurs|fri|satur|sun)?(?:day,? )?$/u;

/** Whether a date is stated as a bound or as an end of a span only. */
function bounded(source: string, { start, end }: PlacedDate): boolean {
	if (limit.test(source.slice(Math.max(0, start - 40), start))) return true;
	return (
		/^ ?(?:or (?:later|earlier|before|after)|at the (?:latest|earliest)|onwards?)/.test(source.slice(end, end + 20)) ||
		/^'?s(?!\p{L})|^er jahre|^er-jahre/u.test(source.slice(end, end + 9))
	);
}

const joins =
	/^,? ?(?:or|oder|ou|o|to|until|till|bis|-|through|and\/or|\/|a|au|hasta)(?: (?:in|on|the|early|late|maybe|possibly|perhaps|even|rather|im|am|en|el|le))* ?$/;

function besideAnother(source: string, one: PlacedDate, all: PlacedDate[]): boolean {
	const others = all.filter((other) => keyOf(other.dates[0]) !== keyOf(one.dates[0]));
	return (
		others.some((other) => {
			const [a, b] = other.start < one.start ? [other, one] : [one, other];
			return joins.test(source.slice(a.end, b.start));
		}) ||
		/^(?:-|\/)\d{1,4}(?!\d)/.test(source.slice(one.end)) ||
		/(?<!\d)\d{1,4} ?(?:-|to|or) ?$/.test(source.slice(Math.max(0, one.start - 10), one.start))
	);
}

function denied(source: string, { start }: PlacedDate): boolean {
	const clause =
		source
			.slice(Math.max(0, start - 60), start)
			.split(/[,;:]|\bbut\b/)
			.at(-1) ?? "";
	return /(?<!\p{L})(?:not|never|n't|nicht|instead of|rather than|neither|nor|不是)(?!\p{L})(?: \p{L}+){0,3} ?$/u.test(
		clause,
	);
}

/** The date whose own clause speaks most of what was asked. */
function byClause(source: string, left: PlacedDate[], question: string): PlacedDate | undefined {
	for (const stems of [questionStems(question), predicateStems(question)]) {
		const scores = left.map((one, index) => sharedStems(source.slice(left[index - 1]?.end ?? 0, one.start), stems));
		const most = Math.max(...scores);
		const best = left.filter((_, index) => scores[index] === most);
		if (most > 0 && best.length === 1) return best[0];
	}
	return undefined;
}
