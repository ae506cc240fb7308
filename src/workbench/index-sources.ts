import { openCorpus, readSources } from "#corpus";
import type { CorpusManifest, DocumentReport } from "#domain";
import { buildKnowledge, type VectorIndex } from "#knowledge";
import { type EncoderOptions, openEncoders } from "./encoders.ts";
import { countsInWords } from "./words.ts";
import type { Bench } from "./work.ts";

export interface IndexOptions extends EncoderOptions {
	/** Of the corpus and the knowledge base, one of which is replaced; documents where nothing is said. */
	name?: string | undefined;
	/** Languages of scanned pages, as Tesseract names them; none: no OCR. */
	ocr?: string[] | undefined;
	/** Resolution at which pages are kept as pictures too. */
	pageImages?: number | undefined;
	/** Also read images that are pictures of pages. */
	scans?: boolean | undefined;
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
	const opened = await openEncoders(options, workspace);
	try {
		const reading = bench.stages("reading");
		const { counts } = await readSources(
			[...paths],
			{ dir, name },
			{
				ocr: options.ocr ?? ["eng"],
				dpi: options.pageImages ?? 0,
				scans: options.scans === true,
				signal,
				onProblem: tell,
				onProgress: reading.update,
			},
		);
		reading.end();
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
		return { knowledge: name, counts, documents, hash, problems };
	} finally {
		await opened.close();
	}
}

/** How many files were read wholly, partly or not at all. */
async function countDocuments(corpusDir: string): Promise<Record<DocumentReport["status"]["is"], number>> {
	const documents = { ok: 0, partly: 0, failed: 0 };
	for await (const { status } of (await openCorpus(corpusDir)).documents()) documents[status.is] += 1;
	return documents;
}
