/** What the files of an export are called, without their ending, and how much each holds. */
export const exportFiles = {
	index: "index",
	run: (run: string) => `${run}.run`,
	rows: (run: string, part: number) => `${run}.rows-${part}`,
	tasks: (run: string, part: number) => `${run}.tasks-${part}`,
	messages: (run: string, part: number) => `${run}.messages-${part}`,
	rowsInFile: 500,
	tasksInFile: 20,
} as const;
