import { join } from "node:path";
import { writeJsonl, writeWhole } from "#store";
import { createImages } from "../images.ts";
import { cutoffFor } from "../lengths.ts";
import { toolsText } from "../llamafactory/rows.ts";
import { createScribe } from "../marked-text.ts";
import { swiftMarks, wellFormed } from "../marks.ts";
import { rowWriter, textsOf } from "../rows.ts";
import { defaultMaxPixels, defaultName, type TrainingWriter } from "../writer.ts";
import { readSwift, rereadSwift } from "./reread.ts";
import { type SwiftMessage, swiftMessages } from "./rows.ts";

export const swift: TrainingWriter = {
	name: "swift",
	title: "ms-swift (messages with a loss each)",
	async write(examples, dir, { name = defaultName, maxPixels = defaultMaxPixels, signal } = {}) {
		const images = createImages(dir);
		const writer = rowWriter(
			async (example, alternation) => {
				const scribe = createScribe(example.images, images);
				const messages: SwiftMessage[] = [];
				const system = swiftMarks.escape(alternation.system);
				if (system !== "") messages.push({ role: "system", content: system });
				for (const turn of alternation.turns) messages.push(...(await swiftMessages(turn, scribe)));
				const tools = toolsText(example.tools, swiftMarks);
				return {
					row: {
						id: wellFormed(example.id),
						messages,
						images: scribe.placed.map(({ path }) => path),
						...(tools === "" ? {} : { tools }),
					},
					texts: textsOf(alternation, tools),
					sizes: scribe.placed.map(({ size }) => size),
				};
			},
			{ maxPixels, tiles: true, signal, ownLoss: true },
		);
		const file = `${name}.jsonl`;
		const { count } = await writeJsonl(join(dir, file), writer.rows(examples));
		await writeWhole(join(dir, script), scriptText(file, { maxPixels, longest: writer.longest.qwen2_vl }));
		const { longest, left } = writer;
		return { files: [file, script], rows: count, images: images.count, left, losses: writer.losses(), longest };
	},
	read: readSwift,
	reread: rereadSwift,
};

const script = "train-swift.sh";

const scriptText = (file: string, { maxPixels, longest }: { maxPixels: number; longest: number }) =>
	`#!/bin/sh
# Search-Align as MC-Search's paper states it for Qwen2.5-VL-7B (learning rate 1e-4, 2 epochs, warm-up 0.1, cosine, one row
# a device, 8 accumulated, on 4 cards). Whether an adapter or all weights were trained it does not say: lora is our choice.
# InternVL3.5-8B: --model OpenGVLab/InternVL3_5-8B-HF --learning_rate 1e-5 --num_train_epochs 1 --tuner_type full.
set -e
cd "$(dirname "$0")"
# relative paths of images start here
export ROOT_IMAGE_DIR="$PWD"
export NPROC_PER_NODE="\${NPROC_PER_NODE:-4}"
# The longest row has about ${longest} tokens by estimate; a row beyond max_length is left out, silently.
# loss_scale default learns what the policy says; a message with "loss": false is not learned.
swift sft \\
	--model "\${MODEL:-Qwen/Qwen2.5-VL-7B-Instruct}" \\
	--dataset ${file} \\
	--tuner_type lora \\
	--agent_template hermes \\
	--loss_scale default \\
	--max_length ${cutoffFor(longest)} \\
	--truncation_strategy delete \\
	--max_pixels ${maxPixels} \\
	--learning_rate 1e-4 \\
	--num_train_epochs 2 \\
	--warmup_ratio 0.1 \\
	--lr_scheduler_type cosine \\
	--per_device_train_batch_size 1 \\
	--gradient_accumulation_steps 8 \\
	--torch_dtype bfloat16 \\
	--output_dir output "$@"
`;
