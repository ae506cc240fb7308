import { constants, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import {
	type Benchmark,
	citedBy,
	namedFiles,
	openBenchmark,
	type WaitingPicture,
	waitingPictures,
	withEvidenceCalled,
	withPending,
	writeBenchmark,
} from "#benchmarks";
import { openCorpus, readSources } from "#corpus";
import {
	attachCommand,
	counted,
	type Evidence,
	type PendingImage,
	type Task,
	usageError,
	type Waiting,
	waitingIn,
	waitingWords,
} from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { decodePicture, entriesIn, type Picture, replaceFolder } from "#store";
import { readDocumentNames } from "./document-names.ts";
import { growCorpus } from "./grow-corpus.ts";
import { joinEvidenceIn } from "./join-evidence-in.ts";
import { knowledgeOf } from "./knowledge-of.ts";
import { locate } from "./locate.ts";
import { indexCorpus } from "./make-knowledge.ts";
import { sameIn } from "./same-evidence.ts";
import { tell } from "./tell.ts";
import type { Bench } from "./work.ts";

export interface AttachOptions {
	/** Folder of the images that the rows named. */
	images?: string | undefined;
	/** A file or folder of the documents that the rows cite. */
	documents?: string | undefined;
	/** Languages of scanned pages in those, as Tesseract names them; none: no OCR. */
	ocr?: string[] | undefined;
	/** As with `index`: folders of numbered page pictures that are documents; false: none is. */
	pageFolders?: readonly string[] | false | undefined;
	/** A file from the rows' names of documents to theirs: JSON, YAML, JSON lines, CSV. */
	documentsMap?: string | undefined;
	/** A knowledge base that holds the evidence already. */
	knowledge?: string | undefined;
}

/** What was attached to a benchmark, and what its tasks still wait for. */
export interface Attached {
	benchmark: string;
	knowledge: string;
	tasks: number;
	/** Of its tasks now, and before where that was another. */
	hash: string;
	earlier: string | null;
	/** Pictures, and pages or passages that tasks name, which were found this time. */
	images: number;
	cited: number;
	/** Evidence that came into its knowledge base. */
	evidence: number;
	waiting: Waiting;
	/** Some of what was looked for and is not there: names of images, ids of evidence. */
	missing: string[];
	/** Why some of it was not joined though documents are there: what a name could be, pages that a document has not. */
	reasons: string[];
}

const mostMissing = 100;
/** Endings of pictures, of which a folder that holds nothing else can be one document. */
const pictureEndings = new Set([".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".avif"]);

/**
 * Brings a benchmark the images and documents that its tasks point at, in place: what is found is attached, the rest
 * waits on. The ids of tasks stay; the benchmark keeps the hashes that it had before, so that runs of then can be scored
 * again. One that is killed half-way leaves the benchmark as it was.
 */
export async function attach(name: string, options: AttachOptions, bench: Bench): Promise<Attached> {
	const { workspace } = bench;
	const benchmark = await openBenchmark(await locate(workspace, "benchmarks", name));
	const before = waitingIn(benchmark.tasks);
	mustName(benchmark, options, before);
	// nothing of what is named is wanted any more
	if (before.tasks === 0 && options.knowledge === undefined) return nothingWaits(benchmark);
	const waiting = await waitingPictures(benchmark.dir);
	const seen =
		options.images === undefined
			? new Map<string, FoundPicture>()
			: await picturesIn(options.images, namesOf(benchmark.tasks, waiting), bench);
	const map = options.documentsMap === undefined ? undefined : await readDocumentNames(options.documentsMap);
	const evidence = await enrich(benchmark, { ...options, waiting, seen }, bench);
	const wanted = options.knowledge ?? benchmark.manifest.knowledge;
	const knowledge = await knowledgeOf(workspace, {
		...{ dir: benchmark.dir, name: wanted },
		...(options.knowledge === undefined ? {} : { wanted }),
	});
	try {
		const { ids, reasons, warnings } = knowledge
			? await idsIn(knowledge, benchmark, { waiting, wanted, map }, bench)
			: { ids: new Map<string, string>(), reasons: [], warnings: [] };
		const pictures = new Set(waiting.map(({ id }) => id));
		const was = new Set(benchmark.tasks.flatMap(waitingIds));
		const has = (id: string) => ids.has(id) || !was.has(id);
		const tasks = withPending(
			benchmark.tasks.map((task) => withPictures(task, seen)),
			{ has, pictures },
		).map((task) => withEvidenceCalled(task, ids));
		const now = waitingIn(tasks);
		const rest = waiting.filter(({ id }) => !ids.has(id));
		const cited = before.pages + before.passages - now.pages - now.passages;
		const attached = { images: before.images - now.images, cited, evidence };
		const isSame = attached.images + attached.cited === 0 && wanted === benchmark.manifest.knowledge;
		const hash = isSame
			? benchmark.manifest.hash
			: await written({ benchmark, tasks, waiting: rest, seen, knowledge: wanted, attached, warnings });
		return {
			...{ benchmark: benchmark.manifest.name, knowledge: wanted, tasks: tasks.length, hash },
			earlier: hash === benchmark.manifest.hash ? null : benchmark.manifest.hash,
			...attached,
			waiting: now,
			missing: tasks.flatMap(missingOf).filter(isFirst).slice(0, mostMissing),
			reasons: reasons.slice(0, mostMissing),
		};
	} finally {
		await knowledge?.close();
	}
}

function nothingWaits({ manifest: { name, knowledge, hash }, tasks }: Benchmark): Attached {
	const nothing = { earlier: null, images: 0, cited: 0, evidence: 0, missing: [], reasons: [] };
	return { benchmark: name, knowledge, tasks: tasks.length, hash, ...nothing, waiting: waitingIn(tasks) };
}

function mustName({ manifest: { name } }: Benchmark, options: AttachOptions, waiting: Waiting): void {
	const { images, documents, documentsMap, knowledge } = options;
	if (documents !== undefined && knowledge !== undefined)
		throw usageError(
			"usage",
			"documents are read into the benchmark's own knowledge base, or are in another one already",
			"Give --documents or --knowledge, not both.",
		);
	if (images ?? documents ?? documentsMap ?? knowledge) return;
	throw usageError(
		"nothing-named",
		waiting.tasks === 0
			? `nothing is named, and no task of ${name} waits for anything`
			: `nothing is named; ${waiting.tasks} tasks of ${name} wait for ${waitingWords(waiting)}`,
		waiting.tasks === 0 ? "There is nothing to attach." : `hopscope ${attachCommand(name, waiting)}`,
	);
}

const waitingIds = ({ pending }: Task) => [...(pending?.pictures ?? []), ...(pending?.evidence ?? [])];
const missingOf = ({ pending }: Task) => [
	...(pending?.images ?? []).map(({ sourceName }) => sourceName),
	...(pending?.pictures ?? []),
	...(pending?.evidence ?? []),
];
const isFirst = (one: string, at: number, list: readonly string[]) => list.indexOf(one) === at;

interface FoundPicture extends Omit<Picture, "bytes"> {
	write(place: string): Promise<void>;
}

/** What rows call the pictures that wait. */
const namesOf = (tasks: readonly Task[], waiting: readonly WaitingPicture[]) =>
	new Set([...tasks.flatMap(({ pending }) => pending?.images ?? []), ...waiting].map(({ sourceName }) => sourceName));

/**
 * The pictures of a folder by the names that wait for them. One file for two names is refused (exit 2); one that is no
 * picture is told, and waited for on.
 */
async function picturesIn(
	folder: string,
	names: ReadonlySet<string>,
	{ say }: Bench,
): Promise<Map<string, FoundPicture>> {
	await mustBeFolder(folder, "--images");
	const seen = new Map<string, FoundPicture>();
	const taken = new Map<string, string>();
	const files = namedFiles(folder);
	for (const name of names) {
		const found = files.find(name);
		if (found === undefined) continue;
		if ("unclear" in found)
			throw usageError("ambiguous-image", found.unclear, "Leave one file for each name.", { facts: { names: [name] } });
		const { file } = found;
		const other = taken.get(file);
		if (other !== undefined)
			throw usageError(
				"ambiguous-image",
				`"${other}" and "${name}" would both be ${file}`,
				"Keep the folders of the names, or name each file by the SHA-256 of the whole name, in hex, with its ending.",
				{ facts: { names: [other, name], file } },
			);
		taken.set(file, name);
		const original = await readFile(file);
		const picture = await decodePicture(original).catch((error: Error) => {
			say(`${file}: ${error.message}; "${name}" is not attached`);
		});
		if (!picture) continue;
		const { bytes, ...about } = picture;
		// what is kept as it is is copied, not held
		const write =
			bytes === original ? (place: string) => copyFile(file, place) : (place: string) => writeFile(place, bytes);
		seen.set(name, { ...about, write });
	}
	return seen;
}

async function mustBeFolder(folder: string, option: string): Promise<void> {
	if ((await stat(folder).catch(() => undefined))?.isDirectory()) return;
	throw usageError("missing-path", `${folder} is not a folder`, `Name one that is there with ${option}.`, {
		facts: { path: folder },
	});
}

/** Brings what was found into the benchmark's own knowledge base; says how much that is. */
async function enrich(
	{ manifest, dir }: Benchmark,
	{
		documents,
		ocr,
		pageFolders,
		waiting,
		seen,
	}: AttachOptions & { waiting: readonly WaitingPicture[]; seen: ReadonlyMap<string, FoundPicture> },
	bench: Bench,
): Promise<number> {
	const { workspace, signal, say, stages } = bench;
	const found = waiting.flatMap(({ sourceName, ...about }) => {
		const picture = seen.get(sourceName);
		return picture ? [{ about, picture }] : [];
	});
	if (documents === undefined && found.length === 0) return 0;
	const { name } = manifest;
	if (manifest.knowledge !== name || resolve(workspace.benchmark(name)) !== dir)
		throw usageError(
			"shared-knowledge",
			`the evidence of ${name} belongs to the knowledge base ${manifest.knowledge}, which is not its own`,
			"Make what is to be attached searchable together with it (hopscope index PATHS…) and name that with --knowledge.",
		);
	const place = workspace.corpus(name);
	const beside = join(dirname(place), `.${basename(place)}.documents`);
	if (documents !== undefined) {
		const reading = stages("reading");
		const notes: string[] = [];
		await readSources(
			await partsOf(documents),
			{ dir: beside, name },
			{
				...{ ocr: ocr ?? ["eng"], dpi: 0, pageFolders, signal, onProgress: reading.update },
				onProblem: ({ source, message }) => say(`${source}: ${message}`),
				onNote: (note) => notes.push(note),
			},
		);
		tell(notes, bench);
		reading.end();
	}
	const grown = await growCorpus(place, {
		from: documents === undefined ? undefined : await openCorpus(beside),
		evidence: found.map(({ about, picture }): Evidence => {
			const { name: file, width, height, sha256 } = picture;
			return { kind: "image", ...about, file: `images/${file}`, width, height, sha256 };
		}),
		media: (folder) =>
			writePictures(
				folder,
				found.map(({ picture }) => picture),
			),
	});
	await indexCorpus(name, bench);
	await rm(beside, { recursive: true, force: true });
	await rm(join(dirname(beside), `.${basename(beside)}.reading`), { recursive: true, force: true });
	return grown;
}

/** What lies in a folder of documents, each by its own name, as sets cite them; of nothing but pictures, the folder. */
async function partsOf(documents: string): Promise<string[]> {
	const found = await stat(documents).catch(() => undefined);
	if (found?.isFile()) return [documents];
	await mustBeFolder(documents, "--documents");
	const names = (await entriesIn(documents)).map(({ name }) => name).filter((name) => !name.startsWith("."));
	const isPictures = names.every((name) => pictureEndings.has(extname(name).toLowerCase()));
	return isPictures ? [documents] : names.map((name) => join(documents, name));
}

async function writePictures(dir: string, pictures: readonly FoundPicture[]): Promise<void> {
	if (pictures.length > 0) await mkdir(join(dir, "images"), { recursive: true });
	for (const { name, write } of pictures) await write(join(dir, "images", name));
}

/**
 * The ids in the knowledge base of what tasks name: of what waited, where it is there, and of what they had, where it is
 * another knowledge base than before.
 */
async function idsIn(
	knowledge: KnowledgeBase,
	{ manifest, tasks, dir }: Benchmark,
	{
		waiting,
		wanted,
		map,
	}: { waiting: readonly WaitingPicture[]; wanted: string; map: ReadonlyMap<string, string> | undefined },
	bench: Bench,
): Promise<{ ids: Map<string, string>; reasons: string[]; warnings: string[] }> {
	const was = new Set([...tasks.flatMap(waitingIds), ...waiting.map(({ id }) => id)]);
	const had = new Set(
		tasks.flatMap((task) => [...citedBy(task), ...(task.context ?? [])]).filter((id) => !was.has(id)),
	);
	// what tasks have here already is nothing else's
	const isSame = wanted === manifest.knowledge;
	const joined = await joinEvidenceIn(knowledge, isSame ? [...was, ...had] : [...was], map ? { map } : {});
	const { ids, notes, warnings } = joined;
	const reasons = [...new Set([...was].flatMap((id) => joined.reasons.get(id) ?? []))];
	tell([...notes, ...warnings, ...reasons], bench);
	if (isSame || had.size === 0) return { ids, reasons, warnings };
	const before = await knowledgeOf(bench.workspace, { dir, name: manifest.knowledge });
	try {
		for (const id of had) {
			const evidence = await before?.evidence(id);
			const there = evidence && (await sameIn(knowledge, evidence));
			if (there === undefined)
				throw usageError(
					"unknown-evidence",
					`"${id}", which tasks name, is in ${manifest.knowledge} and not in ${wanted}`,
					`Attach documents to ${manifest.knowledge} with --documents, or name a knowledge base that holds them all.`,
					{ facts: { evidence: id } },
				);
			ids.set(id, there);
		}
	} finally {
		await before?.close();
	}
	return { ids, reasons, warnings };
}

/** A task with those of its images that were found, each at its place. */
function withPictures(task: Task, seen: ReadonlyMap<string, FoundPicture>): Task {
	const { images: waited = [], ...rest } = task.pending ?? {};
	const found = waited.filter(({ sourceName }) => seen.has(sourceName));
	if (found.length === 0) return task;
	const images = [...task.images];
	for (const image of found) images.splice(placeOf(image, waited, seen), 0, attachedImage(image, seen));
	const left = waited.filter(({ sourceName }) => !seen.has(sourceName));
	return { ...task, images, pending: { ...rest, ...(left.length > 0 ? { images: left } : {}) } };
}

/** Where an image goes among those that are there: its place, less those before it that still wait. */
const placeOf = ({ place }: PendingImage, waited: readonly PendingImage[], seen: ReadonlyMap<string, FoundPicture>) =>
	place - waited.filter((one) => one.place < place && !seen.has(one.sourceName)).length;

function attachedImage(
	{ id, sourceName, hides }: PendingImage,
	seen: ReadonlyMap<string, FoundPicture>,
): Task["images"][number] {
	const picture = seen.get(sourceName);
	if (!picture) throw new Error(`no picture of ${sourceName}`);
	const { name, width, height, sha256 } = picture;
	return { id, file: `images/${name}`, width, height, sha256, ...(hides ? { hides } : {}) };
}

/** Writes the benchmark in its place, whole or not at all; gives the hash of its tasks. */
async function written({
	benchmark: { dir, manifest },
	tasks,
	waiting,
	seen,
	knowledge,
	attached: { images, cited, evidence },
	warnings,
}: {
	benchmark: Benchmark;
	tasks: Task[];
	waiting: readonly WaitingPicture[];
	seen: ReadonlyMap<string, FoundPicture>;
	knowledge: string;
	attached: Pick<Attached, "images" | "cited" | "evidence">;
	warnings: readonly string[];
}): Promise<string> {
	const losses = [...new Set([...(manifest.losses ?? []), ...warnings])];
	const before = await readFile(join(dir, "card.md"), "utf8").catch(() => `# ${manifest.title}\n`);
	const card = `${before.trimEnd()}\n\nAttached: ${counted(images, "image")} and ${cited} pages or passages that tasks name; ${evidence} new in the knowledge base ${knowledge}.\n`;
	const asked = new Set(tasks.flatMap(({ images }) => images.map(({ file }) => file)));
	const write = (filling: string, earlier: readonly string[]) =>
		writeBenchmark(filling, {
			manifest: {
				...manifest,
				knowledge,
				...(losses.length > 0 ? { losses } : {}),
				...(earlier.length > 0 ? { earlier: [...earlier] } : {}),
			},
			...{ tasks, waiting, card },
		});
	const { hash } = await replaceFolder(dir, "benchmark.json", async (filling) => {
		await copyRest(dir, filling);
		await writePictures(
			filling,
			[...seen.values()].filter(({ name }) => asked.has(`images/${name}`)),
		);
		const { earlier = [] } = manifest;
		const made = await write(filling, earlier);
		return made.hash === manifest.hash ? made : write(filling, [...earlier, manifest.hash]);
	});
	return hash;
}

/** Whatever else lies in a benchmark's folder: its images, what people or builds left there. */
async function copyRest(from: string, to: string): Promise<void> {
	for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile()) continue;
		const source = join(entry.parentPath, entry.name);
		const place = join(to, source.slice(from.length + 1));
		await mkdir(dirname(place), { recursive: true });
		await copyFile(source, place, constants.COPYFILE_FICLONE);
	}
}
