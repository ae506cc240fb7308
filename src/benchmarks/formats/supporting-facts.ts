import { z } from "zod";
import type { Task } from "#domain";
import type { Paragraph, ReadParagraphs } from "./paragraphs.ts";

/** Title of a paragraph and the 0-based place of a sentence in it. */
export type Fact = [string, number];

export const SupportingFacts = z.union([
	z.array(z.tuple([z.string(), z.number().int()])).max(1000),
	z
		.object({ title: z.array(z.string()).max(1000), sent_id: z.array(z.number().int()).max(1000) })
		.refine(({ title, sent_id }) => title.length === sent_id.length, "columns of different lengths"),
]);

export function factsOf(facts: z.infer<typeof SupportingFacts>): Fact[] {
	if (Array.isArray(facts)) return facts;
	return facts.title.map((title, index) => [title, facts.sent_id[index] ?? 0]);
}

/** Facts as they are written, in columns or in pairs. */
export const factsInForm = (facts: readonly Fact[], inColumns: boolean): unknown =>
	inColumns ? { title: facts.map(([title]) => title), sent_id: facts.map(([, sentence]) => sentence) } : facts;

/** The paragraphs that facts name, each once; facts that lead nowhere are told. */
export function supportOf(
	facts: readonly Fact[],
	{ of, lengths }: Pick<ReadParagraphs, "of" | "lengths">,
	warn: (what: string) => void,
): string[] {
	const supporting = new Set<string>();
	for (const [title, sentence] of facts) {
		const ids = of(title);
		for (const id of ids) supporting.add(id);
		if (ids.length === 0) warn(`supporting paragraph "${title}" is not in its context`);
		else if (ids.every((id) => sentence < 0 || sentence >= (lengths.get(id) ?? 0)))
			warn(`supporting sentence ${sentence} of "${title}" lies beyond its end`);
	}
	return [...supporting];
}

/** The sentences of gold paragraphs that hold an accepted answer of their hop; all of them where none does, and told. */
export function writtenFacts(task: Task, paragraphs: readonly Paragraph[], warn: (what: string) => void): Fact[] {
	const facts: Fact[] = [];
	const wanted = [
		...(task.chain?.hops ?? []).flatMap(({ evidence, answer }) => {
			const first = evidence.find((id) => paragraphs.some((one) => one.id === id));
			return first === undefined ? [] : [{ id: first, forms: answer.accepted }];
		}),
		...(task.chain ? [] : (task.supporting ?? []).map((id) => ({ id, forms: task.answer.accepted }))),
	];
	for (const { id, forms } of wanted) {
		const paragraph = paragraphs.find((one) => one.id === id);
		if (!paragraph) continue;
		const { title, sentences } = paragraph;
		const folded = forms.map((form) => form.trim().toLowerCase()).filter((form) => form !== "");
		const holding = [...sentences.keys()].filter((at) =>
			folded.some((form) => sentences[at]?.toLowerCase().includes(form)),
		);
		if (holding.length === 0) warn(`which sentence of "${title}" supports it is not known: all are named`);
		for (const at of holding.length > 0 ? holding : sentences.keys())
			if (!facts.some(([other, place]) => other === title && place === at)) facts.push([title, at]);
	}
	return facts;
}
