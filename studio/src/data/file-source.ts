import { exportFiles } from "../../../src/studio/export-files.ts";
import { type PackedTable, unpackTable } from "../../../src/studio/packed-table.ts";
import type {
	BudgetPage,
	Legend,
	MessageView,
	Row,
	RunPage,
	RunsPage,
	StudioData,
	TableFormat,
	TablesPage,
	TaskKey,
	TaskPage,
} from "../../../src/studio/pages.ts";
import { rowsPage } from "../../../src/studio/rows-page.ts";
import { besideIn, type FacetWords, select } from "../../../src/studio/select.ts";
import type { Table } from "../../../src/studio/table.ts";
import { fileComparison } from "./file-comparison.ts";

/** The data of an export: scripts beside the page, each holding one part, compressed. Nothing is fetched. */
export function fileSource(): StudioData {
	const { load } = createLoader();
	const index = () => load<{ legend: Legend; runs: RunsPage }>(exportFiles.index);
	const opened = once(async (run: string) => {
		const { page, table, facets } = await load<{ page: RunPage; table: PackedTable; facets: FacetWords[] }>(
			exportFiles.run(run),
		);
		return { page, facets, table: unpackTable(table, bytesOf) };
	});
	const rowAt = async (run: string, row: number): Promise<Row> => {
		const rows = await load<Row[]>(exportFiles.rows(run, Math.floor(row / exportFiles.rowsInFile)));
		return found(rows[row % exportFiles.rowsInFile]);
	};
	/** The run whose tables are meant; undefined for all. An export of a few runs has those of all together. */
	const tabled = async (names: readonly string[]): Promise<string | undefined> => {
		const [only] = names;
		const { runs } = (await index()).runs;
		if (runs.length > 1 && runs.length <= exportFiles.mostTabled) return undefined;
		if (only !== undefined && names.length === 1) return only;
		throw new Error("This export holds the tables of each run alone. Export these runs, or open the studio.");
	};
	const placeOf = async (run: string, key: TaskKey) => {
		const { table } = await opened(run);
		const row = rowNamed(table, key);
		return { table, row, part: Math.floor(row / exportFiles.tasksInFile), at: row % exportFiles.tasksInFile };
	};
	return {
		legend: async () => (await index()).legend,
		runs: async () => (await index()).runs,
		run: async (run) => (await opened(run)).page,
		async rows(run, query) {
			const { table, facets } = await opened(run);
			return rowsPage(query, { table, facets, selection: select(query, table), rowAt: (row) => rowAt(run, row) });
		},
		async task(run, key) {
			const { part, at } = await placeOf(run, key);
			const { tasks, evidence } = await load<{
				tasks: Omit<TaskPage, "evidence">[];
				evidence: TaskPage["evidence"];
			}>(exportFiles.tasks(run, part));
			return { ...found(tasks[at]), evidence };
		},
		async next(run, { from, step, failures, ...query }) {
			const { table, row } = await placeOf(run, from);
			const { rows } = select(query, table);
			const wrong = { ...query, where: `${query.where} -outcome:right,partly-right` };
			const among = failures ? select(wrong, table).rows : undefined;
			const index = besideIn(rows, { from: row, step, among });
			const beside = index === undefined ? undefined : rows[index];
			return index === undefined || beside === undefined ? null : { ...keyOf(await rowAt(run, beside)), index };
		},
		async messages(run, { offset, limit, ...key }) {
			const { part, at } = await placeOf(run, key);
			const messages = found((await load<MessageView[][]>(exportFiles.messages(run, part)))[at]);
			return { of: messages.length, messages: messages.slice(offset, offset + limit) };
		},
		...fileComparison({ load, opened, rowAt }),
		tables: async (runs) => ({ is: "made", page: await load<TablesPage>(exportFiles.tables(await tabled(runs))) }),
		async tableText(runs, table, format) {
			const texts = await load<Record<string, Record<TableFormat, string>>>(exportFiles.tableTexts(await tabled(runs)));
			return found(texts[table])[format];
		},
		budget: async (run) => ({ is: "made", page: await load<BudgetPage>(exportFiles.budget(run)) }),
		async budgetText(run, table, format) {
			const texts = await load<Record<string, Record<TableFormat, string>>>(exportFiles.budgetTexts(run));
			return found(texts[table])[format];
		},
		// an export holds the beginnings of long texts
		text: async () => "",
		// files that were written do not change
		onChange: () => () => {},
		media: (_, name, { small = false } = {}) => `media/${encodeURIComponent(name)}${small ? "-small" : ""}.webp`,
	};
}

const keyOf = ({ task, repeat }: Row): TaskKey => ({ task, repeat });

function rowNamed({ rows, categories, numbers }: Table, { task, repeat }: TaskKey): number {
	const column = categories.get("task");
	const code = column?.dictionary.indexOf(task) ?? -1;
	for (let row = 0; row < rows; row++)
		if (code >= 0 && column?.codes[row] === code && (numbers.get("repeat")?.[row] ?? 0) === repeat) return row;
	throw new Error("This task is not among those that were exported.");
}

function found<Item>(item: Item | undefined): Item {
	if (item === undefined) throw new Error("A file of this export holds less than its index says. Export it again.");
	return item;
}

/** Asks for each thing once. */
function once<Result>(ask: (name: string) => Promise<Result>): (name: string) => Promise<Result> {
	const asked = new Map<string, Promise<Result>>();
	return (name) => {
		const known = asked.get(name) ?? ask(name);
		asked.set(name, known);
		return known;
	};
}

declare global {
	interface Window {
		/** What the scripts of an export call with what they hold. */
		hopscopeData?: (name: string, packed: string) => void;
	}
}

function createLoader() {
	const arrived = new Map<string, string>();
	window.hopscopeData = (name, packed) => arrived.set(name, packed);
	const loaded = once(
		(name) =>
			new Promise<unknown>((resolve, reject) => {
				const script = document.createElement("script");
				script.src = `data/${encodeURIComponent(name)}.js`;
				script.onload = () => {
					const packed = arrived.get(name);
					arrived.delete(name);
					if (packed === undefined) reject(new Error(`${name}.js holds no data`));
					else unpacked(packed).then(resolve, reject);
				};
				script.onerror = () => reject(new Error(`The file data/${name}.js of this export is missing.`));
				document.head.append(script);
			}),
	);
	return { load: <Data>(name: string) => loaded(name) as Promise<Data> };
}

async function unpacked(text: string): Promise<unknown> {
	const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
	return new Response(stream).json();
}

function bytesOf(text: string): ArrayBuffer {
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);
	for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
	return bytes.buffer;
}
