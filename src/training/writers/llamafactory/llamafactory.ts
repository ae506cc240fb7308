import { join } from "node:path";
import { writeJson } from "#store";
import { copyTrainerFile, fillTrainerFile } from "../../trainer-files.ts";
import { conversationWriter, type Written } from "../conversation-writer.ts";
import { cutoffFor, type Template } from "../lengths.ts";
import { llamaFactoryMarks } from "../marks.ts";
import type { Device, Tuning } from "../setup.ts";
import { checkSharegpt } from "./check.ts";
import { sharegptInfo, sharegptTurn, toolsText } from "./rows.ts";

/**
 * LLaMA-Factory's sharegpt form with its `dataset_info.json` and Search-Align's configurations.
 *
 * Not its `openai` form, whose converter replaces what an assistant said by the JSON of its calls, so that thoughts are lost.
 */
export const llamaFactory = conversationWriter({
	name: "llamafactory",
	title: "LLaMA-Factory (sharegpt)",
	tiles: false,
	async rowOf({ system, turns }, example, scribe) {
		const messages = [];
		for (const turn of turns) messages.push(await sharegptTurn(turn, scribe));
		const tools = toolsText(example.tools);
		return { messages, toolsText: tools, columns: { system: llamaFactoryMarks.escape(system), tools } };
	},
	async configure(dir, written) {
		const info = { [written.name]: { file_name: written.file, ...sharegptInfo } };
		await writeJson(join(dir, "dataset_info.json"), info);
		return ["dataset_info.json", ...(await writeConfigurations(dir, written))];
	},
	reread: checkSharegpt,
});

/** What Search-Align trained, as far as MC-Search's paper says; what is tuned is our choice, where nobody makes another. */
const trained: Record<string, { model: string; template: Template; rate: string; epochs: string; tuning: Tuning }> = {
	"search-align-internvl3_5-8b": {
		model: "OpenGVLab/InternVL3_5-8B-HF",
		template: "intern_vl",
		rate: "1.0e-5",
		epochs: "1.0",
		tuning: "full",
	},
	"search-align-qwen2_5-vl-7b": {
		model: "Qwen/Qwen2.5-VL-7B-Instruct",
		template: "qwen2_vl",
		rate: "1.0e-4",
		epochs: "2.0",
		tuning: "lora",
	},
};

function tuningLines(tuning: Tuning, device: Device): string {
	if (tuning === "lora") return "finetuning_type: lora\nlora_target: all";
	if (device === "cpu") return "finetuning_type: full";
	return "finetuning_type: full\ndeepspeed: deepspeed-zero3.json # full training of 8B parameters: split over the machine's cards";
}

const actionNote = "\n# This template writes calls as Action and Action Input, not as the model's own <tool_call>.";

/** The published hyper-parameters, as files that `llamafactory-cli train` takes; returns their names. */
async function writeConfigurations(
	dir: string,
	{ name, maxPixels, longest, calls, device, ...chosen }: Written,
): Promise<string[]> {
	for (const [file, { model, template, rate, epochs, ...own }] of Object.entries(trained))
		await fillTrainerFile("llamafactory-sft.yaml", join(dir, `${file}.yaml`), {
			file,
			model,
			template,
			epochs,
			tuning: tuningLines(chosen.tuning ?? own.tuning, device),
			precision: device === "cpu" ? "bf16: false\nuse_cpu: true # in float32" : "bf16: true",
			dataset: name,
			learning_rate: rate,
			call_note: calls && template === "intern_vl" ? actionNote : "",
			longest: longest[template],
			cutoff: cutoffFor(longest[template]),
			max_pixels: maxPixels,
		});
	await copyTrainerFile("deepspeed-zero3.json", join(dir, "deepspeed-zero3.json"));
	return [...Object.keys(trained).map((file) => `${file}.yaml`), "deepspeed-zero3.json"];
}
