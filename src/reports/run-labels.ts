/** What runs are called when they stand beside one another. */
import { clip, grouped, interventionName } from "#domain";
import type { ReportRun } from "./report-data.ts";

/** Labels by what tells the runs apart: the agent, then its model, setting and at last the run's id. */
export function labelsOf<Run extends Pick<ReportRun, "manifest">>(runs: readonly Run[]): (run: Run) => string {
	const settings = new Set(runs.map((run) => run.manifest.setting.name));
	const base = ({ manifest: { agent, model, setting, intervention } }: Run) =>
		[
			agent.name,
			...(model === null ? [] : [model]),
			...(settings.size > 1 ? [setting.name] : []),
			...(intervention ? [`intervention ${interventionName(intervention.what)}`] : []),
		]
			.map((part) => clip(part, 60))
			.join(" · ");
	// one label stands for the same agent on several benchmarks, but for one run only within a benchmark
	const within = (run: Run) => JSON.stringify([base(run), run.manifest.benchmark.name, run.manifest.benchmark.hash]);
	const shared = new Set([...grouped(runs, within).values()].flatMap((group) => (group.length > 1 ? group : [])));
	return (run) => (shared.has(run) ? `${base(run)} · ${clip(run.manifest.id, 80)}` : base(run));
}

/** What was changed in the world of a run's agent, and of which run it is a re-run; null: nothing. */
export function interventionOf({ intervention }: ReportRun["manifest"]): { what: string; of: string } | null {
	return intervention ? { what: interventionName(intervention.what), of: clip(intervention.of, 200) } : null;
}
