import { basename } from "node:path";
import { attemptKey, clip, usageError, type Verdict } from "#domain";
import type { Scorer } from "#scoring";
import { fileInside, isLocked } from "#store";
import {
	type BudgetPage,
	besideIn,
	facetWords,
	legend,
	type Made,
	type MadeTables,
	type MessagesPage,
	mediaNamed,
	type NextQuery,
	type PlacedTask,
	type Row,
	type RowsPage,
	type RowsQuery,
	type RunLine,
	type RunPage,
	type RunsPage,
	rowOf,
	rowsPage,
	runPage,
	someRows,
	type TableFormat,
	type TablesPage,
	type TaskKey,
	type TaskPage,
	taskPage,
} from "#studio";
import { rerunsOf } from "./intervene-runs.ts";
import { locate } from "./locate.ts";
import { listRuns, type RunSummary } from "./manage-runs.ts";
import { makeBudget } from "./studio-budget.ts";
import { type Asked, createMaker, type Tell } from "./studio-making.ts";
import { messageViews, textOfMessage } from "./studio-messages.ts";
import { answerOf, openShown, recordOf, rowNamed, type Shown, stampOf, tabledFiles } from "./studio-run.ts";
import { selected } from "./studio-search.ts";
import { makeTables, mustBeFew } from "./studio-tables.ts";
import { readVerdicts } from "./verdict-file.ts";
import type { Bench } from "./work.ts";

export type Studio = Awaited<ReturnType<typeof openStudio>>;

export interface StudioOptions {
	/** How a command is typed in this workspace, given what follows the program's name. */
	command?: ((text: string) => string) | undefined;
	/** Scorers beside the registered ones. What they say is not kept. */
	scorers?: readonly Scorer[] | undefined;
}

const mostOpen = 8;

/** Opens the data of the studio; what it opened, `close` lets go of. */
export async function openStudio(
	{ command = (text) => `hopscope ${text}`, scorers = [] }: StudioOptions,
	bench: Bench,
) {
	const { workspace } = bench;
	const maker = createMaker(bench);
	const open = new Map<string, Promise<Shown>>();

	/** The run as it is now: what was read of it before is extended. */
	async function shown(name: string): Promise<Shown> {
		const dir = await locate(workspace, "runs", name);
		const before = await open.get(dir)?.catch(() => undefined);
		const stamp = await stampOf(dir);
		if (before?.stamp === stamp) {
			open.delete(dir);
			open.set(dir, Promise.resolve(before));
			return before;
		}
		const opening = openShown(dir, { stamp, before, scorers }, bench);
		open.set(dir, opening);
		for (const [oldest, run] of open) {
			if (open.size <= mostOpen) break;
			open.delete(oldest);
			run.then(({ close }) => close()).catch(() => undefined);
		}
		return opening;
	}

	async function line(name: string): Promise<RunLine> {
		const { runs } = await listRuns({ all: true }, bench);
		const own = runs.find(({ id }) => id === name);
		if (!own) throw usageError("unknown-run", `there is no run "${clip(name, 80)}"`, "It may have been removed.");
		return lineOf(own, bench);
	}

	/** What makes the tables of some runs, under what name they are kept, and what changes when they would. */
	async function tabled(names: readonly string[]) {
		mustBeFew(names);
		const dirs = await Promise.all(names.map((name) => locate(workspace, "runs", name)));
		const unique = [...new Set(dirs)];
		const stamps = await Promise.all(unique.map((dir) => stampOf(dir, tabledFiles)));
		const make = (tell: Tell, signal: AbortSignal) => makeTables(unique, { tell, signal, scorers }, bench);
		return { key: `tables ${JSON.stringify(unique)}`, stamp: stamps.join(" "), make };
	}

	async function budgeted(name: string) {
		const dir = await locate(workspace, "runs", name);
		const id = basename(dir);
		const reruns = (await rerunsOf(workspace, id)).map((rerun) => workspace.run(rerun.id));
		const stamps = await Promise.all([dir, ...reruns].map((one) => stampOf(one, tabledFiles)));
		const make = (tell: Tell, signal: AbortSignal) => makeBudget(id, { tell, signal, command }, bench);
		return { key: `budget ${id}`, stamp: stamps.join(" "), make };
	}

	return {
		/** The id of the run that a name, the beginning of one, or `@last` means. */
		idOf: async (name: string): Promise<string> => basename(await locate(workspace, "runs", name)),
		legend: async () => legend(),
		async runs(): Promise<RunsPage> {
			const { runs } = await listRuns({ all: true }, bench);
			return { workspace: workspace.dir, runs: await Promise.all(runs.map((run) => lineOf(run, bench))), live: true };
		},
		async run(name: string): Promise<RunPage> {
			const run = await shown(name);
			return runPage({ ...run, added: scorers, line: await line(run.manifest.id) });
		},
		async rows(name: string, query: RowsQuery): Promise<RowsPage> {
			const run = await shown(name);
			const selection = await selected(run, query);
			const { table, facets } = run;
			return rowsPage(query, {
				table,
				selection,
				facets,
				rowAt: (row) => rowOf(row, table),
				recorded: selection.recorded,
			});
		},
		async task(name: string, key: TaskKey): Promise<TaskPage> {
			const run = await shown(name);
			const { record, row, task, diagnosis } = await answerOf(run, key);
			const verdicts = (await verdictsOf(run.dir, bench)).filter((one) => attemptKey(one) === attemptKey(record));
			return taskPage({ manifest: run.manifest, task, record, row, diagnosis, verdicts, evidence: run.evidence });
		},
		async next(name: string, { from, step, failures, ...query }: NextQuery): Promise<PlacedTask | null> {
			const run = await shown(name);
			const wanted = failures ? { ...query, where: `${query.where} -outcome:right,partly-right` } : query;
			const { rows } = await selected(run, wanted);
			const row = besideIn(rows, { from: rowNamed(run, from), step });
			const task = row === undefined ? undefined : run.table.tasks[row];
			if (row === undefined || !task) return null;
			return { task: task.id, repeat: run.table.numbers.get("repeat")?.[row] ?? 0, index: rows.indexOf(row) };
		},
		async messages(
			name: string,
			{ offset, limit, ...key }: TaskKey & { offset: number; limit: number },
		): Promise<MessagesPage> {
			const run = await shown(name);
			const { record, task } = await recordOf(run, key);
			const { messages } = record.trajectory;
			return { of: messages.length, messages: messageViews(messages.slice(offset, offset + limit), task) };
		},
		async text(
			name: string,
			{ message, part, offset, ...key }: TaskKey & { message: number; part: number; offset: number },
		): Promise<string> {
			const { record } = await recordOf(await shown(name), key);
			return textOfMessage(record.trajectory.messages[message], part, offset);
		},
		/** Tables of some runs, or how far making them is. */
		async tables(names: readonly string[]): Promise<Made<TablesPage>> {
			const { key, stamp, make } = await tabled(names);
			return pageOf(await maker.ask(key, stamp, make));
		},
		/** One of their tables as text; undefined where none is called so. */
		async tableText(names: readonly string[], table: string, format: TableFormat): Promise<string | undefined> {
			const { key, stamp, make } = await tabled(names);
			return (await maker.whole(key, stamp, make)).text(table, format);
		},
		/** What interventions in a run recovered, or how far working that out is. */
		async budget(name: string): Promise<Made<BudgetPage>> {
			const { key, stamp, make } = await budgeted(name);
			return pageOf(await maker.ask(key, stamp, make));
		},
		async budgetText(name: string, table: string, format: TableFormat): Promise<string | undefined> {
			const { key, stamp, make } = await budgeted(name);
			return (await maker.whole(key, stamp, make)).text(table, format);
		},
		/** The same for an export, when they are made. */
		async wholeTables(names: readonly string[]): Promise<MadeTables<TablesPage>> {
			const { key, stamp, make } = await tabled(names);
			return maker.whole(key, stamp, make);
		},
		async wholeBudget(name: string): Promise<MadeTables<BudgetPage>> {
			const { key, stamp, make } = await budgeted(name);
			return maker.whole(key, stamp, make);
		},
		/** All that an export holds of a run apart from its tasks; of a sample where one is asked for. */
		async whole(name: string, sample?: number) {
			const run = sampled(await shown(name), sample);
			const repeats = run.table.numbers.get("repeat");
			const keys = run.table.tasks.map(({ id }, row): TaskKey => ({ task: id, repeat: repeats?.[row] ?? 0 }));
			const page = runPage({ ...(await shown(name)), added: scorers, line: await line(run.manifest.id) });
			return { page, table: run.table, facets: run.facets, keys };
		},
		async rowAt(name: string, row: number, sample?: number): Promise<Row> {
			return rowOf(row, sampled(await shown(name), sample).table);
		},
		/** The file of a picture; undefined where there is none inside the benchmark or the knowledge base. */
		async media(name: string, media: string): Promise<string | undefined> {
			const run = await shown(name);
			const of = mediaNamed(media);
			if (!of) return undefined;
			if (of.is === "image") {
				const image = run.tasks.get(of.task)?.images.find(({ id }) => id === of.image);
				return image && fileInside(run.benchmark.dir, image.file);
			}
			const knowledge = await run.knowledge();
			const evidence = await knowledge.evidence(of.id);
			return evidence && knowledge.file(evidence, "picture");
		},
		/** Says what of a run may have changed: equal stamps, equal pages. */
		stamp: async (name: string) => stampOf(await locate(workspace, "runs", name)),
		async close(): Promise<void> {
			maker.close();
			for (const run of open.values()) await run.then(({ close }) => close()).catch(() => undefined);
		},
	};
}

const pageOf = <Page>(asked: Asked<MadeTables<Page>>): Made<Page> =>
	asked.is === "made" ? { is: "made", page: asked.page.page } : asked;

/** A run with so many of its answers, evenly spread. */
function sampled(run: Shown, most = Number.POSITIVE_INFINITY): Shown {
	const { rows } = run.table;
	if (rows <= most) return run;
	const table = someRows(
		run.table,
		Uint32Array.from({ length: most }, (_, at) => Math.floor((at * rows) / most)),
	);
	return { ...run, table, facets: facetWords(table) };
}

async function lineOf({ usage, intervention, ...run }: RunSummary, { workspace }: Bench): Promise<RunLine> {
	return {
		id: run.id,
		at: run.at,
		agent: run.agent,
		model: run.model,
		benchmark: run.benchmark,
		intervention,
		done: run.done,
		errors: run.errors,
		total: run.total,
		live: run.done < run.total && (await isLocked(workspace.run(run.id))),
		accuracy: run.accuracy,
		calls: usage.calls,
		tokens: usage.inputTokens + usage.outputTokens,
		cost: usage.cost ?? null,
		currency: run.currency,
		tags: run.tags,
	};
}

const verdictsOf = (dir: string, bench: Bench): Promise<Verdict[]> => readVerdicts(dir, bench.say).catch(() => []);
