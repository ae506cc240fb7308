import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Format, formats, openBenchmark } from "#benchmarks";
import { openCorpus } from "#corpus";
import { ownField, unknownName } from "#domain";
import { replaceFolder, writeJson } from "#store";
import { chosenTasks, type TaskChoice } from "./chosen-tasks.ts";
import { labelStudio } from "./label-studio.ts";
import { locate } from "./locate.ts";
import { lazyKnowledge } from "./open.ts";
import type { Bench } from "./work.ts";

export interface ExportOptions extends TaskChoice {
	/** A form that is written: one of those of `import`, or label-studio. */
	format: string;
	/** The folder to write; one that this verb wrote before is replaced. */
	to: string;
	/** Where its evidence is; the benchmark's own where nothing is said. */
	knowledge?: string | undefined;
}

/** What was written; `losses` are conversion warnings: what the form has no place for. */
export interface Exported {
	benchmark: string;
	format: Format;
	to: string;
	files: string[];
	tasks: number;
	rows: number;
	losses: string[];
}

/** What was written from what; a folder with it was written by this verb. */
const marker = "export.json";

/** Writes a benchmark in a published form. */
export async function exportBenchmark(name: string, options: ExportOptions, { workspace }: Bench): Promise<Exported> {
	const format = writerCalled(options.format);
	const { manifest, tasks: all, dir } = await openBenchmark(await locate(workspace, "benchmarks", name));
	const tasks = await chosenTasks(all, options, { benchmark: manifest.name });
	const beside = join(dir, "..", "..", "knowledge", manifest.knowledge);
	const knowledge = lazyKnowledge(() =>
		locate(
			workspace,
			"knowledge",
			options.knowledge ?? manifest.knowledge,
			options.knowledge ? { named: true } : { first: beside },
		),
	);
	try {
		const place = await corpusOf(knowledge);
		const to = resolve(options.to);
		const made = await replaceFolder(to, marker, async (folder) => {
			const content = { manifest, tasks, dir, evidence: knowledge.evidence, file: knowledge.file };
			const corpus = place === undefined ? {} : { corpus: () => evidenceIn(place) };
			const writing = await format.write({ ...content, ...corpus }, folder);
			const { licence, sources, hash } = manifest;
			const about = { benchmark: manifest.name, hash, format: format.name, licence, sources };
			await writeJson(join(folder, marker), { ...about, ...writing });
			return writing;
		});
		const { files, rows, losses } = made;
		return { benchmark: manifest.name, format, to, files, tasks: tasks.length, rows, losses };
	} finally {
		await knowledge.close();
	}
}

function writerCalled(name: string): Format & { write: NonNullable<Format["write"]> } {
	const writable: Record<string, Format> = { ...formats, [labelStudio.name]: labelStudio };
	const format = ownField(writable, name);
	if (format?.write) return { ...format, write: format.write };
	const names = Object.values(writable).flatMap((one) => (one.write === undefined ? [] : [one.name]));
	const message = format ? `${name} is read, not written` : `no exporter is called "${name}"`;
	throw unknownName("unknown-format", message, { name, names });
}

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
