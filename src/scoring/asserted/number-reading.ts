/**
 * Whether a reply asserts a number. Of the quantities it holds the one that answers is found (the result of an equation,
 * the one in the gold's unit, the one the question did not state itself, the one whose clause speaks of what was asked);
 * where none stands out, no number is asserted. Bounds ("more than 120"), alternatives and denials assert none.
 */
import type { NumberKind } from "#domain";
import { placeDates } from "../typed/date-text.ts";
import { foldText } from "../typed/fold-text.ts";
import { goldUnit, lies } from "../typed/number-accuracy.ts";
import { type PlacedQuantity, placeQuantities, readQuantities } from "../typed/number-text.ts";
import { digitsForWords } from "../typed/number-words.ts";
import { convertUnit, readUnit, type Unit } from "../typed/units.ts";
import {
	corrected,
	deniesSomething,
	doubted,
	endsInDoubt,
	mainSentence,
	sentencesOf,
	settled,
	withoutConclusion,
} from "./clauses.ts";
import { currencyAt, currencyNamed } from "./currencies.ts";
import { predicateStems, questionStems, sharedStems, stemOf, tokensOf } from "./question-words.ts";
import { spokenYears } from "./time-reading.ts";
import { unwrap } from "./unwrap.ts";

export interface AskedNumber {
	question?: string | undefined;
	language?: string | undefined;
	decimalComma?: boolean | undefined;
}

export interface ReadGold {
	value: number;
	kind?: NumberKind | undefined;
	unit?: string | undefined;
	/** As it is written, with its currency. */
	written?: string | undefined;
	/** What counts as right, in the gold's unit. */
	interval: readonly [number, number];
}

/** The asserted number or range in the gold's unit, and whether it is right; no `read` where none is asserted. */
export function assertedNumber(
	reply: string,
	gold: ReadGold,
	asked: AskedNumber,
): { value: 0 | 1; read?: [number, number] } {
	const question = asked.question?.slice(0, 4000) ?? "";
	const { text, announced, bold } = unwrap(reply);
	const wanted = wantedUnit(gold.unit, question);
	const marked = bold.filter((one) => /\d/.test(one) || readQuantities(one).length > 0);
	const only = marked.length === 1 ? marked[0] : undefined;
	if (endsInDoubt(text) || /≠|!=/.test(text)) return { value: 0 };
	for (const said of [announced, text, only].filter((one) => one !== undefined).map(corrected)) {
		const read = readAsserted(said, { gold, wanted, question, asked });
		if (read === "none") continue;
		if (read === "open") return { value: 0 };
		return contradicts(read, { gold, wanted, question }) ? { value: 0 } : judged(read, { gold, wanted, question });
	}
	return { value: 0 };
}

const scaleNames: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12 };

/** "in millions" asks for a number of millions. */
export function askedScale(question: string): number {
	const name = /\b(?:in|how many) (thousand|million|billion|trillion)s?\b/i.exec(question)?.[1]?.toLowerCase();
	return name === undefined ? 1 : (scaleNames[name] ?? 1);
}

const scaleOfUnit = (unit: string | undefined) => {
	const name = /^(thousand|million|billion|trillion)s?(?![\p{L}])/iu.exec(unit?.trim() ?? "")?.[1]?.toLowerCase();
	return name === undefined ? 1 : (scaleNames[name] ?? 1);
};

/** The unit that a question asks the answer in: "in kilometres", "how many miles". */
function wantedUnit(unit: string | undefined, question: string): Unit | undefined {
	if (unit !== undefined) {
		const own = goldUnit(unit.replace(/^(?:thousand|million|billion|trillion)s? (?:of )?/i, ""));
		if (own) return own;
	}
	for (const match of foldText(question).matchAll(
		/(?<![\p{L}])(?:in|how many|how much|wie viele|in wie vielen) (?=\p{L})/gu,
	)) {
		const from = match.index + match[0].length;
		const read = readUnit(foldText(question).slice(from, from + 40));
		if (read && read.length > 2 && !read.unit.doubtful && read.unit.dimension !== "time") return read.unit;
		if (
			read &&
			read.length > 2 &&
			/minute|hour|second|day|week|month/.test(foldText(question).slice(from, from + read.length))
		)
			return read.unit;
	}
	return undefined;
}

/** With the text it stands in, folded. */
interface Asserted extends PlacedQuantity {
	source: string;
}
type Read = Asserted | "none" | "open";
interface Context {
	gold: ReadGold;
	wanted: Unit | undefined;
	question: string;
	asked: AskedNumber;
}

function readAsserted(text: string, { gold, wanted, question, asked }: Context): Read {
	const options = {
		decimalComma: asked.decimalComma,
		language: asked.language,
		kelvin: wanted?.dimension === "temperature",
	};
	const said = settled(prepared(text, { gold, language: asked.language, question }));
	const main = sentencesOf(said);
	if (main.length === 1 || said.length < 200) {
		const read = chosen(said, { gold, wanted, question, options });
		if (read !== "none") return read;
	}
	const concluding = withoutConclusion(mainSentence(said));
	const read = chosen(settled(concluding), { gold, wanted, question, options });
	if (read !== "none" || concluding === main[0]) return read;
	const withNumber = main.filter((sentence) => /\d/.test(sentence) || readQuantities(sentence, options).length > 0);
	const last = withNumber.at(-1);
	return last === undefined ? "none" : chosen(settled(last), { gold, wanted, question, options });
}

const wordOrdinals =
	"first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth".split(
		"|",
	);
const ordinalWord = new RegExp(`(?<![\\p{L}-])(?:${wordOrdinals.join("|")})(?![\\p{L}])`, "giu");
const ones = new Map(
	"one two three four five six seven eight nine ten".split(" ").map((word, index) => [word, index + 1]),
);
const fractions = new Map(
	"half:2 halves:2 third:3 thirds:3 quarter:4 quarters:4 fourth:4 fourths:4 fifth:5 fifths:5 sixth:6 eighth:8 tenth:10 tenths:10"
		.split(" ")
		.map((pair) => pair.split(":"))
		.map(([word = "", part]) => [word, Number(part)]),
);
const fraction = new RegExp(
	`(?<![\\p{L}]|and |y )(a|an|one|two|three|four|five|seven|nine)[ -](${[...fractions.keys()].join("|")})(?=$|[\\s.,;:)])(?! (?:of the )?(?:place|time|century|letter|hour))`,
	"giu",
);

/** Spoken years, parts and clock times as digits; ordinals become "3rd" where they answer and go where they do not. */
function prepared(
	text: string,
	{ gold, language = "", question }: { gold: ReadGold; language: string | undefined; question: string },
): string {
	const year = spokenYears(text);
	const halves = year
		.replace(/(?<!\p{L})(?:anderthalb|eineinhalb)(?!\p{L})/giu, "1.5")
		.replace(/(?<!\p{L})half(?= (?:of|the|all)(?!\p{L})|[\s.]*$)/giu, gold.kind === "share" ? "0.5" : "half")
		.replace(
			/(?<!\p{L})once(?!\p{L})/giu,
			isSpanish(`${question} ${language}`) || (!question && !language) ? "once" : "1 time",
		)
		.replace(/(?<!\p{L})twice(?!\p{L})/giu, "2 times")
		.replace(
			/(?<![\p{L}])(?:an?|one) (hour|mile|year|day|week|million|billion|minute|kilometre|kilometer|metre|meter|dozen) and a half(?!\p{L})/giu,
			"1.5 $1",
		)
		.replace(
			/(?<![\p{L}])half an (hour|inch)|half a (?!mill|bill|tril|dozen)(\p{L}+)/giu,
			(_, a?: string, b?: string) => `0.5 ${a ?? b}`,
		);
	const outOf =
		Math.abs(gold.value) <= 1
			? halves.replace(
					/(?<![\p{L}\d])(\d{1,3}|one|two|three|four|five|six|seven|eight|nine) (?:out of|in) (?:every )?(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)(?![\p{L}\d])/giu,
					(all, a: string, b: string) => {
						const [above, below] = [a, b].map((one) => (/\d/.test(one) ? Number(one) : ones.get(one.toLowerCase())));
						return above && below ? `${above}/${below}` : all;
					},
				)
			: halves;
	const parted =
		gold.kind === "ordinal"
			? outOf
			: outOf.replace(fraction, (all, count: string, part: string) => {
					const above = /^an?$/i.test(count) ? 1 : (ones.get(count.toLowerCase()) ?? 0);
					const below = fractions.get(part.toLowerCase());
					return above > 0 && below !== undefined ? `${above}/${below}` : all;
				});
	const articles = parted.replace(
		/(?<![\p{L}])an? (hour|kilometre|kilometer|minute|week|month|day|year)(?!\p{L})/giu,
		"1 $1",
	);
	const clock =
		gold.unit !== undefined && /^(?:h|hr|hour|min|sec|s$)/i.test(gold.unit)
			? articles
					.replace(
						/(?<!\d)(\d{1,2}):(\d{2})(?::(\d{2}))? ?(?:h|hours?|hrs?)?(?![\d:])/gi,
						(_, a: string, b: string, c?: string) =>
							c === undefined ? `${a} h ${Number(b)} min` : `${a} h ${Number(b)} min ${Number(c)} s`,
					)
					.replace(/(\d)h(\d{1,2})(?!\d)/g, "$1 h $2 min")
			: articles;
	const ordinals =
		gold.kind === "ordinal"
			? clock.replace(ordinalWord, (word) => String(wordOrdinals.indexOf(word.toLowerCase()) + 1))
			: clock;
	if (gold.kind === "money") return ordinals.replace(/(\d) ?m(?![\p{L}\d²³])/gu, "$1 million");
	if (gold.kind !== "year") return ordinals;
	return ordinals.replace(/(?<![\d-])(\d{1,4}) ?(?:b\.? ?c\.?(?: ?e\.?)?|v\. ?chr\.?|av\. j\.-c\.)(?!\p{L})/giu, "-$1");
}

const isSpanish = (text: string) =>
	/[¿ñ]|(?<!\p{L})(?:es|cu[aá]nt[oa]s?|qu[eé]|veces|los|las|del)(?!\p{L})/iu.test(text);

interface Choosing {
	gold: ReadGold;
	wanted: Unit | undefined;
	question: string;
	options: { decimalComma?: boolean | undefined; kelvin: boolean; language?: string | undefined };
}

const nothing =
	/^(?:none|nil|zero|nothing|nobody|no one|null|nought|keine?[rs]?|ninguno|ninguna|aucune?|没有|無し|なし)(?:$|[\s.,!])|(?:^|\s)(?:there (?:are|is|were|was) (?:no|none)|(?:has|have|had|are|is) (?:no|none)|no \p{L}+ (?:has|have|had|at all))(?!\p{L})/iu;

function chosen(text: string, { gold, wanted, question, options }: Choosing): Read {
	if (text.trim() === "") return "none";
	const equal = /^.*(?:=|≈|⇒|→|\bequals\b)(?=[^=≈]*\d)([^=≈⇒→]+)$/su.exec(text)?.[1];
	const asksFor = new Set(readQuantities(question, options).map(({ low }) => low));
	const digits = placeQuantities(equal ?? text, options);
	// where all digits were in the question or are years, the answer may be a word
	const known = gold.kind !== "year" && digits.found.every(({ low, year }) => year || asksFor.has(low));
	const { source, found } = known ? placeQuantities(digitsForWords(foldText(equal ?? text), options), options) : digits;
	const isYear = gold.kind === "year";
	const dates = isYear
		? []
		: placeDates(equal ?? text)
				.found.filter(({ dates: [date] }) => date?.month !== undefined)
				.map(({ dates: [date] }) => date);
	const dateNumbers = new Set(dates.flatMap((date) => (date ? [date.year, date.day] : [])));
	const all = found.filter(({ ordinal }) => !ordinal || gold.kind === "ordinal" || gold.kind === "identifier");
	if (all.length === 0) {
		const empty = nothing.test(text) && !deniesSomething(text.replace(nothing, " "));
		return empty
			? { source, low: 0, high: 0, unit: null, unitName: null, year: false, start: 0, end: 0, scale: 1, ordinal: false }
			: "none";
	}
	const brackets = bracketsOf(source);
	const inBrackets = ({ start }: PlacedQuantity) => brackets.some(([from, to]) => start > from && start < to);
	const steps: ((one: PlacedQuantity) => boolean)[] = [
		(one) => !(wanted && one.unit && one.unit.dimension !== wanted.dimension && !one.unit.doubtful),
		(one) => !wanted || one.unit?.dimension === wanted.dimension || wanted.dimension === "share",
		(one) => !wanted || (one.unit?.factor === wanted.factor && one.unit.offset === wanted.offset),
		(one) => isYear || !one.year,
		(one) => !(dateNumbers.has(one.low) && one.unit === null),
		(one) => !inBrackets(one),
		({ start }) => !/, (?:which|who|whose|where) [^,]*$/.test(source.slice(0, start)),
		(one) => !deniedBefore(source, one),
		(one) => !(asksFor.has(one.low) && one.low === one.high),
		(one) => !isYear || (one.low >= 1000 && one.low <= 2100),
	];
	let left = all;
	const alternatives = all.some((one, index) => {
		const next = all[index + 1];
		return next !== undefined && beside(source, one, next) && !sameValue(one, next, wanted);
	});
	for (const keep of steps) {
		const kept = left.filter(keep);
		if (kept.length > 0) left = kept;
	}
	const [first] = left;
	if (!first) return "none";
	if (deniedBefore(source, first)) return "open";
	const same = left.every((one) => sameValue(one, first, wanted));
	if (alternatives && (!same || besideAny(source, first, all, wanted))) return "open";
	const best = same ? first : (predicated(source, left) ?? byClause(source, left, question));
	return !best || bounded(source, best) || doubted(sentenceAt(source, best)) ? "open" : { ...best, source };
}

/** The sentence of a quantity, without what it says before a "but". */
function sentenceAt(source: string, { start, end }: PlacedQuantity): string {
	const from =
		source
			.slice(0, start)
			.split(/[.!?;] |, but /)
			.at(-1) ?? "";
	return from + source.slice(start, end) + (/^(?:[^.;!]|\.(?!\s|$))*/.exec(source.slice(end))?.[0] ?? "");
}

function bracketsOf(source: string): [number, number][] {
	const found: [number, number][] = [];
	let open = -1;
	for (let at = 0; at < source.length; at += 1) {
		if (source[at] === "(" || source[at] === "[") open = open < 0 ? at : open;
		else if ((source[at] === ")" || source[at] === "]") && open >= 0) {
			found.push([open, at]);
			open = -1;
		}
	}
	return found;
}

const alternative = /^[\s\p{L}°%²³]{0,30}?(?:\b(?:or|oder|ou|o|and\/or|vs|versus)\b\.?|或者?|または)[\s\p{L}]{0,20}$/iu;
const beside = (source: string, a: PlacedQuantity, b: PlacedQuantity) => alternative.test(source.slice(a.end, b.start));
const besideAny = (source: string, one: PlacedQuantity, all: PlacedQuantity[], wanted: Unit | undefined) =>
	all.some((other) => !sameValue(one, other, wanted) && (beside(source, one, other) || beside(source, other, one)));

function sameValue(a: PlacedQuantity, b: PlacedQuantity, wanted: Unit | undefined): boolean {
	if (a.low === b.low && a.high === b.high) return true;
	if (!a.unit || !b.unit || a.unit.dimension !== b.unit.dimension) return false;
	const [one, other] = [convertUnit(a.low, a.unit, b.unit), b.low];
	return one !== undefined && Math.abs(one - other) <= 0.02 * Math.abs(other) && wanted === undefined;
}

const before =
	/(?:(?<!\p{L})(?:nearly|almost|just (?:over|under)|knapp|fast|casi|presque|more than|over|above|exceed(?:s|ed|ing)?|in excess of|greater than|at least|at most|up to|less than|fewer than|under|below|no (?:more|less|fewer) than|not (?:more|less|fewer) than|minimum of|maximum of|before|after|top|since|bis zu|mehr als|weniger als|uber|unter|mindestens|hochstens|mas de|menos de|al menos|plus de|moins de|au moins|vor|nach|until|by)|[<>≤≥]=?|超过|不到|至少|以上) ?(?:the |about |an? |year |number )?$/u;
const behind =
	/^ ?(?:\+(?!\d)|or (?:more|less|fewer|so many|over|above|higher|lower)|and (?:more|above|up)|at (?:most|least|the (?:most|least))|(?:tops|maximum|minimum|max|hochstens|mindestens)(?!\p{L})|oder mehr|o mas|ou plus|以上|以下|plus(?!\p{L}| \d))/u;

/** Whether a quantity is stated as a bound only. */
function bounded(source: string, { start, end, year }: PlacedQuantity): boolean {
	const ahead = source.slice(Math.max(0, start - 40), start).replace(/[$€£¥]\s?$/, "");
	const found = before.exec(ahead)?.[0] ?? "";
	if (/^(?:before|after|since|vor|nach|until|by|under|over|above|below|uber|unter)/.test(found.trim())) {
		if (/^(?:since|until|by|nach|vor)/.test(found.trim()) && !year) return false;
		return true;
	}
	return found !== "" || behind.test(source.slice(end, end + 16));
}

function deniedBefore(source: string, { start }: PlacedQuantity): boolean {
	const clause =
		source
			.slice(Math.max(0, start - 60), start)
			.split(/[,;:]|\bbut\b/)
			.at(-1) ?? "";
	return /(?<!\p{L})(?:not|never|isn['’]t|wasn['’]t|nicht|kein|instead of|rather than|neither|nor|不是)(?!\p{L}| (?:only|just))(?: \p{L}+){0,3} ?$/u.test(
		clause,
	);
}

/** The one that a verb or a colon points at, where it is one; else a first answer that a remark follows. */
function predicated(source: string, left: PlacedQuantity[]): PlacedQuantity | undefined {
	// "3 siblings: 2 brothers and 1 sister"
	if (left[0] && /^[^.;,:\d]{0,40}: /.test(source.slice(left[0].end))) return left[0];
	const pointed = left.filter(({ start }) =>
		/(?:\b(?:is|was|are|were|equals|makes|gives|totals|becomes|ist|sind|es|son|est|sont)|[:=]) (?:about |around |exactly |only |the year |approximately )?$/.test(
			source.slice(Math.max(0, start - 40), start),
		),
	);
	if (pointed.length === 1) return pointed[0];
	const [first, second] = left;
	if (first && second && /^ (?:\p{L}+ )?(?:out )?of (?:the |all |its )?$/u.test(source.slice(first.end, second.start)))
		return first;
	const remark =
		/^[^.;,\d]{0,60}(?:, (?:after|including|of which|from|compared|because|since|while|with|plus|as|based|according|which|who|whereas)|\. )/;
	return first && first.start <= 1 && remark.test(source.slice(first.end)) ? first : undefined;
}

/** The one whose own clause speaks most of what was asked; else the one behind the verb of a single sentence. */
function byClause(source: string, left: PlacedQuantity[], question: string): PlacedQuantity | undefined {
	const [all, said] = [questionStems(question), predicateStems(question)];
	const around = left.map((one, index) => {
		const ahead = source.slice(left[index - 1]?.end ?? 0, one.start);
		const behind = source.slice(one.end, left[index + 1]?.start ?? source.length);
		return {
			ahead: ahead.split(/[.;](?=\s)/).at(-1) ?? "",
			behind: /^ ?[^.,;\d]{0,40}/.exec(behind)?.[0] ?? "",
			index,
		};
	});
	// what stands behind the number before belongs to that one, up to the next clause
	const next = /(?:,| and | und | while | but )/;
	const close = around.map(({ ahead, behind, index }) => {
		const [head, ...own] = index === 0 ? [ahead] : ahead.split(next);
		return `${own.length > 0 ? own.join(" ") : head} ${behind.split(next)[0]}`;
	});
	const scorings = [
		close.map((text) => sharedStems(text, all)),
		close.map((text) => sharedStems(text, said)),
		around.map(({ ahead, behind }) => sharedStems(`${ahead} ${behind}`, all)),
	];
	for (const scores of scorings) {
		const most = Math.max(...scores);
		const best = left.filter((_, index) => scores[index] === most);
		if (most > 0 && best.length === 1) return best[0];
	}
	return undefined;
}

/** Whether the asserted quantity is the gold's, with what the question settles: a scale, a share. */
function judged(
	said: PlacedQuantity,
	{ gold, wanted, question }: { gold: ReadGold; wanted: Unit | undefined; question: string },
): { value: 0 | 1; read?: [number, number] } {
	const unitScale = scaleOfUnit(gold.unit);
	const scale = unitScale > 1 ? unitScale : askedScale(question);
	const read = inUnit(said, wanted, gold);
	if (!read) return { value: 0 };
	const golds = [gold.interval];
	if (scale > 1) {
		const size = Math.abs(gold.value);
		if (unitScale > 1 && size < scale) {
			golds[0] = [gold.interval[0] * scale, gold.interval[1] * scale];
			if (said.scale === 1) golds.push(gold.interval);
		} else if (size < scale && unitScale === 1) golds.push([gold.interval[0] * scale, gold.interval[1] * scale]);
		else if (said.scale === 1 && askedScale(question) === scale)
			golds.push([gold.interval[0] / scale, gold.interval[1] / scale]);
	}
	return { value: golds.some((interval) => states(read, interval, { gold, said })) ? 1 : 0, read };
}

const rounded = new Set(["measure", "share", "money"]);

/** Whether the number lies in the interval, or is the gold rounded to the digits it is written with, three at least. */
function states(
	read: [number, number],
	interval: readonly [number, number],
	{ gold, said }: { gold: ReadGold; said: PlacedQuantity },
): boolean {
	if (lies(read, [...interval])) return true;
	if (interval[0] !== interval[1] || read[0] !== read[1]) return false;
	const own = gold.unit === undefined ? undefined : goldUnit(gold.unit);
	const other = said.unit && own && said.unit.factor !== own.factor ? said.unit : undefined;
	// a conversion is right to the digits that it is written with
	if (other && own && !Number.isInteger(Math.log10(own.factor / other.factor)))
		return Math.abs(read[0] - interval[0]) <= 0.005 * Math.abs(interval[0]);
	if (gold.kind !== undefined && !rounded.has(gold.kind)) return false;
	const [from, to] =
		other && own ? [convertUnit(interval[0], own, other) ?? interval[0], said.low] : [interval[0], read[0]];
	// "two thirds" of 66.7 %
	if (gold.kind === "share" && digitsOf(from) >= 3 && digitsOf(to) > 6 && roundsTo(from, to, 3)) return true;
	return roundsTo(to / said.scale, from / said.scale, said.scale > 1 ? 2 : 3);
}

const digitsOf = (value: number) => String(value).replace(/^-/, "").replace(".", "").replace(/^0+/, "").length;

function roundsTo(said: number, gold: number, least: number): boolean {
	const digits = String(said).replace(/^-/, "").replace(/e.*$/, "");
	const significant = digits
		.replace(".", "")
		.replace(/^0+/, "")
		.replace(digits.includes(".") ? "" : /0+$/, "").length;
	const decimals = digits.split(".")[1]?.length ?? -(/0*$/.exec(digits)?.[0].length ?? 0);
	if (significant < least || Math.abs(said - gold) > 0.01 * Math.abs(gold)) return false;
	return Math.abs(gold - said) <= 0.5 * 10 ** -decimals * (1 + 1e-9);
}

/**
 * Whether what is said beside the number contradicts the gold: another currency, a unit where things are counted, people
 * where money or a measure is asked for. What the question names contradicts nothing.
 */
function contradicts(
	{ source, unit, start, end }: Asserted,
	{ gold, wanted, question }: { gold: ReadGold; wanted: Unit | undefined; question: string },
): boolean {
	const asked = foldText(question);
	const currency = goldUnit(gold.unit ?? "") ?? null;
	const own =
		currencyNamed(`${gold.written ?? ""} ${gold.unit ?? ""}`) ??
		currencyAt("", { start: 0, end: 0, unit: currency, money: true });
	const money = own !== undefined || gold.kind === "money";
	const said = currencyAt(source, { start, end, unit, money });
	if (said) {
		const known = own ?? currencyNamed(asked);
		return known ? !said.some((code) => known.includes(code)) : gold.kind !== undefined && gold.kind !== "money";
	}
	const named = unit !== null && (!unit.doubtful || gold.kind === "count") ? unit : undefined;
	if (money && named !== undefined) return true;
	if (named !== undefined && !wanted) {
		const counted = gold.kind === "count" || gold.kind === "year" || gold.kind === "ordinal";
		const shared =
			unit?.dimension === "share"
				? gold.kind === "share" || gold.kind === undefined || Math.abs(gold.value) <= 1
				: false;
		const lasting =
			unit?.dimension === "time" && /(?<!\p{L})(?:old|long|age|time|alt|lange|dauer\p{L}*)(?!\p{L})/u.test(asked);
		const ownUnit =
			readUnit(foldText(gold.unit ?? ""))?.unit ??
			readUnit(foldText(gold.written ?? "").replace(/^[\d.,\s]+/, ""))?.unit;
		return counted && !shared && !lasting && ownUnit?.dimension !== unit?.dimension && !names(asked, unit);
	}
	if (unit !== null || !(money || (wanted && gold.unit)) || wanted?.dimension === "time") return false;
	const thing = /^ (\p{L}+s|people)(?!\p{L})/u.exec(source.slice(end))?.[1];
	return (
		thing !== undefined &&
		!/^(?:is|was|has|as|this|does|its|us|degrees|revenues|sales)$/.test(thing) &&
		!tokensOf(asked).some(({ word }) => stemOf(word) === stemOf(thing))
	);
}

/** Whether a text names a unit of a unit's kind. */
const names = (text: string, unit: Unit | null) =>
	tokensOf(text).some(({ start }) => {
		const read = readUnit(text.slice(start, start + 40));
		return read !== undefined && read.length > 2 && read.unit.dimension === unit?.dimension;
	});

function inUnit(said: PlacedQuantity, wanted: Unit | undefined, gold: ReadGold): [number, number] | undefined {
	const { low, high, unit } = said;
	if (!unit) {
		// "0.62", "two thirds" of 62 % and 66.7 %
		const part =
			wanted?.dimension === "share" && wanted.factor === 0.01 && low > 0 && high < 1 && Math.abs(gold.value) > 1;
		const percent = (value: number) => Number((value * 100).toPrecision(12));
		return part ? [percent(low), percent(high)] : [low, high];
	}
	if (!wanted) {
		const share = unit.dimension === "share" && Math.abs(gold.value) <= 1;
		return share ? [low * unit.factor, high * unit.factor] : [low, high];
	}
	const [from, to] = [convertUnit(low, unit, wanted), convertUnit(high, unit, wanted)];
	if (from !== undefined && to !== undefined) return [from, to];
	return unit.doubtful ? [low, high] : undefined;
}

/** Whether a reply asserts an identifier: its very digits, leading zeros and all. */
export function assertedIdentifier(reply: string, written: string): 0 | 1 {
	const { text, announced, bold } = unwrap(reply);
	const wanted = written.replace(/[\s,.'-]/g, "").toLowerCase();
	const digits = (said: string) =>
		[...settled(said).matchAll(/(?<![\p{L}\p{N}])[\p{L}]{0,3}\d[\p{L}\d]*(?:[-.,' ]\d+)*(?![\p{L}\p{N}])/gu)].map(
			([found]) => found.replace(/[\s,.'-]/g, "").toLowerCase(),
		);
	for (const said of [announced, ...(bold.length === 1 ? bold : []), text].filter((one) => one !== undefined)) {
		const all = new Set(digits(said));
		if (all.size === 1) return all.has(wanted) && !deniesSomething(said) ? 1 : 0;
		if (all.size > 1 && said === text) {
			const last = digits(mainSentence(text)).at(-1);
			return last === wanted &&
				!/(?<!\p{L})or(?!\p{L})/iu.test(mainSentence(text)) &&
				!deniesSomething(mainSentence(text))
				? 1
				: 0;
		}
	}
	return 0;
}
