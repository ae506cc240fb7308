import { mkdir, readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { type Trace, type TranscriptFormatName, tracesIn, transcriptFormatOf } from "#benchmarks";
import { type DriftOptions, type DriftReport, driftOf, flagCounts, readWithoutGold, WatchedTrace } from "#diagnosis";
import { counted, usageError } from "#domain";
import { lockedFolder, openAppender, readAllJsonl, sha256 } from "#store";
import type { Bench } from "./work.ts";

export interface WatchOptions extends Omit<DriftOptions, "today"> {
	/** Names what is kept of the folder; by default after the folder. */
	name?: string | undefined;
	/** The form of all its files; by default told from each. */
	form?: TranscriptFormatName | undefined;
	/** The day that is not over, UTC; by default today. */
	today?: string | undefined;
}

/** What was seen in a watched folder. */
export interface Watched extends DriftReport {
	folder: string;
	traces: number;
	/** Traces that were read now, files with traces, and files that are of no known form. */
	added: number;
	files: number;
	unknown: number;
	/** Parts of files that could not be read. */
	refused: number;
	/** Where what is kept of the traces stands. */
	kept: string;
}

/** A file as it was read: read again only when its size or age is another. */
const WatchedFile = z.object({
	version: z.literal(1),
	file: z.string(),
	stamp: z.string(),
	/** Null: of no known form. */
	form: z.string().nullable(),
	refused: z.number().int().min(0),
});
type WatchedFile = z.infer<typeof WatchedFile>;

const mostFiles = 100_000;
/** A longer file is left out. */
const mostBytes = 1024 ** 3;

/**
 * Reads what is new in a folder of traces, keeps of each what its records show without gold, and says by day whether flags
 * rose. A trace that stands in several files, or in a file that was read before, counts once; one that grew since counts as it
 * is now, on its first day.
 */
export async function watchTraces(folder: string, options: WatchOptions, bench: Bench): Promise<Watched> {
	const dir = resolve(folder);
	const found = await stat(dir).catch(() => undefined);
	if (!found?.isDirectory())
		throw usageError("no-folder", `there is no folder ${folder}`, "Name the folder that traces fall into as files.");
	const own = `${basename(dir).replaceAll(/[^\p{L}\p{N}._-]/gu, "_") || "folder"}-${sha256(dir).slice(0, 8)}`;
	const kept = bench.workspace.watched(options.name ?? own);
	await mkdir(kept, { recursive: true });
	return lockedFolder(kept, async () => {
		const [tracesFile, filesFile] = [join(kept, "traces.jsonl"), join(kept, "files.jsonl")];
		const read = { ifThere: true, onTorn: bench.say };
		const traces = new Map(
			(await readAllJsonl(tracesFile, WatchedTrace, read)).map((trace) => [trace.trace, trace] as const),
		);
		const files = new Map((await readAllJsonl(filesFile, WatchedFile, read)).map((file) => [file.file, file] as const));
		const appended = { traces: await openAppender(tracesFile), files: await openAppender(filesFile) };
		const before = traces.size;
		try {
			for await (const { name, stamp, day } of changedIn(dir, files, bench.say)) {
				bench.signal.throwIfAborted();
				const file = await readOne(join(dir, name), options, bench);
				for (const trace of file.traces) {
					const line = await watchedOf(trace, traces.get(trace.key)?.day ?? day);
					if (JSON.stringify(traces.get(trace.key)) === JSON.stringify(line)) continue;
					traces.set(line.trace, line);
					await appended.traces.append(line);
				}
				// last, so that what a killed process left half read is read again
				const line: WatchedFile = { version: 1, file: name, stamp, form: file.form, refused: file.refused };
				files.set(name, line);
				await appended.files.append(line);
			}
		} finally {
			await appended.traces.close();
			await appended.files.close();
		}
		const of = [...files.values()];
		const today = options.today ?? new Date().toISOString().slice(0, 10);
		return {
			...{ folder: dir, kept, traces: traces.size, added: traces.size - before },
			files: of.filter(({ form }) => form !== null).length,
			unknown: of.filter(({ form }) => form === null).length,
			refused: of.reduce((sum, { refused }) => sum + refused, 0),
			...driftOf([...traces.values()], { ...options, today }),
		};
	});
}

/** The files of a folder and its subfolders that are new or have changed, with the day of their age, UTC. */
async function* changedIn(dir: string, known: ReadonlyMap<string, WatchedFile>, say: (text: string) => void) {
	const entries = await readdir(dir, { recursive: true, withFileTypes: true });
	const names = entries
		.filter((entry) => entry.isFile() && !entry.name.startsWith("."))
		.map(({ parentPath, name }) => join(parentPath, name).slice(dir.length + 1))
		.sort();
	if (names.length > mostFiles) say(`of ${names.length} files the first ${mostFiles} are read`);
	for (const name of names.slice(0, mostFiles)) {
		// what was taken away meanwhile is none
		const about = await stat(join(dir, name)).catch(() => undefined);
		if (!about) continue;
		const stamp = `${about.size}-${about.mtimeMs}`;
		if (about.size > mostBytes) say(`${name} is left out: it has more than ${mostBytes} bytes`);
		else if (known.get(name)?.stamp !== stamp) yield { name, stamp, day: about.mtime.toISOString().slice(0, 10) };
	}
}

async function readOne(path: string, { form: named }: WatchOptions, { say }: Bench) {
	const none = { form: null, traces: [] as Trace[], refused: 0 };
	try {
		const form = named ?? (await transcriptFormatOf(path));
		if (form === undefined) return none;
		const { traces, refused } = await tracesIn(path, form);
		for (const { place, reason } of refused.slice(0, 3)) say(`${basename(path)}, ${place}: ${reason}; left out`);
		if (refused.length > 3) say(`${basename(path)}: and ${counted(refused.length - 3, "more part")} left out`);
		return { form, traces, refused: refused.length };
	} catch (error) {
		say(`${basename(path)} cannot be read (${error instanceof Error ? error.message : String(error)}); left out`);
		return none;
	}
}

async function watchedOf(
	{ key, question, language, at, trajectory, evidence }: Trace,
	day: string,
): Promise<WatchedTrace> {
	const reading = await readWithoutGold(trajectory, { question, language, evidence: async (id) => evidence.get(id) });
	const { actions, readable } = reading.format;
	return {
		...{ version: 1, trace: key, day: at?.slice(0, 10) ?? day },
		counts: [...flagCounts(reading), { flag: "unreadable-action", count: actions - readable, of: actions }],
	};
}
