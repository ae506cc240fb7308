import { z } from "zod";
import type { Source, Task } from "#domain";
import { freeObject, freeRecord, Json } from "#domain";
import { writeJsonl } from "#store";
import type { Format } from "./format.ts";
import { untypedAnswer } from "./given-answer.ts";
import { aliasesLost, chainLost, imagesLost } from "./lost.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { type ReadRow, readTasks } from "./reading.ts";
import { taskName } from "./task-name.ts";

/*
 * Questions with answers and nothing else: what many sets are released as, or cut down to. All other fields of a row are
 * kept and given back.
 */

const Text = z.union([z.string(), z.number()]);
const Given = z.union([Text, z.array(Text).max(1000), z.array(z.array(Text).max(1000)).max(1000)]);
const Item = freeObject({
	idx: Text.optional(),
	id: Text.optional(),
	question: z.string().min(1).optional(),
	Question: z.string().min(1).optional(),
	answer: Given.optional(),
	Answer: Given.optional(),
});
type Item = z.infer<typeof Item>;

const bamboogleSource: Source = {
	name: "Bamboogle",
	licence: "MIT",
	attribution: "Bamboogle (Press, Zhang, Min, Schmidt, Smith, Lewis).",
	url: "https://github.com/ofirpress/self-ask",
};

const shortSource: Source = {
	name: "Questions with short answers",
	licence: "as the source states",
	attribution: "as the source states",
};

/** 125 two-hop questions whose answer no search engine's first page gave. */
export const bamboogle = questionAnswers({
	name: "bamboogle",
	files: "the CSV as released (Question, Answer), or JSON lines of question and answer",
	source: bamboogleSource,
});

/** Any set of rows with `question` and `answer`, e.g. the evaluation files of R1-Searcher. */
export const shortQa = questionAnswers({
	name: "short-qa",
	files: "rows of question and answer: JSON, JSON lines, CSV, Parquet",
	source: shortSource,
});

function questionAnswers({ name, files, source }: Pick<Format, "name" | "files" | "source">): Format {
	const readItem = (item: Item): ReadRow => {
		const capitals = item.question === undefined;
		const { [capitals ? "Question" : "question"]: question, [capitals ? "Answer" : "answer"]: given, ...rest } = item;
		if (typeof question !== "string") return { refused: "has no question" };
		const answer = untypedAnswer(given as Item["answer"]);
		if (!answer) return { refused: "states no answer" };
		const own = item.id ?? item.idx;
		const task: Task = {
			id: own === undefined ? taskName(name, question, ...answer.accepted) : `${name}-${own}`,
			...{ question, images: [], answer },
			...nativeFields(name, { rest, capitals, ...(typeof given === "string" ? {} : { given }) }),
			tags: { language: "en" },
			source: source.name,
			rights: source.licence,
		};
		return { tasks: [task] };
	};
	return {
		...{ name, title: source.name, files, source, conventions: {}, verified: "files" },
		losses: [],
		read: (paths, options) => readTasks(paths, { schema: Item, source, read: readItem }, options),
		async write(content, dir) {
			const losses: string[] = [];
			function* rows() {
				for (const task of content.tasks) {
					const kept = Kept.safeParse(nativeOf(task, name)).data;
					losses.push(...chainLost(task), ...imagesLost(task), ...(kept?.given === undefined ? aliasesLost(task) : []));
					yield rowOf(task, kept);
				}
			}
			const { count } = await writeJsonl(`${dir}/${name}.jsonl`, rows());
			return { files: [`${name}.jsonl`], rows: count, losses };
		},
	};
}

const Kept = z.object({
	rest: freeRecord(Json),
	capitals: z.boolean(),
	given: Json.optional(),
});

function rowOf(task: Task, kept: z.infer<typeof Kept> | undefined): unknown {
	const forms = task.answer.accepted;
	const same = kept?.given !== undefined && JSON.stringify([kept.given].flat(3).map(String)) === JSON.stringify(forms);
	const answer = same ? kept.given : (forms[0] ?? task.answer.value);
	const names = kept?.capitals ? ["Question", "Answer"] : ["question", "answer"];
	return { ...(kept ? kept.rest : { id: task.id }), [names[0] ?? ""]: task.question, [names[1] ?? ""]: answer };
}
