import type { Cell } from "../view.ts";

/** A cell's number with the ends of its interval, or the number itself where it has none. */
export interface Ends {
	value: number;
	low: number;
	high: number;
}

export function numberOf(cell: Cell | undefined): Ends | undefined {
	if (cell?.is === "count" || cell?.is === "published") return { value: cell.value, low: cell.value, high: cell.value };
	if (cell?.is !== "measured" || cell.measured.value === null) return undefined;
	const { value, low, high } = cell.measured;
	return { value, low: low ?? value, high: high ?? value };
}
