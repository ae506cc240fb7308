/** The answers of a run as columns: what filters, sorts and counts read, on a server and in a page alike. */

/** Values of which many are equal: each record holds the place of its own in the dictionary. */
export interface Category {
	dictionary: readonly string[];
	/** One a record; `none` where it has no value. */
	codes: Uint32Array;
	/** Whether a value is several, separated by spaces, of which each counts. */
	sets?: boolean;
}

/** The code of a record without a value. */
export const none = 0xffffffff;

export interface Table {
	rows: number;
	/** NaN where a record has no value. */
	numbers: ReadonlyMap<string, Float64Array>;
	categories: ReadonlyMap<string, Category>;
}

/** The value of a category in one row; null where there is none. */
export function valueAt({ dictionary, codes }: Category, row: number): string | null {
	return dictionary[codes[row] ?? none] ?? null;
}

/** Gathers the values of a category; the dictionary is in the order of first appearance. */
export function createCategory(rows: number, { sets = false }: { sets?: boolean } = {}) {
	const places = new Map<string, number>();
	const codes = new Uint32Array(rows).fill(none);
	const placeOf = (value: string) => {
		const known = places.get(value);
		if (known === undefined) places.set(value, places.size);
		return known ?? places.size - 1;
	};
	return {
		set(row: number, value: string | null | undefined): void {
			if (value !== null && value !== undefined) codes[row] = placeOf(value);
		},
		/** The values of a category, from a row on. */
		append(category: Category, from: number): void {
			const places = category.dictionary.map(placeOf);
			for (let row = 0; row < category.codes.length; row++)
				codes[from + row] = places[category.codes[row] ?? none] ?? none;
		},
		done: (): Category => ({ dictionary: [...places.keys()], codes, ...(sets ? { sets } : {}) }),
	};
}

/** The values that a dictionary's entry counts as. */
export const membersOf = ({ sets = false }: Category, entry: string): string[] => (sets ? entry.split(" ") : [entry]);

/** The columns of hops, in order: `hop1`, `hop2` … */
export const hopColumn = (place: number): string => `hop${place}`;

/** The longest chain of which each hop has a column. */
export const mostHopColumns = 16;
