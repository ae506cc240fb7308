/** The plots of a view, from its own rows: no number is computed here that the table does not show. */
import { clip, grouped, plain } from "#domain";
import { type Content, html, type Markup } from "../../page/template.ts";
import type { Cell, Column, View, ViewPlot, ViewRow } from "../view.ts";
import { numberOf } from "./cell-number.ts";
import { looksOf } from "./look.ts";
import { drawForm, type FormOptions, high, low, type Mark } from "./plot-forms.ts";
import { sign } from "./svg.ts";

/** Marks up to which a plot can be read; a larger one is left to the table. */
const mostMarks = 400;
const mostPanels = 12;
const mostSeries = 12;

/** Every plot of the view that its rows have data for, a figure for each panel. */
export function plotsOfView(view: View): Markup[] {
	return view.plots.flatMap((given) => {
		const plot = { ...given, xTitle: axisTitle(given.xTitle), yTitle: axisTitle(given.yTitle) };
		const panelOf = ({ cells }: ViewRow) => (plot.split === undefined ? "" : words(cells[plot.split]));
		const panels = [...grouped(view.rows, panelOf).values()].slice(0, mostPanels);
		return panels.flatMap((rows) => figureOf(view, plot, { panel: rows[0] ? panelOf(rows[0]) : "", rows }));
	});
}

function figureOf(view: View, plot: ViewPlot, { panel, rows }: { panel: string; rows: ViewRow[] }): Markup[] {
	const columnOf = (key: string) => view.columns.find((column) => column.key === key);
	const value = columnOf(plot.form === "cells" ? (plot.value ?? plot.y) : plot.y);
	if (!value) return [];
	const marks = rows.flatMap((row): Mark[] => {
		const ends = numberOf(row.cells[value.key]);
		if (!ends) return [];
		const [x, series] = [words(row.cells[plot.x]), plot.series === undefined ? "" : words(row.cells[plot.series])];
		const other = words(row.cells[plot.y]);
		const tip = [series, x, `${value.title} ${shown(ends.value, value)}`].filter((part) => part !== "").join(", ");
		return [{ x, series, kind: row.kind ?? "plain", y: ends, other, tip: plain(clip(tip, 200)) }];
	});
	const series = [...new Set(marks.map((mark) => mark.series))];
	if (marks.length === 0 || marks.length > mostMarks || series.length > mostSeries) return [];
	// the same look in every panel and plot of the view
	const every = plot.series === undefined ? series : view.rows.map(({ cells }) => words(cells[plot.series ?? ""]));
	const look = looksOf(every.map((label) => ({ label })));
	const name = [view.title, panel, plot.yTitle].filter((part) => part !== "").join(", ");
	const scale = scaleOf(marks, value);
	const options = { ...{ plot, look, name, scale, series }, percent: value.unit === "percent" };
	const drawn = drawForm(plot.form, marks, options);
	const heading = [plot.yTitle || value.title, panel].filter((part) => part !== "").join(" · ");
	const legend: Content =
		series.length > 1 &&
		html`<ul class="legend">${series.map((label) => html`<li>${sign(look(label))}<bdi>${clip(label, 120)}</bdi></li>`)}</ul>`;
	return [html`<figure><figcaption><strong>${clip(heading, 120)}</strong></figcaption>${drawn}${legend}</figure>`];
}

/** From 0, or from below it, to a little above the highest end; shares over the whole of 0 to 1 unless they are small. */
function scaleOf(marks: readonly Mark[], column: Column): FormOptions["scale"] {
	const [least, most] = [Math.min(0, ...marks.map(low)), Math.max(0, ...marks.map(high))];
	const percent = column.unit === "percent";
	const whole = percent && least >= 0 && most > 0.5 && most <= 1;
	const room = (most - least) * 0.04 || 1;
	return {
		domain: whole ? [0, 1] : [least < 0 ? least - room : 0, most > 0 ? most + room : 0],
		format: (value) => shown(value, column),
	};
}

function shown(value: number, { unit }: Column): string {
	const scaled = unit === "percent" ? value * 100 : value;
	return Number(scaled.toPrecision(3)).toString().replace("-", "−");
}

const axisTitle = (title: string) => plain(clip(title, 60));

const words = (cell: Cell | undefined): string => {
	if (cell?.is === "text") return plain(clip(cell.text, 120));
	const ends = numberOf(cell);
	return ends ? String(ends.value) : "";
};
