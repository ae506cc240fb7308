import { z } from "zod";
import type { Task } from "#domain";
import { freeObject, freeRecord, Json } from "#domain";
import { conversionWarnings, defineFormat, writeRows } from "./define-format.ts";
import type { Format } from "./format.ts";
import { untypedAnswer } from "./given-answer.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { refuse } from "./row-context.ts";
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

/** 125 two-hop questions whose answer no search engine's first page gave. */
export const bamboogle = questionAnswers({
	name: "bamboogle",
	title: "Bamboogle",
	files: "the CSV as released (Question, Answer), or JSON lines of question and answer",
	licence: "MIT",
	attribution: "Bamboogle (Press, Zhang, Min, Schmidt, Smith, Lewis).",
	url: "https://github.com/ofirpress/self-ask",
});

/** Any set of rows with `question` and `answer`, e.g. the evaluation files of R1-Searcher. */
export const shortQa = questionAnswers({
	name: "short-qa",
	title: "Questions with short answers",
	files: "rows of question and answer: JSON, JSON lines, CSV, Parquet",
	licence: "as the source states",
	attribution: "as the source states",
});

function questionAnswers(
	about: Pick<Format, "name" | "title" | "files"> & { licence: string; attribution: string; url?: string },
): Format {
	const { name } = about;
	return defineFormat({
		...about,
		verified: "files",
		schema: Item,
		task(item) {
			const capitals = item.question === undefined;
			const names = capitals ? (["Question", "Answer"] as const) : (["question", "answer"] as const);
			const { [names[0]]: question, [names[1]]: given, ...rest } = item;
			if (typeof question !== "string") return refuse("has no question");
			const answer = untypedAnswer(given as Item["answer"]) ?? refuse("states no answer");
			const own = item.id ?? item.idx;
			return {
				id: own === undefined ? taskName(name, question, ...answer.accepted) : `${name}-${own}`,
				question,
				answer,
				...nativeFields(name, { rest, capitals, ...(typeof given === "string" ? {} : { given }) }),
			};
		},
		write: writeRows(`${name}.jsonl`, {
			without: ["chain", "images"],
			row(task, _, warn) {
				const kept = Kept.safeParse(nativeOf(task, name)).data;
				const many = kept?.given === undefined ? conversionWarnings(task, "aliases") : [];
				for (const what of many) warn(what);
				return rowOf(task, kept);
			},
		}),
	});
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
