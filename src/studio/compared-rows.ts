/** The list of compared tasks, of a joined table and the runs' own rows that somebody has: a server, or a page opened from disk. */
import type { JoinedTable } from "./join-runs.ts";
import type { ComparedNextQuery, ComparedPlace, ComparedRow, Row } from "./pages.ts";
import { besideIn, type SelectOptions, select } from "./select.ts";
import { none, valueAt } from "./table.ts";

/** A row of the list of compared tasks; `rows` are those of the runs' own lists. */
export function comparedRow(
	row: number,
	table: JoinedTable,
	{ metric, sides }: { metric: string; sides: (Row | null)[] },
): ComparedRow {
	const value = (name: string) => {
		const column = table.categories.get(name);
		return column ? valueAt(column, row) : null;
	};
	const parts = value("parts");
	const first = sides.find((side) => side !== null);
	return {
		task: value("task") ?? "",
		question: first?.question ?? "",
		picture: first?.picture ?? null,
		gold: first?.gold ?? "",
		standings: table.letters.map((letter) => value(letter) ?? "missing"),
		differs: value("differs") === "yes",
		parts: parts === null ? null : parts === "same" ? 0 : Number(parts),
		sides,
		shares: table.letters.map((letter) => {
			const share = table.numbers.get(`${letter}.${metric}`)?.[row] ?? Number.NaN;
			return Number.isNaN(share) ? null : share;
		}),
	};
}

/** The rows that stand for each run; undefined where it has no answer. */
export const sidesAt = ({ sides }: JoinedTable, row: number): (number | undefined)[] =>
	sides.map((own) => {
		const at = own[row] ?? none;
		return at === none ? undefined : at;
	});

/** The task beside one in a filter and order; null at the end. The one that it is asked from must be in the table. */
export function comparedBeside(
	table: JoinedTable,
	{ task, step, failures, where, sort }: ComparedNextQuery,
	options: SelectOptions = {},
): ComparedPlace | null {
	const selected = (filter: string) => select({ where: filter, sort }, table, options).rows;
	const rows = selected(where);
	const among = failures ? selected(`${where} differs:yes`) : undefined;
	const index = besideIn(rows, { from: table.rowOf(task) ?? none, step, among });
	const row = index === undefined ? undefined : rows[index];
	if (index === undefined || row === undefined) return null;
	const tasks = table.categories.get("task");
	return { task: (tasks && valueAt(tasks, row)) ?? "", index };
}
