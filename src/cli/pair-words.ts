import { counted } from "#domain";

/** Counts by reason, the most frequent first, one line each. */
export function reasonLines(title: string, counts: Record<string, number>): string[] {
	const rows = Object.entries(counts).sort(([, a], [, b]) => b - a);
	const width = Math.max(0, ...rows.map(([, count]) => String(count).length));
	return rows.length === 0
		? []
		: [`${title}:`, ...rows.map(([reason, count]) => `  ${String(count).padStart(width)}  ${reason}`)];
}

/** `3 pairs: 2 misread, 1 not-planned`. */
export function countLine(count: number, ...by: Record<string, number>[]): string {
	const parts = by.map((counts) =>
		Object.entries(counts)
			.sort(([, a], [, b]) => b - a)
			.map(([name, n]) => `${n} ${name}`)
			.join(", "),
	);
	return [`${counted(count, "pair")}`, ...parts.filter((part) => part !== "")].join("; ");
}
