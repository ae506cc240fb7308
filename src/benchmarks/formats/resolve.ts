import type { Evidence, Task } from "#domain";
import { citedBy } from "../cited-by.ts";
import type { Reading } from "./format.ts";
import type { JoinedDocuments } from "./join-documents.ts";

/** Evidence ids that tasks cite as gold and that did not come with them: they must be in a knowledge base. */
export function evidenceNotRead({ tasks, evidence }: Pick<Reading, "tasks" | "evidence">): string[] {
	const read = new Set(evidence.map(({ id }) => id));
	return [...new Set(tasks.flatMap(citedBy))].filter((id) => !read.has(id));
}

/**
 * A reading whose evidence is looked for in a knowledge base that is there already: `find` gives the id there of what
 * says the same, `missing` those ids of evidence that did not come along which are not there. A task whose gold evidence is not there is refused; what else a task was handed is left out with a warning.
 */
export async function resolveReading(
	reading: Reading,
	{
		find,
		missing: missingFrom,
		joined,
	}: {
		find(evidence: Evidence): Promise<string | undefined>;
		missing(ids: string[]): Promise<string[]>;
		joined?: JoinedDocuments;
	},
): Promise<Reading> {
	const named = evidenceNotRead(reading);
	const absent = new Set(await missingFrom(named));
	const ids = new Map(named.flatMap((id) => (absent.has(id) ? [] : [[id, id] as const])));
	for (const [id, here] of joined?.ids ?? []) ids.set(id, here);
	for (const id of joined?.reasons.keys() ?? []) ids.delete(id);
	for (const one of reading.evidence) {
		const id = await find(one);
		if (id !== undefined) ids.set(one.id, id);
	}
	const tasks: Task[] = [];
	const refused = [...reading.refused];
	const losses = [...reading.losses];
	for (const task of reading.tasks) {
		const missing = new Set(citedBy(task).filter((id) => !ids.has(id)));
		const [first] = missing;
		if (first !== undefined) {
			const reason =
				joined?.reasons.get(first) ??
				`its evidence "${first}"${missing.size > 1 ? ` and ${missing.size - 1} more` : ""} is not in the knowledge base`;
			refused.push({ file: "", row: 0, id: task.id, reason });
			continue;
		}
		const here = (id: string) => ids.get(id) ?? id;
		const context = task.context?.filter((id) => ids.has(id)).map(here);
		const lost = (task.context?.length ?? 0) - (context?.length ?? 0);
		if (lost > 0)
			losses.push(
				`${task.id}: ${lost} of the ${task.context?.length} passages handed out are not in the knowledge base`,
			);
		tasks.push({
			...task,
			...(context ? { context } : {}),
			...(task.supporting ? { supporting: task.supporting.map(here) } : {}),
			...(task.chain
				? {
						chain: {
							...task.chain,
							hops: task.chain.hops.map((hop) => ({ ...hop, evidence: [...new Set(hop.evidence.map(here))] })),
						},
					}
				: {}),
		});
	}
	return {
		...reading,
		tasks,
		refused,
		losses,
		evidence: [],
		media: reading.media.filter((one) => one.in === "benchmark"),
	};
}
