import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DocumentReport, HopscopeError } from "#domain";
import { readJson, sha256File, writeJson } from "#store";
import { readCaptions } from "../captions.ts";
import type { Characters, ReadContext, ReadingOptions } from "../reader.ts";
import { readerNamed } from "../readers.ts";
import { inOrder, writeRun } from "../sorted-runs.ts";
import { duplicateId, evidenceJson, kindOf } from "../write-corpus.ts";
import type { ReadingLimits, ReadingPoint } from "./limits.ts";
import type { HashedFile, Unit } from "./unit.ts";

/** Where readings are kept until they make a corpus, and beyond, so that what did not change is not read again. */
export interface ReadingPlace {
	/** Holds `images/` and `sheaves/`. */
	dir: string;
	options: ReadingOptions;
	limits: ReadingLimits;
}

/** How reading is told and cut. */
export interface Reporting {
	/** Told before each file and page. */
	begin?(point: ReadingPoint): void;
	/** Pages that are not read, and why. */
	skip?: ReadonlyMap<number, string>;
	signal?: AbortSignal | undefined;
}

const UnitReport = z.object({
	files: z.array(DocumentReport.omit({ status: true })),
	/** SHA-256 of the evidence's file; an earlier version wrote none down. */
	sha256: z.string().optional(),
});
export type UnitReport = z.infer<typeof UnitReport>;

/** Problems told of one file; a file of a million bad lines says the rest in one. */
const mostProblems = 100;

/** The evidence of a unit, in order of id. */
export const sheafFile = (place: ReadingPlace, key: string) => join(place.dir, "sheaves", `${key}.jsonl`);
const reportFile = (place: ReadingPlace, key: string) => join(place.dir, "sheaves", `${key}.json`);
/** What is kept of a unit. */
export const sheafFiles = (place: ReadingPlace, key: string) => [sheafFile(place, key), reportFile(place, key)];

/** The report of a unit that was read wholly before, and whose evidence stands as it was written. */
export async function reportOf(place: ReadingPlace, key: string): Promise<UnitReport | undefined> {
	try {
		const report = await readJson(reportFile(place, key), UnitReport);
		const hash = await sha256File(sheafFile(place, key));
		return report.sha256 === undefined || report.sha256 === hash ? report : undefined;
	} catch {
		return undefined;
	}
}

/** Reads the files of a unit and keeps what they gave; a file that cannot be read is a problem in its report. */
export function readUnit(unit: Unit, place: ReadingPlace, how: Reporting = {}): Promise<UnitReport> {
	const reader = readerNamed(unit.tool);
	return keepUnit(unit, place, (context, file) => reader.read(file, context, unit.part), how);
}

type Read = (context: ReadContext, file: HashedFile) => Promise<{ characters?: Characters }>;

/** Keeps what `read` gives of each file of a unit. */
export async function keepUnit(unit: Unit, place: ReadingPlace, read: Read, how: Reporting = {}): Promise<UnitReport> {
	await mkdir(join(place.dir, "sheaves"), { recursive: true });
	const run = new Map<string, string>();
	const folders: Folders = new Map();
	const files: UnitReport["files"] = [];
	for (const [index, file] of unit.files.entries()) {
		how.signal?.throwIfAborted();
		how.begin?.({ file: index });
		files.push(await readOne(file, read, { unit, place, run, folders, index, how }));
	}
	const sha256 = await writeRun(sheafFile(place, unit.key), inOrder(run));
	// the report comes last: it says that the unit is whole
	const report = { files, sha256 };
	await writeJson(reportFile(place, unit.key), report);
	return report;
}

/** Captions by folder, read once a unit. */
type Folders = Map<string, ReturnType<ReadContext["captions"]>>;

async function readOne(
	file: HashedFile,
	read: Read,
	within: {
		unit: Unit;
		place: ReadingPlace;
		run: Map<string, string>;
		folders: Folders;
		index: number;
		how: Reporting;
	},
): Promise<UnitReport["files"][number]> {
	const { unit, place, run, folders, index, how } = within;
	const { signal } = how;
	const counts = { passage: 0, page: 0, image: 0 };
	const pages = { ok: 0, partly: 0, failed: 0 };
	const problems: { at: string; message: string }[] = [];
	let untold = 0;
	const problem = (message: string, at = "") => {
		if (problems.length < mostProblems) problems.push({ at, message });
		else untold += 1;
	};
	const context: ReadContext = {
		dir: place.dir,
		options: place.options,
		add(evidence) {
			const json = evidenceJson(evidence);
			if (run.has(evidence.id)) throw duplicateId(evidence.id);
			run.set(evidence.id, json);
			counts[kindOf(json)] += 1;
			if (evidence.kind !== "page") return;
			const status = evidence.status ?? { is: "ok" };
			pages[status.is] += 1;
			if (status.is !== "ok") problem(status.reason, `, page ${evidence.page + 1}`);
		},
		problem,
		begin: (page, recognised = false) => how.begin?.({ file: index, page, recognised }),
		skipped: (page) => how.skip?.get(page),
		captions(folder) {
			const known = folders.get(folder) ?? readCaptions(folder, (message) => problem(message));
			folders.set(folder, known);
			return known;
		},
		...(signal ? { signal } : {}),
	};
	let characters: Characters | undefined;
	try {
		characters = (await read(context, file)).characters;
	} catch (error) {
		signal?.throwIfAborted();
		const message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
		problem(
			error instanceof HopscopeError && error.code === "duplicate-id" ? `${message}; the later is left out` : message,
		);
	}
	if (untold > 0) problems.push({ at: "", message: `and ${untold} more problems` });
	return {
		source: file.label,
		sha256: file.sha256,
		tool: unit.tool,
		...(counts.page > 0 ? { pages: { count: counts.page, ...pages } } : {}),
		counts,
		...(characters ? { characters } : {}),
		problems,
	};
}
