import type { DiagnosedRecord } from "#diagnosis";
import type { FindingKind } from "#domain";
import { isWellFormed } from "../reward/trajectory-reward.ts";

/** Findings with which a right answer is nothing to learn from. */
const unearned: readonly FindingKind[] = ["known", "lucky", "unsupported-answer", "unsearched"];

/** Which side of a pair a record can stand on, or why on none. */
export type Side = { is: "right" } | { is: "wrong" } | { is: "neither"; reason: string };

/**
 * A record is right to learn from if its answer is, and follows from what it found; wrong, if its answer is wrong by a
 * broken hop that is the policy's own doing: an error, a budget, a tool that failed, or a retriever that does not even
 * find the gold sub-question's evidence teach a policy nothing, and neither does a hop of which nothing shows how it was
 * read.
 */
export function sideOf({ task, record: { trajectory }, diagnosis }: DiagnosedRecord): Side {
	const neither = (reason: string): Side => ({ is: "neither", reason });
	const { right, findings, firstBroken, hops, unobserved } = diagnosis;
	const found = new Set(findings.map(({ is }) => is));
	if (trajectory.stop === "error" || trajectory.stop === "budget") return neither(`broken off by ${trajectory.stop}`);
	if (!task.chain) return neither("the task states no chain");
	if (right === undefined) return neither("nobody can say whether its answer is right");
	if (right) {
		const why = unearned.find((kind) => found.has(kind));
		if (why !== undefined) return neither(`right, but ${why}`);
		if (firstBroken !== null) return neither("right, but a hop is broken");
		const known = hops.some((hop) => hop.is === "judged" && hop.verdict === "skipped-known");
		return known ? neither("right, but a hop was known, not found") : { is: "right" };
	}
	if (firstBroken === null)
		return neither(unobserved.length > 0 ? "wrong, and nothing shows which hop broke" : "wrong with no hop broken");
	const broken = hops.find(({ hop }) => hop === firstBroken);
	if (broken?.is !== "judged") return neither("wrong, and its first broken hop is not judged");
	if (broken.verdict === "tool-failed") return neither("wrong by a tool that failed");
	if (broken.verdict !== "retrieval-miss") return { is: "wrong" };
	if (!broken.miss) return neither("wrong by a miss whose cause is not known");
	if (broken.miss.is === "tool-or-k") return neither("wrong by a miss of the tool's: its own query finds it now");
	if (broken.miss.is !== "bad-query") return neither(`wrong by a miss of the retriever's: ${broken.miss.is}`);
	// what the gold sub-question finds in the knowledge base says nothing of a search elsewhere
	if (broken.miss.notReplayed !== undefined) return neither("wrong by a miss whose query could not be made again");
	return { is: "wrong" };
}

/** Whether some turns are written as their protocol wants them. */
export const isCarriedOut = (turns: readonly { steps: Parameters<typeof isWellFormed>[0]["steps"] }[]): boolean =>
	turns.every((turn) => isWellFormed(turn));
