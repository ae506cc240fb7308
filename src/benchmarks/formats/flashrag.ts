import { z } from "zod";
import { Answer, freeObject, freeRecord, Json, type Task } from "#domain";
import { writeJsonl } from "#store";
import { defineFormat, type RowTask, writeRows } from "./define-format.ts";
import type { Written } from "./format.ts";
import { untypedAnswer } from "./given-answer.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { Paragraphs, paragraphsOf, readParagraphs, writtenParagraphs } from "./paragraphs.ts";
import { passageOf, textOf, wikipedia } from "./passage.ts";
import { type RowContext, refuse } from "./row-context.ts";
import { factsInForm, factsOf, SupportingFacts, supportOf, writtenFacts } from "./supporting-facts.ts";

const Metadata = freeObject({
	context: Paragraphs.optional(),
	supporting_facts: SupportingFacts.optional(),
	answer: Answer.optional(),
	type: z.string().optional(),
	level: z.string().optional(),
	language: z.string().optional(),
});
const Item = freeObject({
	id: z.union([z.string().min(1).max(200), z.number()]),
	question: z.string().min(1),
	golden_answers: z.array(z.union([z.string(), z.number()])).max(1000),
	metadata: Metadata.nullish(),
});
type Item = z.infer<typeof Item>;

/** A document of the corpus, its title in quotation marks on the first line. */
const Document = freeObject({ id: z.union([z.string().min(1).max(512), z.number()]), contents: z.string() });

const name = "flashrag";
const terms = wikipedia(name, "FlashRAG datasets");

const writeTasks = writeRows("test.jsonl", { without: ["chain", "images"], row: rowOf });

/** One line a question for any text set; what a set has besides stands in `metadata`. */
export const flashrag = defineFormat({
	name,
	title: "FlashRAG",
	source: "FlashRAG datasets",
	files: "train.jsonl, dev.jsonl or test.jsonl of a data set, with corpus.jsonl where there is one of its own",
	licence: "as each data set states",
	attribution: "FlashRAG (Jin, Zhu, Yang, Zhang, Dou); each data set with its own authors.",
	url: "https://github.com/RUC-NLPIR/FlashRAG",
	verified: "files",
	schema: z.union([Document, Item]),
	task(row, context) {
		if (!("contents" in row)) return taskOf(row as Item, context);
		const { id, contents } = row as z.infer<typeof Document>;
		const [, title = "", text = contents] = /^"?([^\n]*?)"?\n([\s\S]*)$/.exec(contents) ?? [];
		context.add({ ...passageOf({ title, text }, terms), id: `${id}` });
		return undefined;
	},
	async write(content, dir) {
		const written = await writeTasks(content, dir);
		if (!content.corpus) return written;
		await writeJsonl(`${dir}/corpus.jsonl`, corpusRows(content.corpus()));
		return { ...written, files: [...written.files, "corpus.jsonl"] };
	},
});

function taskOf({ id, question, golden_answers, metadata, ...rest }: Item, row: RowContext): RowTask {
	const { answer: typed, context, supporting_facts, type, level, language, ...others } = metadata ?? {};
	const untyped = untypedAnswer(golden_answers) ?? refuse("states no answer");
	// our own export states the type beside the forms
	const answer = typed && sameForms(typed.accepted, untyped.accepted) ? typed : untyped;
	const read = context ? readParagraphs(context, terms) : undefined;
	for (const passage of read?.evidence ?? []) row.add(passage);
	const facts = supporting_facts ? factsOf(supporting_facts) : undefined;
	return {
		id: `${id}`,
		question,
		answer,
		...(read ? { context: read.context } : {}),
		...(read && facts ? { supporting: supportOf(facts, read, row.warn) } : {}),
		...nativeFields(name, {
			rest,
			others,
			...(metadata === undefined ? {} : { metadata: metadata !== null }),
			...(typeof id === "number" ? { number: id } : {}),
			...(facts ? { facts, factColumns: !Array.isArray(supporting_facts) } : {}),
			...(typed ? { typed: true } : {}),
			...(golden_answers.every((one) => typeof one === "string") ? {} : { golden_answers }),
			...read?.kept,
		}),
		tags: {
			language: language ?? "und",
			...(type === undefined ? {} : { questionType: type }),
			...(level === undefined ? {} : { difficulty: level }),
		},
	};
}

const Kept = z.object({
	rest: freeRecord(Json),
	others: freeRecord(Json),
	metadata: z.boolean().optional(),
	number: z.number().optional(),
	facts: z.array(z.tuple([z.string(), z.number()])).optional(),
	factColumns: z.boolean().optional(),
	typed: z.boolean().optional(),
	golden_answers: z.array(z.union([z.string(), z.number()])).optional(),
	columns: z.string().optional(),
});

async function rowOf(task: Task, { evidence }: Written, warn: (what: string) => void): Promise<unknown> {
	const native = nativeOf(task, name);
	const kept = Kept.safeParse(native).data;
	const { questionType: type, difficulty: level, language } = task.tags;
	const paragraphs = await paragraphsOf(task, { native, evidence }, warn);
	const facts = kept ? kept.facts : writtenFacts(task, paragraphs, warn);
	const supporting = facts ? { supporting_facts: factsInForm(facts, kept?.factColumns ?? true) } : {};
	const context =
		task.context === undefined && (kept || paragraphs.length === 0)
			? {}
			: { context: writtenParagraphs(paragraphs, kept ? native : { columns: "content" }) };
	const metadata = {
		...(type === undefined ? {} : { type }),
		...(level === undefined ? {} : { level }),
		...(language === "und" ? {} : { language }),
		...(kept && !kept.typed ? {} : { answer: task.answer }),
		...kept?.others,
		...supporting,
		...context,
	};
	const golden = kept?.golden_answers;
	return {
		...kept?.rest,
		id: kept?.number ?? task.id,
		question: task.question,
		golden_answers: golden && sameForms(golden.map(String), task.answer.accepted) ? golden : task.answer.accepted,
		...(kept && kept.metadata === undefined ? {} : { metadata: kept?.metadata === false ? null : metadata }),
	};
}

async function* corpusRows(corpus: AsyncIterable<Parameters<typeof textOf>[0]>) {
	for await (const one of corpus) yield { id: one.id, contents: `"${one.title}"\n${textOf(one)}` };
}

const sameForms = (a: readonly string[], b: readonly string[]) => JSON.stringify(a) === JSON.stringify(b);
