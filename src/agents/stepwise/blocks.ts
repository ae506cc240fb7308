import { afterThinking } from "../text-protocols/thinking.ts";

export type BlockName = "thought" | "sub-question" | "sub-answer" | "search" | "end";

/** A piece of a reply behind its marker. It ends at the next marker: models seldom write the closing one. */
export interface Block {
	name: BlockName;
	text: string;
	/** Where its marker begins, where its text begins, and where it ends with its closing marker, if it has one. */
	start: number;
	from: number;
	end: number;
	/** No marker follows: it may have been cut. */
	last: boolean;
}

// Bounded everywhere: a reply is hostile, and overlapping repetitions take time with its square.
const marker = /<[ \t]{0,3}(\/?)[ \t]{0,3}(thought|sub[-_ ]?question|sub[-_ ]?answer|search|end)[ \t]{0,3}>/gi;

/**
 * The blocks of a reply in their order, and where the first begins. Inside a thought that is closed nothing counts but
 * its closing marker, so that a phrase there never acts; reasoning in think tags is before all blocks.
 */
export function blocksOf(reply: string): { blocks: Block[]; before: string } {
	const begin = afterThinking(reply);
	const marks = [...reply.matchAll(marker)]
		.filter(({ index }) => index >= begin)
		.map((match) => ({
			name: nameOf(match[2] ?? ""),
			closes: match[1] === "/",
			start: match.index,
			end: match.index + match[0].length,
		}));
	const blocks: Block[] = [];
	for (let at = 0; at < marks.length; at += 1) {
		const mark = marks[at];
		if (!mark || mark.closes) continue;
		const ends = mark.name === "thought" ? thoughtEnd(at) : at + 1;
		const next = marks[ends];
		const raw = reply.slice(mark.end, next?.start);
		const closed = next?.closes === true && next.name === mark.name;
		blocks.push({
			name: mark.name,
			text: raw.trim(),
			start: mark.start,
			from: mark.end + raw.length - raw.trimStart().length,
			end: closed ? next.end : mark.end + raw.length,
			last: next === undefined,
		});
		at = ends - 1;
	}

	/** The mark that closes a thought, unless another thought opens before. */
	function thoughtEnd(at: number): number {
		let again = at + 1;
		while (again < marks.length && marks[again]?.name !== "thought") again += 1;
		return marks[again]?.closes ? again : at + 1;
	}
	return { blocks, before: reply.slice(0, blocks[0]?.start ?? reply.length) };
}

function nameOf(written: string): BlockName {
	const name = written.toLowerCase().replace(/^sub[-_ ]?/, "sub-");
	return name as BlockName;
}
