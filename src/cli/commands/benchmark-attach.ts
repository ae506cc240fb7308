import type { Command } from "commander";
import { attachCommand, counted, exitCodes, plainLine, waitingWords } from "#domain";
import type { Attached, AttachOptions } from "#workbench";
import { type CommonOptions, type Context, languages, sayNext, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

const mostTold = 10;

/** `hopscope benchmark attach BENCH`: the images and documents that its tasks point at, after the import. */
export function addBenchmarkAttach(benchmark: Command, context: Context, exit: (code: number) => void): void {
	withWorkspace(benchmark.command("attach"))
		.description("Bring an imported benchmark the images and documents that its tasks point at and wait for")
		.argument("<benchmark>", "its name in the workspace, or its folder")
		.option("--images <dir>", "folder of the images that the rows named")
		.option("--documents <path>", "file or folder of the documents that the rows cite; read into its knowledge base")
		.option(
			"--ocr <languages>",
			"languages of scanned pages in those, as Tesseract names them; none: no OCR",
			languages,
			["eng"],
		)
		.option(
			"--page-folders <folders...>",
			"folders of numbered page pictures among those: each, or each within, is one",
		)
		.option("--no-page-folders", "take no folder of pictures for a document (default: what clearly is one, and told)")
		.option(
			"--documents-map <file>",
			"from the rows' names of documents to theirs, where they differ in more than ending and folders",
		)
		.option("-n, --knowledge <name>", "a knowledge base that holds the evidence already, in place of its own")
		.addHelpText(
			"after",
			`
What is found is attached, the rest waits on; attaching again adds to it. Images are found by the path or address that the rows
state, or its last part; documents by their name, else in other folders or with another ending (x.pdf may be x.html, or a folder
of page pictures x), else by --documents-map. A name that could be two documents, or two that would be one, waits on and is
told (exit 3); two images of one name are refused. The ids of tasks stay, and a run of before is scored with what was attached
by hopscope score RUN. Exit 1: nothing of what is waited for was found.

Examples:
  $ hopscope import dyn-vqa DynVQA_en.202412.jsonl && hopscope benchmark attach dyn-vqa --images pictures
  $ hopscope benchmark attach mmlongbench-doc --documents papers
  $ hopscope benchmark attach mmdocir --knowledge documents`,
		)
		.action(async (name: string, options: AttachOptions & CommonOptions) => {
			const made = await watch(context, options, (bench) => bench.attach(name, options));
			if (made.waiting.tasks > 0 && made.images + made.cited === 0) exit(exitCodes.failed);
			else if (made.reasons.length > 0) exit(exitCodes.someFailed);
			if (options.json) return context.output.write(JSON.stringify(made));
			context.output.write(attachedLines(made).join("\n"));
			const next = made.waiting.tasks > 0 ? attachCommand(made.benchmark, made.waiting) : `benchmark check ${name}`;
			sayNext(context, next, options);
		});
}

function attachedLines({ benchmark, tasks, images, cited, evidence, waiting, missing, knowledge }: Attached): string[] {
	const found = [
		...(images > 0 ? [counted(images, "image")] : []),
		...(cited > 0 ? [`${cited} pages or passages that tasks name`] : []),
		...(evidence > 0 ? [`${evidence} new in the knowledge base ${knowledge}`] : []),
	];
	return [
		`${benchmark}: ${found.length > 0 ? `attached ${found.join(", ")}` : "nothing new was attached"}`,
		waiting.tasks === 0
			? `all ${counted(tasks, "task")} have what they name`
			: `${waiting.tasks} of ${counted(tasks, "task")} still wait for ${waitingWords(waiting)}`,
		...missing.slice(0, mostTold).map((one) => `  ${plainLine(one, 200)}`),
		...(missing.length > mostTold
			? [`  and ${missing.length - mostTold}${missing.length >= 100 ? " or more" : ""} more`]
			: []),
	];
}
