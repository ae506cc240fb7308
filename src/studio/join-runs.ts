/**
 * Runs of one benchmark side by side as one table, a row a task: what a comparison filters, sorts and counts, on a server
 * and in a page alike. Each run is a letter: `b.hop2` is what `hop2` is in run B, and `hop2` what it is in any of them.
 */
import { type Category, createCategory, membersOf, mostHopColumns, none, type Table, valueAt } from "./table.ts";

export interface JoinedTable extends Table {
	letters: readonly string[];
	/** Of each run, the row that stands for it in its own table; `none` where it has no answer. */
	sides: readonly Uint32Array[];
	/** Of each run, the joined row of each row of its own. */
	joinedAt: readonly Uint32Array[];
	/** The row of a task. */
	rowOf(task: string): number | undefined;
}

/** How a run did a task: of repeats as most of them. `ahead` and `behind` where scores are not right or wrong alone. */
export type Standing = "right" | "wrong" | "ahead" | "behind" | "even" | "unscored" | "missing";

export const letterAt = (place: number): string => String.fromCharCode(97 + place);

/** What is the task's and not the run's, so that it stands in the table once. */
const ofTask = (name: string) => ["task", "question", "gold", "topology", "language"].includes(name) || isTag(name);
const isTag = (name: string) => name.startsWith("tag.");
const countsOfTask = ["hops", "retrieving", "images"];
/** What each run has of its own, and besides what it has of each hop. */
const names = ["outcome", "primary", "broken", "stop", "unobserved", "tool", "verdict", "open", "answer"];
const figures = ["accuracy", "em", "f1", "hps", "steps", "calls", "rounds", "tokens", "seconds", "cost"];

/**
 * Joins the answers of runs by task; repeats of a task are averaged, and the first that went as most of them did stands for
 * the run. `metric` says which score tells right from wrong.
 */
export function joinRuns(tables: readonly Table[], { metric }: { metric: string }): JoinedTable {
	const letters = tables.map((_, place) => letterAt(place));
	const places = new Map<string, number>();
	// in the order of the longest, so that rows stay where they are while another run still grows
	for (const table of [...tables].sort((a, b) => b.rows - a.rows)) placesOf(table, places);
	const joinedAt = tables.map((table) => placesOf(table, places));
	const rows = places.size;
	const gathered = tables.map((table, run) => gather(joinedAt[run] as Uint32Array, table.numbers.get("repeat")));
	const means = tables.map((table, run) => meansOf(table.numbers.get(metric), gathered[run] ?? [], rows));
	const binary = tables.every(({ numbers }) =>
		(numbers.get(metric) ?? new Float64Array()).every((value) => Number.isNaN(value) || value === 0 || value === 1),
	);
	const standings = Array.from({ length: rows }, (_, row) =>
		standingsOf(
			means.map((values) => values[row] ?? Number.NaN),
			gathered.map((own) => (own[row]?.length ?? 0) > 0),
			{ binary, answers: metric === "accuracy" },
		),
	);
	const sides = tables.map(({ numbers }, run) =>
		Uint32Array.from({ length: rows }, (_, row) =>
			standsFor(gathered[run]?.[row] ?? [], standings[row]?.[run] ?? "missing", numbers.get(metric)),
		),
	);
	const joining = { tables, letters, sides, rows };
	return {
		rows,
		letters,
		sides,
		joinedAt,
		numbers: numbersOf(joining, gathered),
		categories: new Map([
			...taskCategories(joining),
			...standingColumns(standings, letters),
			...sideCategories(joining),
		]),
		rowOf: (task) => places.get(task),
	};
}

interface Joining {
	tables: readonly Table[];
	letters: readonly string[];
	sides: readonly Uint32Array[];
	rows: number;
}

/** The joined row of each row of a table; tasks that no table before it has are added. */
function placesOf({ rows, categories }: Table, places: Map<string, number>): Uint32Array {
	const column = categories.get("task");
	return Uint32Array.from({ length: rows }, (_, row) => {
		const task = (column && valueAt(column, row)) ?? "";
		const known = places.get(task);
		if (known === undefined) places.set(task, places.size);
		return known ?? places.size - 1;
	});
}

/** The rows of a table by joined row, repeats in their order. */
function gather(joinedAt: Uint32Array, repeats: Float64Array | undefined): number[][] {
	const gathered: number[][] = [];
	for (const [row, joined] of joinedAt.entries()) {
		const own = gathered[joined];
		if (own) own.push(row);
		else gathered[joined] = [row];
	}
	for (const own of gathered) if (own && own.length > 1) own.sort((a, b) => (repeats?.[a] ?? 0) - (repeats?.[b] ?? 0));
	return gathered;
}

function meansOf(values: Float64Array | undefined, gathered: readonly number[][], rows: number): Float64Array {
	return Float64Array.from({ length: rows }, (_, row) => {
		let [sum, count] = [0, 0];
		for (const at of gathered[row] ?? []) {
			const value = values?.[at] ?? Number.NaN;
			if (Number.isNaN(value)) continue;
			sum += value;
			count += 1;
		}
		return count === 0 ? Number.NaN : sum / count;
	});
}

function standingsOf(
	means: readonly number[],
	there: readonly boolean[],
	{ binary, answers }: { binary: boolean; answers: boolean },
): Standing[] {
	const given = means.filter((mean) => !Number.isNaN(mean));
	const [most, least] = [Math.max(...given), Math.min(...given)];
	return means.map((mean, run): Standing => {
		if (!there[run]) return "missing";
		if (Number.isNaN(mean)) return "unscored";
		if (binary) return mean > 0.5 ? "right" : "wrong";
		if (most > least) return mean === most ? "ahead" : "behind";
		return answers && mean === 1 ? "right" : answers && mean === 0 ? "wrong" : "even";
	});
}

/** The first repeat that went as most did; else the first that was scored, else the first. */
function standsFor(rows: readonly number[], standing: Standing, values: Float64Array | undefined): number {
	const ahead = standing === "right" || standing === "ahead";
	const given = rows.filter((row) => !Number.isNaN(values?.[row] ?? Number.NaN));
	return given.find((row) => (values?.[row] ?? 0) > 0.5 === ahead) ?? given[0] ?? rows[0] ?? none;
}

function numbersOf(
	{ tables, letters, sides, rows }: Joining,
	gathered: readonly number[][][],
): Map<string, Float64Array> {
	const numbers = new Map<string, Float64Array>();
	for (const name of countsOfTask)
		numbers.set(
			name,
			Float64Array.from(
				{ length: rows },
				(_, row) => ofFirst(tables, sides, row, (table, at) => table.numbers.get(name)?.[at]) ?? Number.NaN,
			),
		);
	for (const name of figures) {
		if (!tables.some((table) => table.numbers.has(name))) continue;
		const own = tables.map((table, run) => meansOf(table.numbers.get(name), gathered[run] ?? [], rows));
		for (const [run, values] of own.entries()) numbers.set(`${letters[run]}.${name}`, values);
		const [first, second] = own;
		if (first && second)
			numbers.set(
				`diff.${name}`,
				first.map((value, row) => value - (second[row] ?? Number.NaN)),
			);
	}
	return numbers;
}

/** What the first run that has the task says of it. */
function ofFirst<Value>(
	tables: readonly Table[],
	sides: readonly Uint32Array[],
	row: number,
	say: (table: Table, at: number) => Value | undefined,
): Value | undefined {
	for (const [run, table] of tables.entries()) {
		const at = sides[run]?.[row] ?? none;
		if (at !== none) return say(table, at);
	}
	return undefined;
}

function taskCategories({ tables, sides, rows }: Joining): [string, Category][] {
	const wanted = new Set(tables.flatMap(({ categories }) => [...categories.keys()].filter(ofTask)));
	return [...wanted].map((name) => {
		const column = createCategory(rows, { sets: isTag(name) });
		for (let row = 0; row < rows; row++)
			column.set(
				row,
				ofFirst(tables, sides, row, ({ categories }, at) => valueIn(categories.get(name), at)),
			);
		return [name, column.done()];
	});
}

const valueIn = (column: Category | undefined, row: number) =>
	column ? (valueAt(column, row) ?? undefined) : undefined;

function standingColumns(standings: readonly Standing[][], letters: readonly string[]): [string, Category][] {
	const rows = standings.length;
	const [flip, differs] = [createCategory(rows), createCategory(rows)];
	const own = letters.map(() => createCategory(rows));
	for (const [row, words] of standings.entries()) {
		flip.set(row, words.join("-"));
		const good = words.includes("right") || words.includes("ahead");
		differs.set(row, good && (words.includes("wrong") || words.includes("behind")) ? "yes" : "no");
		for (const [run, word] of words.entries()) own[run]?.set(row, word);
	}
	return [
		["flip", flip.done()],
		["differs", differs.done()],
		...letters.map((letter, run): [string, Category] => [letter, own[run]?.done() ?? createCategory(rows).done()]),
	];
}

function sideCategories({ tables, letters, sides, rows }: Joining): [string, Category][] {
	const hops = Array.from({ length: mostHopColumns }, (_, at) => `hop${at + 1}`).filter((name) =>
		tables.some(({ categories }) => categories.has(name)),
	);
	const found: [string, Category][] = [];
	const verdicts: Category[][] = [];
	for (const name of [...names, ...hops]) {
		const own = tables.map(({ categories }, run) => picked(categories.get(name), sides[run] as Uint32Array));
		for (const [run, column] of own.entries()) found.push([`${letters[run]}.${name}`, column]);
		found.push([name, name === "answer" ? together(own, rows, "\n") : { ...together(own, rows, " "), sets: true }]);
		if (hops.includes(name)) verdicts.push(own);
	}
	const parts = createCategory(rows);
	const at = verdicts.map((own) => own.map(() => null as string | null));
	for (let row = 0; row < rows; row++) {
		for (const [hop, own] of verdicts.entries())
			for (const [run, column] of own.entries()) (at[hop] as (string | null)[])[run] = valueAt(column, row);
		const place = partsAt(at);
		parts.set(row, place === null ? null : place === 0 ? "same" : String(place));
	}
	return [...found, ["parts", parts.done()]];

	function picked(column: Category | undefined, side: Uint32Array): Category {
		const codes = side.map((at) => (at === none ? none : (column?.codes[at] ?? none)));
		return { dictionary: column?.dictionary ?? [], codes, ...(column?.sets ? { sets: true } : {}) };
	}
}

/** What any of the columns says, each value once. */
function together(columns: readonly Category[], rows: number, between: string): Category {
	const column = createCategory(rows);
	// rows with the same codes say the same: most columns have few of them
	const known = new Map<number, string | null>();
	for (let row = 0; row < rows; row++) {
		let key = 0;
		for (const { codes, dictionary } of columns) {
			const code = codes[row] ?? none;
			key = key * (dictionary.length + 1) + (code === none ? dictionary.length : code);
		}
		let value = known.get(key);
		if (value === undefined) {
			const values = columns.flatMap((one) => {
				const entry = valueAt(one, row);
				return entry === null ? [] : membersOf(one, entry);
			});
			value = values.length === 0 ? null : [...new Set(values)].join(between);
			// many runs have more combinations than a number tells apart
			if (Number.isSafeInteger(key)) known.set(key, value);
		}
		column.set(row, value);
	}
	return column.done();
}

const unsaid = new Set<string | null>([null, "unobserved", "not-judged"]);

/**
 * The place of the first hop that went otherwise in one run than in another, from 1, of verdicts by hop and run; 0 where
 * none is seen to, null where there are not two runs to say it of. What nothing shows is no other way.
 */
export function partsAt(hops: readonly (readonly (string | null)[])[]): number | null {
	const runs = hops[0]?.length ?? 0;
	let seen = 0;
	for (let run = 0; run < runs; run++) if (hops.some((own) => own[run] !== null)) seen += 1;
	return seen < 2 ? null : hops.findIndex(partsIn) + 1;
}

function partsIn(verdicts: readonly (string | null)[]): boolean {
	let first: string | null = null;
	for (const verdict of verdicts) {
		if (unsaid.has(verdict)) continue;
		if (first !== null && verdict !== first) return true;
		first = verdict;
	}
	return false;
}
