import type { Facet, RunPage } from "../../../../src/studio/pages.ts";
import { pieceAt } from "./filter-text.ts";

/** What could stand in place of the piece that somebody is writing. */
export interface Completion {
	/** Where in the filter it goes, and what. */
	from: number;
	to: number;
	insert: string;
	/** What it is called, and beside it how many answers have it, or what kind of column it is. */
	title: string;
	aside: string;
}

/** The most that are offered: a list that one reads at a glance. */
const most = 12;

export function completionsOf(
	where: string,
	cursor: number,
	{ facets, columns }: { facets: readonly Facet[]; columns: RunPage["columns"] },
): Completion[] {
	const { from, text } = pieceAt(where, cursor);
	const [, minus = "", name, values] = /^(-?)([\p{L}][\p{L}\p{N}_.-]*):(.*)$/su.exec(text) ?? [];
	if (name !== undefined && values !== undefined) {
		const begun = /[^,]*$/u.exec(values)?.[0] ?? "";
		const facet = facets.find((one) => one.name === name.toLowerCase());
		const fitting = (facet?.values ?? []).filter(({ value, title }) => begins(begun, value, title));
		return fitting.slice(0, most).map(({ title, count, where: term }) => ({
			from: cursor - begun.length,
			to: cursor,
			insert: `${term.slice(name.length + 1)} `,
			title,
			aside: count.toLocaleString("en"),
		}));
	}
	const begun = text.replace(/^-/, "");
	if (begun.startsWith('"')) return [];
	return columns
		.filter((column) => begins(begun, column.name, column.title))
		.slice(0, most)
		.map(({ name: column, title, numeric }) => ({
			from,
			to: cursor,
			insert: `${minus || (text.startsWith("-") ? "-" : "")}${column}${numeric ? ">" : ":"}`,
			title: `${column}${numeric ? ">" : ":"}`,
			aside: title,
		}));
}

/** Whether the piece at the cursor is the beginning of something: as a filter of its own it would find nothing. */
export function isBegun(where: string, cursor: number, known: Parameters<typeof completionsOf>[2]): boolean {
	const { text } = pieceAt(where, cursor);
	if (text === "") return false;
	if (/[:<>=,-]$/u.test(text)) return true;
	const offered = completionsOf(where, cursor, known);
	return offered.length > 0 && !offered.some(({ from, insert }) => where.slice(from, cursor) === insert.trim());
}

const begins = (begun: string, ...names: string[]) =>
	names.some((name) => name.toLowerCase().startsWith(begun.replaceAll('"', "").toLowerCase()));
