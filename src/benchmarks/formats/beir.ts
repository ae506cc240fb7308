import { basename } from "node:path";
import { z } from "zod";
import { Answer, type Evidence, freeObject, freeRecord, Hop, Json, type Source, type Task, usageError } from "#domain";
import { readLines, writeJsonl, writeLines } from "#store";
import { citedBy } from "../cited-by.ts";
import { conversionWarnings } from "./define-format.ts";
import type { Format, Written } from "./format.ts";
import { untypedAnswer } from "./given-answer.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { evidenceToWrite, passageOf, textOf } from "./passage.ts";
import { type ReadRow, readingOf } from "./reading.ts";
import { type BrokenRow, type Row, readRows } from "./rows.ts";

const Id = z.union([z.string().min(1), z.number()]).transform(String);
const Given = z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()])).max(1000)]);
const Query = freeObject({
	_id: Id,
	text: z.string().min(1),
	metadata: freeObject({
		answer: z.union([Answer, Given]).optional(),
		answers: Given.optional(),
		language: z.string().optional(),
		sink: z.string().optional(),
		/** Of a hop's query: the task it is a part of. */
		task: z.string().optional(),
		hop: Hop.partial({ question: true, evidence: true }).optional(),
	}).nullish(),
});
type Query = z.infer<typeof Query>;
const Document = freeObject({ _id: Id.pipe(z.string().max(512)), title: z.string().default(""), text: z.string() });

const name = "beir";
const source: Source = {
	name: "BEIR data set",
	licence: "as the data set states",
	attribution: "as the data set states",
	url: "https://github.com/beir-cellar/beir",
};

/**
 * A retrieval benchmark: documents, queries, and which document is relevant to which query. Written with a query for
 * each task and one for each retrieving hop (`TASK#HOP`), judged in qrels/items.tsv and qrels/hops.tsv.
 */
export const beir: Format = {
	name,
	title: "BEIR",
	files: "corpus.jsonl, queries.jsonl and the qrels (TSV with a head, or TREC), whose queries state answers",
	verified: "description",
	source,
	conventions: {},
	losses: [
		{ field: "native", why: "fields of other formats have no place in queries" },
		{ field: "images", why: "queries are text" },
		{ field: "context", why: "qrels name what is relevant, not what is handed out" },
	],
	async read(files, options = {}) {
		const part = (wanted: Part) => files.filter((file) => partOf(file) === wanted);
		const signal = options.signal ? { signal: options.signal } : {};
		const documents = await documentsOf(part("corpus"), signal);
		const { judged, broken } = await judgementsOf(part("qrels"));
		const rows: (Row | BrokenRow)[] = [...documents.broken, ...broken];
		const hops = new Map<string, Query[]>();
		const known = new Set<string>();
		const parts: { row: Row; task: string }[] = [];
		for await (const row of readRows(part("queries"), signal)) {
			const query = "value" in row ? Query.safeParse(row.value).data : undefined;
			const { task, hop } = query?.metadata ?? {};
			if (query && "value" in row && task !== undefined && hop) {
				hops.set(task, [...(hops.get(task) ?? []), query]);
				parts.push({ row, task });
			} else {
				rows.push(row);
				if (query) known.add(query._id);
			}
		}
		for (const { row, task } of parts)
			if (!known.has(task)) rows.push({ ...row, reason: `is of the query "${task}", which is not in the files` });
		const read = (query: Query) =>
			readQuery(query, { judged, documents: documents.byId, hops: hops.get(query._id) ?? [] });
		const reading = await readingOf(rows, { schema: Query, source, read });
		const evidence = [...documents.byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
		return { ...reading, evidence };
	},
	async write(content, dir) {
		const losses: string[] = [];
		const { count } = await writeJsonl(`${dir}/corpus.jsonl`, corpusRows(content, losses));
		const { count: queries } = await writeJsonl(`${dir}/queries.jsonl`, queryRows(content.tasks, losses));
		await writeLines(
			`${dir}/qrels/items.tsv`,
			judgedLines(content.tasks, (task) => [{ id: task.id, evidence: citedBy(task) }]),
		);
		await writeLines(`${dir}/qrels/hops.tsv`, judgedLines(content.tasks, hopQueries));
		if (count === 0) losses.push("no document is at hand: corpus.jsonl is empty");
		return { files: ["corpus.jsonl", "queries.jsonl", "qrels/items.tsv", "qrels/hops.tsv"], rows: queries, losses };
	},
};

type Part = "corpus" | "queries" | "qrels";

/** What a file of the set holds is told by its name alone. */
function partOf(file: string): Part {
	const name = basename(file).toLowerCase();
	if (name.startsWith("corpus")) return "corpus";
	if (name.startsWith("quer")) return "queries";
	if (name.startsWith("qrels") || /\.(tsv|qrels|txt|trec)$/.test(name)) return "qrels";
	throw usageError(
		"bad-file",
		`${file}: its name does not tell whether it holds documents, queries or qrels`,
		"Name the files corpus….jsonl, queries….jsonl and ….tsv, as BEIR does.",
		{ facts: { file } },
	);
}

async function documentsOf(files: string[], options: { signal?: AbortSignal }) {
	const byId = new Map<string, Evidence>();
	const broken: BrokenRow[] = [];
	for await (const row of readRows(files, options)) {
		const parsed = "value" in row ? Document.safeParse(row.value) : undefined;
		const { file, row: number } = row;
		if (!parsed?.success)
			broken.push({ file, row: number, reason: "reason" in row ? row.reason : "no document with _id and text" });
		else {
			const { _id: id, title, text } = parsed.data;
			if (byId.has(id)) {
				broken.push({ file, row: number, reason: `another document is called "${id}"` });
				continue;
			}
			const terms = { prefix: name, source: source.name, licence: source.licence, language: "und" };
			byId.set(id, { ...passageOf({ title, text, document: id }, { ...terms, attribution: () => "" }), id });
		}
	}
	return { byId, broken };
}

/** Relevant documents by query: `query-id corpus-id score` with a head, or TREC's `query iteration document grade`. */
async function judgementsOf(files: string[]): Promise<{ judged: Map<string, string[]>; broken: BrokenRow[] }> {
	const judged = new Map<string, string[]>();
	const broken: BrokenRow[] = [];
	for (const file of files)
		for await (const { number, text } of readLines(file)) {
			const cells = text.split(text.includes("\t") ? "\t" : /\s+/).map((cell) => cell.trim());
			const [query = "", document = "", grade = ""] = cells.length === 4 ? [cells[0], cells[2], cells[3]] : cells;
			const isHead = number === 1 && Number.isNaN(Number(grade));
			const isRead = (cells.length === 3 || cells.length === 4) && grade !== "" && Number.isFinite(Number(grade));
			if (!isRead && !isHead)
				broken.push({ file, row: number, reason: "no judgement of a query, a document and a grade" });
			else if (isRead && Number(grade) > 0) judged.set(query, [...(judged.get(query) ?? []), document]);
		}
	return { judged, broken };
}

function readQuery(
	query: Query,
	{ judged, documents, hops }: { judged: Map<string, string[]>; documents: Map<string, Evidence>; hops: Query[] },
): ReadRow {
	const { _id: id, text, metadata, ...rest } = query;
	const { answer: given, answers, language, sink, ...others } = metadata ?? {};
	const typed = Answer.safeParse(given).data;
	const answer = typed ?? untypedAnswer(Given.safeParse(given).data, answers);
	if (!answer) return { refused: "states no answer: what is right cannot be told", id };
	const relevant = judged.get(id) ?? [];
	const gold = [...relevant, ...hops.flatMap(({ _id }) => judged.get(_id) ?? [])];
	const missing = gold.find((one) => !documents.has(one));
	if (missing !== undefined) return { refused: `relevant document "${missing}" is not in the corpus`, id };
	const parts = hops.flatMap(({ _id, text: question, metadata: part }) =>
		part?.hop
			? [{ ...part.hop, question, evidence: part.hop.modality === "compute" ? [] : (judged.get(_id) ?? []) }]
			: [],
	);
	const task: Task = {
		...{ id, question: text, images: [], answer },
		...(sink !== undefined && parts.length > 0 ? { chain: { hops: parts, sink } } : { supporting: relevant }),
		...(Object.keys(rest).length + Object.keys(others).length > 0 || !typed
			? nativeFields(name, { rest, others, ...(typed ? {} : { given, answers }) })
			: {}),
		tags: { language: language ?? "und" },
		source: source.name,
		rights: source.licence,
	};
	return { tasks: [task], losses: relevant.length === 0 ? ["no document is judged relevant"] : [] };
}

async function* corpusRows(content: Written, losses: string[]) {
	const cited = "only documents that tasks cite are written: the rest of the knowledge base is not at hand";
	for await (const one of evidenceToWrite(content, { warn: (what) => losses.push(what), cited })) {
		if (one.kind === "image") losses.push(`${one.id}: a picture is written as its caption`);
		yield { _id: one.id, title: one.title, text: textOf(one) };
	}
}

const Kept = z.object({
	rest: freeRecord(Json).default({}),
	others: freeRecord(Json).default({}),
	given: Json.optional(),
	answers: Json.optional(),
});

function* queryRows(tasks: readonly Task[], losses: string[]) {
	for (const task of tasks) {
		losses.push(...conversionWarnings(task, "images").map((what) => `${task.id}: ${what}`));
		const native = nativeOf(task, name);
		const kept = Kept.safeParse(native ?? {}).data;
		const { language } = task.tags;
		const plain = native && (kept?.given !== undefined || kept?.answers !== undefined);
		const answer = plain
			? {
					...(kept?.given === undefined ? {} : { answer: kept.given }),
					...(kept?.answers === undefined ? {} : { answers: kept.answers }),
				}
			: { answer: task.answer };
		const sink = task.chain ? { sink: task.chain.sink } : {};
		const metadata = { ...answer, ...(language === "und" ? {} : { language }), ...sink, ...kept?.others };
		yield { ...kept?.rest, _id: task.id, text: task.question, metadata };
		for (const hop of task.chain?.hops ?? []) {
			const { question, evidence: _evidence, ...fields } = hop;
			yield { _id: `${task.id}#${hop.id}`, text: question, metadata: { task: task.id, hop: fields } };
		}
	}
}

const hopQueries = (task: Task) =>
	(task.chain?.hops ?? []).map(({ id, evidence }) => ({ id: `${task.id}#${id}`, evidence }));

function* judgedLines(
	tasks: readonly Task[],
	queries: (task: Task) => { id: string; evidence: readonly string[] }[],
): Generator<string> {
	yield "query-id\tcorpus-id\tscore";
	for (const task of tasks)
		for (const { id, evidence } of queries(task))
			for (const document of new Set(evidence)) yield `${id}\t${document}\t1`;
}
