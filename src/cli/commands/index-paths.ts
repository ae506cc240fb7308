import { Option } from "commander";
import { counted } from "#domain";
import { countsInWords, type IndexOptions } from "#workbench";
import { type AddCommand, type CommonOptions, languages, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { withEncoders } from "../encoders.ts";
import { withWorkers } from "../run-options.ts";
import { watch } from "../watch.ts";

export const addIndex: AddCommand = (command, context) =>
	withWorkers(withEncoders(withWorkspace(command)))
		.argument("<paths...>", "files or folders")
		.option("--name <name>", "name of the corpus and the knowledge base; one of that name is replaced", "documents")
		.option("--ocr <languages>", "languages of scanned pages, as Tesseract names them; none: no OCR", languages, [
			"eng",
		])
		.option("--scans", "also read images that are pictures of pages, by OCR")
		.option("--page-folders <folders...>", "folders of numbered page pictures: each, or each within, is a document")
		.option("--no-page-folders", "take no folder of pictures for a document (default: what clearly is one, and told)")
		.option("--html-pages", "HTML in pages of printed length (default, except over HTML indexed in one page a file)")
		.option("--no-html-pages", "an HTML file is one page")
		.option("--page-images <dpi>", "also keep pages as pictures, at this resolution", wholeNumber(0, 600), 0)
		.option(
			"--document-seconds <n>",
			"processor seconds for one document, half of them for a page (default: 20)",
			wholeNumber(1, 100_000),
		)
		.option(
			"--document-memory <megabytes>",
			"memory for reading one document (default: 600)",
			wholeNumber(100, 1_000_000),
		)
		.option("--document-pages <n>", "pages read of one document at most (default: 10000)", wholeNumber(1, 100_000))
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
Reads PDF (scanned pages by OCR), .docx, .pptx, .epub, HTML, Markdown, reStructuredText, AsciiDoc, LaTeX, text, code, YAML,
logs, e-mail (.eml), tables (.csv, .tsv, .xlsx: a row a passage), images (captions from NAME.txt beside an image,
captions.json in its folder, or its file name), corpora of records as .jsonl, .json or .parquet ({title, text},
{id, contents}, {_id, title, text}, KILT, WebQA), and the JSON of Docling, MinerU, Marker and unstructured.

What was read is kept: an interrupted command resumes where it stopped, and only changed files are read again. With --queue
workers that share the documents and this workspace read: docs/guides/many-machines.md.

Examples:
  $ hopscope index ./docs ./images
  $ hopscope index passages.jsonl --name wiki && hopscope search "…" --knowledge wiki
  $ hopscope index ./docs --text-encoder onnx:intfloat/e5-small-v2
  $ hopscope index wiki-18.jsonl --text-encoder onnx:intfloat/e5-base-v2 --vectors part_aa part_ab
  $ hopscope index ./docs --page-folders ./docs/French      # docs/French/0010/0.jpg, 1.jpg, … are one document
  $ hopscope index ./scans --scans --ocr eng+spa --page-images 144`,
		)
		.action(async (paths: string[], options: IndexOptions & CommonOptions) => {
			const { output } = context;
			const started = Date.now();
			const made = await watch(context, options, (bench) => bench.index(paths, options));
			if (options.json) return output.write(JSON.stringify(made));
			const { knowledge, counts, documents } = made;
			const seconds = ((Date.now() - started) / 1000).toFixed(1);
			output.write(`${knowledge}: ${countsInWords(counts)} searchable in ${seconds} s`);
			const { ok, partly, failed } = documents;
			if (partly + failed > 0)
				output.write(
					`Of ${counted(ok + partly + failed, "file")} ${partly} were read partly and ${failed} not (above).`,
				);
			sayNext(context, `search "…" --knowledge ${knowledge}`, options);
		});
