/** A view as a Markdown table (GitHub's), with its notes below. */

import type { View } from "../view.ts";
import { type ShownCell, shownView } from "./shown-view.ts";

export function renderMarkdown(view: View): string {
	const { title, describe, source, columns, rows, notes } = shownView(view);
	const about = [escapeMarkdown(describe), ...(source === "" ? [] : [`After ${escapeMarkdown(source)}.`])]
		.filter((part) => part !== "")
		.join(" ");
	const heads = columns.map(({ title: name, group }) => escapeMarkdown(group === "" ? name : `${group}: ${name}`));
	const lines = [
		line(heads),
		line(columns.map(({ words }) => (words ? ":---" : "---:"))),
		...rows.map(({ cells }) => line(cells.map(cellText))),
	];
	return [
		`### ${escapeMarkdown(title)}`,
		...(about === "" ? [] : [about]),
		...(rows.length > 0 ? [lines.join("\n")] : []),
		...(notes.length > 0 ? [notes.map((note) => `- ${escapeMarkdown(note)}`).join("\n")] : []),
		"",
	].join("\n\n");
}

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

function cellText({ text, interval, counts, marks, best, published }: ShownCell): string {
	const number = escapeMarkdown(text);
	const set = best ? `**${number}**` : published && number !== "" ? `*${number}*` : number;
	const beside = [interval && `(${escapeMarkdown(interval)})`, counts].filter((part) => part !== "");
	return [`${set}${marks}`, ...beside].join(" ");
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;" };

/** Text that Markdown, and the HTML in it, shows as it is; it addresses nobody. */
function escapeMarkdown(text: string): string {
	return text.replace(/[\\`*_{}[\]#!|~$]/g, "\\$&").replace(/[&<>@]/g, (character) => entities[character] ?? character);
}
