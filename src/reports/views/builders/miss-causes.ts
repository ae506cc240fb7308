/** Why evidence did not come back. */
import { missCauses as causes } from "#diagnosis";
import { causeWords } from "../../diagnosis/diagnosis-words.ts";
import { diagnosedGroups, shareCell } from "../diagnosed.ts";
import type { ViewBuilder, ViewRow } from "../view.ts";
import { countCell, groupCells, groupColumns, textCell } from "../view-cells.ts";

export const missCauses: ViewBuilder = {
	name: "miss-causes",
	title: "Why evidence did not come back",
	describe:
		"Of the hops with a retrieval miss whose cause was looked into, by searching the agent's own query and the gold sub-question again: the evidence is not in the knowledge base, the tool failed or showed too few results (the own query finds it now), the query was bad (only the gold sub-question finds it), or the retriever is weak (neither does).",
	source: "Hopscope",
	build(runs, options) {
		const { by, groups, notes } = diagnosedGroups(runs, options);
		const rows = groups.flatMap((group) =>
			group.members.flatMap(({ run, summary: { misses } }): ViewRow[] =>
				misses.lookedInto === 0
					? []
					: causes.map((cause) => ({
							run: run.manifest.id,
							cells: {
								...groupCells(by, group, { run, options }),
								cause: textCell(causeWords[cause].name),
								hops: countCell(misses.causes[cause].count, misses.lookedInto),
								share: shareCell(misses.causes[cause], {
									expected: misses.missed,
									missing: { "not looked into": misses.missed - misses.lookedInto },
								}),
							},
						})),
			),
		);
		const all = groups.flatMap(({ members }) => members);
		const unknown = all.filter(({ summary: { misses } }) => misses.missed > 0 && misses.lookedInto === 0);
		const whole = all.filter(({ summary: { misses } }) => misses.missed === 0);
		const named = (members: typeof all) => [...new Set(members.map(({ run }) => options.label(run)))];
		return {
			over: "hop",
			rows,
			columns: [
				...groupColumns(by),
				{ key: "cause", title: "Cause", unit: "text" },
				{ key: "hops", title: "Hops", unit: "number" },
				{ key: "share", title: "Share", unit: "percent" },
			],
			plots: [
				{
					...{ form: "rows", x: "cause", y: "share", series: "run", xTitle: "", yTitle: "missed hops %" },
					...(by.length > 0 ? { split: "slice" } : {}),
				},
			],
			notes: [
				...notes,
				...named(unknown).map((name) => `${name}: no cause was looked into: hopscope diagnose RUN --misses N.`),
				...named(whole).map((name) => `${name}: no hop has a retrieval miss.`),
			],
		};
	},
};
