import { usageError } from "#domain";
import { type GateMargins, type GateReport, gateReport } from "#reports";
import type { TaskChoice } from "./chosen-tasks.ts";
import type { CompareOptions } from "./compare.ts";
import { opened } from "./report.ts";
import { type ScorerOptions, scorersOf } from "./scorer-files.ts";
import type { Bench } from "./work.ts";

export interface GateOptions extends ScorerOptions, TaskChoice, GateMargins, Pick<CompareOptions, "scoring"> {
	/** The run that it may replace. */
	against: string;
}

/** Whether a run is no worse than another by more than is allowed. */
export async function gateRuns(name: string, options: GateOptions, bench: Bench): Promise<GateReport> {
	const { against, scoring } = options;
	const scorers = await scorersOf(options);
	const chosen = { diagnosed: async () => [], scoring, scorers, choice: options };
	return opened([name, against], chosen, bench, async ([run, base]) => {
		if (!run || !base) throw usageError("no-run", `there is no run ${name} or ${against}`, "hopscope runs lists them.");
		return gateReport(run, base, options);
	});
}
