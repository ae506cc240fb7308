/** A row of the list, and what the list is filtered by, in words. */
import { clip } from "#domain";
import { endingNames, findingWords, topologyName, verdictMarks } from "#reports";
import type { Media, Row } from "./pages.ts";
import { recordColumns } from "./run-index.ts";
import { type FacetGiven, type FacetWords, titledFacets } from "./select.ts";
import { hopColumn, mostHopColumns, type Table, valueAt } from "./table.ts";

/** What a list is filtered by most, in the order in which it is offered. */
export const runFacets: readonly FacetGiven[] = [
	{ name: "outcome", title: "Outcome", titleOf: (value) => named(endingNames, value) ?? value },
	{
		name: "broken",
		title: "First broken hop",
		titleOf: (value) =>
			value === "none" ? "none seen" : /^\d+$/.test(value) ? `hop ${value}` : value.replaceAll("-", " "),
	},
	{
		name: "primary",
		title: "What broke",
		titleOf: (value) =>
			named(verdictMarks, value)?.plainly ??
			named(findingWords, value)?.name ??
			(value === "none" ? "nothing found" : value),
	},
	{ name: "topology", title: "Shape of the chain", titleOf: topologyName },
	{ name: "tool", title: "Tool", titleOf: (value) => value.replaceAll("_", " ") },
	{ name: "stop", title: "How it ended", titleOf: (value) => value.replaceAll("-", " ") },
	{ name: "error", title: "Error", titleOf: (value) => (value === "none" ? "no error" : value) },
	{ name: "language", title: "Language", titleOf: (value) => value },
];

const named = <Words>(words: Readonly<Record<string, Words>>, value: string): Words | undefined =>
	Object.hasOwn(words, value) ? words[value] : undefined;

/** What the list of a run is filtered by. */
export const facetWords = (table: Table): FacetWords[] => titledFacets(table, runFacets);

export function rowOf(row: number, table: Table): Row {
	const number = (name: string) => table.numbers.get(name)?.[row] ?? Number.NaN;
	const value = (name: string) => {
		const column = table.categories.get(name);
		return column ? valueAt(column, row) : null;
	};
	const broken = Number(value("broken"));
	const hops = Math.min(mostHopColumns, number("hops") || 0);
	const picture = value("picture");
	const cost = number("cost");
	return {
		task: value("task") ?? "",
		repeat: number("repeat"),
		question: clip(value("question") ?? "", 300),
		picture: picture === null ? null : (JSON.parse(picture) as Media),
		hops: Array.from({ length: hops }, (_, at) => ({
			verdict: value(hopColumn(at + 1)) ?? "not-judged",
			first: broken === at + 1,
		})),
		outcome: value("outcome") ?? "missing",
		primary: value("primary"),
		answer: value("answer"),
		gold: clip(value("gold") ?? "", 200),
		steps: number(recordColumns.steps),
		ms: number("seconds") * 1000,
		tokens: number("tokens"),
		cost: Number.isNaN(cost) ? null : cost,
	};
}
