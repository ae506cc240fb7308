/** The answers of a run as pages show them: the last attempt of each, joined with what its task says. */
import { retrievalHops, type Task, tagValues, topologyOf } from "#domain";
import { imageMedia } from "./media-names.ts";
import type { RunIndex } from "./run-index.ts";
import { type Category, createCategory, none, type Table, valueAt } from "./table.ts";

export interface RunTable extends Table {
	/** Rows by task and repeat. */
	rowOf(task: string, repeat: number): number | undefined;
}

/** Records of tasks that are not among `tasks` (`taskTable`) are left out. */
export function runTable({ table }: RunIndex, tasks: Table): RunTable {
	const ids = tasks.categories.get("task");
	const places = new Map((ids?.dictionary ?? []).map((id, at) => [id, at]));
	const named = table.categories.get("task");
	const placeOf = (named?.dictionary ?? []).map((id) => places.get(id));
	const chosen = lastAttempts(table, placeOf);
	const taskAt = new Uint32Array(chosen?.length ?? table.rows);
	for (let row = 0; row < taskAt.length; row++)
		taskAt[row] = placeOf[named?.codes[chosen ? (chosen[row] ?? 0) : row] ?? none] ?? none;
	const { task: _, ...said } = Object.fromEntries(tasks.categories);
	return withPlaces({
		rows: taskAt.length,
		numbers: new Map([
			...[...table.numbers].map(([name, values]) => [name, chosen ? spread(values, chosen) : values] as const),
			...[...tasks.numbers].map(([name, values]) => [name, spread(values, taskAt)] as const),
		]),
		categories: new Map([
			...[...table.categories].map(([name, column]) => [name, chosen ? picked(column, chosen) : column] as const),
			...Object.entries(said).map(([name, column]) => [name, picked(column, taskAt)] as const),
		]),
	});
}

/** Some rows of a table, in the order given. */
export const someRows = ({ numbers, categories }: Table, rows: Uint32Array): RunTable =>
	withPlaces({
		rows: rows.length,
		numbers: new Map([...numbers].map(([name, values]) => [name, spread(values, rows)])),
		categories: new Map([...categories].map(([name, column]) => [name, picked(column, rows)])),
	});

/** The id of a row's task. */
export const taskIdAt = ({ categories }: Table, row: number): string => {
	const column = categories.get("task");
	return (column && valueAt(column, row)) ?? "";
};

function picked({ dictionary, codes, sets }: Category, rows: Uint32Array): Category {
	const own = new Uint32Array(rows.length);
	for (let row = 0; row < own.length; row++) own[row] = codes[rows[row] ?? none] ?? none;
	return { dictionary, codes: own, ...(sets ? { sets } : {}) };
}

function spread(values: Float64Array, rows: Uint32Array): Float64Array {
	const own = new Float64Array(rows.length);
	for (let row = 0; row < own.length; row++) own[row] = values[rows[row] ?? none] ?? Number.NaN;
	return own;
}

/** The table with a look-up of rows by task and repeat, which is made when it is first asked for. */
function withPlaces(table: Table): RunTable {
	let places: Map<string, number> | undefined;
	const key = (task: string, repeat: number) => `${repeat} ${task}`;
	return {
		...table,
		rowOf(task, repeat) {
			if (!places) {
				places = new Map();
				const repeats = table.numbers.get("repeat");
				for (let row = 0; row < table.rows; row++) places.set(key(taskIdAt(table, row), repeats?.[row] ?? 0), row);
			}
			return places.get(key(task, repeat));
		},
	};
}

/** The rows that hold the last attempts of known tasks; undefined where these are all rows in their order. */
function lastAttempts(table: Table, placeOf: readonly (number | undefined)[]): Uint32Array | undefined {
	const column = table.categories.get("task");
	const [repeats, attempts] = [table.numbers.get("repeat"), table.numbers.get("attempt")];
	if (!column || !repeats || !attempts) return undefined;
	const last = new Map<number, number>();
	for (let row = 0; row < table.rows; row++) {
		const code = column.codes[row] ?? none;
		if (placeOf[code] === undefined) continue;
		// repeats are numbered below a thousand
		const key = code * 1000 + (repeats[row] ?? 0);
		const before = last.get(key);
		if (before === undefined || (attempts[row] ?? 0) >= (attempts[before] ?? 0)) last.set(key, row);
	}
	return last.size === table.rows ? undefined : Uint32Array.from(last.values());
}

/** What the tasks of a benchmark say, as columns of one row a task. */
export function taskTable(tasks: readonly Task[]): Table {
	const numberOf = (count: (task: Task) => number) => Float64Array.from(tasks, count);
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
					task: ({ id }) => id,
					question: ({ question }) => question,
					gold: ({ answer }) => answer.value,
					language: ({ tags }) => tags.language,
					topology: ({ chain }) => chain && topologyOf(chain),
					picture: (task) => (task.images[0] ? JSON.stringify(imageMedia(task, task.images[0])) : undefined),
				}),
				...tagColumns(tasks),
			}),
		),
	};
}

function categoriesOf(
	tasks: readonly Task[],
	columns: Readonly<Record<string, (task: Task) => string | undefined>>,
	options: { sets?: boolean } = {},
): Record<string, Category> {
	return Object.fromEntries(
		Object.entries(columns).map(([name, textOf]) => {
			const column = createCategory(tasks.length, options);
			for (const [row, task] of tasks.entries()) column.set(row, textOf(task));
			return [name, column.done()];
		}),
	);
}

/** Tags of which more columns would be more than anybody filters by. */
const mostTags = 30;

/** A column for each tag, `tag.NAME`; of a tag that may hold several values each counts. */
function tagColumns(tasks: readonly Task[]): Record<string, Category> {
	const names = new Set(tasks.flatMap(({ tags }) => Object.keys(tags)));
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
