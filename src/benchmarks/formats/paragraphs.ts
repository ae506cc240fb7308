import { z } from "zod";
import type { Evidence, Passage, Task } from "#domain";
import { citedBy } from "../cited-by.ts";
import type { Written } from "./format.ts";
import { type PassageTerms, passageOf, textOf } from "./passage.ts";
import { type Edges, edgesOf, joinedSentences, segmented, sentencesAt } from "./sentences.ts";

/*
 * Paragraphs with titles, as lists of sentences: HotpotQA's form, which others took over. As rows `[[title, [sentence,
 * …]], …]`, in columns `{ title: […], sentences: [[…], …] }`.
 */

const unequal = "columns of different lengths";
const Sentences = z.array(z.string()).max(5000);
export const Paragraphs = z.union([
	z.array(z.tuple([z.string(), Sentences])).max(1000),
	z
		.object({ title: z.array(z.string()).max(1000), sentences: z.array(Sentences).max(1000) })
		.refine(({ title, sentences }) => title.length === sentences.length, unequal),
	// FlashRAG's word for the same
	z
		.object({ title: z.array(z.string()).max(1000), content: z.array(Sentences).max(1000) })
		.refine(({ title, content }) => title.length === content.length, unequal),
]);
type Paragraphs = z.infer<typeof Paragraphs>;

export interface ReadParagraphs {
	evidence: Passage[];
	/** Ids in the order given. */
	context: string[];
	/** Ids of the paragraphs of a title. */
	of(title: string): string[];
	/** Sentences in the paragraph. */
	lengths: Map<string, number>;
	/** For the task's kept fields: what makes the same form again. */
	kept: { edges: Edges[]; columns?: "sentences" | "content" };
}

export function readParagraphs(
	paragraphs: Paragraphs,
	terms: PassageTerms,
	{ join = joinedSentences }: { join?: (sentences: readonly string[]) => string } = {},
): ReadParagraphs {
	const list = pairsOf(paragraphs);
	const made = list.map(([title, sentences]) => {
		const text = join(sentences);
		return { title, sentences, passage: passageOf({ title, text }, terms), edges: edgesOf(text, sentences) };
	});
	const of = (title: string) => [...new Set(made.flatMap((one) => (one.title === title ? [one.passage.id] : [])))];
	return {
		evidence: made.map(({ passage }) => passage),
		context: made.map(({ passage }) => passage.id),
		of,
		lengths: new Map(made.map(({ passage, sentences }) => [passage.id, sentences.length])),
		kept: {
			edges: made.map(({ edges }) => edges),
			...(Array.isArray(paragraphs) ? {} : { columns: "sentences" in paragraphs ? "sentences" : "content" }),
		},
	};
}

function pairsOf(paragraphs: Paragraphs): [string, string[]][] {
	if (Array.isArray(paragraphs)) return paragraphs;
	const lists = "sentences" in paragraphs ? paragraphs.sentences : paragraphs.content;
	return paragraphs.title.map((title, index) => [title, lists[index] ?? []]);
}

export interface Paragraph {
	id: string;
	/** Place among those handed out with the task. */
	at: number;
	title: string;
	sentences: string[];
}

const Kept = z.object({ edges: z.array(z.union([z.array(z.number()), z.array(z.string())])) });

/** The paragraphs handed out with a task, else those it rests on, with the sentences as they were where that is kept. */
export async function paragraphsOf(
	task: Task,
	{ native, evidence }: { native: unknown } & Pick<Written, "evidence">,
	warn: (what: string) => void,
): Promise<Paragraph[]> {
	const kept = Kept.safeParse(native).data?.edges ?? [];
	const paragraphs: Paragraph[] = [];
	const ids = task.context ?? citedBy(task);
	// all at once: a knowledge base looks many up as fast as one
	const looked: (Evidence | undefined)[] = await Promise.all(ids.map((id) => evidence(id)));
	for (const [index, id] of ids.entries()) {
		const found = looked[index];
		if (!found) {
			warn(`evidence ${id} is not at hand: left out`);
			continue;
		}
		if (found.kind !== "passage") warn(`${found.kind} ${id} is written as its text`);
		const text = textOf(found);
		const edges = task.context ? kept[index] : undefined;
		const sentences = edges ? sentencesAt(text, edges) : segmented(text, found.language);
		paragraphs.push({ id, at: index, title: found.title, sentences });
	}
	return paragraphs;
}

/** Paragraphs in the form they had. */
export function writtenParagraphs(paragraphs: readonly Paragraph[], native: unknown): unknown {
	const columns = z.object({ columns: z.enum(["sentences", "content"]) }).safeParse(native).data?.columns;
	if (columns === undefined) return paragraphs.map(({ title, sentences }) => [title, sentences]);
	return {
		title: paragraphs.map(({ title }) => title),
		[columns]: paragraphs.map(({ sentences }) => sentences),
	};
}
