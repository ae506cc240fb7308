import { readFile } from "node:fs/promises";
import { usageError } from "#domain";
import { fileInside, realPath } from "#store";
import { sourceRoot } from "../html/local-image.ts";
import { readerNamed } from "../readers.ts";
import { hash } from "./plan-reading.ts";
import { createReadingPool, ReaderDied } from "./process-pool.ts";
import { type ReadingPlace, reportOf } from "./read-unit.ts";
import { nonceFile, readingFolder } from "./reading-folder.ts";
import type { AnnouncedReading, ReadingJob, ReadingOutcome } from "./reading-job.ts";
import type { ReadingTask } from "./reading-task.ts";
import type { HashedFile } from "./unit.ts";

/**
 * Reads parts of sources for a command on another machine, into the folder beside the corpus that both have. Only files
 * within `folders` are opened: what is announced is somebody else's word.
 */
export async function openReading(
	{ nonce, roots, options, limits }: AnnouncedReading,
	{ corpus, folders, signal }: { corpus: string; folders: readonly string[]; signal: AbortSignal },
) {
	for (const root of roots)
		if (!isWithin(folders, root))
			throw usageError(
				"source-not-allowed",
				folders.length === 0
					? "this worker's user named no folder whose documents it may read"
					: `${root} is in none of the folders that this worker may read`,
				`If it is there and may be read, say so: --sources ${root}.`,
			);
	const place: ReadingPlace = { dir: readingFolder(corpus), options, limits };
	const found = await readFile(nonceFile(place.dir), "utf8").catch(() => undefined);
	if (found !== nonce)
		throw usageError(
			"worker-lacks",
			`${place.dir} is not the folder in which the index keeps what is read`,
			"Share the workspace folder of the index, and name it with --workspace.",
		);
	const pool = createReadingPool(signal);
	const checked = new Map<string, Promise<boolean>>();

	/** Whether it is the file that the command saw, hashed once. */
	const isSame = (file: HashedFile, tool: string) => {
		const key = JSON.stringify([file.path, file.sha256, file.sides]);
		const known = checked.get(key) ?? compare(file, tool);
		checked.set(key, known);
		return known;
	};
	async function compare(file: HashedFile, tool: string): Promise<boolean> {
		try {
			const now = await hash(file, readerNamed(tool));
			return now.sha256 === file.sha256 && now.sides === file.sides;
		} catch {
			return false;
		}
	}

	async function answer(job: ReadingJob): Promise<ReadingOutcome> {
		const { ms, limits, budget: said } = job;
		const [files, tool] = job.do === "plan" ? [[job.file], job.tool] : [job.unit.files, job.unit.tool];
		for (const file of files as HashedFile[]) {
			if (!isWithin(folders, file.path) || !(file.folder || isWithin(folders, sourceRoot(file))))
				return { is: { is: "unable", reason: `${file.label} is in no folder that a worker may read` } };
			if (!(await isSame(file, tool)))
				return { is: { is: "unable", reason: `${file.label} is another file where a worker looked` } };
		}
		if (job.do === "read" && (await reportOf(place, job.unit.key))) return { is: { is: "read" } };
		const budget = said && { ...said, earned: new Set(said.earned) };
		const { ms: _ms, limits: _limits, budget: _budget, ...rest } = job;
		const task = (rest.do === "read" ? { ...rest, place } : rest) as ReadingTask;
		const outcome = await pool.run(task, { ms, limits, budget }).then(
			(value): ReadingOutcome["is"] => ("parts" in value ? { is: "planned", ...value } : { is: "read" }),
			(error: unknown) => {
				signal.throwIfAborted();
				return problemOf(error);
			},
		);
		if (!said || !budget) return { is: outcome };
		const before = new Set(said.earned);
		return {
			spent: Math.max(0, budget.spent - said.spent),
			earned: [...budget.earned].filter((key) => !before.has(key)),
			is: outcome,
		};
	}
	return { answer, close: async () => pool.close() };
}

function problemOf(error: unknown): ReadingOutcome["is"] {
	if (!(error instanceof ReaderDied))
		return { is: "problem", message: error instanceof Error ? error.message : String(error) };
	const { message: reason, point, overBudget } = error;
	return { is: "died", reason, overBudget, ...(point ? { point } : {}) };
}

/** Whether a path is one of the folders or lies in one, links followed. */
function isWithin(folders: readonly string[], path: string): boolean {
	return folders.some((folder) => {
		try {
			return fileInside(folder, path) !== undefined || realPath(folder) === realPath(path);
		} catch {
			return false;
		}
	});
}
