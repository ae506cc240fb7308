import { join } from "node:path";
import { writeJson, writeWhole } from "#store";
import { cutoffFor, type Template } from "../lengths.ts";

/** What Search-Align trained, as far as MC-Search's paper says. */
interface Trained {
	file: string;
	model: string;
	template: Template;
	learningRate: string;
	epochs: number;
	finetuning: "full" | "lora";
}

const trained: Trained[] = [
	{
		file: "search-align-internvl3_5-8b.yaml",
		model: "OpenGVLab/InternVL3_5-8B-HF",
		template: "intern_vl",
		learningRate: "1.0e-5",
		epochs: 1,
		finetuning: "full",
	},
	{
		file: "search-align-qwen2_5-vl-7b.yaml",
		model: "Qwen/Qwen2.5-VL-7B-Instruct",
		template: "qwen2_vl",
		learningRate: "1.0e-4",
		epochs: 2,
		finetuning: "lora",
	},
];

export interface Configured {
	name: string;
	maxPixels: number;
	longest: Record<Template, number>;
	/** Whether any row calls declared functions. */
	calls: boolean;
}

/** The published hyper-parameters, as files that `llamafactory-cli train` takes; returns their names. */
export async function writeConfigurations(dir: string, configured: Configured): Promise<string[]> {
	for (const one of trained) await writeWhole(join(dir, one.file), configurationText(one, configured));
	await writeJson(join(dir, zero3File), zero3);
	return [...trained.map(({ file }) => file), zero3File];
}

function configurationText(one: Trained, { name, maxPixels, longest, calls }: Configured): string {
	const most = longest[one.template];
	const tuning =
		one.finetuning === "full"
			? [
					`finetuning_type: full`,
					`deepspeed: ${zero3File} # full training of 8B parameters: split over the machine's cards`,
				]
			: [`finetuning_type: lora`, `lora_target: all`];
	return [
		`# Run in this folder: llamafactory-cli train ${one.file}`,
		"# Search-Align as MC-Search's paper states it: AdamW, learning rate and epochs by model, warm-up 0.1, cosine,",
		"# one row a device, 8 accumulated, on 4 cards. What the paper does not say is our choice and marked so.",
		`model_name_or_path: ${one.model}`,
		`template: ${one.template}`,
		...(calls && one.template === "intern_vl"
			? ["# This template writes calls as Action and Action Input, not as the model's own <tool_call>."]
			: []),
		"",
		"stage: sft",
		"do_train: true",
		"# our choice: the paper does not say whether all weights or an adapter was trained",
		...tuning,
		"",
		`dataset: ${name}`,
		"dataset_dir: .",
		"media_dir: .",
		`# The longest row has about ${most} tokens by estimate; the default of 2048 would cut later turns and the answer.`,
		`cutoff_len: ${cutoffFor(most)}`,
		"# Keep it the same at training, in episodes and at evaluation.",
		`image_max_pixels: ${maxPixels}`,
		"# All turns of the policy are learned; true would keep only the last.",
		"mask_history: false",
		"train_on_prompt: false",
		"",
		"optim: adamw_torch",
		`learning_rate: ${one.learningRate}`,
		`num_train_epochs: ${one.epochs.toFixed(1)}`,
		"lr_scheduler_type: cosine",
		"warmup_ratio: 0.1",
		"per_device_train_batch_size: 1",
		"gradient_accumulation_steps: 8",
		"bf16: true",
		"",
		"# our choice",
		`output_dir: output/${one.file.replace(".yaml", "")}`,
		"logging_steps: 10",
		"save_strategy: epoch",
		"",
	].join("\n");
}

const zero3File = "deepspeed-zero3.json";
/** Everything that the trainer knows is left to it. */
const zero3 = {
	train_batch_size: "auto",
	train_micro_batch_size_per_gpu: "auto",
	gradient_accumulation_steps: "auto",
	gradient_clipping: "auto",
	zero_allow_untested_optimizer: true,
	bf16: { enabled: "auto" },
	zero_optimization: {
		stage: 3,
		overlap_comm: true,
		contiguous_gradients: true,
		stage3_prefetch_bucket_size: "auto",
		stage3_param_persistence_threshold: "auto",
		stage3_gather_16bit_weights_on_model_save: true,
	},
};
