import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import { exitCodes, HopscopeError, type Passage, type Source, type Task } from "#domain";
import { sha256 } from "#store";
import { typedAnswer } from "./morehopqa-answer.ts";
import { chainOf } from "./morehopqa-chain.ts";
import { passageName } from "./passage-name.ts";
import type { BenchmarkProblem } from "./problems.ts";

const SubQuestion = z.object({
	sub_id: z.string().min(1).max(128),
	question: z.string().min(1),
	answer: z.string().min(1),
	paragraph_support_title: z.string().default(""),
});

const Item = z.object({
	_id: z.string().min(1).max(180),
	question: z.string().min(1),
	answer: z.string().min(1),
	answer_type: z.string(),
	previous_answer_type: z.string().default("string"),
	question_decomposition: z
		.array(SubQuestion.extend({ details: z.array(SubQuestion).max(100).optional() }))
		.max(100)
		.default([]),
	context: z.array(z.tuple([z.string().min(1), z.array(z.string())])).max(1000),
	no_of_hops: z.number().int().min(0).optional(),
	reasoning_type: z.string().optional(),
});
type Item = z.infer<typeof Item>;

/** The terms of MoreHopQA, for the manifest of what is made from it. */
const morehopqaSource: Source = {
	name: "MoreHopQA",
	licence: "CC-BY-4.0",
	attribution:
		"MoreHopQA: More Than Multi-hop Reasoning (Schnitzler, Ho, Huang, Boudin, Sugawara, Aizawa); paragraphs from Wikipedia, CC BY-SA.",
	url: "https://github.com/Alab-NII/morehopqa",
};

export interface MorehopqaImport {
	tasks: Task[];
	/** Paragraphs of all items in one pool, each once. */
	passages: Passage[];
	/** What could not be carried over or had to be assumed, each naming its item. */
	losses: string[];
	/** Items that are left out, or kept without a chain, and why. */
	problems: BenchmarkProblem[];
	source: Source;
}

const maxBytes = 512 * 1024 * 1024;

/**
 * Reads a MoreHopQA file (a JSON array of items, as released). One item that cannot be read stops nothing: it is
 * listed in `problems`. Throws (exit 2) only when the file is no such array.
 */
export async function importMorehopqa(file: string): Promise<MorehopqaImport> {
	const tasks: Task[] = [];
	const passages = new Map<string, Passage>();
	const losses: string[] = [];
	const problems: BenchmarkProblem[] = [];
	const seen = new Set<string>();
	for (const [index, raw] of (await readArray(file)).entries()) {
		const parsed = Item.safeParse(raw);
		if (!parsed.success) {
			const issue = parsed.error.issues[0];
			const task = `item ${index + 1}`;
			const message = `${task}: at ${issue?.path.join(".")}: ${issue?.message}; the item is left out`;
			problems.push({ task, code: "bad-item", message });
			continue;
		}
		const item = parsed.data;
		if (seen.has(item._id)) {
			const message = `item ${item._id}: another item has the same id; the later one is left out`;
			problems.push({ task: item._id, code: "duplicate-task", message });
			continue;
		}
		seen.add(item._id);
		const evidence = new Map<string, string[]>();
		for (const [title, sentences] of item.context) {
			const passage = passageOf(title, sentences);
			if (!passages.has(passage.id)) passages.set(passage.id, passage);
			evidence.set(title, [...new Set([...(evidence.get(title) ?? []), passage.id])]);
		}
		tasks.push(taskOf(item, evidence, losses, problems));
	}
	const pool = [...passages.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
	return { tasks: clustered(tasks), passages: pool, losses, problems, source: morehopqaSource };
}

async function readArray(file: string): Promise<unknown[]> {
	const refuse = (message: string, cause?: unknown) =>
		new HopscopeError("bad-file", `${file}: ${message}`, "Name the JSON file of MoreHopQA as it was released.", {
			exitCode: exitCodes.usage,
			facts: { file },
			cause,
		});
	const found = await stat(file).catch((cause) => {
		throw refuse("does not exist or cannot be read", cause);
	});
	if (!found.isFile()) throw refuse("is not a file");
	if (found.size > maxBytes) throw refuse(`has ${found.size} bytes, more than ${maxBytes}`);
	let json: unknown;
	try {
		json = JSON.parse((await readFile(file, "utf8")).trim());
	} catch (error) {
		throw refuse(`not JSON (${(error as Error).message})`, error);
	}
	if (!Array.isArray(json)) throw refuse("not a JSON array of items");
	return json;
}

function taskOf(item: Item, evidence: Map<string, string[]>, losses: string[], problems: BenchmarkProblem[]): Task {
	const { answer, loss } = typedAnswer(item.answer, item.answer_type);
	if (loss) losses.push(`${item._id}: ${loss}`);
	const task: Task = {
		id: item._id,
		question: item.question,
		images: [],
		answer,
		tags: { language: "en", answerType: item.answer_type },
		source: "MoreHopQA",
		rights: "CC BY 4.0, MoreHopQA",
	};
	if (item.reasoning_type) task.tags.questionType = item.reasoning_type;
	const made = chainOf(item, answer, (title) => evidence.get(title) ?? []);
	if ("problem" in made) {
		losses.push(`${item._id}: ${made.problem}: kept without a chain`);
		problems.push({
			task: item._id,
			code: "no-chain",
			message: `item ${item._id}: ${made.problem}; the task is kept without a chain`,
		});
		return task;
	}
	losses.push(...made.losses.map((message) => `${item._id}: ${message}`));
	const details = item.question_decomposition.at(-1)?.details?.length || 1;
	if (item.no_of_hops !== undefined && item.no_of_hops !== details)
		losses.push(`${item._id}: says ${item.no_of_hops} computing hops but lists ${details}: those listed are kept`);
	return { ...task, chain: made.chain };
}

/** Named by title and text, so that the same paragraph has the same id whatever items it came with. */
function passageOf(title: string, sentences: string[]): Passage {
	const text = sentences
		.map((sentence) => sentence.trim())
		.filter((sentence) => sentence !== "")
		.join(" ");
	return {
		kind: "passage",
		id: passageName("morehopqa", { title, text }),
		document: title,
		title,
		language: "en",
		sha256: sha256(text),
		provenance: { source: "MoreHopQA", licence: "CC-BY-SA-4.0", attribution: `Wikipedia, "${title}"` },
		text,
		form: "prose",
	};
}

/** Tasks that rest on a common paragraph depend on one another: they share a cluster, named for its first task. */
function clustered(tasks: Task[]): Task[] {
	const leader = new Map<string, string>();
	const find = (key: string) => {
		let root = key;
		for (let next = leader.get(root); next !== undefined; next = leader.get(root)) root = next;
		return root;
	};
	const evidenceOf = (task: Task) => task.chain?.hops.flatMap((hop) => hop.evidence) ?? [];
	for (const task of tasks)
		for (const id of evidenceOf(task)) {
			const [a, b] = [find(`task ${task.id}`), find(`evidence ${id}`)];
			if (a !== b) leader.set(b, a);
		}
	const names = new Map<string, string>();
	return tasks.map((task) => {
		const root = find(`task ${task.id}`);
		const cluster = names.get(root) ?? task.id;
		names.set(root, cluster);
		return { ...task, cluster };
	});
}
