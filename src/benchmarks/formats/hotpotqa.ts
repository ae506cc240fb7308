import { z } from "zod";
import type { Source, Task } from "#domain";
import { freeObject, freeRecord, Json } from "#domain";
import type { Format, Written } from "./format.ts";
import { untypedAnswer, writtenAnswer } from "./given-answer.ts";
import { imagesLost } from "./lost.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { type Paragraph, Paragraphs, paragraphsOf, readParagraphs, writtenParagraphs } from "./paragraphs.ts";
import { type PassageTerms, wikipedia } from "./passage.ts";
import { type ReadRow, readTasks } from "./reading.ts";
import { type Fact, factsOf, SupportingFacts, supportOf, writtenFacts } from "./supporting-facts.ts";
import { writeArray } from "./write-array.ts";

/** HotpotQA's row; 2WikiMultihopQA's has more. */
export const HotpotItem = freeObject({
	_id: z.string().min(1).max(200).optional(),
	id: z.string().min(1).max(200).optional(),
	question: z.string().min(1),
	answer: z.string().optional(),
	type: z.string().optional(),
	level: z.string().optional(),
	supporting_facts: SupportingFacts,
	context: Paragraphs,
});
export type HotpotItem = z.infer<typeof HotpotItem>;

const name = "hotpotqa";
const source: Source = {
	name: "HotpotQA",
	licence: "CC-BY-SA-4.0",
	attribution:
		"HotpotQA (Yang, Qi, Zhang, Bengio, Cohen, Salakhutdinov, Manning); paragraphs from Wikipedia, CC BY-SA.",
	url: "https://hotpotqa.github.io",
};

/** The order and the questions of the hops are not released: support is kept, no chain is made up. */
export const hotpotqa: Format = {
	name,
	title: source.name,
	files: "hotpot_{train,dev}_*.json, or the same in columns (Parquet, JSON lines)",
	verified: "description",
	source,
	conventions: {},
	losses: [],
	read: (files, options) =>
		readTasks(
			files,
			{
				schema: HotpotItem,
				source,
				read: (item) => readHotpot(item, { name, source, terms: wikipedia(name, source.name) }),
			},
			options,
		),
	async write(content, dir) {
		const losses: string[] = [];
		async function* rows() {
			for (const task of content.tasks) {
				const { row, losses: lost } = await hotpotRow(task, { name, ...content });
				losses.push(...lost);
				yield row;
			}
		}
		const count = await writeArray(`${dir}/${name}.json`, rows());
		return { files: [`${name}.json`], rows: count, losses };
	},
};

export interface HotpotLike {
	name: string;
	source: Source;
	terms: PassageTerms;
}

/** A row as one task with its support, or why it is none. */
export function readHotpot(item: HotpotItem, { name, source, terms }: HotpotLike): ReadRow {
	const { _id, id = _id, question, answer: given, type, level, supporting_facts, context, ...rest } = item;
	if (id === undefined) return { refused: "names no id" };
	const answer = untypedAnswer(given);
	if (!answer) return { refused: "states no answer", id };
	const read = readParagraphs(context, terms);
	const facts = factsOf(supporting_facts);
	const { supporting, losses } = supportOf(facts, read);
	const task: Task = {
		...{ id, question, images: [], answer },
		...{ context: read.context, supporting },
		...nativeFields(name, {
			...{ facts, factColumns: !Array.isArray(supporting_facts), idField: _id === undefined ? "id" : "_id" },
			...{ rest, ...read.kept },
		}),
		tags: {
			language: terms.language,
			...(type === undefined ? {} : { questionType: type }),
			...(level === undefined ? {} : { difficulty: level }),
		},
		source: source.name,
		rights: `${source.licence}, ${source.name}`,
	};
	return { tasks: [task], evidence: read.evidence, losses };
}

const Kept = z.object({
	facts: z.array(z.tuple([z.string(), z.number()])),
	factColumns: z.boolean(),
	idField: z.enum(["id", "_id"]),
	rest: freeRecord(Json),
});

/** A task as a row; the facts of one from elsewhere are the sentences of its gold passages that hold the hop's answer. */
export async function hotpotRow(
	task: Task,
	{ name, evidence }: { name: string } & Pick<Written, "evidence">,
): Promise<{ row: Record<string, unknown>; paragraphs: Paragraph[]; losses: string[] }> {
	const native = nativeOf(task, name);
	const kept = Kept.safeParse(native).data;
	const { paragraphs, losses } = await paragraphsOf(task, { native, evidence });
	const made = kept ? { facts: kept.facts as Fact[], losses: [] } : writtenFacts(task, paragraphs);
	const facts = kept?.factColumns
		? { title: made.facts.map(([title]) => title), sent_id: made.facts.map(([, sentence]) => sentence) }
		: made.facts;
	const { questionType, difficulty } = task.tags;
	const forked = task.chain?.hops.some((hop) => hop.needs.length > 1) === true;
	const type = kept ? questionType : (questionType ?? (forked ? "comparison" : "bridge"));
	return {
		row: {
			[kept?.idField ?? "_id"]: task.id,
			question: task.question,
			answer: writtenAnswer(task.answer),
			...(type === undefined ? {} : { type }),
			...(difficulty === undefined ? {} : { level: difficulty }),
			...kept?.rest,
			supporting_facts: facts,
			context: writtenParagraphs(paragraphs, native),
		},
		paragraphs,
		losses: [...losses, ...made.losses, ...imagesLost(task)],
	};
}
