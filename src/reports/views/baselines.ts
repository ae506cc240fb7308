/** The runs that others are read against: the same model without searching, and with the evidence in its hands. */
import type { ViewRun } from "./view.ts";
import type { Member } from "./view-items.ts";

export type Baseline = "closed-book" | "oracle";

export const isBaseline = ({ manifest }: ViewRun, baseline: Baseline): boolean => manifest.agent.name === baseline;

export const isIntervention = ({ manifest }: ViewRun): boolean => manifest.intervention !== undefined;

export const sameBenchmark = (a: ViewRun, b: ViewRun): boolean =>
	a.manifest.benchmark.name === b.manifest.benchmark.name && a.manifest.benchmark.hash === b.manifest.benchmark.hash;

/** The baseline of a run among others, by model and benchmark; the reason where there is none. */
export function baselineOf(run: ViewRun, members: readonly Member[], baseline: Baseline): Member | { reason: string } {
	if (run.manifest.agent.reference !== undefined) return { reason: "an agent to compare with" };
	const found = members.find(
		(other) =>
			isBaseline(other.run, baseline) &&
			!isIntervention(other.run) &&
			other.run.manifest.model === run.manifest.model &&
			sameBenchmark(other.run, run),
	);
	return found ?? { reason: `no run of ${baseline} with the same model` };
}
