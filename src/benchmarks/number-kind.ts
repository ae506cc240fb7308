import type { Answer, NumberKind } from "#domain";

type NumberAnswer = Extract<Answer, { type: "number" }>;

/** Words that stand alone, whatever their case. */
const words = (...list: string[]) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${list.join("|")})(?![\\p{L}\\p{N}])`, "iu");

const asked = "(?:what|which)";
const be = "(?:is|are|was|were|'s|’s)";
const durations = "(?:milli)?seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|decades?|centur(?:y|ies)";
const sizes = [
	"(?:square |cubic |sq\\.? ?)?(?:nano|micro|milli|centi|kilo)?met(?:er|re)s?|(?:square |cubic |nautical )?(?:mile|inche?|yard)s?|(?:square |cubic )?f(?:oo|ee)t|acres?|hectares?|light[- ]years?",
	"(?:milli|kilo)?grams?|tons?|tonnes?|pounds?|ounces?|(?:milli)?lit(?:er|re)s?|gallons?|degrees?|kelvins?|(?:kilo|mega|giga)?watts?|volts?|(?:kilo|mega|giga|tera)?bytes?|horsepower|decibels?|calories|joules?|knots?",
].join("|");
const signs =
	"(?:[kcmnµ]?m|km|sq ?km|sq ?mi|mi|ft|in|yd|ha|k?g|mg|lbs?|oz|t|m?l|[km]?[wv]|[kmgt]b|km/h|mph|m/s|hp|s|ms|h|hrs?|min|mins|k|nm)[²³]?|°[cf]?|km\\^?[23]|m\\^?[23]";
const unitName = new RegExp(`^(?:${sizes}|${durations}|${signs})$`, "iu");
const currency =
	"dollars?|cents?|euros?|pounds sterling|sterling|yen|yuan|renminbi|rupees?|francs?|us\\$|usd|eur|gbp|jpy";

/** Letters and digits are counted, and what is worked out of them is exact. */
const ofLetters = words(
	`(?:sum|product) of (?:all )?(?:the )?(?:digits|numbers? of (?:digits|letters))`,
	"prime factors?|(?:square|cube) of the sum of the digits|digits in the",
	"(?:result of )?(?:add|subs?tract|multiply|divid)ing|reverse of",
	"length of (?:the )?(?:longest )?(?:substring|words?|names?|(?:first|last) names?|titles?)|combined length",
	"difference between the (?:birth )?years?",
);
const identifiers = words(
	"ascii|concatenation|palindrome|isbn|issn|postal code|post ?code|zip code|area code|dialling code|country code",
	"(?:atomic|jersey|shirt|squad|uniform|phone|telephone|flight|route|model|serial|catalogue|registration|licen[cs]e|house|room|bus|highway|channel) number",
	`${asked} number (?:does|did|do|is worn|was worn)`,
);
const ordinals = words(
	"rank(?:ed|ing|s)?|position in|final position|finishing position|place did|which place|place in the",
	`${asked} (?:page|slide|chapter|round|lap|week|season|edition|volume|verse|floor|grade|stage|step|row|column)`,
	"(?:page|slide|chapter|figure|table|section|volume|issue|episode|season) number",
	`(?:the|${asked}) day of (?:when|the (?:month|date|release|birth|death))|day of the month`,
);
const years = words(
	`${asked} (?:calendar )?years?`,
	`(?:${asked} ${be}|find) the (?:calendar |birth |founding |release )?years?`,
	"(?:last|first) year of|(?:birth|founding|publication|release|death) year|year of (?:birth|death|foundation|publication|release)",
	"(?:in|by|until|since|from) (?:what|which) (?:calendar )?years?|when (?:was|were|did|is|are|does|do|had|has|will)",
);
const shares = words(
	`(?:how many )?percent(?:age)?s?|per cent|proportion|fraction|ratio|share of|${asked} (?:${be} the )?(?:share|ratio|rate)`,
	"(?:growth|unemployment|interest|tax|literacy|mortality|birth|death|fertility|success|error|inflation|voter|win) (?:rate|turnout)",
);
const money = words(
	"how much (?:money|did it cost|does it cost|was paid|were .{1,40} paid|is .{1,60} worth|did .{1,80} (?:cost|earn|make|pay|gross|raise|spend|sell for))",
	"cost|costs|price|prices|revenue|revenues|salary|salaries|wages?|budget|net worth|worth|box office|gross(?:ed|es)?|profits?|income|fees?|expenditure|gdp|gross domestic product|sales figures?|debt|earnings|market value|turnover",
	`(?:how (?:many|much)|in) (?:[\\p{L}]+ )?(?:${currency})`,
);
const measures = words(
	"how (?:long|tall|high|deep|far|wide|thick|heavy|old|big|large|hot|cold|fast|loud|steep)",
	`how many (?:[\\p{L}]+ )?(?:${sizes}|${durations})`,
	"height|lengths?|width|depth|thickness|elevation|altitude|(?:surface |total |land |floor )?area|weight|mass|temperature|speed|velocity|distance|duration|volume of|density|diameter|radius|circumference|wavelength|half-life|(?:melting|boiling) point|wingspan|life ?span|life expectancy|running time|runtime|tonnage|displacement|discharge|latitude|longitude|voltage|frequency|pressure|energy|power|age|average|mean|median|standard deviation",
);
const counts = words(
	"how many|how often|numbers? of|count of|total of|(?:points?|goals?|medals?|votes?|runs?) total|enrol?lment|attendance|death toll|casualties|tally",
);
const people = words("populations?|inhabitants|residents|live in|people lived?");

/**
 * What a question may ask for. Of those that it says, the first behind its question word is what it asks, of two that begin
 * there the upper one. `whole`: such a number has no digits behind the point.
 */
const rules: { kind: NumberKind; said: RegExp; whole: boolean }[] = [
	{ kind: "identifier", said: identifiers, whole: false },
	{ kind: "count", said: ofLetters, whole: true },
	{ kind: "ordinal", said: ordinals, whole: true },
	{ kind: "share", said: shares, whole: false },
	{ kind: "money", said: money, whole: false },
	{ kind: "year", said: years, whole: true },
	{ kind: "measure", said: measures, whole: false },
	{ kind: "count", said: words(counts.source, people.source), whole: true },
];
/** Where a question says what it asks, the surest first: a "which" in its midst mostly opens a clause. */
const questionWords = [
	words("how (?:many|much|often|long|tall|high|deep|far|wide|thick|heavy|old|big|large|hot|cold|fast|loud|steep)"),
	words("how|what(?:['’]s)?|when"),
	words("which"),
];

/**
 * What the number of an answer is, read from its unit and from what is asked (English); undefined where neither tells.
 * What the source gives an interval for is a measure where nothing says otherwise, and so is a population, which is
 * estimated; a count, an ordinal or an identifier stays exact, whatever interval it comes with.
 */
export function numberKind(answer: NumberAnswer, question: string): NumberKind | undefined {
	const { value, range } = answer.number;
	const isEstimate = range !== undefined && range[0] < range[1];
	const kind = kindByUnit(answer) ?? kindByQuestion(question, value) ?? (isEstimate ? "measure" : undefined);
	return kind === "count" && isEstimate && people.test(question) ? "measure" : kind;
}

/** The answer with the kind of its number, where it is one and can be told; what is there already stays. */
export function withNumberKind<Given extends Answer>(answer: Given, question: string): Given {
	if (answer.type !== "number" || answer.number.kind !== undefined) return answer;
	const kind = numberKind(answer, question);
	return kind === undefined ? answer : { ...answer, number: { ...answer.number, kind } };
}

function kindByUnit({ value, number: { unit = writtenUnit(value) } }: NumberAnswer): NumberKind | undefined {
	if (/^(?:%|‰|percent|per cent|percentage points?)$/i.test(unit)) return "share";
	if (/[$€£¥]/.test(unit + value) || new RegExp(`^(?:${currency})$`, "iu").test(unit)) return "money";
	return unitName.test(unit) ? "measure" : undefined;
}

/** "2,844 km": what stands behind the digits, and behind a word for their scale. */
function writtenUnit(value: string): string {
	const [, rest = ""] = /^[^\p{L}\d]*[\d.,\s]*\d\s*(.*)$/u.exec(value.trim()) ?? [];
	return rest.replace(/^(?:thousand|million|billion|trillion)\s*/i, "").trim();
}

/** The question from its question word on: of several sentences the last that asks. */
function askedIn(question: string): string {
	const asking = question.split(/(?<=[.!?]["”’]?)\s+(?=["“]?\p{Lu})/u).findLast((sentence) => sentence.includes("?"));
	const [sure, usual] = questionWords;
	const sentence = asking && (sure?.test(asking) || usual?.test(asking)) ? asking : question;
	if (/^\W*which/i.test(sentence)) return sentence;
	const starts = questionWords.flatMap((word) => word.exec(sentence)?.index ?? []);
	return sentence.slice(starts[0] ?? 0);
}

function kindByQuestion(question: string, value: number): NumberKind | undefined {
	const asks = askedIn(question);
	// "8.005 million" is whole but for the binary dust
	const rounded = Number(value.toPrecision(12));
	let first: { kind: NumberKind; at: number } | undefined;
	for (const { kind, said, whole } of rules) {
		const at = said.exec(asks)?.index;
		if (at === undefined || (first && first.at <= at)) continue;
		if (whole && !Number.isInteger(rounded)) continue;
		if (kind === "year" && Math.abs(value) >= 10_000) continue;
		first = { kind, at };
	}
	return first?.kind;
}
