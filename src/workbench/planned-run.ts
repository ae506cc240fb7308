import type { Agent } from "#agents";
import type { RunManifest } from "#domain";
import type { Recorded } from "#runs";
import { doneIn } from "./recorded-in.ts";

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
	recorded,
}: {
	agent: Pick<Agent, "card">;
	model: object | undefined;
	manifest: RunManifest;
	warnings: string[];
	recorded: readonly Recorded[];
}): PlannedRun {
	const total = manifest.tasks.length * manifest.repeats;
	const done = doneIn(manifest, recorded);
	const calls = agent.card?.mostCalls(manifest.setting);
	const mostCalls = model && calls !== undefined ? calls * (total - done) : undefined;
	return { manifest, total, done, mostCalls, warnings };
}
