import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Format, formats, openBenchmark } from "#benchmarks";
import { openCorpus } from "#corpus";
import { counted, exitCodes, HopscopeError } from "#domain";
import { openWorkspace, replaceFolder, writeJson } from "#store";
import { labelStudio, lazyKnowledge, locate } from "#workbench";
import { type AddCommand, type CommonOptions, withWorkspace } from "../context.ts";
import { addExportCheck } from "./export-check.ts";
import { addExportPreference } from "./export-preference.ts";
import { addExportRetriever } from "./export-retriever.ts";
import { addExportRl } from "./export-rl.ts";
import { addExportSft } from "./export-sft.ts";

interface ExportOptions extends CommonOptions {
	format?: string;
	to?: string;
	knowledge?: string;
}

const writable = (): Record<string, Format> => ({ ...formats, "label-studio": labelStudio });
/** Losses told one by one; all stand in export.json. */
const mostLosses = 10;
/** What was written from what; a folder with it was written by this command. */
const marker = "export.json";

export const addExport: AddCommand = (command, context, exit) => {
	addExportBenchmark(command, context, exit);
	addExportCheck(command, context, exit);
	addExportSft(command, context, exit);
	addExportPreference(command, context, exit);
	addExportRetriever(command, context, exit);
	addExportRl(command, context, exit);
	return command;
};

/** What a command with commands behind it does by itself; its options are theirs to require, so it looks for its own. */
const addExportBenchmark: AddCommand = (command, { output }, exit) =>
	withWorkspace(command)
		.argument("<benchmark>", "name in the workspace, or its folder")
		.option("-f, --format <name>", `one of: ${names().join(", ")}`)
		.option("-t, --to <dir>", "folder to write; one that this command wrote before is replaced")
		.option("-k, --knowledge <name>", "where its evidence is (default: the benchmark's own)")
		.addHelpText(
			"after",
			`
What the format has no place for is told, and stands in ${marker} beside the files. A benchmark that was imported from the same
format is given back as it was, up to the losses that docs/formats.md declares.

Examples:
  $ hopscope export atlas --format beir --to atlas-beir
  $ hopscope export morehopqa -f verl -t train
  $ hopscope export atlas -f label-studio -t review`,
		)
		.action(async (name: string, options: ExportOptions) => {
			if (options.format === undefined || options.to === undefined)
				throw new HopscopeError(
					"usage",
					`required option '${options.format === undefined ? "-f, --format <name>" : "-t, --to <dir>"}' not specified`,
					"hopscope export --help shows examples.",
					{ exitCode: exitCodes.usage },
				);
			const format = Object.hasOwn(writable(), options.format) ? writable()[options.format] : undefined;
			const write = format?.write;
			if (!write)
				throw new HopscopeError(
					"unknown-format",
					format ? `${options.format} is read, not written` : `no exporter is called "${options.format}"`,
					`Give one of: ${names().join(", ")}.`,
					{ exitCode: exitCodes.usage },
				);
			const workspace = openWorkspace(options.workspace);
			const { manifest, tasks, dir } = await openBenchmark(await locate(workspace, "benchmarks", name));
			const beside = join(dir, "..", "..", "knowledge", manifest.knowledge);
			const knowledge = lazyKnowledge(() =>
				options.knowledge === undefined
					? locate(workspace, "knowledge", manifest.knowledge, { first: beside })
					: locate(workspace, "knowledge", options.knowledge),
			);
			try {
				const place = await corpusOf(knowledge);
				const to = resolve(options.to);
				const made = await replaceFolder(to, marker, async (folder) => {
					const content = { manifest, tasks, dir, evidence: knowledge.evidence, file: knowledge.file };
					const corpus = place === undefined ? {} : { corpus: () => evidenceIn(place) };
					const writing = await write({ ...content, ...corpus }, folder);
					const { licence, sources, hash } = manifest;
					const about = { benchmark: manifest.name, hash, format: format.name, licence, sources };
					await writeJson(join(folder, marker), { ...about, ...writing });
					return writing;
				});
				if (made.rows === 0) exit(exitCodes.failed);
				for (const loss of made.losses.slice(0, mostLosses)) output.say(loss);
				if (made.losses.length > mostLosses) output.say(`and ${made.losses.length - mostLosses} more, in ${marker}`);
				const { files, rows, losses } = made;
				if (options.json)
					return output.write(
						JSON.stringify({ benchmark: manifest.name, format: format.name, to, files, rows, losses: losses.length }),
					);
				output.write(
					`${manifest.name}: ${counted(tasks.length, "task")} as ${counted(rows, "row")} of ${format.title}; ${losses.length} losses (in ${marker})`,
				);
				for (const file of files) output.write(join(to, file));
			} finally {
				knowledge.close();
			}
		});

const names = () =>
	Object.values(writable())
		.filter(({ write }) => write !== undefined)
		.map(({ name }) => name);

/** The folder of the corpus that a knowledge base was made of, where it is still the same. */
async function corpusOf(knowledge: ReturnType<typeof lazyKnowledge>): Promise<string | undefined> {
	const { dir, manifest } = await knowledge.open();
	const place = join(dir, "..", "..", "corpora", manifest.corpus.name);
	if (!existsSync(place)) return undefined;
	const corpus = await openCorpus(place).catch(() => undefined);
	return corpus?.manifest.hash === manifest.corpus.hash ? place : undefined;
}

async function* evidenceIn(place: string) {
	yield* (await openCorpus(place)).evidence();
}
