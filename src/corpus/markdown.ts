import { type Cut, cutByLength } from "./passages.ts";
import { slug } from "./slug.ts";

/** A Markdown file: its title and its passages by section. */
export interface MarkdownDocument {
	title: string | undefined;
	cuts: Cut[];
}

interface Section {
	path: string[];
	blocks: { text: string; form: "prose" | "table" }[];
}

/** Cuts Markdown by its headings first, tables apart from prose, then by length with overlap. */
export function readMarkdown(markdown: string): MarkdownDocument {
	const { body, title: declared } = frontMatter(markdown.replace(/\r\n?/g, "\n").replace(/^\uFEFF/, ""));
	const sections = sectionsOf(body);
	const title = declared ?? sections.find((section) => section.path.length > 0)?.path[0];
	const seen = new Map<string, number>();
	const cuts = sections.flatMap((section) => {
		// The document's own title does not name a section.
		const path = section.path[0] === title ? section.path.slice(1) : section.path;
		const name = path.join(" > ");
		const base = slug(name) || "start";
		const count = (seen.get(base) ?? 0) + 1;
		seen.set(base, count);
		const key = count === 1 ? base : `${base}~${count}`;
		const parts = section.blocks.flatMap(({ text, form }): Section["blocks"] =>
			form === "table" ? [{ text, form }] : cutByLength(text).map((piece) => ({ text: piece, form })),
		);
		return parts.map(({ text, form }, index) => ({
			key: parts.length === 1 ? key : `${key}.${index + 1}`,
			...(name === "" ? {} : { section: name }),
			text,
			form,
		}));
	});
	return { title, cuts };
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
	const sections: Section[] = [];
	let path: { level: number; text: string }[] = [];
	let lines: string[] = [];
	let fence: string | undefined;

	const close = () => {
		const blocks = blocksOf(lines);
		if (blocks.length > 0) sections.push({ path: path.map(({ text }) => text), blocks });
		lines = [];
	};
	const open = (level: number, text: string) => {
		close();
		path = [...path.filter((heading) => heading.level < level), { level, text }];
	};

	for (const line of body.split("\n")) {
		const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
		if (fence !== undefined) {
			if (mark?.startsWith(fence)) fence = undefined;
			lines.push(line);
			continue;
		}
		if (mark !== undefined) fence = mark;
		const heading = /^\s{0,3}(#{1,6})\s+(\S.*)$/s.exec(line.trimEnd());
		const name = heading?.[2]?.replace(/(?<!\S)#+$/, "").trimEnd();
		const underline = /^\s{0,3}(=+|-+)\s*$/.exec(line)?.[1];
		const above = lines.at(-1)?.trim() ?? "";
		if (heading?.[1] && name) open(heading[1].length, plain(name));
		else if (underline && above !== "" && !above.startsWith("|") && (lines.at(-2)?.trim() ?? "") === "") {
			lines.pop();
			open(underline.startsWith("=") ? 1 : 2, plain(above));
		} else lines.push(line);
	}
	close();
	return sections;
}

/** Runs of table lines apart from the prose around them. */
function blocksOf(lines: string[]): Section["blocks"] {
	const blocks: Section["blocks"] = [];
	let run: string[] = [];
	let table = false;
	const close = () => {
		const text = run
			.map((line) => (table ? line.trim() : plain(line)))
			.join("\n")
			.trim();
		if (text !== "") blocks.push({ text, form: table ? "table" : "prose" });
		run = [];
	};
	for (const line of lines) {
		const inTable = /^\s*\|.*\|\s*$/.test(line);
		if (inTable !== table) close();
		table = inTable;
		run.push(line);
	}
	close();
	return blocks;
}

/** Links and emphasis as a reader sees them. The classes are bounded: a line may hold many openings and no end. */
function plain(line: string): string {
	return withoutComments(line)
		.replace(/!\[([^[\]]{0,1000})\]\([^[)]{0,2000}\)/g, "$1")
		.replace(/\[([^[\]]{1,1000})\]\([^[)]{0,2000}\)/g, "$1")
		.replace(/(\*\*|__)(.+?)\1/g, "$2");
}

function withoutComments(line: string): string {
	const parts = line.split("-->");
	return parts
		.map((part, index) => {
			const start = part.indexOf("<!--");
			if (index === parts.length - 1) return part;
			return start === -1 ? `${part}-->` : part.slice(0, start);
		})
		.join("");
}
