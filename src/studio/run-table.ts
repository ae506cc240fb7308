/** The answers of a run as pages show them: the last attempt of each, joined with what its task says. */
import { retrievalHops, type Task, tagValues, topologyOf } from "#domain";
import type { RunIndex } from "./run-index.ts";
import { type Category, createCategory, none, type Table } from "./table.ts";

export interface RunTable extends Table {
	/** The task of each row. */
	tasks: readonly Task[];
	/** Rows by task and repeat. */
	rowOf(task: string, repeat: number): number | undefined;
}

/** Records of tasks that the benchmark does not hold are left out. */
export function runTable({ table }: RunIndex, byId: ReadonlyMap<string, Task>): RunTable {
	const chosen = Uint32Array.from(lastAttempts(table, byId));
	const named = table.categories.get("task");
	const known = (named?.dictionary ?? []).map((id) => byId.get(id));
	const taskAt = Uint32Array.from(chosen, (row) => named?.codes[row] ?? none);
	// what a task says is worked out once, however many answers it has
	const of = taskColumns(known);
	const categories = new Map([
		...[...table.categories].map(([name, column]) => [name, picked(column, chosen)] as const),
		...[...of.categories].map(([name, column]) => [name, picked(column, taskAt)] as const),
	]);
	const numbers = new Map([
		...[...table.numbers].map(([name, values]) => [name, spread(values, chosen)] as const),
		...[...of.numbers].map(([name, values]) => [name, spread(values, taskAt)] as const),
	]);
	const tasks = Array.from(taskAt, (place) => known[place] as Task);
	return withPlaces({ rows: chosen.length, numbers, categories }, tasks);
}

const picked = ({ dictionary, codes, sets }: Category, rows: Uint32Array): Category => ({
	dictionary,
	codes: rows.map((row) => codes[row] ?? none),
	...(sets ? { sets } : {}),
});

const spread = (values: Float64Array, rows: Uint32Array): Float64Array =>
	Float64Array.from(rows, (row) => values[row] ?? Number.NaN);

/** What tasks say, as columns of one row a task. */
export function taskColumns(tasks: readonly (Task | undefined)[]): Table {
	const numberOf = (count: (task: Task) => number) =>
		Float64Array.from(tasks, (task) => (task ? count(task) : Number.NaN));
	return {
		rows: tasks.length,
		numbers: new Map([
			["hops", numberOf(({ chain }) => chain?.hops.length ?? Number.NaN)],
			["retrieving", numberOf(({ chain }) => (chain ? retrievalHops(chain).length : Number.NaN))],
			["images", numberOf(({ images }) => images.length)],
		]),
		categories: new Map(
			Object.entries({
				...categoriesOf(tasks, {
					question: ({ question }) => question,
					gold: ({ answer }) => answer.value,
					language: ({ tags }) => tags.language,
					topology: ({ chain }) => chain && topologyOf(chain),
				}),
				...tagColumns(tasks),
			}),
		),
	};
}

/** Some rows of a table, in the order given. */
export function someRows(table: RunTable, rows: Uint32Array): RunTable {
	const tasks = Array.from(rows, (row) => table.tasks[row] as Task);
	const numbers = new Map(
		[...table.numbers].map(([name, values]) => [name, Float64Array.from(rows, (row) => values[row] ?? Number.NaN)]),
	);
	const categories = new Map(
		[...table.categories].map(([name, column]) => [
			name,
			{ ...column, codes: Uint32Array.from(rows, (row) => column.codes[row] ?? none) },
		]),
	);
	return withPlaces({ rows: rows.length, numbers, categories }, tasks);
}

/** The table with a look-up of rows by task and repeat. */
function withPlaces(table: Table, tasks: readonly Task[]): RunTable {
	const places = new Map<string, number>();
	const repeats = table.numbers.get("repeat");
	for (const [row, { id }] of tasks.entries()) places.set(JSON.stringify([id, repeats?.[row] ?? 0]), row);
	return { ...table, tasks, rowOf: (task, repeat) => places.get(JSON.stringify([task, repeat])) };
}

function lastAttempts(table: Table, byId: ReadonlyMap<string, Task>): number[] {
	const column = table.categories.get("task");
	const [repeats, attempts] = [table.numbers.get("repeat"), table.numbers.get("attempt")];
	if (!column || !repeats || !attempts) return [];
	const known = column.dictionary.map((id) => byId.has(id));
	const last = new Map<number, number>();
	for (let row = 0; row < table.rows; row++) {
		const code = column.codes[row] ?? none;
		if (!known[code]) continue;
		// repeats are numbered below a thousand
		const key = code * 1000 + (repeats[row] ?? 0);
		const before = last.get(key);
		if (before === undefined || (attempts[row] ?? 0) >= (attempts[before] ?? 0)) last.set(key, row);
	}
	return [...last.values()];
}

function categoriesOf(
	tasks: readonly (Task | undefined)[],
	columns: Readonly<Record<string, (task: Task) => string | undefined>>,
	options: { sets?: boolean } = {},
): Record<string, Category> {
	return Object.fromEntries(
		Object.entries(columns).map(([name, textOf]) => {
			const column = createCategory(tasks.length, options);
			for (const [row, task] of tasks.entries()) column.set(row, task && textOf(task));
			return [name, column.done()];
		}),
	);
}

/** Tags of which more columns would be more than anybody filters by. */
const mostTags = 30;

/** A column for each tag, `tag.NAME`; of a tag that may hold several values each counts. */
function tagColumns(tasks: readonly (Task | undefined)[]): Record<string, Category> {
	const names = new Set(tasks.flatMap((task) => Object.keys(task?.tags ?? {})));
	names.delete("language");
	const columns = [...names].slice(0, mostTags).map((name) => [
		`tag.${name.replace(/[^\p{L}\p{N}_.-]/gu, "_")}`.toLowerCase(),
		({ tags }: Task) =>
			name in tags
				? tagValues(tags, name)
						.map((value) => value.replace(/\s+/g, "_"))
						.join(" ")
				: undefined,
	]);
	return categoriesOf(tasks, Object.fromEntries(columns), { sets: true });
}
