import { join } from "node:path";
import { counted } from "#domain";
import type { SftReport } from "#workbench";

/** Problems of the trainer's reading that are told one by one; all stand in export.json. */
const mostTold = 5;

/** What an export for fine-tuning made, for people. */
export function sftInWords(
	{ examples, format, files, sources, written, preflight, clean }: SftReport,
	{ to }: { to: string },
): string {
	const lines = sources.flatMap(({ kind, name, tasks, records, examples: made, dropped, noticed }) => [
		`${name}: ${counted(made, "example")} of ${records === undefined ? `${counted(tasks, "chain")}` : `${records} trajectories`}${kind === "chains" ? "" : ` over ${counted(tasks, "task")}`}`,
		...list("  dropped", dropped),
		...list("  noticed", noticed),
	]);
	const warnings = written.losses.map((warning) => `  ${warning}`);
	const left = written.left.slice(0, mostTold).map(({ id, reason }) => `  ${id} is left out: ${reason}`);
	return [
		...lines,
		`${format}: ${counted(written.rows, "row")}, ${counted(written.images, "image")}`,
		...warnings,
		...left,
		`${preflight.trainer} would take ${preflight.whole} of ${preflight.rows} rows whole${clean ? "" : `; drop ${preflight.drops}, cut ${preflight.cuts}, stop at ${preflight.stops}`}`,
		...preflight.problems.slice(0, mostTold).map(({ reason, rows, means }) => `  ${reason} (${rows}): ${means}`),
		...files.map((file) => join(to, file)),
		...(examples === 0 ? ["Nothing was made: source/dropped.jsonl says why."] : []),
	].join("\n");
}

const list = (label: string, counts: Record<string, number>): string[] => {
	const said = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
	return said.length > 0 ? [`${label}: ${said.join(", ")}`] : [];
};
