/** Tables as one self-contained page: no server, no script, nothing fetched; the content policy says so to the browser. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { packageFile } from "#domain";
import { palette } from "../views/render/look.ts";
import { viewMarkup } from "../views/render/render-html.ts";
import type { View } from "../views/view.ts";
import { html, trusted } from "./template.ts";

/** The page's one style sheet, which the package ships beside its source: no build touches it. */
const sheet = readFileSync(packageFile("src/reports/page/page.css"), "utf8");
const colours = (ground: "light" | "dark") =>
	`:root{${palette.map((pair, place) => `--run-${place}:${pair[ground]}`).join(";")}}`;
const style = `${sheet}${colours("light")}@media screen and (prefers-color-scheme:dark){${colours("dark")}}`;

export function viewsPage(views: readonly View[], { title }: { title: string }): string {
	const hash = createHash("sha256").update(style).digest("base64");
	const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
	return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark"><title>${title} – Hopscope</title><link rel="icon" href="data:,">
<style>${trusted(style)}</style></head>
<body><div class="page"><header><p class="brand">Hopscope tables</p><h1><bdi>${title}</bdi></h1></header><main>${views.map(
		(view) => html`<section id="${view.name}"><h2>${view.title}</h2>${viewMarkup(view)}</section>`,
	)}</main></div></body></html>
`.text;
}
