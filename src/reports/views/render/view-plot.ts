/** The plots of a view, from its own rows: no number is computed here that the table does not show. */
import { clip, grouped, plain } from "#domain";
import { html, type Markup } from "../../page/template.ts";
import type { Cell, Column, View, ViewPlot, ViewRow } from "../view.ts";
import { numberOf } from "./cell-number.ts";
import { looksOf } from "./look.ts";
import { drawForm, type FormOptions, high, low, type Mark } from "./plot-forms.ts";
import { sign } from "./svg.ts";

/** Marks up to which a plot can be read; a larger one is left to the table. */
const mostMarks = 400;
const mostPanels = 12;
const mostSeries = 12;

/** One drawing, with what stands above and below it. */
export interface PlotPanel {
	heading: string;
	/** What somebody who does not see it is told. */
	name: string;
	drawn: Markup;
	/** Its series with their signs, where there are several. */
	legend: { name: string; sign: Markup }[];
}

/** Every plot of the view that its rows have data for, a figure for each panel. */
export const plotsOfView = (view: View): Markup[] =>
	plotPanels(view).map(
		({ heading, drawn, legend }) =>
			html`<figure><figcaption><strong>${heading}</strong></figcaption>${drawn}${
				legend.length > 0 &&
				html`<ul class="legend">${legend.map((series) => html`<li>${series.sign}<bdi>${series.name}</bdi></li>`)}</ul>`
			}</figure>`,
	);

/** The same as data. */
export function plotPanels(view: View): PlotPanel[] {
	return view.plots.flatMap((given) => {
		const plot = { ...given, xTitle: axisTitle(given.xTitle), yTitle: axisTitle(given.yTitle) };
		const splitOf = ({ cells }: ViewRow) => (plot.split === undefined ? "" : words(cells[plot.split]));
		const panels = [...grouped(view.rows, splitOf).values()].slice(0, mostPanels);
		return panels.flatMap((rows) => panelOf(view, plot, { panel: rows[0] ? splitOf(rows[0]) : "", rows }));
	});
}

function panelOf(view: View, plot: ViewPlot, { panel, rows }: { panel: string; rows: ViewRow[] }): PlotPanel[] {
	const columnOf = (key: string) => view.columns.find((column) => column.key === key);
	const value = columnOf(plot.form === "cells" ? (plot.value ?? plot.y) : plot.y);
	if (!value) return [];
	const marks = rows.flatMap((row): Mark[] => {
		const ends = numberOf(row.cells[value.key]);
		if (!ends) return [];
		const [x, series] = [words(row.cells[plot.x]), plot.series === undefined ? "" : words(row.cells[plot.series])];
		const other = words(row.cells[plot.form === "frontier" ? (plot.value ?? plot.x) : plot.y]);
		const named = plot.form === "frontier" ? [other, `${plot.xTitle} ${x}`] : [series, x];
		const tip = [...named, `${value.title} ${shown(ends.value, value)}`].filter((part) => part !== "").join(", ");
		return [{ x, series, kind: row.kind ?? "plain", y: ends, other, tip: plain(clip(tip, 200)) }];
	});
	const series = [...new Set(marks.map((mark) => mark.series))];
	if (marks.length === 0 || marks.length > mostMarks || series.length > mostSeries) return [];
	// the same look in every panel and plot of the view
	const every = plot.series === undefined ? series : view.rows.map(({ cells }) => words(cells[plot.series ?? ""]));
	const look = looksOf(every.map((label) => ({ label })));
	const name = [view.title, panel, plot.yTitle].filter((part) => part !== "").join(", ");
	const scale = scaleOf(marks, value);
	const options = {
		...{ plot, look, name, scale, series },
		percent: value.unit === "percent",
		lower: value.better === "lower",
	};
	const heading = [plot.yTitle || value.title, panel].filter((part) => part !== "").join(" · ");
	return [
		{
			heading: clip(heading, 120),
			name: plain(name),
			drawn: drawForm(plot.form, marks, options),
			legend: series.length > 1 ? series.map((label) => ({ name: clip(label, 120), sign: sign(look(label)) })) : [],
		},
	];
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
