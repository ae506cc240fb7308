import { existsSync } from "node:fs";
import { join } from "node:path";
import { openBenchmark } from "#benchmarks";
import { HopscopeError } from "#domain";
import { type KnowledgeBase, openKnowledge } from "#knowledge";
import { type ExternalRun, keepImported, recordsFrom, withKnowledge } from "#runs";
import type { Workspace } from "#store";
import { judgedLabels } from "./judged-labels.ts";
import { locate } from "./locate.ts";
import { sameIn } from "./same-evidence.ts";

/** What was read of a file of answers, and the run that is kept of it. */
export interface KeptFile extends ExternalRun {
	dir: string;
	/** The run was there already and is left as it is. */
	before: boolean;
	/** Tasks without any record. */
	noRecord: number;
}

/**
 * Reads answers made elsewhere and keeps them as a run of the workspace. The same file, benchmark and names give the same
 * run: what is there already stays, with its verdicts and labels, unless `force` replaces it.
 */
export async function importRun(
	file: string,
	{
		workspace,
		benchmark: name,
		agent,
		model,
		force = false,
	}: {
		workspace: Workspace;
		benchmark: string;
		agent?: string | undefined;
		model?: string | undefined;
		force?: boolean;
	},
): Promise<KeptFile> {
	const benchmark = await openBenchmark(await locate(workspace, "benchmarks", name));
	const wanted = benchmark.manifest.knowledge;
	const beside = join(benchmark.dir, "..", "..", "knowledge", wanted);
	const knowledge = await openIfThere(() => locate(workspace, "knowledge", wanted, { first: beside }));
	try {
		const find = knowledge && ((one: Quoted) => sameIn(knowledge, { kind: "passage", ...one }));
		const read = await recordsFrom(file, benchmark, { agent, model, find });
		const run = await withKnowledge(read, { benchmark, knowledge, beside });
		const { manifest, records } = run;
		const dir = workspace.run(manifest.id);
		const before = existsSync(join(dir, "run.json"));
		if (!before || force) {
			const labels = judgedLabels(manifest.id, { ...run, tasks: benchmark.tasks });
			await keepImported(dir, { manifest, records, labels }, benchmark);
		}
		const noRecord = benchmark.tasks.length - new Set(records.map(({ task }) => task)).size;
		return { ...run, dir, before: before && !force, noRecord };
	} finally {
		knowledge?.close();
	}
}

interface Quoted {
	id: string;
	title: string;
	text: string;
}

/** A benchmark may have come without documents: its answers can be scored all the same. */
async function openIfThere(folder: () => Promise<string>): Promise<KnowledgeBase | undefined> {
	try {
		return await openKnowledge(await folder());
	} catch (error) {
		if (error instanceof HopscopeError && /^(unknown|no)-knowledge-base$/.test(error.code)) return undefined;
		throw error;
	}
}
