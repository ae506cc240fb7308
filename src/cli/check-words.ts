import type { CheckFigure, CheckReport, CheckSummary } from "#benchmarks";
import { counted, plainLine } from "#domain";
import { percent } from "./text-table.ts";

/** A report of checks for a person: what was found by check, gravest first, then the numbers, then what was skipped. */
export function checkLines(report: CheckReport, { show }: { show: number }): string[] {
	const { benchmark, counts, checks } = report;
	const made = checks.filter(({ skipped }) => skipped === undefined);
	const skipped = checks.filter((check) => check.skipped !== undefined);
	return [
		`${plainLine(benchmark.name)}: ${counted(benchmark.tasks, "task")}, ${counted(counts.error, "error")}, ${counted(counts.warning, "warning")}, ${counted(counts.note, "note")}`,
		...made.flatMap((check) => ["", ...linesOf(check, report, show)]),
		...(skipped.length > 0 ? ["", "skipped"] : []),
		...skipped.map(({ name, skipped: why }) => `  ${name}: ${why}`),
	];
}

function linesOf(check: CheckSummary, report: CheckReport, show: number): string[] {
	const { name, looked, codes, figures, notes } = check;
	return [
		`${name}  ${codes.length === 0 ? "nothing found" : codes.map(({ code, severity, count }) => `${count} × ${code} (${severity})`).join(", ")}; ${looked} looked at`,
		...codes.flatMap(({ code, severity, count }) => {
			const found = report.findings.filter(
				(one) => one.check === name && one.code === code && one.severity === severity,
			);
			const told = found.slice(0, show).map(({ message }) => `    ${plainLine(message, 400)}`);
			return show > 0 && count > show ? [...told, `    and ${count - show} more ${code}`] : told;
		}),
		...figures.map((figure) => `  ${plainLine(figure.name)}: ${figureWords(figure)}`),
		...notes.map((note) => `  (${plainLine(note)})`),
	];
}

function figureWords({ value, of, reason }: CheckFigure): string {
	if (value === null) return `unknown, ${reason ?? "not measured"}`;
	if (of === undefined) return String(value);
	return of === 0 ? "0 of 0" : `${value} of ${of} (${percent(value / of)} %)`;
}
