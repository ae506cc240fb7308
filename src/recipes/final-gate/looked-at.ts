import { type Item, questionOf } from "#domain";

/** A text of an item that readers see, with what it is. */
export interface Said {
	text: string;
	/** As a detail names it. */
	where: string;
	hop?: string;
}

/** The question and the sub-questions that are not the question itself. Hops that only compute have words of their maker. */
export function asked(item: Item): Said[] {
	const question = questionOf(item);
	const steps = item.chain.hops
		.filter(({ modality, question: words }) => modality !== "compute" && words !== question)
		.map(({ id, question: text }) => ({ text, where: `sub-question ${id}`, hop: id }));
	return [{ text: question, where: "question" }, ...steps];
}

/** The answer and those of the hops, each text once. */
export function answered(item: Item): Said[] {
	const own = [item.answer.value, ...item.answer.accepted].map((text) => ({ text, where: "answer" }));
	const steps = item.chain.hops.flatMap(({ id, answer }) =>
		[answer.value, ...answer.accepted].map((text) => ({ text, where: `answer of ${id}`, hop: id })),
	);
	const first = new Map<string, Said>();
	for (const said of [...own, ...steps]) if (!first.has(said.text)) first.set(said.text, said);
	return [...first.values()];
}

const quoted =
	/"[^"]{0,400}"|“[^”]{0,400}”|„[^“”]{0,400}[“”]|«[^»]{0,400}»|‹[^›]*›|「[^」]*」|『[^』]*』|《[^》]*》|(?<![\p{L}\p{N}])[‘'](?=\S)(?:[^'’\n]|(?<=\p{L})['’](?=\p{L})){1,80}(?<=\S)['’](?![\p{L}\p{N}])/gu;

/** The text with what stands in quotation marks, a title as a rule, blotted out: places stay where they were. */
export const withoutQuotes = (text: string): string => text.replace(quoted, (title) => "·".repeat(title.length));

/** Where quotation marks hold something, from and to. */
export const quotesIn = (text: string): [from: number, to: number][] =>
	[...text.matchAll(quoted)].map(({ index, 0: title }) => [index, index + title.length]);

/** A detail that quotes what was found, and where. */
export const foundIn = (found: string, { text, where }: Said): string =>
	found.trim() === text.trim() ? `${where}: "${text}"` : `"${found.trim()}" in ${where}: "${text}"`;
