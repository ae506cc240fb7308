import { join } from "node:path";
import { answersTo, keepEvidence, keptEvidence, type Run, withKnowledge } from "#runs";
import { forgetWaiting } from "./findings-file.ts";
import { benchmarkOfRun } from "./open.ts";
import type { Bench } from "./work.ts";

/**
 * Readies a run for being scored with evidence that was attached to its benchmark since: what was said of hops that waited
 * is forgotten, and of a run that was made elsewhere it is looked again whether what it searched is known.
 */
export async function overAttached(run: Run, { workspace, say }: Bench): Promise<void> {
	const benchmark = await benchmarkOfRun(workspace, run.manifest);
	const { hash, name } = benchmark.manifest;
	if (run.manifest.benchmark.hash === hash || !answersTo(run.manifest.benchmark.hash, benchmark.manifest)) return;
	say(`evidence was attached to ${name} since: it is scored with what is there now`);
	await forgetWaiting(run.dir);
	const { imported } = run.manifest;
	if (!imported) return;
	const wanted = benchmark.manifest.knowledge;
	// only here: scoring what is there of a run loads no reader
	const { heldIn, knowledgeOf } = await import("./knowledge-of.ts");
	const knowledge = await knowledgeOf(workspace, { dir: benchmark.dir, name: wanted });
	try {
		const beside = join(benchmark.dir, "..", "..", "knowledge", wanted);
		const { manifest, records } = run;
		const kept = await keptEvidence(run.dir);
		const documents = new Map([...kept].map(([id, { title, text }]) => [id, { id, title, text }]));
		const looked = await withKnowledge(
			{ manifest: { ...manifest, imported }, records, documents, notes: [] },
			{ benchmark, knowledge, held: knowledge && (await heldIn(knowledge)), beside },
		);
		for (const note of looked.notes) say(note);
		const evidence = new Map([...kept, ...looked.evidence.map((one) => [one.id, one] as const)]);
		await keepEvidence(run.dir, { ...looked, evidence: [...evidence.values()] });
	} finally {
		await knowledge?.close();
	}
}
