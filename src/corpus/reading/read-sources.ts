import { randomBytes } from "node:crypto";
import { copyFile, link, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
	type CorpusManifest,
	type DocumentReport,
	type Evidence,
	type HopscopeError,
	pageNamed,
	usageError,
} from "#domain";
import { realPath, replaceFolder, writeJsonl } from "#store";
import { atOnce } from "../at-once.ts";
import { documentsName, manifestName, openCorpus } from "../corpus.ts";
import { findFiles, rootsOf, type SourceFile } from "../find-files.ts";
import { htmlInPages } from "../html/html-reader.ts";
import { pagingRule } from "../html/pages-by-length.ts";
import { image, scan } from "../image-reader.ts";
import { detectionRule, type FoundFolders, findPageFolders, folderOf } from "../page-folders/find-page-folders.ts";
import { defaultReading, type ReadingOptions } from "../reader.ts";
import { readExtensions } from "../readers.ts";
import { type Entry, mergeRuns } from "../sorted-runs.ts";
import { duplicateId, kindOf, writeCorpus } from "../write-corpus.ts";
import { defaultLimits, type ReadingLimits } from "./limits.ts";
import { type Job, planFileOf, planReading, type Refused } from "./plan-reading.ts";
import { createReadingPool, type ReadingPool } from "./process-pool.ts";
import { type OpenReadersElsewhere, poolElsewhere } from "./read-elsewhere.ts";
import { bySource, readUnitOf } from "./read-job.ts";
import { type ReadingPlace, sheafFile, sheafFiles, type UnitReport } from "./read-unit.ts";
import { nonceFile, readingFolder } from "./reading-folder.ts";
import { joined, type Unit } from "./unit.ts";

/** Something in a source that could not be read; the rest was. */
export interface SourceProblem {
	/** The file, by its label in ids, with a line or page where that helps. */
	source: string;
	message: string;
}

export interface ReadOptions extends Partial<ReadingOptions> {
	/** Folders of page pictures that are documents, or hold such; false: none. Without it they are detected. */
	pageFolders?: readonly string[] | false | undefined;
	/**
	 * HTML in pages by length, or a file one page. Without it as the corpus that is replaced has it, so that the ids of its
	 * evidence stay; in pages where that holds no HTML, or there is none.
	 */
	htmlPages?: boolean | undefined;
	/** What one document may take of the machine. */
	limits?: Partial<ReadingLimits> | undefined;
	onProblem(problem: SourceProblem): void;
	/** What was decided for the person: folders taken for documents, HTML left in one page. */
	onNote?(note: string): void;
	/** Checked: files; read: pages of what has pages, else files or parts of long ones. */
	onProgress?: (progress: { stage: "checked" | "read"; done: number; total: number }) => void;
	/** Opens those on other machines who read; without it processes on this one do. */
	elsewhere?: OpenReadersElsewhere | undefined;
	signal?: AbortSignal;
}

/**
 * Reads files and folders into the corpus `target.dir`. Reading is parallel; what was read is kept in a folder beside it
 * (`.NAME.reading`), so that an interrupted reading resumes where it stopped and only changed files are read again. The
 * new corpus replaces the old one when it is whole. Bad items are told to `onProblem` and never stop the rest; a missing
 * path, or nothing readable at all, is an error (exit 2).
 */
export async function readSources(
	paths: string[],
	target: { dir: string; name: string },
	options: ReadOptions,
): Promise<CorpusManifest> {
	const { onProblem, onProgress, signal } = options;
	const there = await findFiles(paths, onProblem);
	const before = await readBefore(target.dir);
	const found = await findPageFolders(there, { named: options.pageFolders ?? [], apart: before.pictures });
	const { files } = found;
	found.problems.forEach(onProblem);
	for (const note of found.notes) options.onNote?.(note);
	const htmlPages = options.htmlPages ?? !before.wholeHtml;
	if (!htmlPages && options.htmlPages === undefined && files.some(({ label }) => /\.x?html?$/i.test(label)))
		options.onNote?.("HTML stays one page a file, as it was indexed before: --html-pages gives it pages, and new ids");
	const { dpi, ocr, scans, pagesFrom } = { ...defaultReading, ...options };
	const limits = { ...defaultLimits, ...options.limits };
	const place: ReadingPlace = {
		dir: readingFolder(target.dir),
		options: { dpi, ocr, scans, ...(before.pagesFromZero ? {} : { pagesFrom }) },
		limits,
	};
	const started = Date.now();
	return replaceFolder(target.dir, manifestName, async (dir) => {
		const pool = await poolOf(place, paths, options);
		try {
			const onChecked = (done: number) => onProgress?.({ stage: "checked", done, total: files.length });
			const { jobs, refused } = await planReading(files, { place, pool, htmlPages, single: before.images, onChecked });
			signal?.throwIfAborted();
			const tick = counter(jobs, (done, total) => onProgress?.({ stage: "read", done, total }));
			const work = jobs.flatMap((job) => job.units.map((unit) => ({ job, unit })));
			const readings = await atOnce(work, pool.size + 1, async ({ job, unit }) => {
				const reading = await readUnitOf(job, unit, { place, pool, signal });
				tick(job, unit);
				return reading;
			});
			const reports = reportsOf(
				readings.flatMap(({ files }) => files),
				jobs,
				refused,
			);
			tell(reports, onProblem);
			const keys = readings.flatMap((reading) => reading.keys);
			const manifest = await gather(keys, { dir, place, files, name: target.name, reports, found, onProblem });
			const { passage, page, image } = manifest.counts;
			if (passage + page + image === 0) throw nothingRead(paths, files.length);
			await clear(place, jobs, keys, started);
			return manifest;
		} finally {
			await pool.close();
		}
	});
}

/** Who reads: processes on this machine, or on others. */
async function poolOf(place: ReadingPlace, paths: string[], options: ReadOptions): Promise<ReadingPool> {
	const { elsewhere, signal, onNote = () => {} } = options;
	if (!elsewhere) return createReadingPool(signal);
	const nonce = randomBytes(16).toString("hex");
	await mkdir(place.dir, { recursive: true });
	await writeFile(nonceFile(place.dir), nonce);
	const roots = (await rootsOf(paths)).map(realPath);
	const readers = await elsewhere({ nonce, roots, options: place.options, limits: place.limits });
	return poolElsewhere(readers, { place, signal, onNote });
}

/** Pages count one by one, files and parts of long files without pages as one. */
function counter(jobs: Job[], tell: (done: number, total: number) => void): (job: Job, unit: Unit) => void {
	const weight = (job: Job, { part, files }: Unit) =>
		job.pages !== undefined && part ? part.to - part.from : files.length;
	const total = jobs.reduce((sum, job) => sum + job.units.reduce((inner, unit) => inner + weight(job, unit), 0), 0);
	let done = 0;
	return (job, unit) => {
		done += weight(job, unit);
		tell(done, total);
	};
}

/** One report a file, files that gave nothing included, in order of name. */
function reportsOf(read: UnitReport["files"], jobs: Job[], refused: Refused[]): DocumentReport[] {
	const pages = new Map(jobs.flatMap((job) => (job.pages === undefined ? [] : [[job.files[0]?.label, job.pages]])));
	const nothing = { passage: 0, page: 0, image: 0 };
	const none = refused.map(({ file, tool, reason }) => ({
		source: file.label,
		tool,
		counts: nothing,
		problems: [{ at: "", message: reason }],
	}));
	// a file of no parts, such as a PDF without pages, was opened and gave nothing
	const empty = jobs.flatMap(({ files: [file], units, reader, pages }) =>
		file && units.length === 0 && pages !== undefined
			? [{ source: file.label, tool: reader.tool, counts: nothing, problems: [{ at: "", message: "has no pages" }] }]
			: [],
	);
	const cut = jobs.flatMap(({ files: [file], reader, cut: message }) =>
		file && message !== undefined
			? [{ source: file.label, tool: reader.tool, counts: nothing, problems: [{ at: "", message }] }]
			: [],
	);
	return [...bySource([...read, ...none, ...empty, ...cut])].flatMap(
		([source, parts]) => joined(parts, pages.get(source)) ?? [],
	);
}

function tell(reports: DocumentReport[], onProblem: ReadOptions["onProblem"]): void {
	const told = new Set<string>();
	for (const { source, problems, status } of reports) {
		for (const { at, message } of briefly(problems)) {
			const problem = { source: `${source}${at}`, message };
			const key = JSON.stringify(problem);
			if (!told.has(key)) onProblem(problem);
			told.add(key);
		}
		if (status.is !== "ok" && problems.length === 0) onProblem({ source, message: status.reason });
	}
}

/** What befell many pages of a document alike, once. */
function briefly(problems: DocumentReport["problems"]): DocumentReport["problems"] {
	const alike = new Map<string, number>();
	for (const { at, message } of problems)
		if (at.startsWith(", page ")) alike.set(message, (alike.get(message) ?? 0) + 1);
	const told = new Set<string>();
	return problems.flatMap((problem) => {
		const { at, message } = problem;
		const count = at.startsWith(", page ") ? (alike.get(message) ?? 0) : 0;
		if (count < 4) return [problem];
		if (told.has(message)) return [];
		told.add(message);
		return [{ message, at: `${at} and ${count - 1} more` }];
	});
}

/** Merges what was read into the corpus in `dir`, with the files that it names. */
async function gather(
	keys: string[],
	about: {
		dir: string;
		place: ReadingPlace;
		files: SourceFile[];
		name: string;
		reports: DocumentReport[];
		found: FoundFolders;
		onProblem: ReadOptions["onProblem"];
	},
): Promise<CorpusManifest> {
	const { dir, place, files, name, reports, found, onProblem } = about;
	const merging = join(place.dir, "merging");
	await rm(merging, { recursive: true, force: true });
	await mkdir(merging, { recursive: true });
	const runs = keys.map((key) => sheafFile(place, key));
	const onDuplicate = (id: string) =>
		onProblem({ source: id, message: `${duplicateId(id).message}; the later is left out` });
	const linked = new Set<string>();
	async function* entries(): AsyncGenerator<Entry> {
		for await (const entry of mergeRuns(runs, { dir: merging, onDuplicate })) {
			if (kindOf(entry.json) !== "passage")
				for (const file of filesOf(JSON.parse(entry.json) as Evidence)) await bring(file, place, dir, linked);
			yield entry;
		}
	}
	await writeJsonl(join(dir, documentsName), reports);
	const licence = "not stated";
	const sources = topLabels(files).map((label) => ({ name: label, licence, attribution: "" }));
	const manifest = await writeCorpus(dir, { name, licence, sources, ...pagingOf(reports, found) }, entries());
	await rm(merging, { recursive: true, force: true });
	return manifest;
}

/** What the corpus in `dir` was made of in ways that are no longer usual: it keeps them, so that its ids stay. */
async function readBefore(dir: string) {
	const before = { wholeHtml: false, pagesFromZero: false, pictures: new Set<string>(), images: new Set<string>() };
	const corpus = await openCorpus(dir).catch(() => undefined);
	if (!corpus) return before;
	for await (const { source, tool } of corpus.documents()) {
		if (/^html-\d/.test(tool)) before.wholeHtml = true;
		if (tool !== image.tool && tool !== scan.tool) continue;
		before.pictures.add(folderOf(source));
		before.images.add(source);
	}
	if (corpus.manifest.counts.page > 0)
		for await (const { id } of corpus.evidence()) {
			const named = pageNamed(id);
			if (!named) continue;
			before.pagesFromZero = !id.endsWith(`#page=${named.page + 1}${named.rest}`);
			break;
		}
	return before;
}

/** The rules by which documents that have no pages of their own got them. */
function pagingOf(reports: readonly DocumentReport[], folders: FoundFolders): Pick<CorpusManifest, "paging"> {
	const files = reports.filter(({ tool }) => tool === htmlInPages.tool).length;
	const paging = [
		...(files > 0 ? [{ kind: "html" as const, ...pagingRule, documents: files }] : []),
		...(folders.documents > 0
			? [{ kind: "page-folder" as const, ...detectionRule, documents: folders.documents }]
			: []),
	];
	return paging.length > 0 ? { paging } : {};
}

const filesOf = (evidence: Evidence): string[] =>
	[
		evidence.kind === "image" ? evidence.file : undefined,
		evidence.kind === "page" ? evidence.file : undefined,
		evidence.kind === "page" ? evidence.image : undefined,
	].filter((file) => file !== undefined);

/** A second name for the file where the disk allows it: what is kept and the corpus then share the bytes. */
async function bring(file: string, place: ReadingPlace, dir: string, linked: Set<string>): Promise<void> {
	if (linked.has(file)) return;
	linked.add(file);
	await mkdir(dirname(join(dir, file)), { recursive: true });
	await link(join(place.dir, file), join(dir, file)).catch(() => copyFile(join(place.dir, file), join(dir, file)));
}

/** Removes what is not needed to read the same files again: readings of other states, and those cheap to repeat. */
async function clear(place: ReadingPlace, jobs: Job[], keys: string[], started: number): Promise<void> {
	const cheap = new Set(jobs.flatMap(({ reader, units }) => (reader.kept ? [] : units.map(({ key }) => key))));
	const needed = new Set(keys.filter((key) => !cheap.has(key)).flatMap((key) => sheafFiles(place, key)));
	for (const { reader, files } of jobs) for (const file of files) needed.add(planFileOf(file, reader, place));
	const folder = join(place.dir, "sheaves");
	for (const name of await readdir(folder).catch(() => [])) {
		const file = join(folder, name);
		if (needed.has(file)) continue;
		const own = cheap.has(name.replace(/\..*$/, ""));
		const { mtimeMs } = await stat(file);
		// what is newer may be another process's
		if (own || mtimeMs < started) await rm(file, { force: true });
	}
}

const topLabels = (files: SourceFile[]) => [...new Set(files.map((file) => file.label.split("/")[0] ?? file.label))];

function nothingRead(paths: string[], files: number): HopscopeError {
	return usageError(
		"empty-sources",
		`nothing to index in ${paths.join(", ")} (${files} file${files === 1 ? "" : "s"} found, none gave text or images)`,
		`Name files or folders with ${readExtensions.join(", ")} files.`,
		{ facts: { paths } },
	);
}
