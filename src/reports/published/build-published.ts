/** Published rows and ours in one table: the paper's columns, its rows as printed, and beside them what was run here. */
import { formatHealth } from "#scoring";
import { labelsOf } from "../run-labels.ts";
import { scoredBy, scoringNote } from "../scored-by.ts";
import { viewOf } from "../views/build-views.ts";
import type { Embedder } from "../views/evidence-vectors.ts";
import { viewNamed } from "../views/registry.ts";
import type { View, ViewRun } from "../views/view.ts";
import { healthText } from "../wording.ts";
import { linesOf, memberOf, narrow, type OwnOptions, ownRow } from "./own-rows.ts";
import { type Block, blocksOf, columnsOf } from "./published-rows.ts";
import type { PublishedTable } from "./published-table.ts";
import { type CountedBenchmark, statisticsRows } from "./statistics-rows.ts";

export interface ReproduceOptions {
	/** Agents that were asked for by name: none of them is taken for a mere reference. */
	agents?: readonly string[] | undefined;
	/** Names of benchmarks in the order they were given: tables with two read the first and the second. */
	benchmarks?: readonly string[] | undefined;
	/** Id of the judge whose verdicts count where several judged a run; without it the first. */
	judge?: string | undefined;
	/** Of a table of statistics, the benchmarks that are counted. */
	counted?: readonly CountedBenchmark[] | undefined;
	/** For a view that asks how alike two evidences are. */
	embedder?: Embedder | undefined;
}

/**
 * The table with rows of these runs; a table whose numbers of ours are shown by a view has that view behind it, and a
 * figure of which no number is printed is that view.
 */
export async function reproduced(
	table: PublishedTable,
	runs: readonly ViewRun[],
	{
		agents,
		judge,
		benchmarks = [...new Set(runs.map((run) => run.manifest.benchmark.name))],
		counted = [],
		embedder,
	}: ReproduceOptions = {},
): Promise<View[]> {
	if (table.statistics !== undefined) return [await statisticsView(table, counted)];
	const contenders = runs.filter((run) => !servesOthers(run.manifest.agent.name, table, { agents }));
	const shown = contenders.length > 0 ? contenders : runs;
	const members = goldenFirst(runs, table).map((run) => memberOf(run, table, { judge }));
	const options: OwnOptions = { table, members, benchmarks, label: labelsOf(shown) };
	const lines = linesOf(
		shown.flatMap((run) => members.filter((member) => member.run === run)),
		table,
	);
	const blocks = blocksOf(table);
	const main: View = {
		...{ name: fileName(table), title: table.title, describe: table.measures, source: table.source },
		columns: columnsOf(table),
		rows: blocks.flatMap(({ labels, published }) => [
			...published,
			...(table.view === undefined ? lines : []).map((line) => ownRow(line, labels, options)),
		]),
		plots: [],
		notes: notesOf(table, {
			...{ runs: shown, label: options.label },
			judges: members.flatMap((member) => member.judge?.judge ?? []),
			leftOut: table.view === undefined ? leftOut(blocks, options) : 0,
		}),
	};
	const builder = table.view === undefined || shown.length === 0 ? undefined : viewNamed(table.view);
	if (!builder) return [main];
	// what others are read against stands in the view too, where the table asks for it
	const seen = runs.filter((run) => shown.includes(run) || servesOthers(run.manifest.agent.name, table, { agents }));
	const view = await viewOf(builder, seen, { embedder, label: labelsOf(seen), by: table.by });
	if (table.rows.length > 0) return [main, view];
	const { name, title, describe, source, notes } = main;
	return [{ ...view, name, title, describe: `${describe} ${view.describe}`, source, notes: [...view.notes, ...notes] }];
}

/** A table of what benchmarks hold, with rows of those that were counted. */
async function statisticsView(table: PublishedTable, counted: readonly CountedBenchmark[]): Promise<View> {
	const rows: View["rows"] = [];
	for (const { labels, published } of blocksOf(table))
		rows.push(...published, ...(await statisticsRows(labels, { table, counted })));
	return {
		...{ name: fileName(table), title: table.title, describe: table.measures, source: table.source },
		...{ columns: columnsOf(table), rows, plots: [] },
		notes: [
			...(counted.length > 0 ? table.differs.map((text) => `Ours: ${text}`) : []),
			...table.remarks.map((text) => `Printed: ${text}`),
		],
	};
}

/** Whether runs of an agent only serve columns of others: they have no row of their own. */
export function servesOthers(
	agent: string,
	{ references: { baseline, golden }, runs }: PublishedTable,
	{ agents = [] }: Pick<ReproduceOptions, "agents"> = {},
): boolean {
	if (agents.includes(agent) || runs.some((entry) => entry.agent.includes(agent))) return false;
	return [baseline, golden].some((entry) => entry?.agent.includes(agent));
}

/** A table's name where a colon cannot stand. */
export const fileName = ({ name }: Pick<PublishedTable, "name">): string => name.replace(":", "-");

/** Of several runs that others can be read against the first is taken: the table's own setting goes before others. */
function goldenFirst(runs: readonly ViewRun[], { references: { golden } }: PublishedTable): ViewRun[] {
	const isOwn = ({ manifest: { agent, setting } }: ViewRun) =>
		golden?.agent.includes(agent.name) === true && golden.setting?.includes(setting.name) === true;
	return [...runs.filter(isOwn), ...runs.filter((run) => !isOwn(run))];
}

/** How many of the tasks no cell is over. */
function leftOut(blocks: readonly Block[], { table, members }: OwnOptions): number {
	const all = new Set<string>();
	const within = new Set<string>();
	for (const member of members) {
		for (const { task } of member.items) all.add(task.id);
		for (const { labels } of blocks)
			for (const column of table.values)
				for (const { task } of narrow(member, labels, { table, column }).items) within.add(task.id);
	}
	return all.size - within.size;
}

function notesOf(
	table: PublishedTable,
	{
		runs,
		label,
		judges,
		leftOut: out,
	}: { runs: readonly ViewRun[]; label(run: ViewRun): string; judges: readonly string[]; leftOut: number },
): string[] {
	if (runs.length === 0) return [...table.remarks];
	const benchmarks = [...new Set(runs.map(({ manifest }) => manifest.benchmark.name))];
	const tasksOf = (name: string) =>
		new Set(runs.flatMap(({ manifest }) => (manifest.benchmark.name === name ? manifest.tasks : []))).size;
	const over = benchmarks.map((name) => `${name} (${tasksOf(name)} tasks)`).join(", ");
	const data = benchmarks.every((name) => isNamed(name, table))
		? "called like the paper's data; whether it is the same was not checked."
		: "not over the paper's data: they do not compare with the published rows number by number.";
	const note = scoringNote(runs, label);
	const otherwise = table.scoring !== undefined && runs.some((run) => scoredBy(run) !== table.scoring);
	return [
		`Our rows are over the benchmark ${over}, ${data}`,
		...(note === "" ? [] : [`Ours: ${note}${otherwise ? ` The table's own is ${table.scoring}.` : ""}`]),
		...runs.map((run) => `${label(run)}: ${healthText(formatHealth(run.records.map(({ trajectory }) => trajectory)))}`),
		...(out > 0 ? [`Tasks that fit no group of the paper, and stand in no row: ${out}.`] : []),
		...(judges.length > 0
			? [`Our answers are judged by ${[...new Set(judges)].join(", ")}, by the rubric ${table.rubric}.`]
			: []),
		...table.differs.map((text) => `Ours: ${text}`),
		...table.remarks.map((text) => `Printed: ${text}`),
	];
}

/** Whether a benchmark is called like the data of a table's paper. */
function isNamed(benchmark: string, { name, source, title }: PublishedTable): boolean {
	const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
	const [paper = ""] = name.split(":");
	const asked = plain(benchmark);
	return asked.includes(plain(paper)) || (asked.length >= 4 && plain(`${source} ${title}`).includes(asked));
}
