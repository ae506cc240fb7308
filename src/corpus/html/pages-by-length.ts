import type { Draft } from "../draft-page.ts";

/** The rule with its measures, as a corpus states it: what changes one of them changes its name and the reader's. */
export const pagingRule = {
	rule: "blocks-by-length-1",
	parameters: {
		/** Of a page, about as many as on a printed one. */
		characters: 3000,
		/** From this share of a page on, a heading begins the next one. */
		fullEnough: 0.6,
		/** What does not end at a heading ends when the next block would make it longer than this share. */
		overfull: 1.25,
		/** A picture takes the room of so many characters. */
		picture: 600,
	},
} as const;
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * Cuts the blocks of a document without pages into pages of about 3,000 characters, the length of a printed one; a
 * character of Chinese, Japanese or Korean counts as two. A page ends before a heading where there is one, else between
 * blocks, and never between a heading and what it heads or a table or figure and its caption. Lists, code and texts
 * longer than a page are cut between their lines; a table never is. The same blocks give the same pages.
 */
export function pagesByLength(drafts: readonly Draft[]): Draft[][] {
	const { characters, fullEnough, overfull } = pagingRule.parameters;
	const pages: Draft[][] = [];
	let page: Draft[] = [];
	let length = 0;
	// captions that are still to come of what stands on the page
	const awaited = new Set<Draft>();
	const end = () => {
		// a heading stands with what it heads
		const last = page.findLastIndex(({ kind }) => kind !== "heading");
		const next = page.splice(last < 0 ? page.length : last + 1);
		pages.push(page);
		page = next;
		length = next.reduce((sum, draft) => sum + lengthOf(draft), 0);
	};
	for (const draft of drafts.flatMap((one) => inPieces(one, characters))) {
		const added = lengthOf(draft);
		const heading = draft.kind === "heading" && page.at(-1)?.kind !== "heading";
		if (
			awaited.size === 0 &&
			page.length > 0 &&
			(heading ? length >= fullEnough * characters : length + added > overfull * characters)
		)
			end();
		page.push(draft);
		length += added;
		awaited.delete(draft);
		if (draft.caption) awaited.add(draft.caption);
	}
	return page.length > 0 ? [...pages, page] : pages;
}

const lengthOf = ({ text, picture }: Draft): number =>
	text.length + (text.match(wide)?.length ?? 0) + (picture ? pagingRule.parameters.picture : 0);

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
