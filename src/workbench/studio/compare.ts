/** Comparisons of runs for the studio; those asked for last are kept as long as their runs stay as they are. */
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { clip, evenly, HopscopeError, type RunManifest, usageError } from "#domain";
import type { Scorer } from "#scoring";
import { readJson, sha256, type Workspace, writeJson } from "#store";
import {
	type ComparedNextQuery,
	type ComparedPlace,
	type ComparedRowsPage,
	ComparePage,
	comparedBeside,
	comparedFacets,
	comparedRow,
	comparePage,
	type FacetWords,
	headlineOf,
	type JoinedTable,
	joinRuns,
	mustBeComparable,
	parseWhere,
	type RowsQuery,
	rowOf,
	rowsPage,
	runFacets,
	select,
	sidesAt,
	taskIdAt,
} from "#studio";
import { selected } from "./search.ts";
import type { Shown } from "./shown-run.ts";

const mostKept = 4;
/** More runs than anybody may compare are not even opened. */
const mostOpened = 13;

interface Compared {
	runs: readonly Shown[];
	metric: string;
	table: JoinedTable;
	facets: FacetWords[];
	page(): Promise<ComparePage>;
}

/** `scorers`: beside the registered ones; what they say is not kept. */
export function createComparing(
	shown: (name: string) => Promise<Shown>,
	{ scorers, workspace }: { scorers: readonly Scorer[]; workspace: Workspace },
) {
	const kept = new Map<string, Compared>();

	async function compared(names: readonly string[]): Promise<Compared> {
		const runs: Shown[] = [];
		for (const name of names.slice(0, mostOpened)) runs.push(await shown(name));
		mustBeComparable(runs.map(({ manifest }) => manifest));
		const key = JSON.stringify(runs.map(({ dir, stamp }) => [dir, stamp]));
		const known = kept.get(key) ?? joined(runs, { scorers, workspace });
		kept.delete(key);
		kept.set(key, known);
		const [oldest] = kept.keys();
		if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
		return known;
	}

	return {
		/** Runs that can be compared with one another, in the order given; one that stands alone is in no group. */
		async groups(names: readonly string[]): Promise<string[][]> {
			const groups: { manifest: RunManifest; names: string[] }[] = [];
			for (const name of names) {
				const { manifest } = await shown(name);
				const group = groups.find((one) => areComparable(one.manifest, manifest));
				if (group) group.names.push(name);
				else groups.push({ manifest, names: [name] });
			}
			return groups.map((group) => group.names).filter(({ length }) => length > 1);
		},
		/** At most so many tasks that any of the runs answered, evenly spread: the same of each, so that they stay comparable. */
		async sample(names: readonly string[], most: number): Promise<Set<string>> {
			const tasks = new Set<string>();
			for (const name of names) {
				const { table } = await shown(name);
				for (let row = 0; row < table.rows; row++) tasks.add(taskIdAt(table, row));
			}
			return new Set(evenly([...tasks], most));
		},
		page: async (names: readonly string[]): Promise<ComparePage> => (await compared(names)).page(),
		async rows(names: readonly string[], query: RowsQuery): Promise<ComparedRowsPage> {
			const { runs, table, metric, facets } = await compared(names);
			const recorded = await recordedIn(runs, table, query.where);
			return rowsPage(query, {
				table,
				facets,
				recorded,
				selection: select(query, table, { recorded }),
				rowAt: (row) => {
					const sides = sidesAt(table, row).map((at, run) => {
						const own = runs[run]?.table;
						return at === undefined || !own ? null : rowOf(at, own);
					});
					return comparedRow(row, table, { metric, sides });
				},
			});
		},
		async next(names: readonly string[], query: ComparedNextQuery): Promise<ComparedPlace | null> {
			const { runs, table } = await compared(names);
			if (table.rowOf(query.task) === undefined)
				throw usageError(
					"no-record",
					`none of these runs has a record of task ${clip(query.task, 80)}`,
					"It was not answered yet, or was not planned.",
				);
			const recorded = await recordedIn(runs, table, query.where);
			return comparedBeside(table, query, { recorded });
		},
	};
}

function areComparable(...runs: RunManifest[]): boolean {
	try {
		mustBeComparable(runs);
		return true;
	} catch (error) {
		if (error instanceof HopscopeError) return false;
		throw error;
	}
}

function joined(
	runs: readonly Shown[],
	{ scorers, workspace }: { scorers: readonly Scorer[]; workspace: Workspace },
): Compared {
	const tables = runs.map((run) => run.table);
	const metric = headlineOf(tables);
	const table = joinRuns(tables, { metric });
	let page: Promise<ComparePage> | undefined;
	return {
		...{ runs, metric, table },
		facets: comparedFacets(table, runFacets),
		page: () => {
			page ??= keptPage(runs, { workspace, kept: scorers.length === 0 }, async () => {
				const opened = await Promise.all(runs.map(async (run) => ({ ...run, tasks: (await run.benchmark()).tasks })));
				return comparePage(opened, table, { added: scorers });
			});
			// what failed is tried again when it is asked for again
			page.catch(() => {
				page = undefined;
			});
			return page;
		},
	};
}

const pageVersion = 1;
const KeptPage = z.object({ of: z.string(), page: ComparePage });
/** Milliseconds in which the rows of a list are asked for beside the differences. */
const listFirst = 30;

/** The differences as they were worked out before, where the runs are still as they were: over many answers that takes long. */
async function keptPage(
	runs: readonly Shown[],
	{ workspace, kept }: { workspace: Workspace; kept: boolean },
	make: () => Promise<ComparePage>,
): Promise<ComparePage> {
	const of = sha256(
		JSON.stringify([pageVersion, ...runs.map(({ dir, rules, index, stamp }) => [dir, rules, index.bytes, stamp])]),
	);
	const name = sha256(runs.map(({ dir }) => dir).join("\n")).slice(0, 32);
	const file = join(workspace.cache("comparisons"), `${name}.json`);
	const known = kept ? await readJson(file, KeptPage).catch(() => undefined) : undefined;
	if (known?.of === of) return known.page;
	// nothing else is answered meanwhile
	await wait(listFirst);
	const page = await make();
	if (kept) await writeJson(file, { of, page }).catch(() => undefined);
	return page;
}

/** In which joined rows the quoted texts of a filter were recorded by any of the runs. */
async function recordedIn(
	runs: readonly Shown[],
	table: JoinedTable,
	where: string,
): Promise<(text: string) => Uint8Array | undefined> {
	const found = new Map<string, Uint8Array>();
	for (const term of parseWhere(where, table).terms) {
		if (term.is !== "text" || !term.recorded) continue;
		const met = new Uint8Array(table.rows);
		for (const [place, run] of runs.entries()) {
			const own = (await selected(run, { where: `"${term.text.replace(/["\\]/g, "\\$&")}"`, sort: "" })).recorded(
				term.text,
			);
			for (const [row, at] of (table.joinedAt[place] ?? new Uint32Array()).entries()) if (own?.[row] === 1) met[at] = 1;
		}
		found.set(term.text, met);
	}
	return (text) => found.get(text);
}
