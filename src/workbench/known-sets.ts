import { readFile, stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import { citedBy, type KnownSet, openBenchmark } from "#benchmarks";
import { type HopscopeError, usageError } from "#domain";
import { csvRows, type Workspace } from "#store";
import { knowledgeOf } from "./knowledge-of.ts";
import { locate } from "./locate.ts";

/** The largest file that is read whole. */
const maxBytes = 512 * 1024 * 1024;
const questionFields = ["question", "query", "Question", "Q", "input", "problem", "prompt", "text"];
const answerFields = ["answer", "Answer", "A", "golden_answers", "answers", "output"];
const idFields = ["id", "_id", "qid", "uid", "question_id", "sample_id"];

/**
 * Questions and titles to compare with: a benchmark of the workspace with the titles of its gold documents, or a file. JSON
 * (an array, or one in an object) and JSON lines are read by the usual names of fields, CSV and TSV by their head, anything
 * else as one question a line. A file without any question is refused.
 */
export async function readKnownSet(workspace: Workspace, name: string): Promise<KnownSet> {
	const found = await stat(name).catch(() => undefined);
	if (found?.isFile()) return readKnownFile(name, found.size);
	const { dir, manifest, tasks } = await openBenchmark(await locate(workspace, "benchmarks", name));
	const knowledge = await knowledgeOf(workspace, { dir, name: manifest.knowledge });
	try {
		const ids = new Set(tasks.flatMap(citedBy));
		const gold = knowledge ? await Promise.all([...ids].map((id) => knowledge.evidence(id))) : [];
		return {
			name: manifest.name,
			questions: tasks.map(({ id, question, answer }) => ({ id, question, answer: answer.value })),
			titles: [...new Set(gold.flatMap((one) => one?.title ?? []))],
		};
	} finally {
		await knowledge?.close();
	}
}

async function readKnownFile(file: string, size: number): Promise<KnownSet> {
	const refuse = (what: string) =>
		usageError("bad-file", `${file}: ${what}`, "Name JSON, JSON lines, CSV, TSV, or one question a line.", {
			facts: { file },
		});
	if (size > maxBytes) throw refuse(`has ${size} bytes, more than ${maxBytes}`);
	const rows = rowsOf(await readFile(file, "utf8"), extname(file).toLowerCase(), refuse);
	const questions = rows.flatMap((row, index) => {
		const question = textAt(row, questionFields);
		const answer = textAt(row, answerFields);
		const id = textAt(row, idFields) ?? `row ${index + 1}`;
		return question === undefined ? [] : [{ id, question, ...(answer === undefined ? {} : { answer }) }];
	});
	if (questions.length === 0) throw refuse(`no row has a question (${questionFields.join(", ")})`);
	return { name: basename(file), questions, titles: [...new Set(rows.flatMap(titlesIn))] };
}

function rowsOf(text: string, extension: string, refuse: (what: string) => HopscopeError): unknown[] {
	if (extension === ".csv" || extension === ".tsv") {
		const [head = [], ...rows] = csvRows(text, extension === ".csv" ? "," : "\t");
		return rows.map((row) => Object.fromEntries(head.map((name, column) => [name.trim(), row[column] ?? ""])));
	}
	const parse = (json: string, where: string): unknown => {
		try {
			return JSON.parse(json);
		} catch {
			throw refuse(`${where} is no JSON`);
		}
	};
	const lines = () =>
		text.split("\n").flatMap((line, index) => (line.trim() === "" ? [] : [{ line, number: index + 1 }]));
	if (extension === ".jsonl") return lines().map(({ line, number }) => parse(line, `line ${number}`));
	if (extension !== ".json") return lines().map(({ line }) => ({ question: line.trim() }));
	const whole = parse(text, "it");
	if (Array.isArray(whole)) return whole;
	const inner = Object.values(whole ?? {}).find((value) => Array.isArray(value));
	return Array.isArray(inner) ? inner : Object.values(whole ?? {});
}

/** The first of the fields that holds a text, or of a list its first. */
function textAt(row: unknown, fields: readonly string[]): string | undefined {
	if (row === null || typeof row !== "object") return undefined;
	const record = row as Record<string, unknown>;
	for (const field of fields) {
		const value = Object.hasOwn(record, field) ? record[field] : undefined;
		const one: unknown = Array.isArray(value) ? value[0] : value;
		if (typeof one === "string" && one.trim() !== "") return one;
		if (typeof one === "number") return String(one);
	}
	return undefined;
}

/** Titles as HotpotQA's `bench`, MuSiQue's `paragraphs` and the like name them. */
function titlesIn(row: unknown): string[] {
	if (row === null || typeof row !== "object") return [];
	const { title, bench, paragraphs } = row as Record<string, unknown>;
	const ofList = (list: unknown) =>
		Array.isArray(list)
			? list.flatMap((one: unknown) =>
					Array.isArray(one) && typeof one[0] === "string" ? [one[0]] : (textAt(one, ["title"]) ?? []),
				)
			: [];
	return [...(typeof title === "string" ? [title] : []), ...ofList(bench), ...ofList(paragraphs)];
}
