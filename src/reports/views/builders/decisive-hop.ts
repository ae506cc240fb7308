/** From which hop on, given as solved, an agent succeeds. */
import { type DecisiveHop, shareOf } from "#diagnosis";
import type { Task } from "#domain";
import { intervenedRuns } from "../../diagnosis/interventions-report.ts";
import { shareCell } from "../diagnosed.ts";
import type { ViewBuilder, ViewRow } from "../view.ts";
import { runColumn, textCell } from "../view-cells.ts";

export const decisiveHopView: ViewBuilder = {
	name: "decisive-hop",
	title: "The decisive hop",
	describe:
		"The hop from which on, once it and those before it are given as solved, the agent succeeds and stays successful with every further one. By length of chain.",
	source: "Hopscope",
	build(runs, options) {
		const { members, notes } = intervenedRuns(runs, options);
		const rows = members.flatMap(({ run, report: { decisive } }) => {
			const tasks = new Map(run.tasks.map((task) => [task.id, task]));
			const sure = decisive.filter(({ is }) => is !== "unsure");
			const lengths = [...new Set(sure.map(({ of }) => of))].sort((a, b) => a - b);
			return lengths.flatMap((length) => {
				const own = sure.filter(({ of }) => of === length);
				return placesOf(length).map(
					(place): ViewRow => ({
						run: run.manifest.id,
						kind: "intervention",
						cells: {
							run: textCell(options.label(run)),
							chains: textCell(`${length} hops`),
							place: textCell(place),
							share: shareCell(shareOf(own.flatMap((one) => counted(one, tasks.get(one.task), place)))),
						},
					}),
				);
			});
		});
		const unsure = members.flatMap(({ report: { decisive } }) => decisive.filter(({ is }) => is === "unsure")).length;
		return {
			over: "record",
			rows,
			columns: [
				runColumn,
				{ key: "chains", title: "Chains", unit: "text" },
				{ key: "place", title: "Decisive", unit: "text" },
				{ key: "share", title: "Records", unit: "percent" },
			],
			plots: [
				{
					...{ form: "bars", x: "place", y: "share", series: "run", split: "chains" },
					...{ xTitle: "decisive hop", yTitle: "records %" },
				},
			],
			notes: [
				...(unsure > 0
					? [`Of ${unsure} records it cannot be told, since a prefix was not run or ended by an error.`]
					: []),
				...notes,
			],
		};
	},
};

const none = "no hop needed";
const never = "not with all hops given";

const placesOf = (length: number) => [none, ...Array.from({ length }, (_, index) => `hop ${index + 1}`), never];

function counted(one: DecisiveHop, task: Task | undefined, place: string): { task: Task; is: boolean }[] {
	if (!task) return [];
	const own = one.is === "decisive" ? `hop ${one.prefix}` : one.is === "without" ? none : never;
	return [{ task, is: own === place }];
}
