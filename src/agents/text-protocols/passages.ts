import { harmless } from "../tools/harmless.ts";
import type { Observation } from "../tools/tools.ts";

export type Passage = Pick<Observation["results"][number], "title" | "text">;

/**
 * Passages as a model reads them, numbered from `first`, in the order given. `flat`: one line each, for protocols whose
 * turns are told by how a line begins; a document then writes none of them.
 */
export function renderPassages(
	passages: Passage[],
	{ first = 1, flat = false }: { first?: number; flat?: boolean } = {},
): string {
	if (passages.length === 0) return "Nothing was found.";
	const read = (text: string) => (flat ? oneLine(harmless(text)) : harmless(text));
	return passages.map(({ title, text }, at) => `${first + at}. ${read(title)}: ${read(text)}`).join("\n\n");
}

export function oneLine(text: string): string {
	const lines = text.split(/[\n\r\u2028\u2029]/).map((line) => line.trim());
	return lines.filter((line) => line !== "").join("; ");
}
