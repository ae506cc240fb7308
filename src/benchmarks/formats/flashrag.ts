import { z } from "zod";
import { Answer, freeObject, freeRecord, Json, type Source, type Task } from "#domain";
import { writeJsonl } from "#store";
import type { Format, Written } from "./format.ts";
import { untypedAnswer } from "./given-answer.ts";
import { chainLost, imagesLost } from "./lost.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { Paragraphs, paragraphsOf, readParagraphs, writtenParagraphs } from "./paragraphs.ts";
import { passageOf, textOf, wikipedia } from "./passage.ts";
import { type ReadRow, readTasks } from "./reading.ts";
import { factsOf, SupportingFacts, supportOf, writtenFacts } from "./supporting-facts.ts";

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
const source: Source = {
	name: "FlashRAG datasets",
	licence: "as each data set states",
	attribution: "FlashRAG (Jin, Zhu, Yang, Zhang, Dou); each data set with its own authors.",
	url: "https://github.com/RUC-NLPIR/FlashRAG",
};
const terms = wikipedia(name, source.name);

/** One line a question for any text set; what a set has besides stands in `metadata`. */
export const flashrag: Format = {
	name,
	title: "FlashRAG",
	files: "train.jsonl, dev.jsonl or test.jsonl of a data set, with corpus.jsonl where there is one of its own",
	verified: "description",
	source,
	conventions: {},
	losses: [],
	read: (files, options) =>
		readTasks(
			files,
			{
				schema: z.union([Document, Item]),
				source,
				read: (row) => ("contents" in row ? readDocument(row as z.infer<typeof Document>) : readItem(row as Item)),
			},
			options,
		),
	async write(content, dir) {
		const losses: string[] = [];
		async function* rows() {
			for (const task of content.tasks) {
				const made = await rowOf(task, content);
				losses.push(...made.losses);
				yield made.row;
			}
		}
		const { count } = await writeJsonl(`${dir}/test.jsonl`, rows());
		const files = ["test.jsonl"];
		if (content.corpus) {
			await writeJsonl(`${dir}/corpus.jsonl`, corpusRows(content.corpus()));
			files.push("corpus.jsonl");
		}
		return { files, rows: count, losses };
	},
};

function readDocument({ id, contents }: z.infer<typeof Document>): ReadRow {
	const [, title = "", text = contents] = /^"?([^\n]*?)"?\n([\s\S]*)$/.exec(contents) ?? [];
	return { tasks: [], evidence: [{ ...passageOf({ title, text }, terms), id: `${id}` }] };
}

function readItem({ id, question, golden_answers, metadata, ...rest }: Item): ReadRow {
	const { answer: typed, context, supporting_facts, type, level, language, ...others } = metadata ?? {};
	const untyped = untypedAnswer(golden_answers);
	// our own export states the type beside the forms
	const answer = typed && untyped && sameForms(typed.accepted, untyped.accepted) ? typed : untyped;
	if (!answer) return { refused: "states no answer", id: `${id}` };
	const read = context ? readParagraphs(context, terms) : undefined;
	const facts = supporting_facts ? factsOf(supporting_facts) : undefined;
	const { supporting, losses } = read && facts ? supportOf(facts, read) : { supporting: undefined, losses: [] };
	const task: Task = {
		...{ id: `${id}`, question, images: [], answer },
		...(read ? { context: read.context } : {}),
		...(supporting ? { supporting } : {}),
		...nativeFields(name, {
			...{ rest, others, ...(metadata === undefined ? {} : { metadata: metadata !== null }) },
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
		source: source.name,
		rights: source.licence,
	};
	return { tasks: [task], evidence: read?.evidence ?? [], losses };
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

async function rowOf(task: Task, { evidence }: Written): Promise<{ row: unknown; losses: string[] }> {
	const native = nativeOf(task, name);
	const kept = Kept.safeParse(native).data;
	const { questionType: type, difficulty: level, language } = task.tags;
	const { paragraphs, losses } = await paragraphsOf(task, { native, evidence });
	const foreign = kept ? { facts: kept.facts, losses: [] } : writtenFacts(task, paragraphs);
	const { facts } = foreign;
	const inColumns = kept?.factColumns ?? true;
	const supporting = !facts
		? {}
		: {
				supporting_facts: inColumns
					? { title: facts.map(([title]) => title), sent_id: facts.map(([, sentence]) => sentence) }
					: facts,
			};
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
		row: {
			...kept?.rest,
			id: kept?.number ?? task.id,
			question: task.question,
			golden_answers: golden && sameForms(golden.map(String), task.answer.accepted) ? golden : task.answer.accepted,
			...(kept && kept.metadata === undefined ? {} : { metadata: kept?.metadata === false ? null : metadata }),
		},
		losses: [...losses, ...foreign.losses, ...chainLost(task), ...imagesLost(task)],
	};
}

async function* corpusRows(corpus: AsyncIterable<Parameters<typeof textOf>[0]>) {
	for await (const one of corpus) yield { id: one.id, contents: `"${one.title}"\n${textOf(one)}` };
}

const sameForms = (a: readonly string[], b: readonly string[]) => JSON.stringify(a) === JSON.stringify(b);
