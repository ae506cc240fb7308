import { join } from "node:path";
import { z } from "zod";
import { type ColumnType, writeParquet } from "#benchmarks";
import { writeJsonl } from "#store";
import { fillTrainerFile } from "../trainer-files.ts";
import { verlMarks } from "../writers/marks.ts";
import {
	countPlaceholders,
	imageProblems,
	type RlFormat,
	type RlSetting,
	rereadRows,
	withPlaceholders,
} from "./rl-format.ts";
import { imagesOf, type RlTask } from "./rl-task.ts";

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
	programs: [
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
		return [...files, ...(await writeConfiguration([...splits.keys()], dir, setting))];
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

/**
 * verl's configuration with where each value is from: the paper's (MMhops-R1), DAPO's, which that paper builds on without
 * printing its numbers, or ours. Returns the names of the files.
 */
async function writeConfiguration(splits: readonly string[], dir: string, setting: RlSetting): Promise<string[]> {
	const { benchmark, agent, limit, k } = setting;
	const train = splits.includes("train") ? "train" : (splits[0] ?? "train");
	const held = splits.find((split) => /^(?:validation|dev|val)$/.test(split));
	// what the paper has where the protocol is its own and as published
	const paper = agent === "tagged" && limit === 4 && k === 3;
	await fillTrainerFile("verl-grpo.yaml", join(dir, "hopscope_grpo.yaml"), {
		benchmark,
		agent,
		setting: setting.setting,
		k,
		k_source: paper ? " (paper: k = 3)" : "",
		train,
		held: held ?? train,
		held_source: held ? "ours" : "no validation split was exported: these are the training tasks, looked at never",
		limit_source: paper ? "paper: T = 4" : "the protocol's limit",
		turns: limit + 1,
		experiment: JSON.stringify(`${benchmark}-${agent}`),
		validates: held ? "true" : "false",
		test_every: held ? 10 : -1,
	});
	await fillTrainerFile("verl-agent-loop.yaml", join(dir, "agent_loop.yaml"), { replies: setting.replies });
	await fillTrainerFile("verl-train.sh", join(dir, "train.sh"), { server: setting.server });
	return ["hopscope_grpo.yaml", "agent_loop.yaml", "train.sh"];
}
