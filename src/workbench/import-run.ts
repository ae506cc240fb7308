import { existsSync } from "node:fs";
import { join } from "node:path";
import { citedBy, openBenchmark } from "#benchmarks";
import { HopscopeError } from "#domain";
import { type KnowledgeBase, openKnowledge } from "#knowledge";
import { type ExternalRun, keepImported, recordsFrom, withKnowledge } from "#runs";
import { sha256File, type Workspace } from "#store";
import { readDocumentNames } from "./document-names.ts";
import { readIdTable } from "./id-table.ts";
import { judgedLabels } from "./judged-labels.ts";
import { heldIn } from "./knowledge-of.ts";
import { locate } from "./locate.ts";

/** What was read of a file of answers, and the run that is kept of it. */
export interface KeptFile extends ExternalRun {
	dir: string;
	/** The run was there already and is left as it is. */
	before: boolean;
	/** Tasks without any record. */
	noRecord: number;
	/** Rows of the table of ids that are left out, with the reason. */
	refusedIds: { place: string; reason: string }[];
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
		ids,
		documentsMap,
		force = false,
	}: {
		workspace: Workspace;
		benchmark: string;
		agent?: string | undefined;
		model?: string | undefined;
		/** Files: from ids of another index to ours, from its names of documents to ours. */
		ids?: string | undefined;
		documentsMap?: string | undefined;
		force?: boolean;
	},
): Promise<KeptFile> {
	const benchmark = await openBenchmark(await locate(workspace, "benchmarks", name));
	const wanted = benchmark.manifest.knowledge;
	const beside = join(benchmark.dir, "..", "..", "knowledge", wanted);
	const knowledge = await openIfThere(() => locate(workspace, "knowledge", wanted, { first: beside }));
	try {
		const tables = [ids, documentsMap].flatMap((one) => one ?? []);
		const matchedWith = tables.length > 0 ? await Promise.all(tables.map(sha256File)) : undefined;
		const gold = new Set(benchmark.tasks.flatMap(citedBy));
		const table = ids === undefined ? undefined : await readIdTable(ids, { knowledge, gold });
		const documents = documentsMap === undefined ? undefined : await readDocumentNames(documentsMap);
		const read = await recordsFrom(file, benchmark, { agent, model, matchedWith });
		const held = knowledge && (await heldIn(knowledge));
		const run = await withKnowledge(read, { benchmark, knowledge, held, beside, table: table?.ids, documents });
		const { manifest, records, evidence } = run;
		const dir = workspace.run(manifest.id);
		const before = existsSync(join(dir, "run.json"));
		if (!before || force) {
			const labels = judgedLabels(manifest.id, { ...run, tasks: benchmark.tasks });
			await keepImported(dir, { manifest, records, evidence, labels }, benchmark);
		}
		const noRecord = benchmark.tasks.length - new Set(records.map(({ task }) => task)).size;
		return { ...run, dir, before: before && !force, noRecord, refusedIds: table?.refused ?? [] };
	} finally {
		await knowledge?.close();
	}
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
