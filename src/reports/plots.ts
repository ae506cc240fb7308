/**
 * The plots of a page, drawn by Observable Plot into inline SVG without a browser. Colours are variables of the page's
 * style sheet, so that one drawing serves light and dark; style elements and attributes are taken out, since the page's
 * content policy allows none.
 */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { clip, plain } from "#domain";
import type { Look } from "./look.ts";
import { showInline } from "./number-format.ts";
import type { Measured, RunReport } from "./report-data.ts";
import { html, type Markup, trusted } from "./template.ts";
import { boundsOf, countsOf } from "./wording.ts";

/** Drawn at the width of a phone's column; pages scale it up a little, so that text never gets too small to read. */
const width = 400;
const percentTicks = [0, 0.25, 0.5, 0.75, 1];
const asPercent = (value: number) => `${Math.round(value * 100)}`;

/** One measured point of a run. */
export interface Point {
	/** Category on the other axis. */
	at: string | number;
	label: string;
	measured: Measured;
}

type LookOf = (label: string) => Look;

/** A plot as markup: an image to assistive technology, named by `name`. */
export function draw(options: Plot.PlotOptions, name: string): Markup {
	const { document } = parseHTML("<!doctype html><html><body></body></html>");
	const svg = Plot.plot({ width, className: "plot", ...options, document } as Plot.PlotOptions);
	withoutStyles(svg);
	svg.setAttribute("role", "img");
	svg.setAttribute("aria-label", plain(name));
	return trusted(svg.outerHTML);
}

/** One interval in percent on a bar from 0 to 100, as a table's row holds it. */
export function intervalBar(measured: Measured, look: Look, name: string): Markup {
	const { value, low, high } = measured;
	const points = value === null ? [] : [{ value, low: low ?? value, high: high ?? value }];
	const bounded = boundsIn([{ at: 0, label: "", measured }]);
	return draw(
		{
			...barFrame,
			height: 30,
			marks: [
				Plot.gridX([0, 0.25, 0.5, 0.75, 1], { stroke: "var(--grid)", strokeOpacity: 1 }),
				Plot.ruleY(points, { y: 0, x1: "low", x2: "high", stroke: look.colour, strokeWidth: 9, strokeOpacity: 0.32 }),
				Plot.ruleY(bounded, { ...boundChannels(() => look), y: 0, x1: lowBound, x2: highBound }),
				Plot.dot(points, { x: "value", y: 0, fill: look.colour, symbol: look.symbol, r: 3.2 }),
			],
		},
		name,
	);
}

/** The scale above a column of interval bars. */
export function barScale(): Markup {
	const marks = [
		Plot.text([0, 0.5, 1], { x: (at: number) => at, y: () => 0, text: asPercent, fontSize: 10, fill: "var(--muted)" }),
	];
	return draw({ ...barFrame, height: 16, marks }, "Scale from 0 to 100 %");
}

const barFrame = {
	width: 240,
	marginLeft: 10,
	marginRight: 12,
	marginTop: 0,
	marginBottom: 0,
	x: { domain: [0, 1], axis: null },
	y: { axis: null, domain: [-1, 1] },
} as const;

/** The run's sign, as it stands beside its name. */
export function sign(look: Look): Markup {
	const mark = Plot.dot([[7, 7]], { fill: look.colour, symbol: look.symbol, r: 4.5 });
	const frame = {
		width: 14,
		height: 14,
		margin: 0,
		x: { type: "identity" },
		y: { type: "identity" },
		axis: null,
	} as const;
	const { document } = parseHTML("<!doctype html><html><body></body></html>");
	const svg = Plot.plot({ ...frame, className: "sign", document, marks: [mark] } as Plot.PlotOptions);
	withoutStyles(svg);
	svg.setAttribute("aria-hidden", "true");
	return trusted(svg.outerHTML);
}

/** A run's sign and name, as they stand in a table's row. */
export function nameOf(run: RunReport, look: Look): Markup {
	return html`${sign(look)}<bdi title="${run.label}">${look.name}</bdi>`;
}

function withoutStyles(svg: Element): void {
	svg.querySelectorAll("style").forEach((element) => {
		element.remove();
	});
	svg.removeAttribute("style");
	svg.querySelectorAll("[style]").forEach((element) => {
		element.removeAttribute("style");
	});
}

const known = (points: Point[]) => points.filter((point) => point.measured.value !== null);
const tip = ({ label, at, measured }: Point) => {
	const bounds = boundsOf(measured);
	const counts = `n = ${countsOf([measured])}${bounds === undefined ? "" : `, bounds ${bounds} %`}`;
	return plain(`${clip(label, 60)}, ${at}: ${showInline(measured, "percent")} %, ${counts}`);
};

/** Points that what was not scored could move. */
const boundsIn = (points: readonly Point[]) => points.filter(({ measured }) => boundsOf(measured) !== undefined);
const lowBound = ({ measured }: Point) => measured.bounds?.low ?? null;
const highBound = ({ measured }: Point) => measured.bounds?.high ?? null;

/** What was expected and scored at one place of an axis. */
const countsAt = (points: readonly Point[], at: Point["at"]) =>
	`n ${countsOf(points.flatMap((point) => (point.at === at ? [point.measured] : [])))}`;

/** Rows of intervals in percent, grouped by category, one line a run in the order given. */
export function intervalRows(
	points: Point[],
	options: { name: string; look: LookOf; axis: string; describe?: (category: string) => string },
): Markup {
	const categories = [...new Set(points.map((point) => point.at))];
	const labels = [...new Set(points.map((point) => point.label))];
	const drawn = known(points);
	const line = labels.length > 4 ? 11 : 14;
	return draw(
		{
			height: 34 + categories.length * (24 + line * labels.length),
			marginLeft: 8,
			marginRight: 14,
			marginTop: 4,
			marginBottom: 34,
			x: {
				domain: [0, 1],
				ticks: percentTicks,
				tickFormat: asPercent,
				label: options.axis,
				labelAnchor: "center",
				labelArrow: "none",
			},
			y: { domain: labels, axis: null, type: "point", padding: 0.6 },
			fy: { domain: categories, axis: null, padding: 0 },
			marks: [
				Plot.gridX(percentTicks, { strokeOpacity: 1, stroke: "var(--grid)", insetTop: 18 }),
				Plot.text(categories, {
					fy: (category: string) => category,
					text: (category: string) =>
						plain(`${(options.describe ?? String)(String(category))}  ·  ${countsAt(points, category)}`),
					frameAnchor: "top-left",
					dy: 3,
					fontWeight: 600,
					fontSize: 11,
				}),
				Plot.ruleY(drawn, {
					...intervalChannels(options.look),
					fy: "at",
					y: "label",
					x1: (point: Point) => point.measured.low ?? point.measured.value,
					x2: (point: Point) => point.measured.high ?? point.measured.value,
				}),
				Plot.ruleY(boundsIn(drawn), {
					...boundChannels(options.look),
					fy: "at",
					y: "label",
					x1: lowBound,
					x2: highBound,
				}),
				Plot.dot(drawn, {
					...dotChannels(options.look),
					fy: "at",
					y: "label",
					x: (point: Point) => point.measured.value,
				}),
			],
			insetTop: 18,
		},
		options.name,
	);
}

/** Measured values in percent over a whole-number axis, a line a run, moved apart a little so that intervals show. */
export function intervalLines(
	points: Point[],
	options: {
		name: string;
		look: LookOf;
		axis: string;
		valueAxis: string;
		tick?: (at: number) => string;
		/** Whether n stands below each place of the axis. */
		counts?: boolean;
	},
): Markup {
	const labels = [...new Set(points.map((point) => point.label))];
	const drawn = known(points);
	const places = [...new Set(points.map((point) => Number(point.at)))].sort((a, b) => a - b);
	const gap = 0.36 / Math.max(1, labels.length);
	const x = (point: Point) => Number(point.at) + (labels.indexOf(point.label) - (labels.length - 1) / 2) * gap;
	const [first = 0, last = 1] = [places[0], places.at(-1)];
	return draw(
		{
			height: 310,
			marginLeft: 34,
			marginRight: 10,
			marginTop: 24,
			marginBottom: options.counts ? 48 : 36,
			x: {
				domain: [first - 0.5, last + 0.5],
				ticks: places,
				tickFormat: (at: number) => (options.tick ?? String)(at) + (options.counts ? `\n${countsAt(points, at)}` : ""),
				label: options.axis,
				labelAnchor: "center",
				labelArrow: "none",
			},
			y: { domain: [0, 1], ticks: percentTicks, tickFormat: asPercent, label: options.valueAxis, labelArrow: "none" },
			marks: [
				Plot.gridY(percentTicks, { strokeOpacity: 1, stroke: "var(--grid)" }),
				Plot.line(drawn, {
					x,
					y: (point: Point) => point.measured.value,
					z: "label",
					stroke: (point: Point) => options.look(point.label).colour,
					strokeOpacity: 0.45,
					strokeWidth: 1.25,
				}),
				Plot.ruleX(drawn, {
					...intervalChannels(options.look),
					x,
					y1: (point: Point) => point.measured.low ?? point.measured.value,
					y2: (point: Point) => point.measured.high ?? point.measured.value,
				}),
				Plot.ruleX(boundsIn(drawn), { ...boundChannels(options.look), x, y1: lowBound, y2: highBound }),
				Plot.dot(drawn, { ...dotChannels(options.look), x, y: (point: Point) => point.measured.value }),
			],
		},
		options.name,
	);
}

/** How many task repeats fall on each whole number, a panel a run, each to its own scale, with the counts written. */
export function countBars(
	bars: { at: number; label: string; count: number }[],
	options: { name: string; look: LookOf; axis: string; tick: (at: number) => string },
): Markup {
	const labels = [...new Set(bars.map((bar) => bar.label))];
	const places = bars.map((bar) => bar.at);
	const domain = Array.from(
		{ length: Math.max(0, ...places) - Math.min(0, ...places) + 1 },
		(_, index) => Math.min(0, ...places) + index,
	);
	const highest = new Map(
		labels.map((label) => [label, Math.max(...bars.map((bar) => (bar.label === label ? bar.count : 0)))]),
	);
	const share = (bar: { label: string; count: number }) => bar.count / (highest.get(bar.label) ?? 1);
	return draw(
		{
			height: 40 + labels.length * 70,
			marginLeft: 8,
			marginRight: 8,
			marginTop: 4,
			marginBottom: 36,
			x: {
				domain,
				type: "band",
				tickFormat: options.tick,
				tickSize: 0,
				label: options.axis,
				labelArrow: "none",
				padding: 0.18,
			},
			y: { axis: null, insetTop: 35 },
			fy: { domain: labels, axis: null, padding: 0.06 },
			marks: [
				Plot.text(labels, {
					fy: (label: string) => label,
					text: (label: string) => plain(clip(label, 44)),
					frameAnchor: "top-left",
					dy: 3,
					fontWeight: 600,
					fontSize: 11,
				}),
				Plot.ruleY([0], { stroke: "var(--grid)" }),
				Plot.barY(bars, {
					fy: "label",
					x: "at",
					y: share,
					fill: (bar: { label: string }) => options.look(bar.label).colour,
					title: (bar: { at: number; count: number }) => `Δstep ${options.tick(bar.at)}: ${bar.count}`,
				}),
				Plot.text(bars, {
					fy: "label",
					x: "at",
					y: share,
					text: "count",
					dy: -6,
					fontSize: 9.5,
					fill: "var(--muted)",
				}),
			],
		},
		options.name,
	);
}

const intervalChannels = (look: LookOf) => ({
	stroke: (point: Point) => look(point.label).colour,
	strokeWidth: 1.75,
	strokeOpacity: 0.75,
	title: tip,
});

/** Bounds stand beside the interval as dots, since they are of another kind. */
const boundChannels = (look: LookOf) => ({
	stroke: (point: Point) => look(point.label).colour,
	strokeWidth: 3,
	strokeOpacity: 0.9,
	strokeDasharray: "1 3",
	title: tip,
});

const dotChannels = (look: LookOf) => ({
	fill: (point: Point) => look(point.label).colour,
	symbol: (point: Point) => look(point.label).symbol,
	r: 3.5,
	title: tip,
});
