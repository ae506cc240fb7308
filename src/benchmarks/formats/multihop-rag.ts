import { z } from "zod";
import type { Evidence, Task } from "#domain";
import { freeObject, freeRecord, Json } from "#domain";
import { citedBy } from "../cited-by.ts";
import { defineFormat, type RowTask, signalOf, writeRows } from "./define-format.ts";
import type { ReadOptions, Written } from "./format.ts";
import { noAnswer, untypedAnswer, writtenAnswer } from "./given-answer.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { type PassageTerms, passageOf, textOf } from "./passage.ts";
import { type RowContext, refuse } from "./row-context.ts";
import { readRows } from "./rows.ts";
import { taskName } from "./task-name.ts";

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
const terms: PassageTerms = {
	...{ prefix: name, source: "MultiHop-RAG", licence: "rights of the publishers", language: "en" },
	attribution: (title) => `"${title}"`,
};

/**
 * Questions over news, each fact a sentence of an article. With the corpus file the passage is the article's paragraph
 * that holds the fact; without it the fact alone. Facts have no order and no questions: support is kept, no chain.
 */
export const multihopRag = defineFormat({
	name,
	title: "MultiHop-RAG",
	files: "MultiHopRAG.json, with corpus.json for the articles",
	licence: "ODC-BY-1.0",
	attribution: "MultiHop-RAG (Tang, Yang); news articles with their authors' rights.",
	url: "https://github.com/yixuantang/MultiHop-RAG",
	rights: "ODC-BY 1.0, MultiHop-RAG",
	known: articlesOf,
	schema: Item,
	task: taskOf,
	write: writeRows("MultiHopRAG.json", { without: ["images", "chain"], row: rowOf }),
});

interface ReadArticle {
	body: string;
	/** With the place in the body where each begins. */
	paragraphs: { evidence: Evidence; from: number }[];
}

const keyOf = ({ title, url }: { title: string; url?: string | undefined }) => url ?? title;

async function articlesOf(files: readonly string[], options: ReadOptions): Promise<Map<string, ReadArticle>> {
	const articles = new Map<string, ReadArticle>();
	for await (const row of readRows(files, signalOf(options))) {
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

function taskOf(
	item: z.infer<typeof Item>,
	context: RowContext,
	articles: Map<string, ReadArticle>,
): RowTask | undefined {
	if (!("query" in item)) {
		const paragraphs = articles.get(keyOf(item as z.infer<typeof Article>))?.paragraphs ?? [];
		for (const { evidence } of paragraphs) context.add(evidence);
		return undefined;
	}
	const { query, answer: given, question_type, evidence_list, ...rest } = item as z.infer<typeof Question>;
	const none = question_type === "null_query";
	const answer = (none ? noAnswer(given) : untypedAnswer(given)) ?? refuse("states no answer");
	const spans: ([number, number] | null)[] = [];
	const supporting = evidence_list.map((fact) => {
		const found = factIn(fact, articles);
		spans.push(found?.span ?? null);
		if (!found && articles.size > 0)
			context.warn(`a fact of "${fact.title}" is not found in the articles: kept as a passage`);
		const { title, fact: text } = fact;
		return context.add(found?.evidence ?? passageOf({ title, text, document: keyOf(fact) }, terms));
	});
	return {
		id: taskName(name, query, given),
		question: query,
		answer,
		supporting: [...new Set(supporting)],
		...nativeFields(name, { rest, evidence_list, spans }),
		tags: { questionType: question_type },
	};
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
