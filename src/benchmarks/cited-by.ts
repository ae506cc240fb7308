import type { Task } from "#domain";

/** Evidence that a task names as gold, each once: of its hops, and what the source marks as supporting. */
export function citedBy(task: Pick<Task, "chain" | "supporting">): string[] {
	return [...new Set([...(task.chain?.hops.flatMap((hop) => hop.evidence) ?? []), ...(task.supporting ?? [])])];
}
