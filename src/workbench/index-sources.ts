import { openCorpus, readSources } from "#corpus";
import type { CorpusManifest, DocumentReport } from "#domain";
import { buildKnowledge, type VectorIndex } from "#knowledge";
import { type EncoderOptions, encoderSuggestion, openEncoders } from "./encoders.ts";
import { readersOf } from "./index-queue.ts";
import { type JobQueueOptions, workersAt } from "./run-queue.ts";
import { countsInWords } from "./words.ts";
import type { Bench } from "./work.ts";

export interface IndexOptions extends EncoderOptions, JobQueueOptions {
	/** Of the corpus and the knowledge base, one of which is replaced; documents where nothing is said. */
	name?: string | undefined;
	/** Languages of scanned pages, as Tesseract names them; none: no OCR. */
	ocr?: string[] | undefined;
	/** Resolution at which pages are kept as pictures too. */
	pageImages?: number | undefined;
	/** Also read images that are pictures of pages. */
	scans?: boolean | undefined;
	/** Folders of page pictures that are documents, or hold such; false: none. Without it they are detected. */
	pageFolders?: readonly string[] | false | undefined;
	/** HTML in pages by length; false: a file is one page. As the corpus of that name has it where nothing is said. */
	htmlPages?: boolean | undefined;
	/** What one document may take to be read: processor seconds, megabytes of memory, pages. */
	documentSeconds?: number | undefined;
	documentMemory?: number | undefined;
	documentPages?: number | undefined;
	/** Make no approximate index, however many vectors there are. */
	exact?: boolean | undefined;
	vectorIndex?: VectorIndex | undefined;
	/** Use nothing of an earlier index of that name. */
	fresh?: boolean | undefined;
}

/** A knowledge base that was made, with what could not be read. */
export interface Indexed {
	knowledge: string;
	counts: CorpusManifest["counts"];
	/** Files that were read wholly, partly and not at all. */
	documents: Record<DocumentReport["status"]["is"], number>;
	hash: string;
	problems: { source: string; message: string }[];
}

/** Folders told one by one as documents, or as none. */
const mostNotes = 10;

/** Reads documents and images, and makes them searchable. What an earlier call read is not read again. */
export async function indexSources(paths: readonly string[], options: IndexOptions, bench: Bench): Promise<Indexed> {
	const { workspace, signal } = bench;
	const { name = "documents", exact, vectorIndex, fresh } = options;
	const dir = workspace.corpus(name);
	const before = await openCorpus(dir).catch(() => undefined);
	if (before) bench.say(`replacing ${name} (${countsInWords(before.manifest.counts)})`);
	const problems: Indexed["problems"] = [];
	const tell = (problem: { source: string; message: string }) => {
		problems.push(problem);
		bench.say(`${problem.source}: ${problem.message}`);
	};
	let notes = 0;
	const note = (said: string) => {
		notes += 1;
		if (notes <= mostNotes) bench.say(said);
	};
	const opened = await openEncoders(options, workspace);
	try {
		const reading = bench.stages("reading");
		const workers = workersAt(options, bench);
		const { counts } = await readSources(
			[...paths],
			{ dir, name },
			{
				ocr: options.ocr ?? ["eng"],
				dpi: options.pageImages ?? 0,
				scans: options.scans === true,
				pageFolders: options.pageFolders,
				htmlPages: options.htmlPages,
				limits: limitsOf(options),
				elsewhere: workers && readersOf(workers, { ...bench, name }),
				signal,
				onProblem: tell,
				onNote: note,
				onProgress: reading.update,
			},
		);
		reading.end();
		if (notes > mostNotes) bench.say(`and ${notes - mostNotes} more such folders`);
		const indexing = bench.stages("indexing");
		const { hash } = await buildKnowledge(dir, workspace.knowledge(name), {
			name,
			...(exact ? { exact: true } : {}),
			...(vectorIndex ? { exact: false, vectorIndex, fresh: true } : {}),
			...(fresh ? { fresh: true } : {}),
			...opened.options,
			signal,
			onProgress: indexing.update,
			onProblem: ({ id, message }) => tell({ source: id, message }),
		});
		indexing.end();
		const documents = await countDocuments(dir);
		const mismatch = opened.mismatch();
		if (mismatch) tell({ source: "--vectors", message: mismatch });
		const suggestion = await encoderSuggestion(options, workspace);
		if (suggestion) bench.say(suggestion);
		return { knowledge: name, counts, documents, hash, problems };
	} finally {
		await opened.close();
	}
}

function limitsOf({ documentSeconds: seconds, documentMemory: memory, documentPages: pages }: IndexOptions) {
	return { ...(seconds ? { seconds } : {}), ...(memory ? { memory } : {}), ...(pages ? { pages } : {}) };
}

/** How many files were read wholly, partly or not at all. */
async function countDocuments(corpusDir: string): Promise<Record<DocumentReport["status"]["is"], number>> {
	const documents = { ok: 0, partly: 0, failed: 0 };
	for await (const { status } of (await openCorpus(corpusDir)).documents()) documents[status.is] += 1;
	return documents;
}
