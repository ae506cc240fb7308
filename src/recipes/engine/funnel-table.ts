import { addUsage, noUsage } from "#domain";
import { droppedBy, type FunnelRow, shareOf } from "./funnel.ts";

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** A funnel as a table: its head and its rows, ready for a terminal or a page. Columns of nothing are left out. */
export function funnelTable(
	rows: readonly FunnelRow[],
	{ currency }: { currency?: string | undefined } = {},
): [string[], (string | number)[][]] {
	const used = rows.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
	interface Column {
		head: string;
		cell(row: FunnelRow): string | number;
		/** Left out where it says nothing of any row. */
		wanted?: boolean;
	}
	const counted = (
		head: string,
		of: "failed" | "skipped" | "notApplicable" | "empty" | "faults" | "reused",
	): Column => ({
		head,
		cell: (row) => row[of],
		wanted: rows.some((row) => row[of] > 0),
	});
	const columns: Column[] = [
		{ head: "stage", cell: ({ stage }) => stage },
		{ head: "kind", cell: ({ kind }) => kind },
		{ head: "in", cell: (row) => row.in },
		{ head: "out", cell: ({ out }) => out },
		counted("failed", "failed"),
		{ head: "dropped", cell: ({ dropped }) => reasonsOf(dropped) },
		{
			head: "rewritten",
			cell: ({ kind, out }) => (kind === "rewrite" ? out : ""),
			wanted: rows.some(({ kind }) => kind === "rewrite"),
		},
		counted("skipped", "skipped"),
		counted("not applicable", "notApplicable"),
		counted("nothing", "empty"),
		counted("faults", "faults"),
		counted("reused", "reused"),
		{ head: "calls", cell: ({ usage }) => usage.calls, wanted: used.calls > 0 },
		{ head: "tokens", cell: ({ usage }) => usage.inputTokens + usage.outputTokens, wanted: used.inputTokens > 0 },
		{
			head: `cost${currency ? `, ${currency}` : ""}`,
			cell: ({ usage }) => (usage.calls === 0 ? "" : (usage.cost?.toFixed(4) ?? "unknown")),
			wanted: used.cost !== undefined,
		},
		{
			head: "ours",
			cell: (row) => {
				const share = row.published ? shareOf(row) : undefined;
				return share === undefined ? "" : percent(share);
			},
			wanted: rows.some(({ published }) => published),
		},
		{
			head: "published",
			cell: ({ published }) => (published ? `${percent(published.rate)} ${published.of} (${published.source})` : ""),
			wanted: rows.some(({ published }) => published),
		},
	];
	const shown = columns.filter(({ wanted = true }) => wanted);
	return [shown.map(({ head }) => head), rows.map((row) => shown.map(({ cell }) => cell(row)))];
}

/** Why inputs were dropped, the commonest reason first: `closed_book 4, other 1`. */
export const reasonsOf = (dropped: FunnelRow["dropped"]): string =>
	Object.entries(dropped)
		.sort(([, a], [, b]) => b - a)
		.map(([reason, count]) => `${reason} ${count}`)
		.join(", ");

/** The commonest drops of a funnel: stage, reason, count. */
export function topReasons(rows: readonly FunnelRow[], most = 5): { stage: string; reason: string; count: number }[] {
	return rows
		.filter((row) => droppedBy(row) > 0)
		.flatMap(({ stage, dropped }) => Object.entries(dropped).map(([reason, count]) => ({ stage, reason, count })))
		.sort((a, b) => b.count - a.count || (a.stage < b.stage ? -1 : 1))
		.slice(0, most);
}
