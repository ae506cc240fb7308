import { fenceOf, withoutHtml } from "./html-in-markdown.ts";
import { cutSections, outline, partTables, type Section, type TextDocument } from "./sections.ts";

/** Cuts Markdown by its headings first, tables apart from prose, then by length with overlap. */
export function readMarkdown(markdown: string): TextDocument {
	const { body, title: declared } = frontMatter(markdown.replace(/\r\n?/g, "\n").replace(/^\uFEFF/, ""));
	const sections = sectionsOf(withoutHtml(body));
	const title = declared ?? sections.find((section) => section.path.length > 0)?.path[0];
	return { title, cuts: cutSections(sections, title) };
}

function frontMatter(markdown: string): { body: string; title: string | undefined } {
	const match = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(markdown);
	if (!match) return { body: markdown, title: undefined };
	const title = /^title:[ \t]*(.+)$/m
		.exec(match[1] ?? "")?.[1]
		?.trim()
		.replace(/^(["'])(.*)\1$/, "$2");
	return { body: markdown.slice(match[0].length), title: title === "" ? undefined : title };
}

function sectionsOf(body: string): Section[] {
	const found = outline(blocksOf);
	let fence: string | undefined;
	for (const line of body.split("\n")) {
		const mark = fenceOf(line);
		if (fence !== undefined) {
			if (mark?.startsWith(fence)) fence = undefined;
			found.lines.push(line);
			continue;
		}
		if (mark !== undefined) fence = mark;
		const heading = /^\s{0,3}(#{1,6})\s+(\S.*)$/s.exec(line.trimEnd());
		const name = heading?.[2]?.replace(/(?<!\S)#+$/, "").trimEnd();
		const underline = /^\s{0,3}(=+|-+)\s*$/.exec(line)?.[1];
		const above = found.lines.at(-1)?.trim() ?? "";
		if (heading?.[1] && name) found.open(heading[1].length, plain(name));
		else if (underline && above !== "" && !above.startsWith("|") && (found.lines.at(-2)?.trim() ?? "") === "") {
			found.lines.pop();
			found.open(underline.startsWith("=") ? 1 : 2, plain(above));
		} else found.lines.push(line);
	}
	return found.finish();
}

const blocksOf = (lines: string[]) =>
	partTables(
		lines,
		(line) => /^\s*\|.*\|\s*$/.test(line),
		(line, table) => (table ? line.trim() : plain(line)),
	);

/** Links and emphasis as a reader sees them. The classes are bounded: a line may hold many openings and no end. */
const plain = (line: string): string =>
	line
		.replace(/!\[([^[\]]{0,1000})\]\([^[)]{0,2000}\)/g, "$1")
		.replace(/\[([^[\]]{1,1000})\]\([^[)]{0,2000}\)/g, "$1")
		.replace(/(\*\*|__)(.+?)\1/g, "$2");
