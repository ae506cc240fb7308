/** How far the rules and a judge give records the same error types. */
import { type ErrorViewName, errorViews } from "#diagnosis";
import { clip, plainLine } from "#domain";
import { scrollBox } from "../cells.ts";
import { showInline } from "../number-format.ts";
import type { DiagnosedRun } from "../report-data.ts";
import { html, type Markup } from "../template.ts";
import { plural } from "../wording.ts";
import { typeName } from "./diagnosis-words.ts";

/** A table for each judge: its heading, and rows of which the first is the head. */
export function agreementRows(agreement: DiagnosedRun["agreement"]): { head: string; rows: string[][] }[] {
	return (Object.keys(agreement) as ErrorViewName[]).flatMap((view) =>
		(agreement[view] ?? []).map(({ judge, records, same, overall, unseen, labels }) => ({
			head: `${errorViews[view].title}: rules and ${plainLine(clip(judge, 40))} on ${plural(records, "record")}, ${same} labelled the same`,
			rows: [
				["finding", "by rules", "by judge", "both", "not seen", "kappa"],
				...labels.map(({ label, rules, judge: judged, both, unseen, kappa }) => [
					typeName(label),
					...[rules, judged, both, unseen].map(String),
					showInline(kappa, "plain"),
				]),
				["all", "", "", "", String(unseen), showInline(overall, "plain")],
			],
		})),
	);
}

/** The same on the page. */
export const agreementTables = (agreement: DiagnosedRun["agreement"]): Markup => pageTables(agreementRows(agreement));

/** Tables with their headings, rows of which the first is the head. */
export function pageTables(all: readonly { head: string; rows: string[][] }[]): Markup {
	const tables = all.map(({ head, rows: [names = [], ...rows] }) => {
		const heads = names.map((name, at) => html`<th scope="col" class="${at === 0 && "left"}">${name}</th>`);
		const body = rows.map(
			([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`,
		);
		return scrollBox(
			head,
			html`<table><caption>${head}</caption><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table>`,
		);
	});
	return html`${tables}`;
}
