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
	/** Runs of which the tables are exported together; those of more stand alone. */
	mostTabled: 12,
	rowsInFile: 500,
	tasksInFile: 20,
} as const;
