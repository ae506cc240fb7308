/**
 * The language in which tasks are filtered: `outcome:wrong hop2:misread broken:3 tool:page tokens>5000 "text in messages"`.
 * Terms are joined by "and"; several values of one term, separated by commas, by "or"; `-` before a term turns it round.
 */
import { type Category, membersOf, none, type Table } from "./table.ts";

/** One condition of a filter. */
export type Term =
	| { is: "category"; name: string; values: string[]; not: boolean }
	| { is: "number"; name: string; compare: Compare; values: number[]; not: boolean }
	/** A word of the question, an answer or the id; quoted, also of all that was recorded. */
	| { is: "text"; text: string; recorded: boolean; not: boolean };

type Compare = ">" | ">=" | "<" | "<=" | "=";

/** The most terms of a filter: more are a mistake. */
const mostTerms = 40;

// one that is still being written goes on to the end
const quotedValue = String.raw`"(?:[^"\\]|\\.)*(?:"|\\?$)`;
const oneValue = String.raw`(?:${quotedValue}|[^\s",]+)`;
/** A column with what is asked of it, several values separated by commas; or a text, quoted or not. */
const termPattern = new RegExp(
	String.raw`(-?)(?:([\p{L}\p{N}][\p{L}\p{N}_.@-]*)(:|>=|<=|=|>|<))?(${oneValue}(?:,${oneValue})+(?=\s|$)|${quotedValue}|\S+)`,
	"gsu",
);

/** Reads a filter against the columns that there are; what cannot be understood is told and left out. */
export function parseWhere(where: string, table: Table): { terms: Term[]; problems: string[] } {
	const terms: Term[] = [];
	const problems: string[] = [];
	for (const [whole, minus, given, operator, rest = ""] of where.matchAll(termPattern)) {
		if (terms.length >= mostTerms) {
			problems.push(`only the first ${mostTerms} terms of the filter are heeded`);
			break;
		}
		const not = minus === "-";
		const quoted = rest.startsWith('"');
		const name = given && nameIn(table, given);
		// "12:30" is a text, unless a column is called so
		if (given === undefined || operator === undefined || (name === undefined && /^\p{N}/u.test(given))) {
			const text = quoted && given === undefined ? unquoted(rest) : whole.slice(minus?.length ?? 0);
			if (text !== "") terms.push({ is: "text", text, recorded: quoted, not });
		} else if (name === undefined) {
			problems.push(`there is no column "${given}"${suggestion(given, table)}`);
		} else if (table.categories.has(name) && (operator === ":" || operator === "=")) {
			terms.push({ is: "category", name, values: valuesOf(rest), not });
		} else if (table.numbers.has(name)) {
			const compare = operator === ":" ? "=" : (operator as Compare);
			const values = (compare === "=" ? rest.split(",") : [rest]).map(numberFrom);
			if (values.every((value) => value !== undefined)) terms.push({ is: "number", name, compare, values, not });
			else problems.push(`"${whole}" compares ${name} with what is no number`);
		} else problems.push(`"${whole}": ${name} has names for values; write ${name}:VALUE`);
	}
	return { terms, problems };
}

/** The words of a text as one quotes them. */
export const quote = (value: string): string =>
	/^[^\s",]+$/.test(value) ? value : `"${value.replace(/["\\]/g, "\\$&")}"`;

const unquoted = (text: string) => text.replace(/^"|"$/g, "").replace(/\\(.)/g, "$1");

const valuesOf = (rest: string): string[] =>
	[...rest.matchAll(/"((?:[^"\\]|\\.)*)"?|([^",]+)/g)].map(([, inQuotes, bare]) =>
		inQuotes === undefined ? (bare ?? "") : inQuotes.replace(/\\(.)/g, "$1"),
	);

const numberFrom = (text: string): number | undefined => {
	if (dateForm.test(text)) return Date.parse(text.includes("T") && !text.endsWith("Z") ? `${text}Z` : text);
	const [, digits, unit] = /^(-?(?:\d{1,3}(?:,\d{3})+|\d[\d_]*)(?:\.\d+)?)(k|M|%)?$/.exec(text) ?? [];
	if (digits === undefined) return undefined;
	const factor = unit === "k" ? 1000 : unit === "M" ? 1e6 : unit === "%" ? 0.01 : 1;
	return Number(digits.replace(/[_,]/g, "")) * factor;
};

/** "2026-11-23", "2026-11-23T09:30": a moment in UTC, in milliseconds. */
const dateForm = /^\d{4}-(?:0\d|1[0-2])-[0-3]\d(?:T[0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?Z?)?$/;

/** Names that people write for a column. */
const aliases: Record<string, string> = { finding: "primary", time: "seconds", type: "topology" };

function nameIn({ categories, numbers }: Table, given: string): string | undefined {
	const wanted = given.toLowerCase();
	return [wanted, aliases[wanted] ?? wanted].find((name) => categories.has(name) || numbers.has(name));
}

function suggestion(given: string, { categories, numbers }: Table): string {
	const near = [...categories.keys(), ...numbers.keys()].filter((name) =>
		name.startsWith(given.slice(0, 2).toLowerCase()),
	);
	return near.length === 0 ? "" : `; there is ${near.slice(0, 5).join(", ")}`;
}

/** The columns that a bare word is looked for in. */
const textColumns = ["task", "question", "answer", "gold"];

/**
 * Which rows meet all terms. `recorded` says in which rows a text was recorded anywhere; without it, quoted texts are
 * looked for where bare words are.
 */
export function maskOf(
	terms: readonly Term[],
	table: Table,
	recorded?: (text: string) => Uint8Array | undefined,
): Uint8Array {
	const mask = new Uint8Array(table.rows).fill(1);
	for (const term of terms) {
		const met = metBy(term, table, recorded);
		for (let row = 0; row < table.rows; row++) if ((met[row] === 1) === term.not) mask[row] = 0;
	}
	return mask;
}

function metBy(term: Term, table: Table, recorded?: (text: string) => Uint8Array | undefined): Uint8Array {
	const met = new Uint8Array(table.rows);
	if (term.is === "number") {
		const column = table.numbers.get(term.name) ?? new Float64Array();
		const holds = comparisons[term.compare];
		for (let row = 0; row < table.rows; row++)
			if (term.values.some((value) => holds(column[row] ?? Number.NaN, value))) met[row] = 1;
		return met;
	}
	if (term.is === "category") {
		const column = table.categories.get(term.name);
		const wanted = new Set(term.values.map((value) => value.toLowerCase()));
		if (column)
			mark(met, column, (entry) => membersOf(column, entry).some((one) => isNamed(wanted, one)), wanted.has("none"));
		return met;
	}
	const text = term.text.toLowerCase();
	for (const name of textColumns) {
		const column = table.categories.get(name);
		if (column) mark(met, column, (entry) => entry.toLowerCase().includes(text), false);
	}
	const also = term.recorded ? recorded?.(term.text) : undefined;
	if (also) for (let row = 0; row < table.rows; row++) if (also[row] === 1) met[row] = 1;
	return met;
}

/** `page` names `page_search` too, `right` names `right` alone. */
export const isNamed = (wanted: ReadonlySet<string>, value: string) => {
	const lower = value.toLowerCase();
	return wanted.has(lower) || wanted.has(lower.replaceAll("-", " ")) || wanted.has(lower.replace(/_search.*$/, ""));
};

function mark(
	met: Uint8Array,
	{ dictionary, codes }: Category,
	fits: (entry: string) => boolean,
	empty: boolean,
): void {
	const fitting = Uint8Array.from(dictionary, (entry) => (fits(entry) ? 1 : 0));
	for (let row = 0; row < met.length; row++) {
		const code = codes[row] ?? none;
		if (code === none ? empty : fitting[code] === 1) met[row] = 1;
	}
}

const comparisons: Record<Compare, (a: number, b: number) => boolean> = {
	">": (a, b) => a > b,
	">=": (a, b) => a >= b,
	"<": (a, b) => a < b,
	"<=": (a, b) => a <= b,
	"=": (a, b) => a === b,
};
