import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Evidence, EvidenceId, type Task } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { readJsonl, writeJsonl } from "#store";

/** Which content of an evidence a benchmark was made with: a line of `evidence.jsonl`. */
const EvidenceStamp = z.object({ id: EvidenceId, sha256: z.string() });
type EvidenceStamp = z.infer<typeof EvidenceStamp>;

/** Contents by id. */
export type Stamps = ReadonlyMap<string, string>;

export type EvidenceState = "same" | "changed" | "gone";

const fileOf = (dir: string) => join(dir, "evidence.jsonl");

/** Writes down the contents that a benchmark's gold evidence has now, beside its tasks. */
export async function stampBenchmark(
	dir: string,
	tasks: readonly Pick<Task, "chain">[],
	knowledge: Pick<KnowledgeBase, "evidence">,
): Promise<void> {
	const stamps: EvidenceStamp[] = [];
	for (const id of [...goldOf(tasks)].sort()) {
		const evidence = await knowledge.evidence(id);
		if (evidence) stamps.push({ id, sha256: evidence.sha256 });
	}
	await writeJsonl(fileOf(dir), stamps);
}

/** Writes down the contents of a whole corpus beside a build, so that a later one knows which documents are new. */
export async function stampCorpus(dir: string, evidence: AsyncIterable<Evidence>): Promise<void> {
	async function* stamps(): AsyncGenerator<EvidenceStamp> {
		for await (const { id, sha256 } of evidence) yield { id, sha256 };
	}
	await writeJsonl(fileOf(dir), stamps());
}

/** Stamps as they were written; undefined where there are none. */
export async function readStamps(dir: string): Promise<Stamps | undefined> {
	if (!existsSync(fileOf(dir))) return undefined;
	const stamps = new Map<string, string>();
	for await (const { id, sha256 } of readJsonl(fileOf(dir), EvidenceStamp)) stamps.set(id, sha256);
	return stamps;
}

/** What became of stamped evidence. What was never stamped counts as changed: nobody knows what it said. */
export async function evidenceStates(
	ids: Iterable<string>,
	stamps: Stamps,
	knowledge: Pick<KnowledgeBase, "evidence">,
): Promise<Map<string, EvidenceState>> {
	const states = new Map<string, EvidenceState>();
	for (const id of ids) {
		const now = await knowledge.evidence(id);
		states.set(id, now === undefined ? "gone" : now.sha256 === stamps.get(id) ? "same" : "changed");
	}
	return states;
}

/** Every evidence that a gold chain names. */
export const goldOf = (tasks: Iterable<Pick<Task, "chain">>): Set<string> =>
	new Set([...tasks].flatMap(({ chain }) => chain?.hops.flatMap(({ evidence }) => evidence) ?? []));
