import { join } from "node:path";
import { z } from "zod";
import { type ColumnType, writeParquet } from "#benchmarks";
import { writeJsonl, writeWhole } from "#store";
import { verlMarks } from "../writers/marks.ts";
import { countPlaceholders, withPlaceholders } from "./placeholders.ts";
import { imageProblems, rereadRows } from "./reread-rows.ts";
import type { RlFormat, RlSetting } from "./rl-format.ts";
import { imagesOf, type RlTask } from "./rl-task.ts";
import { verlConfiguration } from "./verl-configuration.ts";

const columns = ({ pictured, answered }: { pictured: boolean; answered: boolean }): Record<string, ColumnType> => ({
	data_source: "string",
	agent_name: "string",
	prompt: { list: { group: { role: "string", content: "string" } } },
	// a column without any value has no type that a loader could agree on between files
	...(pictured ? { images: { list: { group: { image: "string" } } } as const } : {}),
	ability: "string",
	reward_model: {
		group: {
			style: "string",
			ground_truth: { group: { task: "string", ...(answered ? { target: { list: "string" } as const } : {}) } },
		},
	},
	extra_info: {
		group: { split: "string", index: "integer", task: "string", question: "string", hops: "integer", form: "string" },
	},
});

const Row = z.object({
	data_source: z.string().min(1),
	agent_name: z.literal("hopscope"),
	prompt: z.array(z.object({ role: z.enum(["system", "user"]), content: z.string().min(1) })).min(1),
	images: z.array(z.object({ image: z.string().regex(/^file:\/\/\//) })).optional(),
	reward_model: z.object({ style: z.literal("rule"), ground_truth: z.object({ task: z.string().min(1) }) }),
	extra_info: z.object({ split: z.string(), index: z.number().int(), task: z.string().min(1) }),
});

/** verl 0.9: a row a task, with the agent loop that plays it on the server. */
export const verl: RlFormat = {
	name: "verl",
	title: "verl",
	speaks: "text",
	shims: [
		"hopscope_client.py",
		"hopscope_turns.py",
		"hopscope_agent_loop.py",
		"hopscope_reward.py",
		"hopscope_filter.py",
		"hopscope_sampler.py",
		"test_hopscope_filter.py",
	],
	async write(splits, dir, setting) {
		const files: string[] = [];
		const pictured = [...splits.values()].some((tasks) => tasks.some((task) => imagesOf(task).length > 0));
		for (const [split, tasks] of splits) {
			const rows = tasks.map((task) => rowOf(task, setting));
			const answered = setting.answers !== undefined;
			await writeParquet(join(dir, `${split}.parquet`), columns({ pictured, answered }), rows);
			await writeJsonl(join(dir, `${split}.json`), rows);
			files.push(`${split}.parquet`, `${split}.json`);
		}
		for (const [name, text] of Object.entries(verlConfiguration([...splits.keys()], setting))) {
			await writeWhole(join(dir, name), text);
			files.push(name);
		}
		return files;
	},
	reread: (dir, files) =>
		rereadRows(dir, files, {
			ending: ".json",
			schema: Row,
			check: ({ prompt, images = [] }) =>
				imageProblems(
					dir,
					images.map(({ image }) => image),
					countPlaceholders(prompt),
				),
		}),
};

function rowOf(task: RlTask, { benchmark, continued, root, answers }: RlSetting): Record<string, unknown> {
	const { split, index, question, hops } = task;
	const images = imagesOf(task);
	const target = answers?.get(task.task);
	return {
		data_source: benchmark,
		agent_name: "hopscope",
		prompt: task.messages.map((message) => withPlaceholders(message, verlMarks)),
		...(images.length > 0 ? { images: images.map((file) => ({ image: `file://${join(root, file)}` })) } : {}),
		ability: images.length > 0 ? "multihop-vqa" : "multihop-qa",
		reward_model: { style: "rule", ground_truth: { task: task.task, ...(target ? { target } : {}) } },
		extra_info: { split, index, task: task.task, question, hops, form: continued ? "continued" : "turns" },
	};
}
