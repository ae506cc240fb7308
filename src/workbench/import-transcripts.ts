import { existsSync } from "node:fs";
import { basename } from "node:path";
import {
	type Benchmark,
	importTranscripts,
	openBenchmark,
	type TranscriptFormatName,
	type TranscriptImport,
	writeBenchmark,
} from "#benchmarks";
import { type ImportedFrom, type KnowledgeManifest, software, usageError } from "#domain";
import { type ImportedRun, keepImported, madeElsewhere } from "#runs";
import { sha256File, sha256 as sha256Of, type Workspace } from "#store";
import { judgedLabels } from "./judged-labels.ts";
import { makeKnowledge } from "./make-knowledge.ts";
import type { Bench } from "./work.ts";

export interface ImportedTranscripts {
	benchmark: string;
	run: string;
	tasks: number;
	/** Transcripts that were read: of a task several, where it was tried more than once. */
	records: number;
	passages: number;
	/** Answers that a judge graded in the file. */
	labels: number;
	losses: string[];
	problems: string[];
	/** Of traces: what became of their spans. */
	spans?: ImportedFrom["spans"];
}

/** Makes a benchmark, a knowledge base of the documents, and a scored run out of files of transcripts. */
export async function importTranscriptFiles(
	files: readonly string[],
	format: TranscriptFormatName,
	{
		name,
		force,
		mapping,
		run,
	}: { name: string; force: boolean; mapping?: unknown /** Its id; without it, told by the files. */; run?: string },
	bench: Bench,
): Promise<ImportedTranscripts> {
	const { workspace } = bench;
	const found = await importTranscripts(files, format, { mapping });
	const sums = await Promise.all(files.map(sha256File));
	const sha256 = sums.length === 1 ? (sums[0] ?? "") : sha256Of(sums.join(" "));
	const file = files
		.map((one) => basename(one))
		.join(", ")
		.slice(0, 1000);
	const id = run ?? `${name}-${sha256.slice(0, 8)}`;
	await mustBeFree({ workspace, name, id, force });
	const { source, passages } = found;
	const knowledge = await makeKnowledge(name, { source, evidence: passages }, bench);
	const benchmark = await makeBenchmark(found, { workspace, name });
	const base = { ...knowledge, dir: workspace.knowledge(name) };
	const manifest = manifestOf(found, { file, sha256, id, benchmark, knowledge: base });
	const labels = judgedLabels(id, found);
	await keepImported(workspace.run(id), { manifest, records: found.records, labels }, benchmark);
	const { losses, problems } = found;
	return {
		...{
			benchmark: name,
			run: id,
			tasks: found.tasks.length,
			records: found.records.length,
			passages: passages.length,
		},
		...{ labels: labels.length, losses, problems },
		...(found.spans ? { spans: found.spans } : {}),
	};
}

interface Place {
	workspace: Workspace;
	name: string;
}

/** What stands there may have been judged or labelled since: it is replaced only when asked to. */
export async function mustBeFree(
	{ workspace, name, id, force }: Place & { id: string; force: boolean },
	remedy = "Choose another --name, or replace it with --force.",
): Promise<void> {
	if (force) return;
	const taken = [workspace.benchmark(name), workspace.corpus(name), workspace.knowledge(name), workspace.run(id)].find(
		(dir) => existsSync(dir),
	);
	if (taken !== undefined)
		throw usageError("name-taken", `${taken} exists`, remedy, {
			facts: { dir: taken },
		});
}

async function makeBenchmark(
	{ source, tasks, losses }: TranscriptImport,
	{ workspace, name }: Place,
): Promise<Benchmark> {
	const description = `${tasks.length} questions of ${source.name}, without gold chains.`;
	await writeBenchmark(workspace.benchmark(name), {
		manifest: {
			...{ name, title: source.name, description, licence: source.licence },
			...{ sources: [source], knowledge: name, losses },
		},
		tasks,
		card: `# ${source.name}\n\n${description}\n\nLicence: ${source.licence}. ${source.attribution}\n`,
	});
	return openBenchmark(workspace.benchmark(name));
}

function manifestOf(
	{ agent, model, format, tasks, problems, k, spans, repeats, records }: TranscriptImport,
	{
		file,
		sha256,
		id,
		benchmark,
		knowledge,
	}: { file: string; sha256: string; id: string; benchmark: Benchmark; knowledge: KnowledgeManifest & { dir: string } },
): ImportedRun["manifest"] {
	const refused = problems.length;
	return {
		...{ version: 1, id, agent: { name: agent, version: madeElsewhere }, model },
		setting: { name: madeElsewhere, k },
		benchmark: { name: benchmark.manifest.name, hash: benchmark.manifest.hash, folder: benchmark.dir },
		knowledge: { name: knowledge.name, hash: knowledge.hash, folder: knowledge.dir },
		...{ tasks: tasks.map((task) => task.id), repeats, seed: 0, software: software() },
		imported: {
			...{ file, sha256, forms: [format], rows: records.length + refused, refused },
			...(spans ? { spans } : {}),
			...{ unknown: 0, unanswered: 0 },
		},
		at: new Date().toISOString(),
	};
}
