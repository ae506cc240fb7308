/** The runs that others are read against: the same model without searching, and with the evidence in its hands. */
import { textColumn } from "./table.ts";
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

/** Agents whose steps are fixed beforehand, by name: the model decides only what it asks and answers. */
const fixed = new Set(
	"single-step two-step vanilla-mrag echosight page-gen m3docrag mdocagent vidorag retrieve".split(" "),
);

/** What an agent stands for in a table: those to compare with, fixed pipelines, and agents that decide for themselves. */
export function roleOf({ manifest: { agent } }: ViewRun): string {
	if (agent.name === "closed-book" || agent.name === "oracle") return agent.name;
	if (fixed.has(agent.name)) return "fixed pipeline";
	return agent.reference === undefined ? "agent" : "reference";
}

export const roleColumn = textColumn<ViewRun>("role", "Kind", roleOf);
