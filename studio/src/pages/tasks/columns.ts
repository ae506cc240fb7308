/** The columns of the list, and by which column of the run each is sorted. */

export interface ListColumn {
	/** Also the class of its cells. */
	name: "task" | "question" | "hops" | "outcome" | "steps" | "time" | "tokens" | "cost";
	title: string;
	/** What it is sorted by, where the run has it. */
	sort: string;
}

export const listColumns: readonly ListColumn[] = [
	{ name: "task", title: "Task", sort: "task" },
	{ name: "question", title: "Question", sort: "question" },
	{ name: "hops", title: "Hops", sort: "broken" },
	{ name: "outcome", title: "Outcome", sort: "outcome" },
	{ name: "steps", title: "Steps", sort: "steps" },
	{ name: "time", title: "Time", sort: "seconds" },
	{ name: "tokens", title: "Tokens", sort: "tokens" },
	{ name: "cost", title: "Cost", sort: "cost" },
];

/** The order after a click on a column: numbers begin with the largest, names with the first; then turned, then as recorded. */
export function nextSort(sort: string, column: string, numeric: boolean): string {
	const [first, second] = numeric ? [`-${column}`, column] : [column, `-${column}`];
	return sort === first ? second : sort === second ? "" : first;
}
