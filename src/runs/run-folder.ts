import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import {
	type BenchmarkManifest,
	type MatchedResults,
	RunManifest,
	RunRecord,
	type ScoringMode,
	usageError,
} from "#domain";
import { canonicalJson, isAddress, readJson, readJsonl, writeJson } from "#store";
import { eachAttemptOnce } from "./recorded.ts";

/*
 * On disk, `run.json` names the folders of benchmark and knowledge base relative to the run, so that a workspace can
 * be moved; in memory they are absolute.
 */

/** Reads `run.json`; a folder without one is no run (exit 2). */
export async function readManifest(dir: string): Promise<RunManifest> {
	const file = join(dir, "run.json");
	if (!existsSync(file))
		throw usageError(
			"no-run",
			`${dir} is not a run: ${file} does not exist`,
			"Name the folder of a run, e.g. one below runs/.",
			{ facts: { dir } },
		);
	const manifest = await readJson(file, RunManifest);
	return withFolders(manifest, (folder) => resolve(dir, folder));
}

/**
 * Writes `run.json`, before anything else of a run, or, where there is one, checks that the run is resumed as it was
 * begun: what its records depend on must not change half-way. How they are scored may. Returns the manifest that holds.
 */
export async function settleManifest(dir: string, manifest: RunManifest): Promise<RunManifest> {
	const file = join(dir, "run.json");
	if (!existsSync(file)) {
		if (existsSync(join(dir, "records.jsonl")))
			throw usageError(
				"no-run",
				`${dir} holds records but no run.json that says what they belong to`,
				"Restore run.json, or choose another folder.",
				{ facts: { dir } },
			);
		const from = resolve(dir);
		await writeJson(
			file,
			withFolders(manifest, (folder) => relative(from, resolve(folder)) || "."),
		);
		return manifest;
	}
	const begun = await readManifest(dir);
	const differs = (Object.keys(essentials(begun)) as (keyof Essentials)[]).filter(
		(part) => canonicalJson(essentials(begun)[part]) !== canonicalJson(essentials(manifest)[part]),
	);
	if (differs.length > 0)
		throw usageError(
			"run-differs",
			`${dir} was begun with another ${differs.join(", ")}; its records and new ones would not belong together`,
			"Resume with what it was begun with, or start a new run.",
			{ facts: { dir, differs } },
		);
	const { scoring = begun.scoring } = manifest;
	if (scoring !== undefined) await keepScoring(dir, scoring);
	return { ...begun, scoring };
}

/** Writes down how a run's answers are scored from now on: its records do not depend on it, its scores do. */
export async function keepScoring(dir: string, scoring: ScoringMode): Promise<void> {
	const file = join(dir, "run.json");
	const kept = await readJson(file, RunManifest);
	if (kept.scoring !== scoring) await writeJson(file, { ...kept, scoring }, { makeFolder: false });
}

/** Writes down which sweep a run belongs to, and whether that stopped it. */
export async function keepSweep(dir: string, sweep: NonNullable<RunManifest["sweep"]>): Promise<void> {
	const file = join(dir, "run.json");
	const kept = await readJson(file, RunManifest);
	if (canonicalJson(kept.sweep ?? null) === canonicalJson(sweep)) return;
	await writeJson(file, { ...kept, sweep }, { makeFolder: false });
}

/** Whether a run over tasks of this hash answers the benchmark: the same tasks, or as they were before evidence was attached. */
export const answersTo = (hash: string, benchmark: Pick<BenchmarkManifest, "hash" | "earlier">): boolean =>
	hash === benchmark.hash || (benchmark.earlier ?? []).includes(hash);

/** Writes down that a run answers its benchmark as it is now, with the evidence that was attached since. */
export async function keepBenchmark(dir: string, { hash }: Pick<BenchmarkManifest, "hash">): Promise<void> {
	const file = join(dir, "run.json");
	const kept = await readJson(file, RunManifest);
	if (kept.benchmark.hash === hash) return;
	await writeJson(file, { ...kept, benchmark: { ...kept.benchmark, hash } }, { makeFolder: false });
}

/** Writes down which knowledge base a run that was made elsewhere is known to have searched. */
export async function keepKnowledge(dir: string, { knowledge, imported }: RunManifest): Promise<void> {
	const file = join(dir, "run.json");
	const kept = await readJson(file, RunManifest);
	const folder = isAddress(knowledge.folder)
		? knowledge.folder
		: relative(resolve(dir), resolve(knowledge.folder)) || ".";
	await writeJson(file, { ...kept, knowledge: { ...knowledge, folder }, imported }, { makeFolder: false });
}

/** Writes down how the results of a run over a search engine elsewhere were matched to evidence of its benchmark. */
export async function keepMatched(dir: string, matched: MatchedResults): Promise<void> {
	const file = join(dir, "run.json");
	const kept = await readJson(file, RunManifest);
	await writeJson(file, { ...kept, knowledge: { ...kept.knowledge, matched } }, { makeFolder: false });
}

/**
 * All records of a run, every attempt, in the order written; a torn last one is dropped and told. So is the first of two of
 * one attempt, as of a file that was put together from copies: it was paid for once.
 */
export async function readRecords(dir: string): Promise<{ records: RunRecord[]; warnings: string[] }> {
	const file = join(dir, "records.jsonl");
	const records: RunRecord[] = [];
	const warnings: string[] = [];
	if (!existsSync(file)) return { records, warnings };
	const onTorn = (warning: string) => warnings.push(`${warning}; its task is done again on resuming`);
	for await (const record of readJsonl(file, RunRecord, { onTorn })) records.push(record);
	const { once, warnings: doubled } = eachAttemptOnce(records, file);
	return { records: once, warnings: [...warnings, ...doubled] };
}

type Essentials = ReturnType<typeof essentials>;

/** What the records of a run depend on; versions of programs and places may change between sessions. */
export function essentials(manifest: RunManifest) {
	const { agent, model, setting, benchmark, knowledge, tasks, repeats, seed, intervention } = manifest;
	return {
		agent: { ...agent, reference: undefined },
		model,
		setting,
		benchmark: benchmark.hash,
		"knowledge base": knowledge.hash,
		"set of tasks": tasks,
		"number of repeats": repeats,
		seed,
		intervention,
	};
}

function withFolders(manifest: RunManifest, place: (folder: string) => string): RunManifest {
	const { folder } = manifest.knowledge;
	return {
		...manifest,
		benchmark: { ...manifest.benchmark, folder: place(manifest.benchmark.folder) },
		knowledge: { ...manifest.knowledge, folder: isAddress(folder) ? folder : place(folder) },
	};
}
