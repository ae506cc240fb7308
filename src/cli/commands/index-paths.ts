import { InvalidArgumentError, Option } from "commander";
import { openCorpus, readSources } from "#corpus";
import type { CorpusManifest, DocumentReport } from "#domain";
import { buildKnowledge, type VectorIndex } from "#knowledge";
import { openWorkspace, type Workspace } from "#store";
import { type AddCommand, type CommonOptions, counted, next, wholeNumber, withWorkspace } from "../context.ts";
import { type EncoderOptions, type OpenedEncoders, openEncoders, withEncoders } from "../encoders.ts";
import { createStages } from "../progress.ts";

interface IndexOptions extends CommonOptions, EncoderOptions {
	name: string;
	ocr: string[];
	pageImages: number;
	scans?: boolean;
	exact?: boolean;
	vectorIndex?: VectorIndex;
	fresh?: boolean;
}

export const addIndex: AddCommand = (command, { output, signal }) => {
	return withEncoders(withWorkspace(command))
		.argument("<paths...>", "files or folders")
		.option("-n, --name <name>", "name of the corpus and the knowledge base; one of that name is replaced", "documents")
		.option("--ocr <languages>", "languages of scanned pages, as Tesseract names them; none: no OCR", languages, [
			"eng",
		])
		.option("--scans", "also read images that are pictures of pages, by OCR")
		.option("--page-images <dpi>", "also keep pages as pictures, at this resolution", wholeNumber(0, 600), 0)
		.option("--exact", "make no approximate index, however many vectors there are")
		.addOption(
			new Option("--vector-index <form>", "form of an approximate index (default: ivf-rq)").choices([
				"hnsw-sq",
				"ivf-rq",
			]),
		)
		.option("--fresh", "use nothing of an earlier index of that name")
		.addHelpText(
			"after",
			`
Reads PDF (scanned pages by OCR), .docx, .pptx, HTML, Markdown, text, images (captions from NAME.txt beside an image,
captions.json in its folder, or its file name), corpora of records as .jsonl, .json or .parquet ({title, text},
{id, contents}, {_id, title, text}, KILT, WebQA), and the JSON of Docling, MinerU, Marker and unstructured.

What was read is kept: an interrupted command goes on where it stopped, and only changed files are read again.

Examples:
  $ hopscope index ./docs ./images
  $ hopscope index passages.jsonl --name wiki && hopscope search "…" --knowledge wiki
  $ hopscope index ./docs --text-encoder onnx:intfloat/e5-small-v2
  $ hopscope index wiki-18.jsonl --text-encoder onnx:intfloat/e5-base-v2 --vectors part_aa part_ab
  $ hopscope index ./scans --scans --ocr eng+spa --page-images 144`,
		)
		.action(async (paths: string[], options: IndexOptions) => {
			const workspace = openWorkspace(options.workspace);
			const { name } = options;
			const before = await openCorpus(workspace.corpus(name)).catch(() => undefined);
			if (before) output.say(`replacing ${name} (${described(before.manifest.counts)})`);
			const opened = await openEncoders(options, workspace);
			const problems: { source: string; message: string }[] = [];
			const tell = (problem: { source: string; message: string }) => {
				problems.push(problem);
				output.say(`${problem.source}: ${problem.message}`);
			};
			const started = Date.now();
			const { counts, documents, manifest } = await readAndBuild(paths, { workspace, options, opened, tell }).finally(
				opened.close,
			);
			const mismatch = opened.mismatch();
			if (mismatch) tell({ source: "--vectors", message: mismatch });
			if (options.json)
				return output.write(JSON.stringify({ knowledge: name, counts, documents, hash: manifest.hash, problems }));
			const seconds = ((Date.now() - started) / 1000).toFixed(1);
			output.write(`${name}: ${described(counts)} searchable in ${seconds} s`);
			const { ok, partly, failed } = documents;
			if (partly + failed > 0)
				output.write(
					`Of ${counted(ok + partly + failed, "file")} ${partly} were read partly and ${failed} not (above).`,
				);
			output.write(`Try: ${next(`search "…" --knowledge ${name}`, options)}`);
		});

	async function readAndBuild(
		paths: string[],
		{
			workspace,
			options,
			opened,
			tell,
		}: {
			workspace: Workspace;
			options: IndexOptions;
			opened: OpenedEncoders;
			tell(problem: { source: string; message: string }): void;
		},
	) {
		const { name } = options;
		const corpusDir = workspace.corpus(name);
		const reading = createStages(output, "reading");
		const { counts } = await readSources(
			paths,
			{ dir: corpusDir, name },
			{
				ocr: options.ocr,
				dpi: options.pageImages,
				scans: options.scans === true,
				signal,
				onProblem: tell,
				onProgress: reading.update,
			},
		);
		reading.end();
		const indexing = createStages(output, "indexing");
		const manifest = await buildKnowledge(corpusDir, workspace.knowledge(name), {
			name,
			...(options.exact ? { exact: true } : {}),
			...(options.vectorIndex ? { exact: false, vectorIndex: options.vectorIndex, fresh: true } : {}),
			...(options.fresh ? { fresh: true } : {}),
			...opened.options,
			signal,
			onProgress: indexing.update,
			onProblem: ({ id, message }) => tell({ source: id, message }),
		});
		indexing.end();
		return { counts, documents: await countDocuments(corpusDir), manifest };
	}
};

/** How many files were read wholly, partly or not at all. */
async function countDocuments(corpusDir: string): Promise<Record<DocumentReport["status"]["is"], number>> {
	const documents = { ok: 0, partly: 0, failed: 0 };
	for await (const { status } of (await openCorpus(corpusDir)).documents()) documents[status.is] += 1;
	return documents;
}

const described = ({ passage, page, image }: CorpusManifest["counts"]) =>
	[
		counted(passage, "passage"),
		...(page > 0 ? [counted(page, "page")] : []),
		...(image > 0 ? [counted(image, "image")] : []),
	].join(", ");

/** `eng+spa` or `eng,spa`; `none` is no language. */
function languages(text: string): string[] {
	if (text === "none") return [];
	const names = text.split(/[+,]/).map((name) => name.trim());
	if (names.every((name) => /^[a-z]{3}(_[a-z]+)?$/i.test(name))) return names;
	throw new InvalidArgumentError("Give languages as Tesseract names them, such as eng or eng+spa, or none.");
}
