import { resolve } from "node:path";
import { Option } from "commander";
import { counted, exitCodes, HopscopeError } from "#domain";
import {
	type Device,
	devices,
	isClean,
	type Preflight,
	rereaderOf,
	type Template,
	type Trainer,
	templates,
	trainerSigns,
	trainingWriters,
} from "#training";
import { type AddCommand, type CommonOptions, wholeNumber, withWorkspace } from "../context.ts";

interface ExportCheckOptions extends CommonOptions {
	trainer?: Trainer;
	template: Template;
	cutoff?: number;
	device: Device;
	model?: string;
}

export const addExportCheck: AddCommand = (exporting, { output, signal }, exit) =>
	withWorkspace(exporting.command("check"))
		.description("What a trainer would drop, cut or stop at in a folder of training data, and why")
		.argument(
			"<dir>",
			"folder that export sft, preference or retriever wrote, or another of LLaMA-Factory's sharegpt form",
		)
		.addOption(new Option("--trainer <name>", "trainer (default: by the files)").choices(Object.keys(trainingWriters)))
		.addOption(
			new Option("--template <name>", "chat template of the model to be trained")
				.choices(templates)
				.default("qwen2_vl"),
		)
		.option("--cutoff <tokens>", "longest row (default: as the written configuration says)", wholeNumber(1, 10_000_000))
		.addOption(
			new Option("--device <which>", "where it will be trained: what the machine has").choices(devices).default("gpu"),
		)
		.option("--model <dir>", "folder of the model's files: whether it takes these rows")
		.addHelpText(
			"after",
			`
Only the written files are read: the rows, what the script beside them says (full or an adapter, precision), and with --model
the model's configuration and chat template. Lengths are estimates: 3.5 characters a token, images by their size. Exit code 1 where a row
would be dropped or cut, or stop the training.

Examples:
  $ hopscope export check atlas-sft
  $ hopscope export check atlas-sft --template intern_vl
  $ hopscope export check atlas-sft --cutoff 2048 --json
  $ hopscope export check atlas-sft --device cpu --model models/smollm2-135m
  $ hopscope export check pairs --cutoff 8192`,
		)
		.action(async (given: string, { trainer, template, cutoff, device, model, json }: ExportCheckOptions) => {
			const dir = resolve(given);
			const rereader = await rereaderOf(dir, trainer);
			if (!rereader) throw unknownFolder(dir);
			const preflight = await rereader.reread(dir, { template, cutoff, device, model, signal });
			if (!isClean(preflight)) exit(exitCodes.failed);
			if (json) return output.write(JSON.stringify({ dir, ...preflight, clean: isClean(preflight) }));
			for (const line of preflightLines(preflight)) output.write(line);
		});

const unknownFolder = (dir: string) =>
	new HopscopeError(
		"unknown-folder",
		`${dir} holds none of ${Object.values(trainerSigns).join(", ")}, and no files of pairs for a trainer`,
		"Name a folder of fine-tuning data, or its --trainer.",
		{ exitCode: exitCodes.usage },
	);

const tuned = { full: "all weights are trained", lora: "an adapter is trained (LoRA)" };
const computed = { bf16: "in bf16", float32: "in float32", "as-found": "in bf16 on a GPU, float32 on a processor" };

const setupLine = ({ tuning, precision }: NonNullable<Preflight["setup"]>) =>
	`${tuning ? tuned[tuning] : "what is trained is not told"}, ${computed[precision]}`;

function preflightLines(preflight: Preflight): string[] {
	const { trainer, template, cutoff, rows, whole, stops, drops, cuts, alters, tokens, images, problems } = preflight;
	const { setup, ends } = preflight;
	const lengths = tokens ? `, about ${Math.round(tokens.mean)} tokens a row, ${tokens.most} at most` : "";
	return [
		template === null
			? `${trainer}; each text is cut where the model's own length ends`
			: `${trainer}, template ${template}, ${cutoff === null ? "nothing is cut" : `cutoff ${cutoff} tokens`}`,
		`${counted(rows, "row")} with ${counted(images, "image")}${lengths}`,
		...(setup ? [setupLine(setup)] : []),
		...ends.map(({ reason, means }) => `${reason} (stops): ${means}`),
		`${whole} whole, ${drops} dropped, ${cuts} cut, ${alters} altered, ${stops} that stop the training`,
		...problems.flatMap(({ reason, effect, means, rows: count, examples }) => [
			`${reason} (${effect}, ${counted(count, "row")}): ${means}`,
			...examples.map(({ row, found }) => `  ${row}: ${found}`),
		]),
	];
}
