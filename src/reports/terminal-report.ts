/** The report for people at a terminal: as wide as that is; colour only where the caller asks. */
import { plainLine } from "#domain";
import type { ReportData } from "./report-data.ts";
import { reportSections } from "./report-views.ts";
import { stylesOf, type TerminalOptions } from "./terminal-table.ts";
import { renderBriefly } from "./views/render/render-terminal.ts";
import { plural } from "./wording.ts";

/** Ranking, differences, outcomes and slices, one after another for each benchmark. Ends without a newline. */
export function terminalReport(data: ReportData, options: TerminalOptions = {}): string {
	const { bold, dim, wrap } = stylesOf(options);
	return data.benchmarks
		.map((benchmark) => {
			const { name, tasks, ranking, intervention, scoring, cautions } = benchmark;
			const scored = scoring === null ? "" : `, answers scored by ${scoring}`;
			const counts = `${plural(tasks, "task")}, ${plural(ranking.length, intervention ? "intervention" : "run")}`;
			return [
				`${bold(plainLine(name, 40))}  ${dim(`${counts}${scored}`)}`,
				...cautions.map((caution) => wrap(plainLine(`Caution: ${caution}`, 1000))),
				...reportSections(benchmark, data, { brief: true }).flatMap(({ views, notes }) => [
					...views.map((view) => renderBriefly(view, options)),
					...notes.map((note) => dim(wrap(plainLine(note, 2000)))),
				]),
			].join("\n\n");
		})
		.join("\n\n");
}
