/** The forms that plots of views take; what is drawn comes from the table's own rows. */
import * as Plot from "@observablehq/plot";
import { clip, plain } from "#domain";
import type { Markup } from "../../page/template.ts";
import { cutTo } from "../../short-labels.ts";
import { frontierOf } from "../../sweep/frontier.ts";
import type { ViewPlot, ViewRow } from "../view.ts";
import type { Ends } from "./cell-number.ts";
import type { Look } from "./look.ts";
import { draw } from "./svg.ts";

export interface Mark {
	x: string;
	series: string;
	kind: NonNullable<ViewRow["kind"]>;
	y: Ends;
	/** Of a heat map: the category on the other axis; of a frontier: the point's name. */
	other: string;
	tip: string;
}

export interface FormOptions {
	plot: ViewPlot;
	look(label: string): Look;
	name: string;
	scale: { domain: [number, number]; format(value: number): string };
	series: readonly string[];
	percent: boolean;
	/** Less is better. */
	lower: boolean;
}

export function drawForm(form: ViewPlot["form"], marks: Mark[], options: FormOptions): Markup {
	switch (form) {
		case "rows":
		case "bars":
			return drawRows(marks, options);
		case "frontier":
			return drawFrontier(marks, options);
		case "cells":
			return drawCells(marks, options);
		case "lines":
		case "curve":
			return marks.every(({ x }) => Number.isFinite(numberIn(x)))
				? drawLines(marks, options)
				: drawRows(marks, options);
	}
}

/** Published figures are hollow: they were not run here. */
const fillOf = ({ series, kind }: Mark, { look }: FormOptions) =>
	kind === "published" ? "var(--ground)" : look(series).colour;
const dots = (options: FormOptions) => ({
	fill: (mark: Mark) => fillOf(mark, options),
	stroke: (mark: Mark) => options.look(mark.series).colour,
	symbol: (mark: Mark) => options.look(mark.series).symbol,
	r: 3.5,
	title: "tip",
});
const bars = (options: FormOptions) => ({
	stroke: (mark: Mark) => options.look(mark.series).colour,
	strokeWidth: 1.75,
	strokeOpacity: 0.75,
	title: "tip",
});
export const low = ({ y }: Mark) => y.low;
const middle = ({ y }: Mark) => y.value;
export const high = ({ y }: Mark) => y.high;

const valueAxis = ({ scale, plot }: FormOptions) => ({
	domain: scale.domain,
	ticks: 5,
	tickFormat: scale.format,
	label: plot.yTitle,
	labelArrow: "none" as const,
});

/** A row of intervals for each category, a line for each series in it. */
function drawRows(marks: Mark[], options: FormOptions): Markup {
	const categories = [...new Set(marks.map(({ x }) => x))];
	const { series } = options;
	const line = series.length > 4 ? 11 : 14;
	return draw(
		{
			height: 40 + categories.length * (22 + line * series.length),
			...{ marginLeft: 8, marginRight: 16, marginTop: 4, marginBottom: 34, insetTop: 18 },
			x: { ...valueAxis(options), labelAnchor: "center" },
			y: { domain: [...series], axis: null, type: "point", padding: 0.6 },
			fy: { domain: categories, axis: null, padding: 0 },
			marks: [
				Plot.gridX({ ticks: 5, strokeOpacity: 1, stroke: "var(--grid)", insetTop: 18 }),
				Plot.text(categories, {
					...{ fy: (one: string) => one, text: (one: string) => plain(clip(one, 60)) },
					...{ frameAnchor: "top-left", dy: 3, fontWeight: 600, fontSize: 11 },
				}),
				Plot.ruleY(marks, { ...bars(options), fy: "x", y: "series", x1: low, x2: high }),
				Plot.dot(marks, { ...dots(options), fy: "x", y: "series", x: middle }),
			],
		},
		options.name,
	);
}

/** Points over a numeric axis, joined in its order; series stand a little apart so that their intervals show. */
function drawLines(marks: Mark[], options: FormOptions): Markup {
	const { series, plot } = options;
	const curve = plot.form === "curve";
	const places = [...new Set(marks.map(({ x }) => numberIn(x)))].sort((a, b) => a - b);
	const [first = 0, last = 1] = [places[0], places.at(-1)];
	const least = Math.min(
		...places.slice(1).map((place, at) => place - (places[at] ?? place)),
		Math.max(1, last - first),
	);
	const gap = curve ? 0 : (0.3 * least) / Math.max(1, series.length);
	const x = (mark: Mark) => numberIn(mark.x) + (series.indexOf(mark.series) - (series.length - 1) / 2) * gap;
	const sorted = [...marks].sort((a, b) => numberIn(a.x) - numberIn(b.x));
	const room = curve ? 0 : least / 2;
	return draw(
		{
			height: 290,
			...{ marginLeft: 42, marginRight: 12, marginTop: 24, marginBottom: 38 },
			x: {
				domain: [first - room, last + room],
				...(places.length <= 12 && !curve ? { ticks: places } : { ticks: 6 }),
				tickFormat: (at: number) => tickText(marks, at),
				label: plot.xTitle,
				...{ labelAnchor: "center", labelArrow: "none" },
			},
			y: valueAxis(options),
			marks: [
				Plot.gridY({ ticks: 5, strokeOpacity: 1, stroke: "var(--grid)" }),
				Plot.line(sorted, {
					...{ x, y: middle, z: "series", strokeWidth: curve ? 2 : 1.25, strokeOpacity: curve ? 0.9 : 0.45 },
					stroke: (mark: Mark) => options.look(mark.series).colour,
				}),
				...(curve && marks.length > 40
					? []
					: [
							Plot.ruleX(sorted, { ...bars(options), x, y1: low, y2: high }),
							Plot.dot(sorted, { ...dots(options), x, y: middle }),
						]),
			],
		},
		options.name,
	);
}

/** Points over what they cost, those that none beats joined by steps and named; the others' names are in the table. */
function drawFrontier(marks: Mark[], options: FormOptions): Markup {
	const { plot, scale, lower } = options;
	const costs = marks.map(({ x }) => numberIn(x));
	const [least, most] = [Math.min(...costs), Math.max(...costs)];
	const log = least > 0 && most / least >= 20;
	const room = log ? 1.25 : (most - least) * 0.08 || 1;
	const domain = log ? [least / room, most * room] : [Math.max(0, least - room), most + room];
	const [bottom, top] = [Math.min(...marks.map(low)), Math.max(...marks.map(high))];
	const pad = (top - bottom) * 0.1 || 0.05;
	const x = ({ x: cost }: Mark) => numberIn(cost);
	const frontier = frontierOf(
		marks.map((mark) => ({ mark, cost: x(mark), height: lower ? -middle(mark) : middle(mark) })),
	).map(({ mark }) => mark);
	const isRight = (mark: Mark) => (log ? x(mark) / least > most / x(mark) : x(mark) - least > most - x(mark));
	const reach = top - bottom + 2 * pad;
	const along = (mark: Mark) =>
		log ? Math.log(x(mark) / least) / Math.log(most / least) : (x(mark) - least) / (most - least || 1);
	/** Of points whose names would cover one another, the dearer has its own; the table names all. */
	const apart: Mark[] = [];
	for (const mark of [...frontier].reverse())
		if (apart.every((one) => Math.abs(along(one) - along(mark)) > 0.3 || Math.abs(high(one) - high(mark)) > reach / 18))
			apart.push(mark);
	/** Names stand where no other point does: below the cheapest, above the others. */
	const named = (mark: Mark) => {
		const below = mark === frontier[0] && frontier.length > 1;
		return Plot.text([mark], {
			...{ x, y: below ? low : high, dy: below ? 9 : -5, lineAnchor: below ? "top" : "bottom" },
			...{ textAnchor: isRight(mark) ? "end" : "start", fontSize: 10, fill: "var(--ink)" },
			...{ text: ({ other }: Mark) => plain(cutTo(other, 40)), stroke: "var(--ground)", strokeWidth: 3 },
		});
	};
	return draw(
		{
			height: 300,
			...{ marginLeft: 42, marginRight: 12, marginTop: 24, marginBottom: 38 },
			x: {
				...{ domain, type: log ? "log" : "linear", ticks: 5, tickFormat: (at: number) => costTick(at) },
				...{ label: plot.xTitle, labelAnchor: "center", labelArrow: "none" },
			},
			y: { ...valueAxis(options), domain: [bottom - pad, top + pad], tickFormat: scale.format },
			marks: [
				Plot.gridY({ ticks: 5, strokeOpacity: 1, stroke: "var(--grid)" }),
				Plot.line(frontier, { x, y: middle, curve: "step-after", stroke: "var(--ink)", strokeOpacity: 0.45 }),
				Plot.ruleX(marks, { ...bars(options), x, y1: low, y2: high, strokeOpacity: 0.35 }),
				Plot.dot(marks, { ...dots(options), x, y: middle, r: 4 }),
				...apart.map(named),
			],
		},
		options.name,
	);
}

const costTick = (value: number) =>
	value >= 1e6 ? `${Number((value / 1e6).toPrecision(2))} M` : Number(value.toPrecision(2)).toString();

/** A heat map with its numbers written in the cells. */
function drawCells(marks: Mark[], options: FormOptions): Markup {
	const [columns, rows] = [[...new Set(marks.map(({ x }) => x))], [...new Set(marks.map(({ other }) => other))]];
	const [least, most] = [Math.min(...marks.map(middle)), Math.max(...marks.map(middle))];
	const share = (mark: Mark) => (most > least ? (middle(mark) - least) / (most - least) : 0.5);
	return draw(
		{
			height: 60 + rows.length * 30,
			...{ marginLeft: 118, marginRight: 8, marginTop: 34, marginBottom: 8 },
			x: {
				...{ domain: columns, axis: "top", tickSize: 0, label: options.plot.xTitle, labelArrow: "none", type: "band" },
				tickFormat: (one: string) => plain(cutTo(one, Math.max(5, Math.floor(46 / columns.length)))),
			},
			y: {
				...{ domain: rows, tickSize: 0, label: options.plot.yTitle, labelArrow: "none", type: "band" },
				tickFormat: (one: string) => plain(cutTo(one, 18)),
			},
			marks: [
				Plot.cell(marks, {
					...{ x: "x", y: "other", inset: 1, fill: "var(--run-0)", title: "tip" },
					fillOpacity: (mark: Mark) => 0.06 + 0.5 * share(mark),
				}),
				Plot.text(marks, {
					...{ x: "x", y: "other", fontSize: 11, fill: "var(--ink)" },
					text: (mark: Mark) => options.scale.format(middle(mark)),
				}),
			],
		},
		options.name,
	);
}

/** The number that a category is or begins with, as `3 hops` or `≤−2` do; not a number otherwise. */
function numberIn(text: string): number {
	const found = /^[≤≥<>+]?\s*([−-]?\d+(?:\.\d+)?)/.exec(text);
	return found ? Number(found[1]?.replace("−", "-")) : Number.NaN;
}

/** A category as its cells write it, where it is short. */
function tickText(marks: readonly Mark[], at: number): string {
	const own = marks.find(({ x }) => numberIn(x) === at)?.x ?? "";
	return own !== "" && own.length <= 4 ? own : String(Number(at.toPrecision(4))).replace("-", "−");
}
