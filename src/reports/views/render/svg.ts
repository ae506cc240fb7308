/**
 * Drawings of Observable Plot as inline SVG, made without a browser. Colours are variables of the page's style sheet, so
 * that one drawing serves light and dark; style elements and attributes are taken out, since the page's content policy
 * allows none.
 */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { plain } from "#domain";
import { type Markup, trusted } from "../../page/template.ts";
import type { Look } from "./look.ts";

/** Drawn at the width of a phone's column; pages scale it up a little, so that text never gets too small to read. */
const width = 400;

/** A plot as markup: an image to assistive technology, named by `name`. */
export function draw(options: Plot.PlotOptions, name: string): Markup {
	return svgOf({ width, className: "plot", ...options }, { role: "img", "aria-label": plain(name) });
}

/** A run's sign, as it stands beside its name. */
export function sign({ colour, symbol }: Look): Markup {
	const mark = Plot.dot([[7, 7]], { fill: colour, symbol, r: 4.5 });
	const axis = { type: "identity", axis: null } as const;
	return svgOf(
		{ width: 14, height: 14, margin: 0, x: axis, y: axis, className: "sign", marks: [mark] },
		{ "aria-hidden": "true" },
	);
}

function svgOf(options: Plot.PlotOptions, attributes: Record<string, string>): Markup {
	const { document } = parseHTML("<!doctype html><html><body></body></html>");
	const svg = Plot.plot({ ...options, document } as Plot.PlotOptions);
	for (const element of Array.from(svg.querySelectorAll("style"))) element.remove();
	for (const element of [svg, ...Array.from(svg.querySelectorAll("[style]"))]) element.removeAttribute("style");
	for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
	return trusted(svg.outerHTML);
}
