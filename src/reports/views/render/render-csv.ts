/** A view as CSV: one line a row, full numbers, and beside each measured one its interval, counts and reason. */
import { csvText } from "#store";
import { isMarked } from "../marks.ts";
import type { Cell, Column, View } from "../view.ts";

/**
 * Shares are from 0 to 1. `kind` says what is published and what is an intervention. A measured column takes eight:
 * value, low and high end of its 95 % interval, tasks it rests on, answers scored and expected, the run that is
 * significantly different, and why there is no number.
 */
function renderCsv(view: View): string {
	const parts = view.columns.map((column) => ({ column, parts: partsOf(column, view) }));
	const head = ["kind", ...parts.flatMap(({ column, parts: names }) => names.map((part) => titleOf(column, part)))];
	const rows = view.rows.map(({ kind, cells }) => [
		kind ?? "plain",
		...parts.flatMap(({ column, parts: names }) => names.map((part) => partText(cells[column.key], part))),
	]);
	return csvText([head, ...rows]);
}

/** Several views in one text: before each an empty line and a line with `#` and its name. */
export function renderCsvAll(views: readonly View[]): string {
	const [only] = views;
	if (only && views.length === 1) return renderCsv(only);
	return views.map((view) => `# ${view.name}\r\n${renderCsv(view).replace(/^\ufeff/, "")}`).join("\r\n");
}

const measuredParts = ["value", "low", "high", "n", "scored", "expected", "differs", "reason"] as const;
type Part = (typeof measuredParts)[number] | "of" | "published" | "spread";

/** What cells of the column hold, in the same order in every row. */
function partsOf({ key }: Column, view: View): Part[] {
	const kinds = new Set(view.rows.map(({ cells }) => cells[key]?.is));
	if (kinds.has("measured"))
		return [...measuredParts, ...(kinds.has("published") ? (["published", "spread"] as const) : [])];
	const ofAny = view.rows.some(({ cells: { [key]: cell } }) => cell?.is === "count" && cell.of !== undefined);
	return [
		"value",
		...(ofAny ? (["of"] as const) : []),
		...(kinds.has("published") ? (["published", "spread"] as const) : []),
		...(kinds.has("unscored") ? (["reason"] as const) : []),
	];
}

function titleOf({ title, group }: Column, part: Part): string {
	return [...(group ? [group] : []), title, ...(part === "value" ? [] : [part])].join(" ");
}

const numberText = (number: number | null | undefined) =>
	number === null || number === undefined ? "" : String(number);

function partText(cell: Cell | undefined, part: Part): string {
	switch (cell?.is) {
		case undefined:
			return "";
		case "text":
			return part === "value" ? cell.text : "";
		case "count":
			return part === "value" || part === "of" ? numberText(cell[part]) : "";
		case "unscored":
			return part === "reason" ? cell.reason : "";
		case "published":
			return part === "published" ? numberText(cell.value) : part === "spread" ? (cell.spread ?? "") : "";
		case "measured": {
			if (part === "reason") return cell.measured.value === null ? (cell.measured.reason ?? "nothing was scored") : "";
			if (part === "differs") {
				const marked = (cell.marks ?? []).filter(isMarked);
				return marked.map(({ better, against }) => `${better ? "better" : "worse"} than ${against}`).join("; ");
			}
			return part === "of" || part === "published" || part === "spread" ? "" : numberText(cell.measured[part]);
		}
	}
}
