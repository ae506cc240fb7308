/** Views as markup: a table and its plots each, for the report's page or a page of their own. */
import { html, type Markup } from "../../page/template.ts";
import type { View } from "../view.ts";
import { type ShownCell, type ShownRow, type ShownView, shownView, spansOf } from "./shown-view.ts";
import { plotsOfView } from "./view-plot.ts";

/** Rows that a page shows of one view; `--json` and CSV have them all. */
const mostRows = 500;

/** One view without its heading. */
export function viewMarkup(view: View, { plots = true }: { plots?: boolean } = {}): Markup {
	const shown = shownView(view);
	const figures = plots ? plotsOfView(view) : [];
	const about = shown.describe + (shown.source === "" ? "" : ` After ${shown.source}.`);
	return html`${about !== "" && html`<p class="note">${about}</p>`}${shown.rows.length > 0 && tableOf(shown)}${
		figures.length > 0 && html`<div class="plots">${figures}</div>`
	}${shown.notes.length > 0 && html`<ul class="notes">${shown.notes.map((note) => html`<li>${note}</li>`)}</ul>`}`;
}

function tableOf(shown: ShownView): Markup {
	const spans = spansOf(shown.columns);
	const grouped = spans.some(({ group }) => group !== "");
	const groups = spans.map(({ group, count }) =>
		group === ""
			? html`<td colspan="${count}"></td>`
			: html`<th scope="colgroup" class="group" colspan="${count}">${group}</th>`,
	);
	const heads = shown.columns.map(
		({ title, words }) => html`<th scope="col"${words && html` class="left"`}>${title}</th>`,
	);
	const rows = shown.rows.slice(0, mostRows);
	const left = shown.rows.length - rows.length;
	const table = html`<table class="view ${shown.name}"><caption>${shown.title}${left > 0 && html` <span>the first ${mostRows} of ${shown.rows.length} rows</span>`}</caption><thead>${
		grouped && html`<tr>${groups}</tr>`
	}<tr>${heads}</tr></thead><tbody>${rows.map((row) => rowOf(row, shown))}</tbody></table>`;
	// a wide table scrolls in its own box, which the keyboard can reach
	return html`<div class="scroll" role="region" aria-label="${shown.title}" tabindex="0">${table}</div>`;
}

function rowOf(row: ShownRow, { columns }: ShownView): Markup {
	const names = [...(row.parted ? ["parted"] : []), ...(row.kind === "plain" ? [] : [row.kind])];
	// the last of the leading words names the row
	const naming = columns.findIndex(({ words }, place) => words && columns[place + 1]?.words !== true);
	const cells = row.cells.map((cell, place) => {
		const words = columns[place]?.words === true;
		if (place === naming) return html`<th scope="row" class="name"><bdi>${cell.text}</bdi></th>`;
		if (words) return html`<td class="${place < row.repeats ? "left again" : "left"}"><bdi>${cell.text}</bdi></td>`;
		return numberCell(cell);
	});
	return html`<tr${names.length > 0 && html` class="${names.join(" ")}"`}>${cells}</tr>`;
}

function numberCell({ text, interval, counts, bounds, marks, best, about }: ShownCell): Markup {
	const name = best ? "strong" : text === "–" ? "zero" : "";
	return html`<td${name !== "" && html` class="${name}"`}${about !== "" && html` title="${about}"`}>${text}${marks !== "" && html`<sup>${marks}</sup>`}${[
		interval,
		counts,
		bounds && `in ${bounds}`,
	].map((line) => line !== "" && html`<span class="ci">${line}</span>`)}</td>`;
}
