/** What the files of an export are called, without their ending, and how much each holds. */
export const exportFiles = {
	index: "index",
	run: (run: string) => `${run}.run`,
	rows: (run: string, part: number) => `${run}.rows-${part}`,
	tasks: (run: string, part: number) => `${run}.tasks-${part}`,
	messages: (run: string, part: number) => `${run}.messages-${part}`,
	/** Tables of a run; of all runs together without one. */
	tables: (run?: string) => (run === undefined ? "tables" : `${run}.tables`),
	tableTexts: (run?: string) => (run === undefined ? "table-texts" : `${run}.table-texts`),
	budget: (run: string) => `${run}.budget`,
	budgetTexts: (run: string) => `${run}.budget-texts`,
	/** Which runs can be compared, and of which sets of them the differences are there. */
	comparisons: "comparisons",
	/** The differences of one of those sets. */
	comparison: (place: number) => `comparison-${place}`,
	/** The most runs that can be compared at a time. */
	mostCompared: 12,
	/** Runs of which the tables are exported together; those of more stand alone. */
	mostTabled: 12,
	rowsInFile: 500,
	tasksInFile: 20,
} as const;

/** What an export says of its comparisons. */
export interface ExportedComparisons {
	/** Runs that can be compared with one another, by name. */
	groups: string[][];
	/** Runs whose differences are written, in the order of their letters there. */
	sets: string[][];
}

/** Of which sets the differences are written: all runs of a group together, each two of them, and the first with the rest. */
export function setsCompared(groups: readonly string[][]): string[][] {
	return groups.flatMap((group) => {
		const together = group.slice(0, exportFiles.mostCompared);
		const [first] = group;
		const pairs = together.flatMap((one, place) => together.slice(place + 1).map((other) => [one, other]));
		const further = first === undefined ? [] : group.slice(together.length).map((run) => [first, run]);
		return [...(together.length > 2 ? [together] : []), ...pairs, ...further];
	});
}
