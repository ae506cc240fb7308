import type { Agent } from "#agents";
import type { RunManifest, RunRecord } from "#domain";

/** A run that was planned, with what is known of its size. */
export interface PlannedRun {
	manifest: RunManifest;
	/** Of a suite's file. */
	line?: number;
	/** Answers expected, and of them finished. */
	total: number;
	done: number;
	/** Calls of a model that the answers still to be given can take at most, where the agent says. */
	mostCalls: number | undefined;
	warnings: string[];
}

export function plannedRun({
	agent,
	model,
	manifest,
	warnings,
	records,
}: {
	agent: Pick<Agent, "card">;
	model: object | undefined;
	manifest: RunManifest;
	warnings: string[];
	records: RunRecord[];
}): PlannedRun {
	const total = manifest.tasks.length * manifest.repeats;
	const done = records.filter(({ trajectory }) => trajectory.stop !== "error").length;
	const calls = agent.card?.mostCalls(manifest.setting);
	const mostCalls = model && calls !== undefined ? calls * (total - done) : undefined;
	return { manifest, total, done, mostCalls, warnings };
}
