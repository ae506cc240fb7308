import type { Draft } from "../draft-page.ts";

/** Names the rule and its measure: a corpus states them, and what changes either changes the reader's name too. */
export const pagingRule = { rule: "blocks-by-length-1", characters: 3000 } as const;

/** From this share of a page on, a heading begins the next one. */
const fullEnough = 0.6;
/** What does not end at a heading ends when the next block would make it longer than this share. */
const overfull = 1.25;
/** A picture takes the room of so many characters. */
const pictureLength = 600;
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * Cuts the blocks of a document without pages into pages of about 3,000 characters, the length of a printed one; a
 * character of Chinese, Japanese or Korean counts as two. A page ends before a heading where there is one, else between
 * blocks, and never between a heading and what it heads or a table or figure and its caption. Lists, code and texts
 * longer than a page are cut between their lines; a table never is. The same blocks give the same pages.
 */
export function pagesByLength(drafts: readonly Draft[]): Draft[][] {
	const { characters } = pagingRule;
	const pages: Draft[][] = [];
	let page: Draft[] = [];
	let length = 0;
	const end = () => {
		// a heading stands with what it heads
		let kept = page.length;
		while (kept > 0 && page[kept - 1]?.kind === "heading") kept -= 1;
		if (kept === 0) return;
		const next = page.splice(kept);
		pages.push(page);
		page = next;
		length = next.reduce((sum, draft) => sum + lengthOf(draft), 0);
	};
	for (const draft of drafts.flatMap((one) => inPieces(one, characters))) {
		const added = lengthOf(draft);
		const owned = page.some(({ caption }) => caption && !page.includes(caption));
		const heading = draft.kind === "heading" && page.at(-1)?.kind !== "heading";
		if (!owned && (heading ? length >= fullEnough * characters : length + added > overfull * characters)) end();
		page.push(draft);
		length += added;
	}
	return page.length > 0 ? [...pages, page] : pages;
}

const lengthOf = ({ text, picture }: Draft): number =>
	text.length + (text.match(wide)?.length ?? 0) + (picture ? pictureLength : 0);

/** A block of lines that is longer than a page as several, each a page long at most where its lines are. */
function inPieces(draft: Draft, most: number): Draft[] {
	const { kind, text } = draft;
	if (lengthOf(draft) <= most || !["list", "code", "text"].includes(kind)) return [draft];
	const pieces: string[] = [];
	let piece: string[] = [];
	let length = 0;
	for (const line of text.split("\n")) {
		const added = lengthOf({ kind, text: line }) + 1;
		if (piece.length > 0 && length + added > most) {
			pieces.push(piece.join("\n"));
			piece = [];
			length = 0;
		}
		piece.push(line);
		length += added;
	}
	pieces.push(piece.join("\n"));
	// the block's caption comes next: it is the last piece's
	const { caption: _, ...bare } = draft;
	return pieces.map((one, place) => ({ ...(place === pieces.length - 1 ? draft : bare), text: one }));
}
