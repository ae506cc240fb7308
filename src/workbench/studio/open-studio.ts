import { basename, join } from "node:path";
import { z } from "zod";
import { attemptKey, clip, usageError, type Verdict } from "#domain";
import type { Scorer } from "#scoring";
import { fileInside, isLocked, readJson, sha256, writeJson } from "#store";
import {
	besideIn,
	facetWords,
	legend,
	type MessagesPage,
	mediaNamed,
	type NextQuery,
	type PlacedTask,
	type Row,
	type RowsPage,
	type RowsQuery,
	type RunLine,
	RunPage,
	type RunsPage,
	rowOf,
	rowsPage,
	runPage,
	someRows,
	sourceNamed,
	type TaskKey,
	type TaskPage,
	taskIdAt,
	taskPage,
} from "#studio";
import { locate } from "../locate.ts";
import { listRuns, type RunSummary } from "../manage-runs.ts";
import { readVerdicts } from "../verdict-file.ts";
import type { Bench } from "../work.ts";
import { createComparing } from "./compare.ts";
import { messageViews, textOfMessage } from "./messages.ts";
import { openReported } from "./reported.ts";
import { studioReviews } from "./review.ts";
import { selected } from "./search.ts";
import { answerOf, openShown, recordOf, rowNamed, type Shown, stampOf } from "./shown-run.ts";
import { studioSources } from "./sources.ts";

export type Studio = Awaited<ReturnType<typeof openStudio>>;

/** As many as are compared at a time. */
const mostOpen = 12;

const KeptPage = z.object({ of: z.string(), page: RunPage });

export interface StudioOptions {
	/** How a command is typed in this workspace, given what follows the program's name. */
	command?: ((text: string) => string) | undefined;
	/** Scorers beside the registered ones. What they say is not kept. */
	scorers?: readonly Scorer[] | undefined;
}

/** Opens the data of the studio; what it opened, `close` lets go of. */
export async function openStudio(
	{ command = (text) => `hopscope ${text}`, scorers = [] }: StudioOptions,
	bench: Bench,
) {
	const { workspace } = bench;
	const reported = openReported({ command, scorers }, bench);
	const open = new Map<string, Promise<Shown>>();
	/** Runs whose index is being made, with the share that is done. */
	const indexing = new Map<string, number>();

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
		const opening = openShown(dir, { stamp, before, scorers, onProgress: (share) => indexing.set(dir, share) }, bench);
		opening.finally(() => indexing.delete(dir)).catch(() => undefined);
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

	const comparing = createComparing(shown, { scorers, workspace });
	/** The file of a picture; undefined where there is none inside the benchmark or the knowledge base. */
	async function media(name: string, picture: string): Promise<string | undefined> {
		if (sourceNamed(name)) return sources.media(name, picture);
		const run = await shown(name);
		const of = mediaNamed(picture);
		if (!of) return undefined;
		if (of.is === "image") {
			const { benchmark, tasks } = await run.benchmark();
			const image = tasks.get(of.task)?.images.find(({ id }) => id === of.image);
			return image && fileInside(benchmark.dir, image.file);
		}
		const knowledge = await run.knowledge();
		const evidence = await knowledge.evidence(of.id);
		return evidence && knowledge.file(evidence, "picture");
	}

	const reviews = studioReviews(
		{
			media,
			async show(name) {
				const run = await shown(name);
				return {
					...{ dir: run.dir, id: run.manifest.id, evidence: run.evidence },
					record: (key) => recordOf(run, key),
					verdicts: () => verdictsOf(run.dir, bench),
				};
			},
		},
		bench,
	);

	/** The page of a run; what its answers come to is kept beside its index, since it takes long over many. */
	async function pageOf(run: Shown): Promise<RunPage> {
		const file = join(run.dir, "index", "page.json");
		const of = sha256(JSON.stringify([run.rules, run.index.bytes, run.stamp]));
		const own = await line(run.manifest.id);
		if (scorers.length === 0) {
			const kept = await readJson(file, KeptPage).catch(() => undefined);
			if (kept?.of === of) return { ...kept.page, line: own };
		}
		const { tasks } = await run.benchmark();
		const page = runPage({ ...run, tasks, added: scorers, line: own });
		if (scorers.length === 0) await writeJson(file, { of, page }).catch(() => undefined);
		return page;
	}

	const sources = studioSources(bench);

	return {
		sources,
		compare: comparing.page,
		comparable: comparing.groups,
		sample: comparing.sample,
		comparedRows: comparing.rows,
		comparedNext: comparing.next,
		reviews,
		/** The id of the run that a name, the beginning of one, or `@last` means. */
		idOf: async (name: string): Promise<string> => basename(await locate(workspace, "runs", name)),
		/** The share of a run's index that is made; undefined where it is there, or not begun. */
		indexing: async (name: string): Promise<number | undefined> => indexing.get(await locate(workspace, "runs", name)),
		legend: async () => legend(),
		async runs(): Promise<RunsPage> {
			const { runs } = await listRuns({ all: true }, bench);
			return { workspace: workspace.dir, runs: await Promise.all(runs.map((run) => lineOf(run, bench))), live: true };
		},
		async run(name: string): Promise<RunPage> {
			return pageOf(await shown(name));
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
			const { rows } = await selected(run, query);
			const wrong = { ...query, where: `${query.where} -outcome:right,partly-right` };
			const among = failures ? (await selected(run, wrong)).rows : undefined;
			const index = besideIn(rows, { from: rowNamed(run, from), step, among });
			const row = index === undefined ? undefined : rows[index];
			if (index === undefined || row === undefined) return null;
			return { task: taskIdAt(run.table, row), repeat: run.table.numbers.get("repeat")?.[row] ?? 0, index };
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
		...reported.verbs,
		/** All that an export holds of a run apart from its tasks; of some tasks alone where they are named. */
		async whole(name: string, tasks?: ReadonlySet<string>) {
			const run = sampled(await shown(name), tasks);
			const repeats = run.table.numbers.get("repeat");
			const keys = Array.from(
				{ length: run.table.rows },
				(_, row): TaskKey => ({
					task: taskIdAt(run.table, row),
					repeat: repeats?.[row] ?? 0,
				}),
			);
			const page = await pageOf(await shown(name));
			return { page, table: run.table, facets: run.facets, keys };
		},
		async rowAt(name: string, row: number, tasks?: ReadonlySet<string>): Promise<Row> {
			return rowOf(row, sampled(await shown(name), tasks).table);
		},
		media,
		/** Says what of a run may have changed: equal stamps, equal pages. */
		stamp: async (name: string) => stampOf(await locate(workspace, "runs", name)),
		async close(): Promise<void> {
			reported.close();
			reviews.close();
			sources.close();
			for (const run of open.values()) await run.then(({ close }) => close()).catch(() => undefined);
		},
	};
}

/** A run with the answers to some of its tasks. */
function sampled(run: Shown, tasks: ReadonlySet<string> | undefined): Shown {
	if (!tasks) return run;
	const rows = Array.from({ length: run.table.rows }, (_, row) => row);
	const table = someRows(run.table, Uint32Array.from(rows.filter((row) => tasks.has(taskIdAt(run.table, row)))));
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
