/** A page of the list of a run's answers. */
import { clip } from "#domain";
import { endingNames, findingWords, topologyName, verdictMarks } from "#reports";
import { imageMedia } from "./media-names.ts";
import type { Row, RowsPage, RowsQuery } from "./pages.ts";
import type { RunTable } from "./run-table.ts";
import { type FacetOf, facetsOf, type Selection } from "./select.ts";
import { hopColumn, mostHopColumns, valueAt } from "./table.ts";

/** What a list is filtered by most, in the order in which it is offered. */
const facets: FacetOf[] = [
	{ name: "outcome", title: "Outcome", titleOf: (value) => named(endingNames, value) },
	{
		name: "broken",
		title: "First broken hop",
		titleOf: (value) => (value === "none" ? "none seen" : /^\d+$/.test(value) ? `hop ${value}` : value),
	},
	{
		name: "primary",
		title: "What broke",
		titleOf: (value) =>
			value in verdictMarks
				? verdictMarks[value as keyof typeof verdictMarks].plainly
				: value === "none"
					? "nothing found"
					: (findingWords[value as keyof typeof findingWords]?.name ?? value),
	},
	{ name: "topology", title: "Shape of the chain", titleOf: topologyName },
	{ name: "tool", title: "Tool", titleOf: (value) => value.replaceAll("_", " ") },
	{ name: "stop", title: "How it ended", titleOf: (value) => value.replaceAll("-", " ") },
	{ name: "language", title: "Language", titleOf: (value) => value },
];

const named = (names: Readonly<Record<string, string>>, value: string) => names[value] ?? value;

export function rowsPage(
	{ offset, limit }: RowsQuery,
	{
		table,
		selection,
		recorded,
	}: { table: RunTable; selection: Selection; recorded?: (text: string) => Uint8Array | undefined },
): RowsPage {
	const { rows, terms, problems } = selection;
	return {
		of: table.rows,
		total: rows.length,
		rows: Array.from(rows.subarray(offset, offset + limit), (row) => rowOf(row, table)),
		// the first page brings what stands beside the list
		facets: offset === 0 ? facetsOf(terms, table, facets, { recorded }) : [],
		problems,
	};
}

function rowOf(row: number, table: RunTable): Row {
	const number = (name: string) => table.numbers.get(name)?.[row] ?? Number.NaN;
	const value = (name: string) => {
		const column = table.categories.get(name);
		return column ? valueAt(column, row) : null;
	};
	const task = table.tasks[row];
	const broken = Number(value("broken"));
	const hops = Math.min(mostHopColumns, task?.chain?.hops.length ?? 0);
	const image = task?.images[0];
	const cost = number("cost");
	return {
		task: value("task") ?? "",
		repeat: number("repeat"),
		question: clip(task?.question ?? "", 300),
		picture: task && image ? imageMedia(task, image) : null,
		hops: Array.from({ length: hops }, (_, at) => ({
			verdict: value(hopColumn(at + 1)) ?? "not-judged",
			first: broken === at + 1,
		})),
		outcome: value("outcome") ?? "missing",
		primary: value("primary"),
		answer: value("answer"),
		gold: clip(task?.answer.value ?? "", 200),
		steps: number("steps"),
		ms: number("seconds") * 1000,
		tokens: number("tokens"),
		cost: Number.isNaN(cost) ? null : cost,
	};
}
