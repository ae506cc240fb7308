import { z } from "zod";
import type { Answer, Chain, Hop, Task } from "#domain";
import { freeObject, freeRecord, Json } from "#domain";
import { citedBy } from "../cited-by.ts";
import { defineFormat, type RowTask, writeRows } from "./define-format.ts";
import type { Written } from "./format.ts";
import { noAnswer, untypedAnswer, writtenAnswer } from "./given-answer.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { paragraphsOf } from "./paragraphs.ts";
import { passageOf, wikipedia } from "./passage.ts";
import { type RowContext, refuse } from "./row-context.ts";
import { answersFilledIn, answersNumbered, numbersIn } from "./step-references.ts";

const Paragraph = freeObject({
	idx: z.number().int(),
	title: z.string(),
	paragraph_text: z.string(),
	is_supporting: z.boolean().default(false),
});
const Step = freeObject({
	id: z.union([z.number(), z.string()]).optional(),
	question: z.string().min(1),
	answer: z.string().min(1),
	paragraph_support_idx: z.number().int().nullable().default(null),
});
const Item = freeObject({
	id: z.string().min(1).max(180),
	question: z.string().min(1),
	paragraphs: z.array(Paragraph).max(1000),
	question_decomposition: z.array(Step).max(100).default([]),
	answer: z.string().optional(),
	answer_aliases: z.array(z.string()).max(1000).default([]),
	answerable: z.boolean().default(true),
});
type Item = z.infer<typeof Item>;

const name = "musique";
const terms = wikipedia(name, "MuSiQue");
/** Of the twin that cannot be answered and has the id of the one that can. */
const twinMark = "#unanswerable";

/** Steps that name what they need as `#k`, counted from 1; the full set has an unanswerable twin of each question. */
export const musique = defineFormat({
	name,
	title: "MuSiQue",
	files: "musique_{ans,full}_v1.0_{train,dev}.jsonl",
	licence: "CC-BY-4.0",
	attribution: "MuSiQue (Trivedi, Balasubramanian, Khot, Sabharwal); paragraphs from Wikipedia, CC BY-SA.",
	url: "https://github.com/StonyBrookNLP/musique",
	verified: "files",
	rights: "CC BY 4.0, MuSiQue",
	schema: Item,
	task: taskOf,
	write: writeRows(`${name}.jsonl`, { without: ["images"], row: rowOf }),
});

function taskOf(item: Item, context: RowContext): RowTask {
	const {
		id,
		question,
		paragraphs,
		question_decomposition: steps,
		answer: given,
		answer_aliases,
		answerable,
		...rest
	} = item;
	const passages = paragraphs.map(({ title, paragraph_text }) => passageOf({ title, text: paragraph_text }, terms));
	const answer = answerable ? untypedAnswer(given, answer_aliases) : noAnswer("unanswerable");
	if (!answer) return refuse("states no answer");
	for (const passage of passages) context.add(passage);
	const supporting = paragraphs.flatMap(({ is_supporting }, index) =>
		is_supporting ? [passages[index]?.id ?? ""] : [],
	);
	const task = {
		id: answerable ? id : `${id}${twinMark}`,
		...{ question, answer },
		context: passages.map((passage) => passage.id),
		...nativeFields(name, {
			...{ rest, steps, answerable },
			...(answerable ? {} : { said: given, aliases: answer_aliases }),
			paragraphs: paragraphs.map(({ title: _title, paragraph_text: _text, ...kept }) => kept),
		}),
		cluster: id,
	};
	if (!answerable) return task;
	const made = chainOf(steps, task, (idx) => passages[paragraphs.findIndex((one) => one.idx === idx)]?.id);
	if ("problem" in made) context.warn(`${made.problem}: kept without a chain`);
	return "problem" in made ? { ...task, supporting } : { ...task, chain: made.chain };
}

function chainOf(
	steps: Item["question_decomposition"],
	task: Pick<Task, "answer">,
	passageAt: (idx: number) => string | undefined,
): { chain: Chain } | { problem: string } {
	const hops: Hop[] = [];
	for (const [index, { question, answer: given, paragraph_support_idx: idx }] of steps.entries()) {
		const evidence = idx === null ? undefined : passageAt(idx);
		if (evidence === undefined) return { problem: `step ${index + 1} names no paragraph of its context` };
		const numbers = numbersIn(question);
		const wrong = numbers.find((number) => number > index);
		if (wrong !== undefined) return { problem: `step ${index + 1} refers to #${wrong}, which is not before it` };
		const answer = index === steps.length - 1 ? task.answer : untypedAnswer(given);
		if (!answer) return { problem: `step ${index + 1} states no answer` };
		hops.push({
			id: `${index + 1}`,
			question: answersFilledIn(question, (number) => steps[number - 1]?.answer ?? ""),
			...{ modality: "text", evidence: [evidence], answer },
			needs: numbers.map((number) => ({ hop: `${number}`, role: "bridge" })),
		});
	}
	const sink = hops.at(-1);
	const last = steps.at(-1);
	if (!sink || !last) return { problem: "no steps" };
	if (!states(task.answer, last.answer))
		return { problem: `its last step answers "${last.answer}", the question "${task.answer.value}"` };
	return { chain: { hops, sink: sink.id } };
}

const Kept = z.object({
	rest: freeRecord(Json),
	steps: z.array(Step),
	answerable: z.boolean(),
	said: z.string().optional(),
	aliases: z.array(z.string()).optional(),
	paragraphs: z.array(freeObject({ idx: z.number(), is_supporting: z.boolean() })),
});

async function rowOf(task: Task, { evidence }: Written, warn: (what: string) => void): Promise<unknown> {
	const kept = Kept.safeParse(nativeOf(task, name)).data;
	const paragraphs = await paragraphsOf(task, { native: undefined, evidence }, warn);
	const gold = new Set(citedBy(task));
	const hops = task.chain?.hops ?? [];
	const steps = hops.map((hop, index) => {
		const before = kept?.steps[index];
		const filled = before && answersFilledIn(before.question, (number) => kept.steps[number - 1]?.answer ?? "");
		const support = paragraphs.findIndex(({ id }) => hop.evidence.includes(id));
		const needed = hop.needs.flatMap((need) => {
			const at = hops.findIndex((other) => other.id === need.hop);
			const answer = hops[at]?.answer;
			return answer ? [{ number: at + 1, forms: answer.accepted }] : [];
		});
		return {
			...(before ?? { id: index + 1 }),
			question: before && filled === hop.question ? before.question : answersNumbered(hop.question, needed),
			answer: before && states(hop.answer, before.answer) ? before.answer : writtenAnswer(hop.answer),
			paragraph_support_idx: before?.paragraph_support_idx ?? (support < 0 ? null : support),
		};
	});
	const answerable = task.answer.type !== "none";
	const [said = "", ...aliases] = task.answer.accepted;
	return {
		...kept?.rest,
		id: task.id.endsWith(twinMark) ? task.id.slice(0, -twinMark.length) : task.id,
		question: task.question,
		paragraphs: paragraphs.map(({ id, at, title, sentences }, index) => ({
			...(kept?.paragraphs[at] ?? { idx: index, is_supporting: gold.has(id) }),
			...{ title, paragraph_text: sentences.join("") },
		})),
		question_decomposition: steps.length > 0 ? steps : (kept?.steps ?? []),
		...(answerable || !kept ? { answer: said, answer_aliases: aliases } : {}),
		...(answerable || !kept
			? {}
			: { ...(kept.said === undefined ? {} : { answer: kept.said }), answer_aliases: kept.aliases ?? [] }),
		answerable: kept?.answerable ?? answerable,
	};
}

/** Whether an answer as released is a form of this one. */
const states = (answer: Answer, said: string) =>
	answer.accepted.some((form) => form.trim().toLowerCase() === said.trim().toLowerCase());
