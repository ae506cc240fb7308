import { cutSections, outline, partTables, rowMark, type TextDocument } from "../sections.ts";

const adornment = /^([!-/:-@[-`{-~])\1{2,}\s*$/;

/**
 * reStructuredText by its sections. The signs under a heading, and over it, say its level by the order in which they first
 * come. Comments, targets and directives' options are left out, what a directive holds is kept.
 */
export function readRestructuredText(source: string): TextDocument {
	const lines = source.replace(/\r\n?/g, "\n").split("\n");
	const levels: string[] = [];
	const found = outline((some) =>
		partTables(
			some,
			(line) => line.startsWith(rowMark),
			(line) => plain(line.replace(rowMark, "")),
		),
	);
	let title: string | undefined;
	const open = (style: string, name: string) => {
		if (!levels.includes(style)) levels.push(style);
		title ??= plain(name.trim());
		found.open(levels.indexOf(style) + 1, plain(name.trim()));
	};
	/** Indentation that a comment's lines go beyond. */
	let comment: number | undefined;
	for (let at = 0; at < lines.length; at += 1) {
		const line = lines[at] ?? "";
		const indent = line.length - line.trimStart().length;
		if (comment !== undefined && (line.trim() === "" || indent > comment)) continue;
		comment = undefined;
		const below = lines[at + 1] ?? "";
		const sign = adornment.exec(line)?.[1];
		if (sign && below.trim() !== "" && adornment.exec(lines[at + 2] ?? "")?.[1] === sign) {
			open(`${sign}${sign}`, below);
			at += 2;
		} else if (/^\S/.test(line) && !sign && isUnderline(below, line)) {
			open(below.charAt(0), line);
			at += 1;
		} else if (border.test(line)) {
			const end = endOfTable(lines, at);
			const rows = lines.slice(at, end).filter((row) => !border.test(row) && row.trim() !== "");
			found.lines.push(...rows.map((row) => rowMark + row.trim().replace(/ {2,}/g, " | ")));
			at = Math.max(at, end - 1);
		} else if (/^\s*\|.*\|\s*$/.test(line)) found.lines.push(rowMark + line.trim());
		else if (/^\s*\+[-=+]{3,}\+\s*$/.test(line)) continue;
		else if (sign) found.lines.push("");
		else if (/^\s*\.\.(?:\s|$)/.test(line)) {
			const directive = /^\s*\.\. (?:\|[^|]+\| )?([\w:+.-]+)::\s?(.*)$/.exec(line);
			if (!directive || unread.has(directive[1] ?? "")) comment = indent;
			else found.lines.push("", named.has(directive[1] ?? "") ? "" : (directive[2] ?? ""));
		} else if (!/^\s+:[\w-]+:(?:\s|$)/.test(line)) found.lines.push(line);
	}
	return { title, cuts: cutSections(found.finish(), title) };
}

/** Over, under the head of and under a simple table. */
const border = /^\s*={2,}(?: +={2,})+\s*$/;
const mostRows = 1000;

/** The line after the border that nothing follows; the one after `start` where there is none. */
function endOfTable(lines: readonly string[], start: number): number {
	for (let at = start + 1; at < Math.min(lines.length, start + mostRows); at += 1)
		if (border.test(lines[at] ?? "") && (lines[at + 1] ?? "").trim() === "") return at + 1;
	return start + 1;
}

const isUnderline = (below: string, above: string) =>
	adornment.test(below) && below.trim().length >= Math.min(above.trim().length, 4);

/** Directives that say nothing to a reader. */
const unread = new Set([
	"toctree",
	"contents",
	"highlight",
	"include",
	"raw",
	"index",
	"meta",
	"currentmodule",
	"module",
]);
/** Directives whose argument is a file or a language. */
const named = new Set(["image", "figure", "code", "code-block", "sourcecode", "literalinclude", "math"]);

const plain = (line: string) =>
	line
		.replace(/:[\w:+.-]{1,60}:`([^`<]{1,500}?)\s*(?:<[^`>]{1,500}>)?`/g, "$1")
		.replace(/``([^`]{1,1000})``/g, "$1")
		.replace(/`([^`<]{1,500}?)\s*(?:<[^`>]{1,1000}>)?`_{1,2}/g, "$1")
		.replace(/\*\*([^*]{1,1000})\*\*/g, "$1")
		.replace(/::\s*$/, ":");
