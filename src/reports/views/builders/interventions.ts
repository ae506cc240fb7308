/** What each intervention does by itself. */
import { intervenedRuns } from "../../diagnosis/interventions-report.ts";
import { plural } from "../../wording.ts";
import { shareCell } from "../diagnosed.ts";
import { differenceOf } from "../differences.ts";
import type { ViewBuilder, ViewRow } from "../view.ts";
import { countCell, runColumn, textCell, unscoredCell } from "../view-cells.ts";

export const interventionsView: ViewBuilder = {
	name: "interventions",
	title: "What each intervention recovers",
	describe:
		"Of the failures of a run, those that are right in a re-run of the same agent with one part of the world changed. One failure can be recovered by several. Where an intervention took no hold, the agent met nothing that it had changed.",
	source: "Hopscope",
	build(runs, options) {
		const { members, notes } = intervenedRuns(runs, options);
		const rows = members.flatMap(({ run, report: { budget } }) =>
			budget.recoveries.map(
				({ name, share, unknown, notHeld, difference }): ViewRow => ({
					run: run.manifest.id,
					kind: "intervention",
					cells: {
						run: textCell(options.label(run)),
						what: textCell(name),
						share:
							share.of + unknown === 0
								? unscoredCell("it was not run on failures")
								: shareCell(share, {
										expected: share.of + unknown,
										missing: unknown > 0 ? { "not run, or ended by an error": unknown } : {},
									}),
						held: countCell(share.of - sum(notHeld), share.of),
						difference: difference
							? { is: "measured", measured: differenceOf(difference) }
							: unscoredCell("run on failures only"),
					},
				}),
			),
		);
		const overlaps = members.flatMap(({ run, report: { budget } }) =>
			budget.overlaps
				.filter(({ by }) => by.length > 1)
				.slice(0, 5)
				.map(
					({ by, count }) =>
						`${members.length > 1 ? `${options.label(run)}: ` : ""}${plural(count, "failure")} recovered by each of ${by.join(", ")}.`,
				),
		);
		const reasons = members.flatMap(({ report: { budget } }) =>
			budget.recoveries.flatMap(({ name, notHeld }) =>
				Object.entries(notHeld).map(([why, count]) => `${name} took no hold in ${plural(count, "failure")}: ${why}.`),
			),
		);
		return {
			rows,
			columns: [
				runColumn,
				{ key: "what", title: "Intervention", unit: "text" },
				{ key: "share", title: "Recovered", unit: "percent", better: "higher" },
				{ key: "held", title: "Took hold", unit: "number" },
				{ key: "difference", title: "Δ accuracy, all tasks", unit: "percent", signed: true },
			],
			plots: [{ form: "rows", x: "what", y: "share", series: "run", xTitle: "", yTitle: "failures recovered %" }],
			notes: [...overlaps, ...reasons, ...notes],
		};
	},
};

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);
