/** Whether an agent notices that its evidence is missing, as Double-Bench's Figure 5 breaks it down. */
import { clusterOf, overConfidence as hitsAndMisses, summarise } from "#scoring";
import { asShare } from "../../summaries.ts";
import { endingNames } from "../../wording.ts";
import { gradeOf, gradesOf, hasAnswer } from "../grade-measures.ts";
import {
	groupColumns,
	numberColumn,
	percentColumn,
	plotByRun,
	plotInSlices,
	type TableColumn,
	tableOf,
	textColumn,
} from "../table.ts";
import type { ViewBuilder, ViewItem } from "../view.ts";
import { countCell, intervalCell } from "../view-cells.ts";
import { answers, gradedItems, graderNotes, groupedRows, searchingRuns } from "../view-items.ts";

const found = { hit: "all found", miss: "not all found", all: "all" } as const;

export const overConfidence: ViewBuilder = {
	name: "over-confidence",
	title: "Answers with and without the evidence",
	describe:
		"Whether the searches brought evidence for every hop, by how the question was answered. An agent that answers as often without its evidence does not notice that it is missing. Answered means that there is an answer that does not decline; right of answered leaves the others out.",
	source: "Double-Bench, section 4.2 and Figure 5",
	build(runs, options) {
		const { searching, notes } = searchingRuns(runs.filter(answers), options);
		const grades = gradesOf(searching);
		const members = searching.map((run) => ({ run, items: gradedItems(run).items }));
		const { by, groups } = groupedRows(members, options);
		const told = groups.flat().map((one) => ({ ...one, known: one.items.flatMap(gradedHit) }));
		const rows = told.flatMap((one) => {
			if (one.known.length === 0) return [];
			const table = hitsAndMisses(one.known);
			return (Object.keys(found) as (keyof typeof found)[]).map((name) => ({
				...one,
				evidence: found[name],
				...table[name],
			}));
		});
		const columns: TableColumn<(typeof rows)[number]>[] = [
			...groupColumns(by),
			textColumn("evidence", "Evidence", ({ evidence }) => evidence),
			numberColumn("records", "Records", ({ n, known }) => countCell(n, known.length)),
			...grades.map((outcome) =>
				numberColumn<(typeof rows)[number]>(outcome, endingNames[outcome], ({ outcomes }) => outcomes[outcome], {
					group: "Records",
				}),
			),
			percentColumn("answered", "Answered", ({ answered }) =>
				intervalCell(asShare(answered), { none: "no such record" }),
			),
			percentColumn(
				"accuracy",
				"Right of answered",
				({ accuracy }) => intervalCell(asShare(accuracy), { none: "none was answered" }),
				{ better: "higher" },
			),
		];
		const table = tableOf(rows, columns, ({ run }) => ({ run: run.manifest.id }));
		return {
			over: "record",
			rows: table.rows,
			columns: table.columns,
			plots: (["answered", "accuracy"] as const).map((y) =>
				plotInSlices(by, plotByRun("rows", "evidence", y, y === "answered" ? "answered %" : "right of answered %")),
			),
			notes: [
				...notes,
				...graderNotes(searching),
				...told.flatMap(({ values, label, items, known }) => {
					if (known.length === items.length) return [];
					const { missing, inapplicable } = summarise(items, { metric: "hit" });
					const reasons = Object.entries({
						...missing,
						...(inapplicable > 0 ? { "no gold evidence": inapplicable } : {}),
					});
					const where = values.length > 0 ? ` (${values.join(", ")})` : "";
					const why = reasons.map(([reason, count]) => `${reason} ${count}`).join(", ");
					return [
						`${label}${where}: ${items.length - known.length} of ${items.length} records are in no row${why && ` (${why})`}.`,
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
