import type { Benchmark } from "#benchmarks";
import { hopsWaiting, type RunRecord, retrievalSteps } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { ExternalRun } from "./records-from.ts";

/**
 * A run that was made elsewhere over the benchmark's knowledge base: its own where ids that the steps name are held there,
 * or are gold evidence. Where none is, or no step says what came back, what was searched is unknown: only answers are
 * scored then, since hops would all count as missed. `beside` is where the knowledge base would stand that is not there.
 */
export async function withKnowledge<Found extends Pick<ExternalRun, "manifest" | "records" | "notes">>(
	run: Found,
	{
		benchmark,
		knowledge,
		beside,
	}: {
		benchmark: Benchmark;
		knowledge: Pick<KnowledgeBase, "dir" | "manifest" | "missing"> | undefined;
		beside: string;
	},
): Promise<Found> {
	const named = evidenceNamed(run.records);
	const gold = goldIds(benchmark);
	const missing = knowledge ? new Set(await knowledge.missing(named)) : named;
	const held = [...named].filter((id) => !missing.has(id) || gold.has(id)).length;
	const { name } = run.manifest.knowledge;
	const known = knowledge !== undefined && held > 0;
	const manifest: ExternalRun["manifest"] = {
		...run.manifest,
		knowledge: known
			? { name: knowledge.manifest.name, hash: knowledge.manifest.hash, folder: knowledge.dir }
			: { ...run.manifest.knowledge, folder: knowledge?.dir ?? beside },
		imported: { ...run.manifest.imported, evidence: { named: named.size, held } },
	};
	const searched = run.records.some(({ trajectory }) => retrievalSteps(trajectory).length > 0);
	// what is attached later may be what was searched: until then scorers say that it waits
	const waiting = benchmark.tasks.some((task) => hopsWaiting(task) !== undefined);
	const blind = held === 0 && searched && gold.size > 0 && !waiting;
	const notes = [...run.notes];
	const only = gold.size > 0 ? ": only answers are scored, no hops" : "";
	if (!searched) notes.push("no step of the file searches: only answers are scored");
	else if (named.size === 0) notes.push(`no step of the file says what came back${only}`);
	else if (held === 0)
		notes.push(
			`${knowledge ? `none of the ${named.size} ids of evidence in the file is in the knowledge base ${name}` : `the file names ${named.size} ids of evidence, and the knowledge base ${name} is not here`}: what was searched is unknown, its text not at hand${only}`,
		);
	else if (held < named.size)
		notes.push(
			`${named.size - held} of ${named.size} ids of evidence in the file are not in the knowledge base ${name}`,
		);
	if (held > 0 && !knowledge)
		notes.push(`the knowledge base ${name} is not here: what came back is known by its ids alone`);
	return { ...run, manifest, records: blind ? run.records.map(answerAlone) : run.records, notes };
}

/** Every id of evidence that came back in the records. */
function evidenceNamed(records: readonly RunRecord[]): Set<string> {
	return new Set(
		records.flatMap(({ trajectory }) => trajectory.steps.flatMap(({ results }) => results.map(({ id }) => id))),
	);
}

function goldIds({ tasks }: Benchmark): Set<string> {
	return new Set(
		tasks.flatMap(({ chain, supporting = [] }) => [
			...(chain?.hops.flatMap(({ evidence }) => evidence) ?? []),
			...supporting,
		]),
	);
}

const answerAlone = (record: RunRecord): RunRecord => ({
	...record,
	trajectory: { ...record.trajectory, answerOnly: true },
});
