/** Rows of a table that a filter leaves, in an order; what stands beside a row; and what values the rest has. */
import type { Facet, Query } from "./query.ts";
import { type Category, membersOf, none, type Table } from "./table.ts";
import { maskOf, parseWhere, quote, type Term } from "./where.ts";

/** The rows that a query selects, in its order. */
export interface Selection {
	rows: Uint32Array;
	terms: Term[];
	problems: string[];
}

export interface SelectOptions {
	/** In which rows a text was recorded anywhere; absent where nobody can say. */
	recorded?: ((text: string) => Uint8Array | undefined) | undefined;
}

export function select({ where, sort }: Query, table: Table, { recorded }: SelectOptions = {}): Selection {
	const { terms, problems } = parseWhere(where, table);
	const mask = maskOf(terms, table, recorded);
	const chosen: number[] = [];
	for (let row = 0; row < table.rows; row++) if (mask[row] === 1) chosen.push(row);
	const rows = Uint32Array.from(chosen);
	const key = sort === "" ? undefined : sortKey(sort.replace(/^-/, ""), table);
	if (sort !== "" && !key) problems.push(`there is no column "${sort.replace(/^-/, "").slice(0, 60)}" to sort by`);
	if (key) {
		const sign = sort.startsWith("-") ? -1 : 1;
		// rows without a value come last either way; equal ones keep their order
		rows.sort((a, b) => {
			const [x = Number.NaN, y = Number.NaN] = [key[a], key[b]];
			if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
			return sign * (x - y) || a - b;
		});
	}
	return { rows, terms, problems };
}

/** What rows are compared by: a number each, NaN where there is no value. */
function sortKey(name: string, { numbers, categories, rows }: Table): Float64Array | undefined {
	const column = numbers.get(name);
	if (column) return column;
	const category = categories.get(name);
	if (!category) return undefined;
	const ranks = rankedEntries(category.dictionary);
	return Float64Array.from({ length: rows }, (_, row) => ranks[category.codes[row] ?? none] ?? Number.NaN);
}

const collator = new Intl.Collator("en", { numeric: true });

function rankedEntries(dictionary: readonly string[]): Float64Array {
	const order = dictionary.map((_, place) => place);
	order.sort((a, b) => collator.compare(dictionary[a] ?? "", dictionary[b] ?? ""));
	const ranks = new Float64Array(dictionary.length);
	for (const [rank, place] of order.entries()) ranks[place] = rank;
	return ranks;
}

/**
 * The place in `rows` of the one beside row `from`: the next of `among`, where only some are wanted. A row that is not
 * among them stands where the order of the table would have it.
 */
export function besideIn(
	rows: Uint32Array,
	{ from, step, among }: { from: number; step: number; among?: Uint32Array | undefined },
): number | undefined {
	const at = rows.indexOf(from);
	if (step === 0) return at < 0 ? undefined : at;
	const wanted = among && new Set(among);
	const after = rows.findIndex((row) => row > from);
	const end = after < 0 ? rows.length : after;
	let place = at >= 0 ? at + step : step > 0 ? end : end - 1;
	for (; place >= 0 && place < rows.length; place += step) if (!wanted || wanted.has(rows[place] ?? -1)) return place;
	return undefined;
}

/** A category that is offered as a filter, with what its values are called. */
export interface FacetWords {
	name: string;
	title: string;
	titles: Readonly<Record<string, string>>;
}

/** The same before it is known which values a table has. */
export interface FacetGiven {
	name: string;
	title: string;
	titleOf(value: string): string;
}

/** Those of the facets in which a table has any value at all, with what its values are called. */
export const titledFacets = ({ categories }: Table, given: readonly FacetGiven[]): FacetWords[] =>
	given.flatMap(({ name, title, titleOf }) => {
		const column = categories.get(name);
		if (!column || column.dictionary.length === 0) return [];
		const values = new Set([...column.dictionary.flatMap((entry) => membersOf(column, entry)), "none"]);
		return [{ name, title, titles: Object.fromEntries([...values].map((value) => [value, titleOf(value)])) }];
	});

/** The most values of a facet that are listed. */
const mostValues = 40;

/** Counts of values: under the filter, but without what it says of the facet itself. */
export function facetsOf(
	terms: readonly Term[],
	table: Table,
	facets: readonly FacetWords[],
	options: SelectOptions = {},
): Facet[] {
	const whole = maskOf(terms, table, options.recorded);
	return facets.flatMap(({ name, title, titles }): Facet[] => {
		const column = table.categories.get(name);
		if (!column) return [];
		const others = terms.filter((term) => !(term.is === "category" && term.name === name));
		const mask = others.length === terms.length ? whole : maskOf(others, table, options.recorded);
		const values = [...countsOf(column, mask)].sort(([a, x], [b, y]) => y - x || collator.compare(a, b));
		return [
			{
				name,
				title,
				values: values.slice(0, mostValues).map(([value, count]) => ({
					value,
					title: titles[value] ?? value,
					count,
					where: `${name}:${quote(value)}`,
				})),
			},
		];
	});
}

function countsOf(column: Category, mask: Uint8Array): Map<string, number> {
	const counts = new Float64Array(column.dictionary.length);
	let empty = 0;
	for (let row = 0; row < mask.length; row++) {
		if (mask[row] !== 1) continue;
		const code = column.codes[row] ?? none;
		if (code === none) empty += 1;
		else counts[code] = (counts[code] ?? 0) + 1;
	}
	const found = new Map<string, number>();
	for (const [code, entry] of column.dictionary.entries())
		for (const value of membersOf(column, entry)) found.set(value, (found.get(value) ?? 0) + (counts[code] ?? 0));
	if (empty > 0) found.set("none", (found.get("none") ?? 0) + empty);
	return new Map([...found].filter(([, count]) => count > 0));
}
