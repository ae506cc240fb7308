import type { Cut } from "./passages.ts";

/** Passage length in characters, as of prose. */
const longest = 1200;

/**
 * Text whose lines mean something (code, settings, logs), cut between its blocks and kept as it is written. A block
 * begins where an unindented line follows a blank one or an indented one, as a function does; blocks share a passage
 * where they fit, and one beyond the limit is cut between its lines.
 */
export function cutLines(text: string): Cut[] {
	const passages: string[] = [];
	let current = "";
	const add = (piece: string) => {
		if (current !== "" && current.length + piece.length > longest) {
			passages.push(current);
			current = "";
		}
		current += piece;
	};
	for (const block of blocksOf(text.replace(/\r\n?/g, "\n").split("\n"))) {
		if (block.length <= longest) add(block);
		else
			for (const line of block.split(/(?<=\n)/))
				for (let at = 0; at < line.length; at += longest) add(line.slice(at, at + longest));
	}
	passages.push(current);
	return passages
		.map((passage) => passage.replace(/^\n+|\s+$/g, ""))
		.filter((passage) => passage !== "")
		.map((passage, index) => ({ key: `${index + 1}`, text: passage, form: "prose" }));
}

/** Closing brackets belong to what they close. */
const begins = /^[^\s)\]}]/;

function blocksOf(lines: string[]): string[] {
	const blocks: string[] = [];
	let block = "";
	let above = "";
	for (const line of lines) {
		if (begins.test(line) && !begins.test(above) && block !== "") {
			blocks.push(block);
			block = "";
		}
		block += `${line}\n`;
		above = line;
	}
	return [...blocks, block];
}
