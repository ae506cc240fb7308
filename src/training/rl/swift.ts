import { join } from "node:path";
import { z } from "zod";
import { fillTrainerFile } from "../trainer-files.ts";
import { swiftMarks } from "../writers/marks.ts";
import {
	countPlaceholders,
	imageProblems,
	type RlFormat,
	rereadRows,
	withPlaceholders,
	writeSplits,
} from "./rl-format.ts";
import { imagesOf } from "./rl-task.ts";

const Row = z.object({
	messages: z.array(z.object({ role: z.enum(["system", "user"]), content: z.string().min(1) })).min(1),
	images: z.array(z.string()).optional(),
	env_config: z.object({ name: z.literal("hopscope"), task: z.string().min(1) }),
});

/** ms-swift's GRPO with its gym scheduler. */
export const swift: RlFormat = {
	name: "swift",
	title: "ms-swift",
	speaks: "text",
	programs: ["hopscope_client.py", "hopscope_turns.py", "hopscope_gym.py"],
	async write(splits, dir, setting) {
		const files = await writeSplits(splits, dir, (task) => {
			const images = imagesOf(task).map((file) => join(setting.root, file));
			return {
				messages: task.messages.map((message) => withPlaceholders(message, swiftMarks)),
				...(images.length > 0 ? { images } : {}),
				env_config: { name: "hopscope", server: setting.server, task: task.task },
			};
		});
		const train = splits.has("train") ? "train" : ([...splits.keys()][0] ?? "train");
		await fillTrainerFile("swift-grpo.sh", join(dir, "train.sh"), { train, turns: setting.replies + 1 });
		return [...files, "train.sh"];
	},
	reread: (dir, files) =>
		rereadRows(dir, files, {
			ending: ".jsonl",
			schema: Row,
			check: ({ messages, images = [] }) => imageProblems(dir, images, countPlaceholders(messages)),
		}),
};
