import { resolve } from "node:path";
import { Option } from "commander";
import { counted, exitCodes, HopscopeError } from "#domain";
import {
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
		.addHelpText(
			"after",
			`
Only the written files are read. Lengths are estimates: 3.5 characters a token, images by their size. Exit code 1 where a row
would be dropped or cut, or stop the training.

Examples:
  $ hopscope export check atlas-sft
  $ hopscope export check atlas-sft --template intern_vl
  $ hopscope export check atlas-sft --cutoff 2048 --json
  $ hopscope export check pairs --cutoff 8192`,
		)
		.action(async (given: string, { trainer, template, cutoff, json }: ExportCheckOptions) => {
			const dir = resolve(given);
			const rereader = await rereaderOf(dir, trainer);
			if (!rereader) throw unknownFolder(dir);
			const preflight = await rereader.reread(dir, { template, cutoff, signal });
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

function preflightLines(preflight: Preflight): string[] {
	const { trainer, template, cutoff, rows, whole, stops, drops, cuts, alters, tokens, images, problems } = preflight;
	const lengths = tokens ? `, about ${Math.round(tokens.mean)} tokens a row, ${tokens.most} at most` : "";
	return [
		template === null
			? `${trainer}; each text is cut where the model's own length ends`
			: `${trainer}, template ${template}, ${cutoff === null ? "nothing is cut" : `cutoff ${cutoff} tokens`}`,
		`${counted(rows, "row")} with ${counted(images, "image")}${lengths}`,
		`${whole} whole, ${drops} dropped, ${cuts} cut, ${alters} altered, ${stops} that stop the training`,
		...problems.flatMap(({ reason, effect, means, rows: count, examples }) => [
			`${reason} (${effect}, ${counted(count, "row")}): ${means}`,
			...examples.map(({ row, found }) => `  ${row}: ${found}`),
		]),
	];
}
