import { join } from "node:path";
import { z } from "zod";
import { writeJsonl, writeWhole } from "#store";
import { swiftMarks } from "../writers/marks.ts";
import { countPlaceholders, withPlaceholders } from "./placeholders.ts";
import { imageProblems, rereadRows } from "./reread-rows.ts";
import type { RlFormat, RlSetting } from "./rl-format.ts";
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
	shims: ["hopscope_client.py", "hopscope_turns.py", "hopscope_gym.py"],
	async write(splits, dir, setting) {
		const files: string[] = [];
		for (const [split, tasks] of splits) {
			const rows = tasks.map((task) => {
				const images = imagesOf(task).map((file) => join(setting.root, file));
				return {
					messages: task.messages.map((message) => withPlaceholders(message, swiftMarks)),
					...(images.length > 0 ? { images } : {}),
					env_config: { name: "hopscope", server: setting.server, task: task.task },
				};
			});
			await writeJsonl(join(dir, `${split}.jsonl`), rows);
			files.push(`${split}.jsonl`);
		}
		await writeWhole(
			join(dir, "train.sh"),
			script(splits.has("train") ? "train" : ([...splits.keys()][0] ?? "train"), setting),
		);
		return [...files, "train.sh"];
	},
	reread: (dir, files) =>
		rereadRows(dir, files, {
			ending: ".jsonl",
			schema: Row,
			check: ({ messages, images = [] }) => imageProblems(dir, images, countPlaceholders(messages)),
		}),
};

const script = (train: string, { replies }: RlSetting) => `#!/usr/bin/env bash
# GRPO with ms-swift's gym scheduler on the episodes of a Hopscope server. Values as in the paper (MMhops-R1) where it prints
# them: learning rate, constant schedule, group, one epoch, no KL. The paper's batch of 256 prompts is for you to reach by
# devices and accumulation. The two epsilons are DAPO's, the rest ours. Without --delta there is no dual clip, as in the paper.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
export PYTHONPATH="$here\${PYTHONPATH:+:$PYTHONPATH}"
exec swift rlhf --rlhf_type grpo \\
  --model "\${HOPSCOPE_MODEL:-Qwen/Qwen2.5-VL-7B-Instruct}" --dataset "$here/${train}.jsonl" \\
  --external_plugins "$here/hopscope_gym.py" --use_gym_env true --gym_env hopscope \\
  --remove_unused_columns false \\
  --multi_turn_scheduler gym_scheduler --max_turns ${replies + 1} \\
  --use_vllm true --vllm_mode colocate \\
  --learning_rate 1e-6 --lr_scheduler_type constant --warmup_ratio 0 --num_train_epochs 1 \\
  --num_generations 8 --beta 0.0 --epsilon 0.2 --epsilon_high 0.28 --loss_type dapo --temperature 1.0 \\
  --max_completion_length 2048 "$@"
`;
