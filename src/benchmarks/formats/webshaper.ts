import { z } from "zod";
import type { Source, Task } from "#domain";
import { freeObject, freeRecord, Json } from "#domain";
import { writeJsonl } from "#store";
import type { Format } from "./format.ts";
import { untypedAnswer, writtenAnswer } from "./given-answer.ts";
import { aliasesLost, chainLost, imagesLost } from "./lost.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { type ReadRow, readTasks } from "./reading.ts";

const Item = freeObject({
	id: z.string().min(1).max(200),
	question: z.string().min(1),
	answer: z.string(),
	formalization: z.array(z.array(z.string()).max(100)).max(1000),
	urls: z.array(z.string().max(10_000)).max(1000).default([]),
});

const name = "webshaper";
const source: Source = {
	name: "WebShaper",
	licence: "Apache-2.0",
	attribution: "WebShaper (Tao, Wu, Yin and others), Alibaba-NLP.",
	url: "https://huggingface.co/datasets/Alibaba-NLP/WebShaper",
};

/**
 * Questions with a graph of constraints: variables `V@x`, constants `C@x`, `?` what is asked for. What the variables
 * stand for is not released, so there is no chain; the graph is kept, and how large it is stands in the tags.
 */
export const webshaper: Format = {
	name,
	title: source.name,
	files: "the JSON lines as released",
	verified: "files",
	source,
	conventions: {},
	losses: [],
	read: (files, options) => readTasks(files, { schema: Item, source, read: readItem }, options),
	async write(content, dir) {
		const losses: string[] = [];
		function* rows() {
			for (const task of content.tasks) {
				const kept = Kept.safeParse(nativeOf(task, name)).data;
				losses.push(...chainLost(task), ...imagesLost(task), ...aliasesLost(task));
				if (!kept) losses.push(`${task.id}: has no graph of constraints: left empty`);
				yield {
					...kept?.rest,
					...{ id: task.id, question: task.question, answer: writtenAnswer(task.answer) },
					...{ formalization: kept?.formalization ?? [], urls: kept?.urls ?? [] },
				};
			}
		}
		const { count } = await writeJsonl(`${dir}/${name}.jsonl`, rows());
		return { files: [`${name}.jsonl`], rows: count, losses };
	},
};

const Kept = z.object({
	rest: freeRecord(Json),
	formalization: z.array(z.array(z.string())),
	urls: z.array(z.string()),
});

function readItem({ id, question, answer: given, formalization, urls, ...rest }: z.infer<typeof Item>): ReadRow {
	const answer = untypedAnswer(given);
	if (!answer) return { refused: "states no answer", id };
	const broken = formalization.findIndex((cells) => cells.length !== 3);
	if (broken >= 0)
		return { refused: `constraint ${broken + 1} has ${formalization[broken]?.length} cells where three belong`, id };
	const cells = formalization.flatMap(([subject = "", , object = ""]) => partsOf(subject).concat(partsOf(object)));
	if (!cells.includes("?")) return { refused: "no constraint asks for anything: there is no ?", id };
	const variables = new Set(cells.filter((cell) => cell.startsWith("V@")));
	const task: Task = {
		...{ id, question, images: [], answer },
		...nativeFields(name, { rest, formalization, urls }),
		tags: { language: "en", constraints: `${formalization.length}`, variables: `${variables.size}` },
		source: source.name,
		rights: "Apache-2.0, WebShaper",
	};
	return { tasks: [task] };
}

const partsOf = (cell: string) => cell.split(" & ").map((part) => part.trim());
