/** Where the failures of a run are lost. */
import { type BudgetPart, budgetParts, type ErrorBudget } from "#diagnosis";
import { intervenedRuns } from "../../diagnosis/interventions-report.ts";
import { plural } from "../../wording.ts";
import { shareCell } from "../diagnosed.ts";
import type { ViewBuilder, ViewRow } from "../view.ts";
import { countCell, runColumn, textCell } from "../view-cells.ts";

const partWords: Record<BudgetPart, string> = {
	planning: "planning",
	retrieval: "retrieval",
	reading: "reading",
	combined: "more than one part",
	composition: "composition, not recovered",
};

export const errorBudgetView: ViewBuilder = {
	name: "error-budget",
	title: "Error budget",
	describe:
		"Failures by the first part that, made perfect in a re-run of the same agent, recovers them: planning (the gold sub-questions, one at a time), retrieval (the gold evidence first in what a search brings), reading (its answer stated with it). More than one part: only all hops given as solved recover it. Composition: nothing does. The shares are of the failures whose re-runs have all ended, and sum to one.",
	source: "Hopscope",
	build(runs, options) {
		const { members, notes } = intervenedRuns(runs, options);
		const budgets = members.filter(({ report: { budget } }) => budget.settled > 0);
		const rows = budgets.flatMap(({ run, report: { budget } }) =>
			budgetParts.map(
				(part): ViewRow => ({
					run: run.manifest.id,
					kind: "intervention",
					cells: {
						run: textCell(options.label(run)),
						part: textCell(partWords[part]),
						share: shareCell(budget.parts[part]),
						failures: countCell(budget.parts[part].count, budget.settled),
					},
				}),
			),
		);
		return {
			over: "failure",
			rows,
			columns: [
				runColumn,
				{ key: "part", title: "Lost to", unit: "text" },
				{ key: "share", title: "Failures", unit: "percent" },
				{ key: "failures", title: "Count", unit: "number" },
			],
			plots: [{ form: "bars", x: "part", y: "share", series: "run", xTitle: "lost to", yTitle: "failures %" }],
			notes: [
				...members.flatMap(({ run, report }) => {
					const name = members.length > 1 ? `${options.label(run)}: ` : "";
					return budgetNotes(report.budget).map((note) => `${name}${note}`);
				}),
				...notes,
			],
		};
	},
};

/** What stands beside the shares, in sentences. */
function budgetNotes(budget: ErrorBudget): string[] {
	const { expected, right, failed, brokenOff, missing, withoutChain, settled, unsettled, untouched, chance } = budget;
	const broken = brokenOff + missing;
	return [
		`Of ${expected} records ${right} are right and ${failed} failed${broken > 0 ? `; ${broken} ended by an error, a spent budget or not at all and are no failures here` : ""}.`,
		...(withoutChain > 0
			? [`${plural(withoutChain, "failure")} of tasks without a gold chain: nothing can be made perfect there.`]
			: []),
		...Object.entries(unsettled).map(([reason, count]) => `${plural(count, "failure")} in no part yet: ${reason}.`),
		...(untouched > 0
			? [
					`In ${untouched} of the failures given to composition only the plan was made perfect: no search aimed at a gold hop, so that evidence and answers could not be given.`,
				]
			: []),
		...(chance && chance.of > 0
			? [
					`Asked again without any change, ${chance.count} of ${chance.of} failures came out right: so much recovers by chance.`,
				]
			: settled > 0
				? [
						"What recovers by chance was not measured (--again); an agent that draws nothing at random gives the same answers again.",
					]
				: []),
	];
}
