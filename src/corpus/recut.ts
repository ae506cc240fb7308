import type { Evidence } from "#domain";
import { sha256 } from "#store";
import { cutByLength } from "./passages.ts";

type Passage = Extract<Evidence, { kind: "passage" }>;

/** Characters that stand for a word, its gap included: passages of 1200 are “about 200 words”. */
const charactersOfWord = 6;
/** Of a passage, the share that is repeated in the next one; as where documents are read. */
const carried = 6;

/**
 * Evidence with its prose cut anew into passages of about so many words. What was cut apart within a section of a document is
 * put together first, without the sentences that were repeated; no passage reaches over a section, and tables, pages and
 * images stay as they are. Passages have other ids, and no places on pages. Prose is held in memory.
 */
export async function* recut(
	evidence: AsyncIterable<Evidence>,
	{ words }: { words: number },
): AsyncGenerator<Evidence> {
	const sections = new Map<string, Passage[]>();
	for await (const one of evidence) {
		if (one.kind !== "passage" || one.form !== "prose") {
			yield one;
			continue;
		}
		const key = JSON.stringify([one.document, one.section]);
		const known = sections.get(key);
		if (known) known.push(one);
		else sections.set(key, [one]);
	}
	for (const parts of sections.values()) {
		// parts are numbered, and 10 stands behind 9
		parts.sort((a, b) => inOrder.compare(a.id, b.id));
		const [first] = parts;
		if (!first) continue;
		const longest = words * charactersOfWord;
		const cuts = cutByLength(joined(parts), { longest, overlap: Math.round(longest / carried) });
		const { regions: _, ...about } = first;
		for (const [at, text] of cuts.entries())
			yield { ...about, id: `${first.id.slice(0, 480)}~${words}w.${at + 1}`, text, sha256: sha256(text) };
	}
}

const inOrder = new Intl.Collator("en", { numeric: true });

/** The text that passages of one section were cut from, but for where its paragraphs ended at a cut. */
function joined(parts: readonly Passage[]): string {
	let text = "";
	for (const part of parts) {
		const again = repeated(text, part.text);
		text = text === "" ? part.text : `${text} ${part.text.slice(again).trimStart()}`;
	}
	return text;
}

/** How many characters of the beginning of `next` stand at the end of `text` already. */
function repeated(text: string, next: string): number {
	for (let length = Math.min(mostRepeated, text.length, next.length); length >= fewestRepeated; length -= 1)
		if (text.endsWith(next.slice(0, length))) return length;
	return 0;
}
/** Readers repeat at most 200 characters; a shorter likeness than a short sentence is chance. */
const mostRepeated = 200;
const fewestRepeated = 12;
