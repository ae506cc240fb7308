import { z } from "zod";
import { freeObject, freeRecord, grouped, Json, type Task } from "#domain";
import { conversionWarnings, defineFormat, type RowTask } from "./define-format.ts";
import { untypedAnswer } from "./given-answer.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { type ColumnType, writeParquet } from "./parquet-columns.ts";
import { refuse } from "./row-context.ts";

const Text = z.union([z.string(), z.array(z.string()).max(1000)]);
const Item = freeObject({
	id: z.string().min(1).max(180).nullish(),
	question: z.string().min(1).nullish(),
	golden_answers: z.array(z.string()).max(1000).nullish(),
	data_source: z.string(),
	prompt: z.array(z.object({ role: z.string(), content: z.string() })).max(100),
	ability: z.string().nullish(),
	reward_model: z.object({ style: z.string(), ground_truth: z.union([Text, z.object({ target: Text })]) }),
	extra_info: freeObject({ split: z.string().nullish(), index: z.number().nullish() }).nullish(),
});

const name = "verl";
const columns: Record<string, ColumnType> = {
	id: "string",
	question: "string",
	golden_answers: { list: "string" },
	data_source: "string",
	prompt: { list: { group: { role: "string", content: "string" } } },
	ability: "string",
	reward_model: { group: { style: "string", ground_truth: { group: { target: { list: "string" } } } } },
	extra_info: { group: { split: "string", index: "integer" } },
};

/** Instruction and question as Search-R1's trainers expect them: thought, search and answer in tags. */
const promptOf = (question: string) =>
	`Find the answer to the question at the end. Write what you think between <think> and </think>. When something must be looked up, write <search> query </search>: the results follow between <information> and </information>, and you may search again. When you are sure, write nothing but the answer between <answer> and </answer>. Question: ${question}\n`;

/** What reinforcement-learning trainers read: a prompt and the targets that the reward compares with. */
export const verl = defineFormat({
	name,
	title: "veRL / Search-R1",
	source: "Training questions (veRL, Search-R1)",
	files: "the Parquet files of a data set",
	licence: "as the data set states",
	attribution: "as the data set states",
	url: "https://github.com/PeterGriffinJin/Search-R1",
	schema: Item,
	task: taskOf,
	async write({ tasks, manifest }, dir) {
		const losses: string[] = [];
		for (const task of tasks) {
			losses.push(...conversionWarnings(task, "chain", "images").map((what) => `${task.id}: ${what}`));
			if (task.answer.type === "none")
				losses.push(`${task.id}: declining is right, which the reward compares as the text "${task.answer.value}"`);
		}
		const files: string[] = [];
		for (const [split, own] of grouped(tasks, ({ tags }) => tags.split ?? "test")) {
			const file = `${/^[\w-]{1,60}$/.test(split) ? split : "other"}.parquet`;
			await writeParquet(
				`${dir}/${file}`,
				columns,
				own.map((task, index) => rowOf(task, { split, index, dataSource: manifest.name })),
			);
			files.push(file);
		}
		return { files, rows: tasks.length, losses };
	},
});

function taskOf(item: z.infer<typeof Item>): RowTask {
	const {
		id,
		question: stated,
		golden_answers,
		data_source,
		prompt,
		ability,
		reward_model,
		extra_info,
		...rest
	} = item;
	const asked = prompt.findLast(({ role }) => role === "user")?.content ?? "";
	const question =
		(stated ?? lastQuestion(asked)) ||
		refuse('has no question: neither a column "question" nor "Question: …" at the end of its prompt');
	const truth = reward_model.ground_truth;
	const target = typeof truth === "object" && !Array.isArray(truth) ? truth.target : truth;
	const { split, index } = extra_info ?? {};
	return {
		id: id ?? `${data_source}-${split ?? "rows"}-${index ?? question}`.slice(0, 200),
		question,
		answer: untypedAnswer(target) ?? refuse("states no target"),
		...nativeFields(name, {
			rest,
			prompt,
			data_source,
			ability: ability ?? null,
			style: reward_model.style,
			extra_info: extra_info ?? null,
			stated: [id, stated, golden_answers].map((one) => one !== null && one !== undefined),
		}),
		tags: { language: "und", ...(split ? { split } : {}) },
		source: data_source,
	};
}

/** What stands behind "Question:" in the last line of a prompt, or that line where "Question:" ends what is before it. */
function lastQuestion(prompt: string): string | undefined {
	const mark = "Question:";
	const text = prompt.trimEnd();
	const begin = text.lastIndexOf("\n") + 1;
	const line = text.slice(begin);
	const at = line.indexOf(mark);
	if (at >= 0) return line.slice(at + mark.length).trim();
	return text.slice(0, begin).trimEnd().endsWith(mark) ? line.trim() : undefined;
}

const Kept = z.object({
	prompt: Json,
	data_source: z.string(),
	ability: z.string().nullable(),
	style: z.string(),
	extra_info: freeRecord(Json).nullable(),
	stated: z.array(z.boolean()),
});

function rowOf(
	task: Task,
	{ split, index, dataSource }: { split: string; index: number; dataSource: string },
): Record<string, unknown> {
	const kept = Kept.safeParse(nativeOf(task, name)).data;
	const target = task.answer.accepted;
	const [id, question, golden] = kept?.stated ?? [true, true, true];
	return {
		...(id ? { id: task.id } : {}),
		...(question ? { question: task.question } : {}),
		...(golden ? { golden_answers: target } : {}),
		data_source: kept?.data_source ?? dataSource,
		prompt: kept?.prompt ?? [{ role: "user", content: promptOf(task.question) }],
		ability: kept ? kept.ability : "fact-reasoning",
		reward_model: { style: kept?.style ?? "rule", ground_truth: { target } },
		extra_info: kept ? kept.extra_info : { split, index },
	};
}
