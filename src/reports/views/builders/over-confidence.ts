/** Whether an agent notices that its evidence is missing, as Double-Bench's Figure 5 breaks it down. */
import { clusterOf, summarise, overConfidence as tableOf } from "#scoring";
import { asShare } from "../../summaries.ts";
import { endingNames } from "../../wording.ts";
import { gradeOf, gradesOf, hasAnswer } from "../grade-measures.ts";
import type { Column, ViewBuilder, ViewItem, ViewRow } from "../view.ts";
import { countCell, groupCells, groupColumns, intervalCell, textCell } from "../view-cells.ts";
import { answers, gradedItems, graderNotes, groupsOf, searchingRuns } from "../view-items.ts";

const found = { hit: "all found", miss: "not all found", all: "all" } as const;

export const overConfidence: ViewBuilder = {
	name: "over-confidence",
	title: "Answers with and without the evidence",
	describe:
		"Whether the searches brought evidence for every hop, by how the question was answered. An agent that answers as often without its evidence does not notice that it is missing. Answered means that there is an answer that does not decline; right of answered leaves the others out.",
	source: "Double-Bench, section 4.2 and Figure 5",
	build(runs, options) {
		const by = options.by === undefined ? [] : [options.by];
		const { searching, notes } = searchingRuns(runs.filter(answers), options);
		const asked = searching;
		const grades = gradesOf(asked);
		const members = asked.map((run) => ({ run, items: gradedItems(run).items }));
		const groups = groupsOf(members, by).flatMap((group) => group.members.map((member) => ({ group, ...member })));
		const told = groups.map((one) => ({ ...one, known: one.items.flatMap(gradedHit) }));
		const rows = told.flatMap(({ group, run, known }): ViewRow[] => {
			if (known.length === 0) return [];
			const table = tableOf(known);
			return (Object.keys(found) as (keyof typeof found)[]).map((name) => {
				const { n, outcomes, answered, accuracy } = table[name];
				return {
					run: run.manifest.id,
					cells: {
						...groupCells(by, group, { run, options }),
						evidence: textCell(found[name]),
						records: countCell(n, known.length),
						...Object.fromEntries(grades.map((outcome) => [outcome, countCell(outcomes[outcome])])),
						answered: intervalCell(asShare(answered), { none: "no such record" }),
						accuracy: intervalCell(asShare(accuracy), { none: "none was answered" }),
					},
				};
			});
		});
		return {
			over: "record",
			rows,
			columns: [
				...groupColumns(by),
				{ key: "evidence", title: "Evidence", unit: "text" },
				{ key: "records", title: "Records", unit: "number" },
				...grades.map(
					(outcome): Column => ({ key: outcome, title: endingNames[outcome], unit: "number", group: "Records" }),
				),
				{ key: "answered", title: "Answered", unit: "percent" },
				{ key: "accuracy", title: "Right of answered", unit: "percent", better: "higher" },
			],
			plots: (["answered", "accuracy"] as const).map((y) => ({
				...{ form: "rows", x: "evidence", y, series: "run", xTitle: "" },
				yTitle: y === "answered" ? "answered %" : "right of answered %",
				...(by.length > 0 ? { split: "slice" } : {}),
			})),
			notes: [
				...notes,
				...graderNotes(asked),
				...told.flatMap(({ group, run, items, known }) => {
					if (known.length === items.length) return [];
					const { missing, inapplicable } = summarise(items, { metric: "hit" });
					const reasons = Object.entries({
						...missing,
						...(inapplicable > 0 ? { "no gold evidence": inapplicable } : {}),
					});
					const where = group.values.length > 0 ? ` (${group.values.join(", ")})` : "";
					const why = reasons.map(([reason, count]) => `${reason} ${count}`).join(", ");
					return [
						`${options.label(run)}${where}: ${items.length - known.length} of ${items.length} records are in no row${why && ` (${why})`}.`,
					];
				}),
			],
		};
	},
};

/** A record whose retrieval and answer were both graded. */
function gradedHit(item: ViewItem) {
	const hit = item.row?.scores.hit;
	const outcome = gradeOf(item);
	return hit?.is === "scored" && outcome !== undefined
		? [{ hit: hit.value === 1, outcome, answered: hasAnswer(item), cluster: clusterOf(item.task) }]
		: [];
}
