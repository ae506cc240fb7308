import { plainLine } from "#domain";

/** A table in Markdown; the first column to the left, figures to the right. */
export function markdownTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
	const line = (cells: readonly (string | number)[]) =>
		`| ${cells.map((cell) => plainLine(String(cell)).replace(/[\\|]/g, "\\$&")).join(" | ")} |`;
	const isFigure = head.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === "number"));
	return [line(head), line(isFigure.map((figure) => (figure ? "---:" : "---"))), ...rows.map(line)].join("\n");
}
