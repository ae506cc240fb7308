/** How the answers of runs are scored: numbers by different modes are not about the same thing. */
import { grouped, type ScoringMode } from "#domain";
import type { ReportRun } from "./report-data.ts";

type Scored = Pick<ReportRun, "rows" | "manifest">;

/** As its rows say, where there are any, else as the run was planned; null where neither does. */
export const scoredBy = ({ rows, manifest }: Scored): ScoringMode | null =>
	rows[0]?.scoring ?? manifest.scoring ?? null;

/** "Answers scored by hopscope."; of runs that differ, each with its own. Empty where no run says. */
export function scoringNote<Run extends Scored>(runs: readonly Run[], label: (run: Run) => string): string {
	const modes = grouped(runs, scoredBy);
	modes.delete(null);
	const [only, other] = modes.keys();
	if (!only) return "";
	if (other === undefined) return `Answers scored by ${only}.`;
	const each = [...modes].map(([mode, some]) => `${mode} (${some.map(label).join(", ")})`);
	return `Answers scored differently, so that accuracies do not compare: by ${each.join(", by ")}.`;
}
