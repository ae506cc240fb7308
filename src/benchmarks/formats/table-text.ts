/** A table as text: a line a row, its head first, cells apart by bars. */
export const tableText = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
	[head, ...rows]
		.filter((cells) => cells.length > 0)
		.map((cells) => cells.join(" | "))
		.join("\n");
