import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { attemptKey, clip, usageError, type Verdict } from "#domain";
import { isIllFormed, type Scorer } from "#scoring";
import { fileInside, isLocked, readJson, sha256, writeJson } from "#store";
import {
	besideIn,
	facetWords,
	legend,
	type MessagesPage,
	mediaNamed,
	type NextQuery,
	type PlacedTask,
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
import { listRuns, type RunSummary, summariseRun } from "../manage-runs.ts";
import { readWhenChanged } from "../read-when-changed.ts";
import { createRetired } from "../retired.ts";
import { readVerdicts, verdictsFile } from "../verdict-file.ts";
import type { Bench } from "../work.ts";
import { type AccuracySoFar, createAccuracySoFar } from "./accuracy-so-far.ts";
import { createComparing } from "./compare.ts";
import { goldFreeReadings } from "./gold-free.ts";
import { studioManage } from "./manage.ts";
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
	/** Folders of runs that are shown under their folders' names, wherever they stand, beside those of the workspace. */
	runs?: readonly string[] | undefined;
	/** Whether tables are made in a process of their own, so that others are answered meanwhile; so where nothing is said. */
	apart?: boolean | undefined;
}

/** A name of a run and no path: what is asked for over the network stays within the workspace. */
const isName = (text: string): boolean => /^[\p{L}\p{N}@][\p{L}\p{N}._@+-]{0,120}$/u.test(text);

/** Opens the data of the studio; what it opened, `close` lets go of. */
export async function openStudio(
	{ command = (text) => `hopscope ${text}`, scorers = [], runs: folders = [], apart = true }: StudioOptions,
	bench: Bench,
) {
	const { workspace } = bench;
	const given = byName(folders);

	/** The folder of the run that a name, the beginning of one, or `@last` means. */
	async function dirOf(name: string): Promise<string> {
		const dir = given.get(name);
		if (dir !== undefined) return dir;
		if (isName(name)) return locate(workspace, "runs", name);
		throw usageError("unknown-run", `there is no run "${clip(name, 80)}"`, "The list of runs has their names.");
	}

	const reported = openReported({ command, scorers, apart, dirOf }, bench);
	const open = new Map<string, Promise<Shown>>();
	const retired = createRetired();
	/** Runs whose index is being made, with the share that is done. */
	const indexing = new Map<string, number>();

	/** The run as it is now: what was read of it before is extended, by one request at a time. */
	async function shown(name: string): Promise<Shown> {
		const dir = await dirOf(name);
		const before = open.get(dir);
		const run = refreshed(dir, before);
		open.delete(dir);
		open.set(dir, run);
		for (const [oldest, unused] of open) {
			if (open.size <= mostOpen) break;
			open.delete(oldest);
			retired.add(unused);
		}
		return run;
	}

	async function refreshed(dir: string, reading: Promise<Shown> | undefined): Promise<Shown> {
		const before = await reading?.catch(() => undefined);
		const stamp = await stampOf(dir);
		if (before?.stamp === stamp) return before;
		const onProgress = (share: number) => indexing.set(dir, share);
		return openShown(dir, { stamp, before, scorers, onProgress }, bench).finally(() => indexing.delete(dir));
	}

	const soFar = createAccuracySoFar(shown);
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
		const line = await lineOf(run.dir, await summariseRun(run.dir, bench));
		if (scorers.length === 0) {
			const kept = await readJson(file, KeptPage).catch(() => undefined);
			if (kept?.of === of) return { ...kept.page, line: { ...line, accuracy: kept.page.line.accuracy } };
		}
		const { tasks } = await run.benchmark();
		const page = runPage({ ...run, tasks, added: scorers, line });
		if (scorers.length === 0) await writeJson(file, { of, page }).catch(() => undefined);
		return page;
	}

	const readingOf = goldFreeReadings();
	const verdictsIn = readWhenChanged(verdictsFile, (_, dir) => verdictsOf(dir, bench));
	async function answerPage(name: string, key: TaskKey) {
		const run = await shown(name);
		const { record, row, task, diagnosis } = await answerOf(run, key);
		const verdicts = ((await verdictsIn(run.dir)) ?? []).filter((one) => attemptKey(one) === attemptKey(record));
		const { manifest, evidence } = run;
		const reading = task.chain ? undefined : await readingOf(run, { task, record });
		const page = await taskPage({ manifest, task, record, row, diagnosis, verdicts, reading, evidence });
		return { page, record, task };
	}
	const sources = studioSources(bench);
	const manage = studioManage(given, bench);

	return {
		sources,
		manage,
		compare: comparing.page,
		comparable: comparing.groups,
		sample: comparing.sample,
		comparedRows: comparing.rows,
		comparedNext: comparing.next,
		reviews,
		/** The id of the run that a name, the beginning of one, or `@last` means. */
		idOf: async (name: string): Promise<string> => basename(await dirOf(name)),
		/** The share of a run's index that is made; undefined where it is there, or not begun. */
		indexing: async (name: string): Promise<number | undefined> => indexing.get(await dirOf(name)),
		legend: async () => legend(),
		async runs(): Promise<RunsPage> {
			const { runs } = await listRuns({ all: true }, bench);
			const elsewhere = [...given.values()].filter((dir) => dirname(dir) !== join(workspace.dir, "runs"));
			const lines = await Promise.all([
				...elsewhere.map(async (dir) => lineOf(dir, await summariseRun(dir, bench), soFar)),
				...runs.map((run) => lineOf(workspace.run(run.id), run, soFar)),
			]);
			return { workspace: workspace.dir, runs: lines, live: true, working: soFar.working() };
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
			return (await answerPage(name, key)).page;
		},
		/** A task with its first messages, for an export. */
		async wholeTask(name: string, key: TaskKey, { messages: most }: { messages: number }) {
			const { page, record, task } = await answerPage(name, key);
			return { page, messages: messageViews(record.trajectory.messages.slice(0, most), task) };
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
			const run = await shown(name);
			const { table, facets } = sampled(run, tasks);
			const repeats = table.numbers.get("repeat");
			const at = Array.from({ length: table.rows }, (_, row) => row);
			const keys = at.map((row): TaskKey => ({ task: taskIdAt(table, row), repeat: repeats?.[row] ?? 0 }));
			const { benchmark, knowledge } = run.manifest;
			const sources = `${benchmark.hash} ${knowledge.hash}`;
			return { page: await pageOf(run), table, facets, keys, rows: at.map((row) => rowOf(row, table)), sources };
		},
		media,
		/** Says what of a run may have changed: equal stamps, equal pages. */
		stamp: async (name: string) => stampOf(await dirOf(name)),
		async close(): Promise<void> {
			await reported.close();
			await reviews.close();
			await sources.close();
			await retired.close(open.values());
		},
	};
}

/** Folders by their names; two of one name could not be told apart. */
function byName(folders: readonly string[]): Map<string, string> {
	const dirs = new Map<string, string>();
	for (const dir of new Set(folders.map((folder) => resolve(folder)))) {
		const name = basename(dir);
		if (dirs.has(name))
			throw usageError("same-name", `two runs are called ${clip(name, 80)}`, "Show them one after the other.");
		dirs.set(name, dir);
	}
	return dirs;
}

/** The answers to some of a run's tasks; all where none are named. */
function sampled({ table, facets }: Pick<Shown, "table" | "facets">, tasks: ReadonlySet<string> | undefined) {
	if (!tasks) return { table, facets };
	const rows = Array.from({ length: table.rows }, (_, row) => row);
	const some = someRows(table, Uint32Array.from(rows.filter((row) => tasks.has(taskIdAt(table, row)))));
	return { table: some, facets: facetWords(some) };
}

/** A run of the list; how good one is whose scores are not on disk, `soFar` says, where it is given. */
async function lineOf(dir: string, run: RunSummary, soFar?: AccuracySoFar): Promise<RunLine> {
	const { usage, interval } = run;
	const live = run.done < run.total && (await isLocked(dir));
	const { tasks: n, ...spread } = interval;
	// scores are written when a run ends
	const worked = live || run.accuracy === null ? await soFar?.of(run) : undefined;
	return {
		id: run.id,
		at: run.at,
		agent: run.agent,
		model: run.model,
		benchmark: run.benchmark,
		intervention: run.intervention,
		done: run.done,
		errors: run.errors,
		total: run.total,
		live,
		accuracy: worked ?? { value: run.accuracy, ...spread, n },
		form: { ...run.form, ill: isIllFormed(run.form) },
		latency: run.latency,
		calls: usage.calls,
		tokens: usage.inputTokens + usage.outputTokens,
		cost: usage.cost ?? null,
		currency: run.currency,
		tags: run.tags,
	};
}

const verdictsOf = (dir: string, bench: Bench): Promise<Verdict[]> => readVerdicts(dir, bench.say).catch(() => []);
