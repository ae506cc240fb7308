import { z } from "zod";
import { freeObject, freeRecord, Json } from "#domain";
import { defineFormat, type RowTask, writeRows } from "./define-format.ts";
import { untypedAnswer, writtenAnswer } from "./given-answer.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { type RowContext, refuse } from "./row-context.ts";

const Item = freeObject({
	id: z.string().min(1).max(200),
	question: z.string().min(1),
	answer: z.string(),
	formalization: z.array(z.array(z.string()).max(100)).max(1000),
	urls: z.array(z.string().max(10_000)).max(1000).default([]),
});

const name = "webshaper";

/**
 * Questions with a graph of constraints: variables `V@x`, constants `C@x`, `?` what is asked for. What the variables
 * stand for is not released, so there is no chain; the graph is kept, and how large it is stands in the tags.
 */
export const webshaper = defineFormat({
	name,
	title: "WebShaper",
	files: "the JSON lines as released",
	licence: "Apache-2.0",
	attribution: "WebShaper (Tao, Wu, Yin and others), Alibaba-NLP.",
	url: "https://huggingface.co/datasets/Alibaba-NLP/WebShaper",
	verified: "files",
	rights: "Apache-2.0, WebShaper",
	schema: Item,
	task: taskOf,
	write: writeRows(`${name}.jsonl`, {
		without: ["chain", "images", "aliases"],
		row(task, _, warn) {
			const kept = Kept.safeParse(nativeOf(task, name)).data;
			if (!kept) warn("has no graph of constraints: left empty");
			const { id, question } = task;
			const { rest, formalization = [], urls = [] } = kept ?? {};
			return { ...rest, id, question, answer: writtenAnswer(task.answer), formalization, urls };
		},
	}),
});

const Kept = z.object({
	rest: freeRecord(Json),
	formalization: z.array(z.array(z.string())),
	urls: z.array(z.string()),
});

/** Its graph makes no chain, so that one that is not understood costs the question nothing: it is kept, and told. */
function taskOf(row: z.infer<typeof Item>, { warn }: RowContext): RowTask {
	const { id, question, answer: given, formalization, urls, ...rest } = row;
	const answer = untypedAnswer(given) ?? refuse("states no answer");
	const broken = formalization.findIndex((cells) => cells.length !== 3);
	if (broken >= 0) warn(`constraint ${broken + 1} has ${formalization[broken]?.length} cells where three belong`);
	const ends = formalization.flatMap((constraint) => constraint.filter((_, at) => constraint.length !== 3 || at !== 1));
	const cells = ends.flatMap(partsOf);
	if (!cells.includes("?")) warn("no constraint asks for anything: there is no ?");
	const variables = new Set(cells.filter((cell) => cell.startsWith("V@")));
	return {
		id,
		question,
		answer,
		...nativeFields(name, { rest, formalization, urls }),
		tags: { constraints: `${formalization.length}`, variables: `${variables.size}` },
	};
}

const partsOf = (cell: string) => cell.split(" & ").map((part) => part.trim());
