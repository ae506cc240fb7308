import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
	type Benchmark,
	importTranscripts,
	openBenchmark,
	type TranscriptFormatName,
	type TranscriptImport,
	writeBenchmark,
} from "#benchmarks";
import { createCorpus } from "#corpus";
import {
	exitCodes,
	HopscopeError,
	type KnowledgeManifest,
	type LabelledItem,
	type RunManifest,
	type RunRecord,
	software,
} from "#domain";
import { buildKnowledge } from "#knowledge";
import { openRun, scoreRun, writeRun } from "#runs";
import { answerId, gradeSaid, runAnswers } from "#scoring";
import { sha256File, type Workspace, writeJsonl } from "#store";
import type { Output } from "./output.ts";
import { createStages } from "./progress.ts";

export interface ImportedTranscripts {
	benchmark: string;
	run: string;
	tasks: number;
	passages: number;
	/** Answers that a judge graded in the file. */
	labels: number;
	losses: string[];
	problems: string[];
}

/** Makes a benchmark, a knowledge base of the documents, and a scored run out of a file of transcripts. */
export async function importTranscriptFile(
	file: string,
	format: TranscriptFormatName,
	{
		workspace,
		name,
		force,
		output,
		signal,
	}: { workspace: Workspace; name: string; force: boolean; output: Output; signal: AbortSignal },
): Promise<ImportedTranscripts> {
	const found = await importTranscripts(file, format);
	const id = `${name}-${(await sha256File(file)).slice(0, 8)}`;
	await mustBeFree({ workspace, name, id, force });
	const knowledge = await makeKnowledge(found, { workspace, name, output, signal });
	const benchmark = await makeBenchmark(found, { workspace, name });
	const dir = workspace.run(id);
	await rm(dir, { recursive: true, force: true });
	const manifest = manifestOf(found, { id, benchmark, knowledge: { ...knowledge, dir: workspace.knowledge(name) } });
	await writeRun(dir, { manifest, records: found.records });
	await scoreRun(await openRun(dir), benchmark);
	const labels = labelsOf(found, { id });
	if (labels.length > 0) await writeJsonl(join(dir, "labels.jsonl"), labels);
	const { losses, problems } = found;
	return {
		...{ benchmark: name, run: id, tasks: found.tasks.length, passages: found.passages.length },
		...{ labels: labels.length, losses, problems },
	};
}

interface Place {
	workspace: Workspace;
	name: string;
}

/** What stands there may have been judged or labelled since: it is replaced only when asked to. */
async function mustBeFree({ workspace, name, id, force }: Place & { id: string; force: boolean }): Promise<void> {
	if (force) return;
	const taken = [workspace.benchmark(name), workspace.corpus(name), workspace.knowledge(name), workspace.run(id)].find(
		(dir) => existsSync(dir),
	);
	if (taken !== undefined)
		throw new HopscopeError("name-taken", `${taken} exists`, "Choose another --name, or replace it with --force.", {
			exitCode: exitCodes.usage,
			facts: { dir: taken },
		});
}

async function makeKnowledge(
	{ source, passages }: TranscriptImport,
	{ workspace, name, output, signal }: Place & { output: Output; signal: AbortSignal },
): Promise<KnowledgeManifest> {
	const corpus = await createCorpus(workspace.corpus(name), { name, licence: source.licence, sources: [source] });
	for (const passage of passages) corpus.add(passage);
	await corpus.finish();
	const progress = createStages(output, "indexing");
	const knowledge = await buildKnowledge(workspace.corpus(name), workspace.knowledge(name), {
		...{ name, signal, onProgress: progress.update },
	});
	progress.end();
	return knowledge;
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
	{ agent, tasks, k }: TranscriptImport,
	{ id, benchmark, knowledge }: { id: string; benchmark: Benchmark; knowledge: KnowledgeManifest & { dir: string } },
): RunManifest {
	return {
		...{ version: 1, id, agent: { name: agent, version: "made elsewhere" }, model: null },
		setting: { name: "made elsewhere", k },
		benchmark: { name: benchmark.manifest.name, hash: benchmark.manifest.hash, folder: benchmark.dir },
		knowledge: { name: knowledge.name, hash: knowledge.hash, folder: knowledge.dir },
		...{ tasks: tasks.map((task) => task.id), repeats: 1, seed: 0, software: software() },
		at: new Date().toISOString(),
	};
}

/** The file's own judge as a rater of the run's answers: a model's word, no person's. */
function labelsOf({ judged, records, tasks }: TranscriptImport, { id }: { id: string }): LabelledItem[] {
	const byTask = new Map(records.map((record) => [record.task, record]));
	const said = new Map(
		judged.flatMap(({ task, ...rest }) => {
			const record: RunRecord | undefined = byTask.get(task);
			return record ? [[answerId(id, record), rest] as const] : [];
		}),
	);
	return runAnswers({ manifest: { id }, records, tasks }).flatMap((item) => {
		const one = said.get(item.id);
		const grade = one && gradeSaid(one.said);
		if (!one || !grade) return [];
		return [
			{ ...item, labels: [{ rater: one.rater, kind: "model" as const, label: { is: "grade" as const, grade } }] },
		];
	});
}
