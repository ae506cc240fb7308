/** Comparisons of an export: lists are joined here of the runs' columns; the differences, where they are held, were written. */
import { comparedBeside, comparedRow, sidesAt } from "../../../src/studio/compared-rows.ts";
import { comparedColumns, comparedFacets, headlineOf } from "../../../src/studio/compared-words.ts";
import { type ExportedComparisons, exportFiles } from "../../../src/studio/export-files.ts";
import { joinRuns } from "../../../src/studio/join-runs.ts";
import type { ComparePage, Row, RunPage, StudioData } from "../../../src/studio/pages.ts";
import { reorderComparison } from "../../../src/studio/reorder-comparison.ts";
import { rowsPage } from "../../../src/studio/rows-page.ts";
import { type FacetGiven, type FacetWords, select } from "../../../src/studio/select.ts";
import type { Table } from "../../../src/studio/table.ts";

export interface OpenedRun {
	page: RunPage;
	table: Table;
	facets: readonly FacetWords[];
}

/** What an export has of its runs. */
interface Exported {
	load<Data>(name: string): Promise<Data>;
	opened(run: string): Promise<OpenedRun>;
	rowAt(run: string, row: number): Promise<Row>;
}

/** Comparisons whose joined tables are kept. */
const mostKept = 3;

export function fileComparison({
	load,
	opened,
	rowAt,
}: Exported): Pick<StudioData, "compare" | "comparedRows" | "comparedNext"> {
	const kept = new Map<string, ReturnType<typeof join>>();

	async function join(runs: readonly string[]) {
		const own = await Promise.all(runs.map(opened));
		const tables = own.map(({ table }) => table);
		const metric = headlineOf(tables);
		const table = joinRuns(tables, { metric });
		return {
			metric,
			table,
			facets: comparedFacets(table, facetsOf(own)),
			columns: comparedColumns(table, titlesOf(own)),
		};
	}
	async function joined(runs: readonly string[]) {
		const { groups, sets } = await load<ExportedComparisons>(exportFiles.comparisons);
		mustCompare(runs, groups);
		const key = runs.join(",");
		const known = kept.get(key) ?? join(runs);
		kept.delete(key);
		kept.set(key, known);
		const [oldest] = kept.keys();
		if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
		return { ...(await known), sets };
	}
	const pageOf = (place: number) => load<ComparePage>(exportFiles.comparison(place));

	/** The runs alone, where the differences of just these were not written. */
	async function without(runs: readonly string[], sets: readonly string[][]): Promise<ComparePage> {
		const holding = runs.map((run) => sets.findIndex((set) => set.includes(run)));
		const pages = await Promise.all(holding.map(pageOf));
		const [first] = pages;
		const lines = runs.flatMap(
			(run, place) => pages[place]?.runs[sets[holding[place] ?? -1]?.indexOf(run) ?? -1] ?? [],
		);
		const page = { ...found(first), runs: lines, pairs: [], tests: 0, cautions: [notHeld(runs.length, sets)] };
		return reorderComparison(page, { before: runs, after: runs });
	}

	return {
		async compare(runs) {
			const { sets, columns } = await joined(runs);
			const place = sets.findIndex((set) => set.length === runs.length && runs.every((run) => set.includes(run)));
			const before = sets[place];
			const page = before ? reorderComparison(await pageOf(place), { before, after: runs }) : await without(runs, sets);
			return { ...page, columns };
		},
		async comparedRows(runs, query) {
			const { table, metric, facets } = await joined(runs);
			return rowsPage(query, {
				table,
				facets,
				selection: select(query, table),
				rowAt: async (row) => {
					const sides = sidesAt(table, row).map((at, place) =>
						at === undefined ? null : rowAt(runs[place] ?? "", at),
					);
					return comparedRow(row, table, { metric, sides: await Promise.all(sides) });
				},
			});
		},
		async comparedNext(runs, query) {
			const { table } = await joined(runs);
			if (table.rowOf(query.task) === undefined)
				throw new Error("This task is not among those that were exported of these runs.");
			return comparedBeside(table, query);
		},
	};
}

function mustCompare(runs: readonly string[], groups: readonly string[][]): void {
	const { mostCompared } = exportFiles;
	if (runs.length < 2) throw new Error("One run is no comparison. Choose two or more.");
	if (runs.length > mostCompared)
		throw new Error(`${runs.length} runs, more than ${mostCompared}. Compare fewer at a time.`);
	const twice = runs.find((run, place) => runs.indexOf(run) !== place);
	if (twice !== undefined) throw new Error(`${twice} is given twice. Name each run once.`);
	if (!groups.some((group) => runs.every((run) => group.includes(run))))
		throw new Error(
			"These runs are not all in this export, or they answer other benchmarks or are scored differently. Compare runs of one benchmark that are scored alike.",
		);
}

const notHeld = (runs: number, sets: readonly string[][]): string => {
	const most = Math.max(...sets.map(({ length }) => length));
	const held = most > 2 ? `of ${most} runs together and of two at a time` : "of two runs at a time";
	return `This export holds differences ${held}, not of these ${runs}: only their tasks are listed. Choose two of them, or compare these in a running studio (hopscope studio).`;
};

/** What lists of these runs are filtered by, in the words of all of them. */
function facetsOf(runs: readonly OpenedRun[]): FacetGiven[] {
	const titles = new Map<string, { title: string; titles: FacetWords["titles"] }>();
	for (const { name, title, titles: own } of runs.flatMap(({ facets }) => facets))
		titles.set(name, { title, titles: { ...titles.get(name)?.titles, ...own } });
	return [...titles].map(([name, { title, titles: own }]) => ({
		name,
		title,
		titleOf: (value) => (Object.hasOwn(own, value) ? (own[value] ?? value) : value),
	}));
}

function titlesOf(runs: readonly OpenedRun[]): (name: string) => string {
	const titles = new Map(runs.flatMap(({ page }) => page.columns.map(({ name, title }) => [name, title])));
	return (name) => titles.get(name) ?? name;
}

function found<Item>(item: Item | undefined): Item {
	if (item === undefined) throw new Error("A file of this export holds less than its index says. Export it again.");
	return item;
}
