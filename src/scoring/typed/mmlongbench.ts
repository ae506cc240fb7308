/**
 * MMLongBench-Doc's score of one answer, in [0, 1], as its released program has it, quirks and all. The format is the
 * gold's: a whole number (Int) and any other (Float), a list, and text (Str, and None for "Not answerable").
 * Source: `eval/eval_score.py` of mayubo2333/MMLongBench-Doc.
 */
import { similarityOf } from "../answers/anls.ts";
import type { GoldAnswer } from "./gold-answer.ts";
import type { TypedVerdict } from "./typed-verdict.ts";

/** Longer texts than these no answer has; the program would take hours to compare them. */
const mostCharacters = 10_000;

export function mmlongbenchAccuracy(prediction: string, gold: GoldAnswer): TypedVerdict {
	const written = gold.accepted?.[0] ?? gold.value ?? "";
	const said = prediction.slice(0, mostCharacters);
	const scoredAs = (format: string, value: number): TypedVerdict => ({ value, details: { type: gold.type, format } });
	if (gold.type === "number") {
		const value = gold.number?.value;
		const whole = /^\s*[-+]?\d+\s*$/.test(written) || (written === "" && Number.isInteger(value));
		const text = written === "" ? String(value ?? "") : written;
		return whole ? scoredAs("Int", intScore(text, said)) : scoredAs("Float", floatScore(text, said));
	}
	if (gold.type === "list") return scoredAs("List", listScore(gold.items ?? listOf(written), listOf(said)));
	if (gold.type === "none") return scoredAs("None", textScore(written === "" ? "Not answerable" : written, said));
	return scoredAs("Str", textScore(written, said));
}

/** What Python's `float` reads; undefined where it raises. */
function pythonFloat(text: string): number | undefined {
	const bare = text.trim().replace(/(?<=\d)_(?=\d)/g, "");
	if (/^[-+]?(?:inf|infinity)$/i.test(bare)) return bare.startsWith("-") ? -Infinity : Infinity;
	if (/^[-+]?nan$/i.test(bare)) return Number.NaN;
	return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(bare) ? Number(bare) : undefined;
}

function intScore(gold: string, said: string): number {
	const read = pythonFloat(said);
	return read !== undefined && Number.isFinite(read) && Math.trunc(read) === Number(gold) ? 1 : 0;
}

function floatScore(gold: string, said: string): number {
	const [wanted, read] = [pythonFloat(clean(gold)), pythonFloat(clean(said))];
	if (wanted === undefined || read === undefined) return 0;
	return [wanted / 100, wanted, wanted * 100].some((item) => isEqual(item, read)) ? 1 : 0;
}

function isEqual(item: number, read: number): boolean {
	if (Math.abs(item - read) <= 0.01 * Math.max(Math.abs(item), Math.abs(read))) return true;
	const places = Math.max(Math.min(placesOf(read), placesOf(item)), 2);
	return Number.isFinite(read) && rounded(read, places) === rounded(item, places);
}

/** Digits behind the point as Python writes a float: 5 is "5.0"; 3 where it writes none. */
function placesOf(value: number): number {
	if (Number.isInteger(value) && Math.abs(value) < 1e16) return 1;
	const text = String(value);
	const size = Math.abs(value);
	if (size < 1e-4 || size >= 1e16) {
		const [digits = "", exponent = ""] = value.toExponential().split("e");
		const behind = digits.split(".")[1];
		return behind === undefined ? 3 : `${behind}e${exponent.replace(/([+-])(\d)$/, "$10$2")}`.length;
	}
	return text.split(".")[1]?.length ?? 3;
}

/** To some decimals; a number exactly between two goes to the even one, as Python's does. */
function rounded(value: number, places: number): number {
	const scaled = value * 10 ** places;
	const tie =
		places < 16 &&
		Math.abs(scaled) < 2 ** 50 &&
		Number.isInteger(scaled * 2) &&
		!Number.isInteger(scaled) &&
		Number.isInteger(value * 2 ** (places + 1));
	if (tie) return (2 * Math.round(scaled / 2)) / 10 ** places;
	return Number(value.toFixed(Math.min(places, 100)));
}

/** The program's cleaning; its endings in "mile" and "million" take nothing away there either. */
function clean(text: string): string {
	return text
		.toLowerCase()
		.trim()
		.replace(/\s*\([^)]*\)/g, "")
		.trim()
		.replace(/^['"]|['"]$/g, "")
		.trim()
		.replace(/^\$+/, "")
		.trim()
		.replace(/%+$/, "")
		.trim();
}

const exact = [
	/^\d+(?:-\d+|\s\d+)?$/,
	/^\d{4}[-\s]\d{2}[-\s]\d{2}$/,
	/^\d{4}[-\s]\d{2}$/,
	/^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$/,
];

function isExact(text: string): boolean {
	return (
		text.includes("https://") ||
		text.endsWith(".py") ||
		text.endsWith("ipynb") ||
		text.startsWith("page") ||
		text.includes("a.m.") ||
		text.includes("p.m.") ||
		exact.some((pattern) => pattern.test(text))
	);
}

function textScore(gold: string, said: string): number {
	const [wanted, read] = [clean(gold), clean(said)];
	return isExact(wanted) ? Number(wanted === read) : similarityOf(wanted, read);
}

function listScore(gold: readonly string[], said: readonly string[]): number {
	if (gold.length !== said.length) return 0;
	const [wanted, read] = [gold, said].map((list) => list.map(clean).sort(byCodePoint)) as [string[], string[]];
	const [first = ""] = wanted;
	if (pythonFloat(first) !== undefined || isExact(first)) return wanted.join("-") === read.join("-") ? 1 : 0;
	return Math.min(...wanted.map((item, index) => similarityOf(item, read[index] ?? "")));
}

const byCodePoint = (a: string, b: string) => {
	const [one, other] = [[...a], [...b]];
	const at = one.findIndex((sign, index) => sign !== other[index]);
	if (at < 0) return one.length - other.length;
	return (one[at]?.codePointAt(0) ?? 0) - (other[at]?.codePointAt(0) ?? -1);
};

/** A list as Python writes it, of texts and numbers; any other text is a list of itself. */
function listOf(text: string): string[] {
	if (!text.startsWith("[")) return [text];
	const items: string[] = [];
	const item = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([-+\w.%]+))\s*(,|\]\s*$)/y;
	item.lastIndex = 1;
	if (/^\[\s*\]\s*$/.test(text)) return [];
	for (let match = item.exec(text); match; match = item.exec(text)) {
		items.push((match[1] ?? match[2] ?? match[3] ?? "").replace(/\\(.)/g, "$1"));
		if (match[4] !== ",") return items;
	}
	// the program stops with an error there; the reply is no list that it could read
	return [text];
}
