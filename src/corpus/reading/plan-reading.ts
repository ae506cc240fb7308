import { basename, extname, join, posix } from "node:path";
import { z } from "zod";
import { canonicalJson, readJson, sha256, sha256File, writeJson } from "#store";
import { atOnce } from "../at-once.ts";
import { captionFiles } from "../captions.ts";
import type { SourceFile } from "../find-files.ts";
import { image } from "../image-reader.ts";
import type { Part, Plan, SourceReader } from "../reader.ts";
import { readersFor } from "../readers.ts";
import { type Budget, budgetOf } from "./limits.ts";
import { ReaderDied, type ReadingPool } from "./process-pool.ts";
import type { ReadingPlace } from "./read-unit.ts";
import { run } from "./reading-task.ts";
import { type HashedFile, type Unit, unitOf } from "./unit.ts";

/** Files that are read by one reader, one after another or part by part. */
export interface Job {
	reader: SourceReader;
	files: HashedFile[];
	units: Unit[];
	/** Pages that the file says it has. */
	pages?: number;
	/** What of it is not read from the beginning. */
	cut?: string;
	/** Its processor time, where it is one document. */
	budget?: Budget;
	/** Pages that brought their reader down, and why; others are then read without them. */
	skip: Map<number, string>;
}

/** A file that gives nothing, and why. */
export interface Refused {
	file: SourceFile;
	tool: string;
	reason: string;
	sha256?: string;
}

/** Small files are read together, so that what is kept of a folder of pictures is not as many files again. */
const most = { files: 64, bytes: 16 * 1024 * 1024 };

const KeptPlan = z.object({
	parts: z.array(z.object({ from: z.number(), to: z.number(), line: z.number().optional() })),
	pages: z.number().int().min(0).optional(),
});

/** Finds the reader of each file, cuts large files into parts and puts small ones together. */
export async function planReading(
	files: SourceFile[],
	{
		place,
		pool,
		htmlPages,
		single,
		onChecked,
	}: {
		place: ReadingPlace;
		pool: ReadingPool;
		htmlPages: boolean;
		/** Images that were documents of their own before, and stay so. */
		single: ReadonlySet<string>;
		onChecked: (done: number) => void;
	},
): Promise<{ jobs: Job[]; refused: Refused[] }> {
	const labels = new Set(files.map(({ label }) => label));
	const reads = readersFor(labels, { ...place.options, htmlPages });
	const { shown, sidesOf } = await shownInPages(files, reads);
	const readerOf = (file: SourceFile) => {
		const reader = reads(file);
		const isPart = reader === image && shown.has(file.path) && !single.has(file.label);
		return isPart && !isCaptioned(file, labels) ? "side" : reader;
	};
	let checked = 0;
	const planned = await atOnce(files, pool.size * 2, async (file): Promise<Job | Refused | undefined> => {
		const reader = readerOf(file);
		const job =
			reader === "side" ? undefined : await planFile(file, reader, { place, pool, sides: sidesOf.get(file.path) });
		checked += 1;
		onChecked(checked);
		return job;
	});
	const jobs: Job[] = [];
	const refused: Refused[] = [];
	const small = new Map<SourceReader, Job>();
	for (const plan of planned) {
		if (!plan) continue;
		if ("reason" in plan) refused.push(plan);
		else if (plan.units.length > 0) jobs.push(plan);
		else {
			const open = small.get(plan.reader);
			const bytes = open?.files.reduce((sum, { size }) => sum + size, 0) ?? 0;
			if (open && open.files.length < most.files && bytes < most.bytes) open.files.push(...plan.files);
			else {
				small.set(plan.reader, plan);
				jobs.push(plan);
			}
		}
	}
	for (const job of jobs) if (job.units.length === 0) job.units.push(unitOf(job.reader.tool, job.files, place.options));
	return { jobs, refused };
}

/**
 * Pictures that a page of the same sources shows: read with it, under the words that it has for them; and what each page
 * shows, which is looked for once.
 */
async function shownInPages(
	files: SourceFile[],
	reads: ReturnType<typeof readersFor>,
): Promise<{ shown: ReadonlySet<string>; sidesOf: ReadonlyMap<string, string[]> }> {
	const sidesOf = new Map<string, string[]>();
	await atOnce(files, 8, async (file) => {
		const reader = reads(file);
		if (typeof reader === "string" || !reader.showsSides) return;
		// a page that cannot be read is told when it is planned
		const sides = await reader.sides?.(file).catch(() => undefined);
		if (sides) sidesOf.set(file.path, sides);
	});
	return { shown: new Set([...sidesOf.values()].flat()), sidesOf };
}

/** Whether somebody wrote a caption of its own for an image, or for others of its folder. */
function isCaptioned({ label }: SourceFile, labels: ReadonlySet<string>): boolean {
	const folder = posix.dirname(label);
	const names = [`${posix.basename(label, extname(label))}.txt`, ...captionFiles];
	return names.some((name) => labels.has(posix.join(folder, name)));
}

/** Data in rows is as long as a person chose it to be; documents have bounds. */
export const isDocument = ({ isolated, kept }: SourceReader) => isolated && kept;

async function planFile(
	file: SourceFile,
	reader: SourceReader | "unknown",
	{ place, pool, sides }: { place: ReadingPlace; pool: ReadingPool; sides: string[] | undefined },
): Promise<Job | Refused> {
	if (reader === "unknown") {
		const kind = extname(file.label) || "no extension";
		return { file, tool: "none", reason: `files of kind "${kind}" are not read; left out` };
	}
	const { tool } = reader;
	if (file.size > reader.mostBytes)
		return { file, tool, reason: `is larger than ${Math.round(reader.mostBytes / 1024 / 1024)} MB; not read` };
	try {
		const hashed = await hash(file, reader, sides);
		const budget = isDocument(reader) && !reader.together ? { budget: budgetOf(place.limits) } : {};
		if (!reader.plan) {
			const whole = reader.isolated && !reader.together ? [unitOf(tool, [hashed], place.options)] : [];
			return { reader, files: [hashed], units: whole, skip: new Map(), ...budget };
		}
		const plan = await planOf(hashed, reader, place, pool);
		const job = { reader, files: [hashed], skip: new Map<number, string>(), ...budget };
		const unitsOf = (parts: Part[]) => parts.map((part) => unitOf(tool, [hashed], place.options, part));
		if (plan.pages === undefined) return { ...job, units: unitsOf(plan.parts) };
		const { pages } = place.limits;
		const within = plan.parts.filter(({ from }) => from < pages);
		const units = unitsOf(within.map((part) => ({ ...part, to: Math.min(part.to, pages) })));
		const cut = `pages 1-${pages} of ${plan.pages} kept; more are not read (--document-pages)`;
		return { ...job, units, pages: plan.pages, ...(plan.pages > pages ? { cut } : {}) };
	} catch (error) {
		return { file, tool, reason: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) };
	}
}

/** Where the plan of a file is kept that a process of its own had to open. */
export const planFileOf = (file: HashedFile, reader: SourceReader, place: ReadingPlace) =>
	join(place.dir, "sheaves", `${unitOf(reader.tool, [file], place.options).key}.plan.json`);

async function planOf(file: HashedFile, reader: SourceReader, place: ReadingPlace, pool: ReadingPool): Promise<Plan> {
	const task = { do: "plan" as const, tool: reader.tool, file, options: place.options };
	if (!reader.isolated) return run(task);
	const kept = planFileOf(file, reader, place);
	const known = await readJson(kept, KeptPlan).catch(() => undefined);
	if (known) return known as Plan;
	const { limits } = place;
	const bounds = isDocument(reader) ? { limits: { ...limits, seconds: limits.seconds / 4 } } : {};
	const within = { ms: 120_000, ...bounds };
	const plan = await pool.run(task, within).catch((error: unknown) => {
		// whether pages have to be recognised is not worth a document: it is opened without a look at them
		if (!(error instanceof ReaderDied) || place.options.ocr.length === 0) throw error;
		return pool.run({ ...task, options: { ...place.options, ocr: [] } }, within);
	});
	await writeJson(kept, plan);
	return plan;
}

/** A file with what its reading depends on. `known`: the files beside it, where they were looked for already. */
export async function hash(file: SourceFile, reader: SourceReader, known?: string[] | undefined): Promise<HashedFile> {
	const own = reader.contents ? await hashAll(await reader.contents(file)) : await sha256File(file.path);
	const found = known ?? (await reader.sides?.(file));
	if (!found) return { ...file, sha256: own };
	const sides = await Promise.all(found.map((side) => sha256File(side).catch(() => "")));
	return { ...file, sha256: own, sides: sha256(sides.join()) };
}

/** Over names and contents; a file that cannot be opened counts as empty. */
async function hashAll(paths: string[]): Promise<string> {
	const hashes = await atOnce(paths, 8, async (path) => [basename(path), await sha256File(path).catch(() => "")]);
	return sha256(canonicalJson(hashes));
}
