import type { DocumentReport } from "#domain";
import { inWords } from "../captions.ts";
import { addPage } from "../document-page.ts";
import type { Budget } from "./limits.ts";
import { isDocument, type Job } from "./plan-reading.ts";
import { ReaderDied, type ReadingPool } from "./process-pool.ts";
import { keepUnit, type ReadingPlace, reportOf, type UnitReport } from "./read-unit.ts";
import { run } from "./reading-task.ts";
import { type HashedFile, type Unit, unitOf } from "./unit.ts";

/** What a unit gave: keys of what is kept of it, in reading order. */
export interface Reading {
	keys: string[];
	files: UnitReport["files"];
}

/** Larger files are not parsed in the command's own process. */
const largestHere = 8 * 1024 * 1024;
const limits = { least: 120_000, page: 30_000 };

interface Around {
	place: ReadingPlace;
	pool: ReadingPool;
	signal?: AbortSignal | undefined;
}

/** Reads one unit of a job, or finds it read. */
export async function readUnitOf(job: Job, unit: Unit, around: Around): Promise<Reading> {
	const { place, pool, signal } = around;
	const { budget } = job;
	signal?.throwIfAborted();
	const cut = cutUnit(unit, place);
	for (const { key } of [unit, cut]) {
		const known = await reportOf(place, key);
		if (known) return { keys: [key], files: known.files };
	}
	if (job.pages !== undefined && budget && budget.spent > budget.allowed)
		return failed(job, cut, place, `not read: ${overBudget(budget)}`);
	const [file] = unit.files;
	const apart = job.reader.isolated || job.units.length > 1 || (file?.size ?? 0) > largestHere;
	const skip = [...job.skip];
	const { from, to } = unit.part ?? { from: 0, to: 0 };
	const isCut = skip.some(([page]) => page === 0 || (page >= from && page < to));
	const task = { do: "read" as const, unit: isCut ? cut : unit, place, ...(isCut ? { skip } : {}) };
	try {
		const pages = job.pages !== undefined && unit.part ? to - from : 20;
		const ms = limits.least + limits.page * pages;
		const bounds = { ms, ...(isDocument(job.reader) ? { limits: place.limits } : {}), budget };
		const { files } = apart ? await pool.run(task, bounds) : await run(task, { signal });
		return { keys: [task.unit.key], files };
	} catch (error) {
		if (!(error instanceof ReaderDied)) throw error;
		return afterDeath(job, unit, around, error);
	}
}

/** What goes over limits is kept under them: with others it is read anew. */
const cutUnit = ({ tool, files, part }: Unit, place: ReadingPlace) =>
	unitOf(tool, files, { ...place.options, limits: place.limits }, part);

const overBudget = ({ allowed }: Budget) =>
	`its document took more than ${Math.round(allowed)} s of processor time (--document-seconds)`;

/**
 * What can be saved of a unit whose reader died. A page that is known to have done it is kept as failed and the others are
 * read again without it; where the document took too long, so is what follows. Of several pages or files where it is not
 * known each half is tried by itself, and any other file is told as not read.
 */
async function afterDeath(
	job: Job,
	unit: Unit,
	around: Around,
	{ message: reason, point, overBudget }: ReaderDied,
): Promise<Reading> {
	const { place } = around;
	const { part } = unit;
	const [file] = unit.files;
	if (!file) return { keys: [], files: [] };
	if (unit.files.length > 1) return afterFile(job, unit, around, { reason, at: point?.file });
	if (job.pages === undefined || part === undefined) return notRead(file, unit.tool, reason);
	const page = point?.page;
	if (overBudget) {
		const from = Math.max(part.from, page ?? part.from);
		const rest = failed(job, cutUnit({ ...unit, part: { from, to: part.to } }, place), place, `not read: ${reason}`);
		if (from === part.from) return rest;
		const before = { ...part, to: from };
		// its time is paid: no more than what was read in it is read again
		const { budget: _, ...unbound } = job;
		return joinedReadings([await readUnitOf(unbound, cutUnit({ ...unit, part: before }, place), around), await rest]);
	}
	if (page !== undefined && !job.skip.has(page)) {
		job.skip.set(page, reason);
		return readUnitOf(job, unit, around);
	}
	const half = (part.from + part.to) >> 1;
	if (half > part.from) {
		const pieces = [
			{ from: part.from, to: half },
			{ from: half, to: part.to },
		];
		const readings: Reading[] = [];
		for (const piece of pieces)
			readings.push(await readUnitOf(job, unitOf(unit.tool, unit.files, place.options, piece), around));
		return joinedReadings(readings);
	}
	return failed(job, unit, place, reason);
}

/** Of several files the one that did it is told as not read; where that is not known, each half is tried by itself. */
async function afterFile(
	job: Job,
	{ tool, files }: Unit,
	around: Around,
	{ reason, at }: { reason: string; at: number | undefined },
): Promise<Reading> {
	const half = files.length >> 1;
	const pieces =
		at === undefined ? [files.slice(0, half), files.slice(half)] : [files.slice(0, at), files.slice(at + 1)];
	const readings: Reading[] = [];
	for (const piece of pieces.filter(({ length }) => length > 0))
		readings.push(await readUnitOf(job, unitOf(tool, piece, around.place.options), around));
	const culprit = at === undefined ? undefined : files[at];
	return joinedReadings(culprit ? [...readings, notRead(culprit, tool, reason)] : readings);
}

function notRead({ label, sha256 }: HashedFile, tool: string, reason: string): Reading {
	const counts = { passage: 0, page: 0, image: 0 };
	const problems = [{ at: "", message: `${reason}; not read` }];
	return { keys: [], files: [{ source: label, sha256, tool, counts, problems }] };
}

const joinedReadings = (readings: Reading[]): Reading => ({
	keys: readings.flatMap(({ keys }) => keys),
	files: readings.flatMap(({ files }) => files),
});

/** All pages of a unit as failed ones: every page of a document comes out. */
async function failed(job: Job, unit: Unit, place: ReadingPlace, reason: string): Promise<Reading> {
	const { part, files, tool } = unit;
	const [file] = files;
	if (!file || !part) return { keys: [], files: [] };
	const about = { file, title: inWords(file.label), tool };
	const report = await keepUnit(unit, place, async (context) => {
		for (let page = part.from; page < part.to; page += 1)
			addPage(about, { page, blocks: [], status: { is: "failed", reason: job.skip.get(page) ?? reason } }, "", context);
		return {};
	});
	return { keys: [unit.key], files: report.files };
}

/** Reports of one file's parts, by file, in order of name. */
export function bySource(files: UnitReport["files"]): Map<string, Omit<DocumentReport, "status">[]> {
	const sources = new Map<string, UnitReport["files"]>();
	for (const file of files) {
		const parts = sources.get(file.source);
		if (parts) parts.push(file);
		else sources.set(file.source, [file]);
	}
	return new Map([...sources].sort(([a], [b]) => (a < b ? -1 : 1)));
}
