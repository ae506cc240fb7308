import type { Evidence, Task } from "#domain";
import { citedBy } from "../cited-by.ts";
import type { Reading } from "./format.ts";

/** Evidence ids that tasks cite as gold and that did not come with them: they must be in a knowledge base. */
export function evidenceNotRead({ tasks, evidence }: Pick<Reading, "tasks" | "evidence">): string[] {
	const read = new Set(evidence.map(({ id }) => id));
	return [...new Set(tasks.flatMap(citedBy))].filter((id) => !read.has(id));
}

/**
 * Tasks with what they name and nobody has: gold evidence for which `has` says no, and whatever is a waiting picture. The
 * question images that they wait for stay as they are.
 */
export function withPending(
	tasks: readonly Task[],
	{ has, pictures }: { has(id: string): boolean; pictures: ReadonlySet<string> },
): Task[] {
	return tasks.map(({ pending, ...task }) => {
		const named = new Set([...citedBy(task), ...(task.context ?? [])]);
		const waiting = [...named].filter((id) => pictures.has(id) && !has(id));
		const absent = citedBy(task).filter((id) => !pictures.has(id) && !has(id));
		const now = {
			...(pending?.images ? { images: pending.images } : {}),
			...(waiting.length > 0 ? { pictures: waiting } : {}),
			...(absent.length > 0 ? { evidence: absent } : {}),
		};
		return Object.keys(now).length > 0 ? { ...task, pending: now } : task;
	});
}

/** A task whose evidence has other ids; those that stay the same are not in `ids`. */
export function withEvidenceCalled(task: Task, ids: ReadonlyMap<string, string>): Task {
	const here = (id: string) => ids.get(id) ?? id;
	return {
		...task,
		...(task.context ? { context: task.context.map(here) } : {}),
		...(task.supporting ? { supporting: task.supporting.map(here) } : {}),
		...(task.chain
			? {
					chain: {
						...task.chain,
						hops: task.chain.hops.map((hop) => ({ ...hop, evidence: [...new Set(hop.evidence.map(here))] })),
					},
				}
			: {}),
	};
}

/**
 * A reading whose evidence is looked for in a knowledge base that is there already: `find` gives the id there of what
 * says the same, `ids` has the ids there of what did not come along. What did not come along and is not there waits
 * to be attached. A task whose gold evidence came along and is not there is refused; what else a task was handed is left
 * out with a warning.
 */
export async function resolveReading(
	reading: Reading,
	{ find, ids: joined }: { find(evidence: Evidence): Promise<string | undefined>; ids: ReadonlyMap<string, string> },
): Promise<Reading> {
	const read = new Set(reading.evidence.map(({ id }) => id));
	const pictures = new Set(reading.waiting.map(({ id }) => id));
	const ids = new Map(joined);
	for (const one of reading.evidence) {
		const id = await find(one);
		if (id !== undefined) ids.set(one.id, id);
	}
	const tasks: Task[] = [];
	const refused = [...reading.refused];
	const losses = [...reading.losses];
	for (const task of withPending(reading.tasks, { has: (id) => read.has(id) || ids.has(id), pictures })) {
		const missing = new Set(citedBy(task).filter((id) => read.has(id) && !ids.has(id)));
		const [first] = missing;
		if (first !== undefined) {
			const reason = `its evidence "${first}"${missing.size > 1 ? ` and ${missing.size - 1} more` : ""} is not in the knowledge base`;
			refused.push({ file: "", row: 0, id: task.id, reason });
			continue;
		}
		const context = task.context?.filter((id) => ids.has(id) || pictures.has(id));
		const lost = (task.context?.length ?? 0) - (context?.length ?? 0);
		if (lost > 0)
			losses.push(
				`${task.id}: ${lost} of the ${task.context?.length} passages handed out are not in the knowledge base`,
			);
		tasks.push(withEvidenceCalled({ ...task, ...(context ? { context } : {}) }, ids));
	}
	return {
		...reading,
		tasks,
		refused,
		losses,
		evidence: [],
		media: reading.media.filter((one) => one.in === "benchmark"),
		waiting: reading.waiting.filter(({ id }) => !ids.has(id)),
	};
}
