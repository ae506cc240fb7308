import type { Evidence, Task } from "#domain";
import { citedBy } from "../cited-by.ts";

/** What became of the gold evidence between two knowledge bases. */
export interface EvidenceDiff {
	/** Ids that either version's tasks name. */
	named: number;
	changed: { evidence: string; tasks: string[] }[];
	/** In the older one only, and in the newer one only. */
	removed: { evidence: string; tasks: string[] }[];
	added: { evidence: string; tasks: string[] }[];
	/** In neither. */
	unknown: string[];
}

/** Compares the gold evidence of two versions by content; each with the tasks of either version that rest on it. */
export async function diffEvidence(
	versions: readonly (Iterable<Task> | AsyncIterable<Task>)[],
	look: { before(id: string): Promise<Evidence | undefined>; after(id: string): Promise<Evidence | undefined> },
): Promise<EvidenceDiff> {
	const users = new Map<string, Set<string>>();
	for (const tasks of versions)
		for await (const task of tasks)
			for (const id of citedBy(task)) {
				const known = users.get(id);
				if (known) known.add(task.id);
				else users.set(id, new Set([task.id]));
			}
	const diff: EvidenceDiff = { named: users.size, changed: [], removed: [], added: [], unknown: [] };
	const looked = await Promise.all(
		[...users.keys()].sort().map(async (id) => ({ id, old: await look.before(id), fresh: await look.after(id) })),
	);
	for (const { id, old, fresh } of looked) {
		const entry = { evidence: id, tasks: [...(users.get(id) ?? [])].sort() };
		if (!old && !fresh) diff.unknown.push(id);
		else if (!fresh) diff.removed.push(entry);
		else if (!old) diff.added.push(entry);
		else if (old.sha256 !== fresh.sha256) diff.changed.push(entry);
	}
	return diff;
}
