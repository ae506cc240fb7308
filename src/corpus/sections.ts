import { type Cut, cutByLength } from "./passages.ts";
import { slug } from "./slug.ts";

/** A marked-up text: its title and its passages by section. */
export interface TextDocument {
	title: string | undefined;
	cuts: Cut[];
}

export interface Section {
	/** Headings from the outermost to its own. */
	path: string[];
	blocks: { text: string; form: "prose" | "table" }[];
}

/** Passages of sections: tables apart from prose, prose by length with overlap. */
export function cutSections(sections: readonly Section[], title: string | undefined): Cut[] {
	const seen = new Map<string, number>();
	return sections.flatMap((section) => {
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
}

/** Gathers lines under the headings that open above them. */
export interface Outline {
	/** Level 1 is the highest. */
	open(level: number, heading: string): void;
	lines: string[];
	finish(): Section[];
}

/** `blocksOf` makes of the lines of one section its blocks. */
export function outline(blocksOf: (lines: string[]) => Section["blocks"]): Outline {
	const sections: Section[] = [];
	let path: { level: number; text: string }[] = [];
	const close = () => {
		const blocks = blocksOf(self.lines);
		if (blocks.length > 0) sections.push({ path: path.map(({ text }) => text), blocks });
		self.lines = [];
	};
	const self: Outline = {
		lines: [],
		open(level, text) {
			close();
			path = [...path.filter((heading) => heading.level < level), { level, text }];
		},
		finish() {
			close();
			return sections;
		},
	};
	return self;
}

/** Put before a line by a reader that knows it for a row of a table. */
export const rowMark = "\ue000";

/** Runs of lines that `inTable` knows for a table's apart from the prose around them; `written`: a line as it is read. */
export function partTables(
	lines: readonly string[],
	inTable: (line: string) => boolean,
	written: (line: string, table: boolean) => string,
): Section["blocks"] {
	const blocks: Section["blocks"] = [];
	let run: string[] = [];
	let table = false;
	const close = () => {
		const text = run
			.map((line) => written(line, table))
			.join("\n")
			.trim();
		if (text !== "") blocks.push({ text, form: table ? "table" : "prose" });
		run = [];
	};
	for (const line of lines) {
		if (inTable(line) !== table) close();
		table = inTable(line);
		run.push(line);
	}
	close();
	return blocks;
}
