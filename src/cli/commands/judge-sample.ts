import type { Command } from "commander";
import { counted } from "#domain";
import { rubrics, sliceNames } from "#scoring";
import type { SampleOptions } from "#workbench";
import { type CommonOptions, type Context, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

/** `hopscope judge sample RUN`: answers for people to label, without a system's name, verdict or score. */
export function addJudgeSample(judge: Command, context: Context): void {
	withWorkspace(judge.command("sample"))
		.description("Draw answers of a run for people to label: stratified, blind, for a spreadsheet or a program")
		.argument("<run>", "a run: its name in the workspace or its folder")
		.requiredOption("-o, --out <file>", ".csv for spreadsheets, else JSON lines")
		.option(
			"--stratify <properties>",
			`in proportion by outcome, ${sliceNames.join(", ")} or a tag, separated by commas`,
			"outcome,hops",
		)
		.option("--size <n>", "how many answers", wholeNumber(1, 1_000_000), 100)
		.option("--seed <n>", "chooses them", wholeNumber(0, 2 ** 31), 0)
		.option("--rubric <name>", `what they are to be labelled by: ${Object.keys(rubrics).join(", ")}`, "vistahop")
		.option("--force", "write over a file that is there: labels in it are lost")
		.addHelpText(
			"after",
			`
Every stratum is drawn from in proportion to its size, at least once; each item keeps how many answers it stands for. The
same seed draws the same answers. Copy the file for each labeller; blanks are fine. What comes back is read by
hopscope judge calibrate RUN --labels FILE…

Examples:
  $ hopscope judge sample atlas-tagged-20261121-143012-ab12 --size 100 --out labels.csv
  $ hopscope judge sample RUN --stratify outcome,hops,language --rubric tracer --out labels.jsonl`,
		)
		.action(async (name: string, options: SampleOptions & CommonOptions) => {
			const { output } = context;
			const drawn = await watch(context, options, (bench) => bench.sampleAnswers(name, options));
			if (options.json) return output.write(JSON.stringify(drawn));
			const { run, file, strata, from, items } = drawn;
			output.write(`${counted(items, "answer")} of ${from}, from ${strata} strata, for labelling: ${file}`);
			sayNext(context, `judge calibrate ${run} --labels ${file}`, options);
		});
}
