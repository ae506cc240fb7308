/** Plots as pictures that stand alone: what a page shows by `<img>`, where none of its styles and scripts reach. */
import type { Markup } from "../../page/template.ts";
import type { View } from "../view.ts";
import { palette } from "./look.ts";
import { plotPanels } from "./view-plot.ts";

export interface PlotImage {
	title: string;
	/** What somebody who does not see it is told. */
	alt: string;
	/** A whole SVG document, with the colours for light and dark in it. */
	svg: string;
	width: number;
	height: number;
	/** Its series with their signs, SVG documents too, where there are several. */
	legend: { name: string; svg: string }[];
}

export const plotImages = (view: View): PlotImage[] =>
	plotPanels(view).map(({ heading, name, drawn, legend }) => {
		const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(drawn.text) ?? [];
		return {
			title: heading,
			alt: `${name}. Its figures are those of the table.`,
			svg: standing(drawn),
			width: Number(width ?? 400),
			height: Number(height ?? 300),
			legend: legend.map((series) => ({ name: series.name, svg: standing(series.sign) })),
		};
	});

interface Ground {
	ground: string;
	ink: string;
	muted: string;
	line: string;
	grid: string;
}

const grounds: Record<"light" | "dark", Ground> = {
	light: { ground: "#ffffff", ink: "#14181d", muted: "#5a6470", line: "#d9dee4", grid: "#e9ecf0" },
	dark: { ground: "#111315", ink: "#e8eaed", muted: "#a3adb8", line: "#33393f", grid: "#262b30" },
};

const coloursOn = (ground: "light" | "dark") =>
	`:root{${[
		...Object.entries(grounds[ground]).map(([name, colour]) => `--${name}:${colour}`),
		...palette.map((pair, place) => `--run-${place}:${pair[ground]}`),
	].join(";")}}`;

const style = [
	coloursOn("light"),
	`@media (prefers-color-scheme:dark){${coloursOn("dark")}}`,
	'svg{color:var(--ink);font-family:system-ui,"Segoe UI","DejaVu Sans",sans-serif}',
	"text{white-space:pre}",
	'[aria-label$="tick label"],[aria-label$="axis label"]{fill:var(--muted)}',
	'[aria-label$="axis tick"]{stroke:var(--line)}',
].join("");

/** A drawing of a page as a document of its own. */
const standing = ({ text }: Markup): string =>
	text.replace(/^<svg([^>]*)>/, (_, attributes: string) => {
		const named = attributes.includes("xmlns=") ? attributes : ` xmlns="http://www.w3.org/2000/svg"${attributes}`;
		return `<svg${named}><style>${style}</style>`;
	});
