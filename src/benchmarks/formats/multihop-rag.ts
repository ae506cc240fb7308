import { z } from "zod";
import type { Evidence, Source, Task } from "#domain";
import { freeObject, freeRecord, Json } from "#domain";
import { citedBy } from "../cited-by.ts";
import type { Format, Written } from "./format.ts";
import { noAnswer, untypedAnswer, writtenAnswer } from "./given-answer.ts";
import { chainLost, imagesLost } from "./lost.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { type PassageTerms, passageOf, textOf } from "./passage.ts";
import { type ReadRow, readingOf } from "./reading.ts";
import { type BrokenRow, type Row, readRows } from "./rows.ts";
import { taskName } from "./task-name.ts";
import { writeArray } from "./write-array.ts";

const Fact = freeObject({ title: z.string(), url: z.string().optional(), fact: z.string().min(1) });
const Question = freeObject({
	query: z.string().min(1),
	answer: z.string().min(1),
	question_type: z.string(),
	evidence_list: z.array(Fact).max(100).default([]),
});
const Article = freeObject({ title: z.string(), url: z.string().optional(), body: z.string().min(1) });
const Item = z.union([Question, Article]);

const name = "multihop-rag";
const source: Source = {
	name: "MultiHop-RAG",
	licence: "ODC-BY-1.0",
	attribution: "MultiHop-RAG (Tang, Yang); news articles with their authors' rights.",
	url: "https://github.com/yixuantang/MultiHop-RAG",
};
const terms: PassageTerms = {
	...{ prefix: name, source: source.name, licence: "rights of the publishers", language: "en" },
	attribution: (title) => `"${title}"`,
};

/**
 * Questions over news, each fact a sentence of an article. With the corpus file the passage is the article's paragraph
 * that holds the fact; without it the fact alone. Facts have no order and no questions: support is kept, no chain.
 */
export const multihopRag: Format = {
	name,
	title: source.name,
	files: "MultiHopRAG.json, with corpus.json for the articles",
	verified: "description",
	source,
	conventions: {},
	losses: [],
	async read(files, options = {}) {
		const rows: (Row | BrokenRow)[] = [];
		for await (const row of readRows(files, options.signal ? { signal: options.signal } : {})) rows.push(row);
		const articles = articlesOf(rows);
		return readingOf(rows, {
			schema: Item,
			source,
			read: (item) =>
				"query" in item ? readQuestion(item as z.infer<typeof Question>, articles) : readArticle(item, articles),
		});
	},
	async write(content, dir) {
		const losses: string[] = [];
		async function* rows() {
			for (const task of content.tasks) {
				losses.push(...imagesLost(task), ...chainLost(task));
				yield await rowOf(task, content);
			}
		}
		const count = await writeArray(`${dir}/MultiHopRAG.json`, rows());
		return { files: ["MultiHopRAG.json"], rows: count, losses };
	},
};

interface ReadArticle {
	body: string;
	/** With the place in the body where each begins. */
	paragraphs: { evidence: Evidence; from: number }[];
}

const keyOf = ({ title, url }: { title: string; url?: string | undefined }) => url ?? title;

function articlesOf(rows: readonly (Row | BrokenRow)[]): Map<string, ReadArticle> {
	const articles = new Map<string, ReadArticle>();
	for (const row of rows) {
		const article = "value" in row ? Article.safeParse(row.value) : undefined;
		if (!article?.success) continue;
		const { title, body } = article.data;
		const document = keyOf(article.data);
		const paragraphs: ReadArticle["paragraphs"] = [];
		let from = 0;
		for (const line of body.split("\n")) {
			const text = line.trim();
			if (text !== "") paragraphs.push({ evidence: passageOf({ title, text, document }, terms), from });
			from += line.length + 1;
		}
		articles.set(document, { body, paragraphs });
	}
	return articles;
}

function readArticle(article: z.infer<typeof Article>, articles: Map<string, ReadArticle>): ReadRow {
	return { tasks: [], evidence: (articles.get(keyOf(article))?.paragraphs ?? []).map(({ evidence }) => evidence) };
}

function readQuestion(item: z.infer<typeof Question>, articles: Map<string, ReadArticle>): ReadRow {
	const { query, answer: given, question_type, evidence_list, ...rest } = item;
	const none = question_type === "null_query";
	const answer = none ? noAnswer(given) : untypedAnswer(given);
	if (!answer) return { refused: "states no answer" };
	const losses: string[] = [];
	const evidence: Evidence[] = [];
	const spans: ([number, number] | null)[] = [];
	for (const fact of evidence_list) {
		const found = factIn(fact, articles);
		evidence.push(found?.evidence ?? passageOf({ title: fact.title, text: fact.fact, document: keyOf(fact) }, terms));
		spans.push(found?.span ?? null);
		if (!found && articles.size > 0)
			losses.push(`a fact of "${fact.title}" is not found in the articles: kept as a passage`);
	}
	const id = taskName(name, query, given);
	const task: Task = {
		...{ id, question: query, images: [], answer },
		supporting: [...new Set(evidence.map((one) => one.id))],
		...nativeFields(name, { rest, evidence_list, spans }),
		tags: { language: "en", questionType: question_type },
		source: source.name,
		rights: "ODC-BY 1.0, MultiHop-RAG",
	};
	return { tasks: [task], evidence, losses };
}

/** The paragraph that a fact begins in, and where the fact stands in the body. */
function factIn(
	fact: z.infer<typeof Fact>,
	articles: Map<string, ReadArticle>,
): { evidence: Evidence; span: [number, number] } | undefined {
	const article = articles.get(keyOf(fact)) ?? articles.get(fact.title);
	const at = article?.body.indexOf(fact.fact) ?? -1;
	const paragraph = at < 0 ? undefined : article?.paragraphs.findLast(({ from }) => from <= at);
	return paragraph ? { evidence: paragraph.evidence, span: [at, at + fact.fact.length] } : undefined;
}

async function rowOf(task: Task, { evidence }: Pick<Written, "evidence">): Promise<unknown> {
	const native = nativeOf(task, name);
	const kept = z.object({ rest: freeRecord(Json), evidence_list: z.array(Json) }).safeParse(native).data;
	const found = kept ? [] : await Promise.all(citedBy(task).map((id) => evidence(id)));
	const facts = found.flatMap((one) => (one ? [{ title: one.title, url: one.document, fact: textOf(one) }] : []));
	return {
		query: task.question,
		answer: writtenAnswer(task.answer),
		question_type: task.tags.questionType ?? (task.answer.type === "none" ? "null_query" : "inference_query"),
		...kept?.rest,
		evidence_list: kept?.evidence_list ?? facts,
	};
}
