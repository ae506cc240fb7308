import { type Command, InvalidArgumentError } from "commander";
import { counted, exitCodes, type Review } from "#domain";
import type { ReviewImportOptions } from "#workbench";
import { type CommonOptions, type Context, sayNext, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

const mostProblems = 10;

/** `hopscope review import BENCH FILE…`: decisions in. */
export function addReviewImport(review: Command, context: Context, exit: (code: number) => void): void {
	withWorkspace(review.command("import"))
		.description("Take in what reviewers decided: filled-in sheets, JSON lines, or Label Studio's export")
		.argument("<benchmark>", "a benchmark: its name in the workspace or its folder")
		.argument("<files...>", ".csv, .jsonl or .json")
		.option("--reviewer <name>", "who decided, where the file does not say")
		.option("--round <n>", "1, 2, … or adjudication", roundOf, 1)
		.option("--seen", "the reviewers had seen what models said")
		.addHelpText(
			"after",
			`
The same decision is taken in once, however often a file is given. Of one person the last decision counts.

Examples:
  $ hopscope review import mine review/review-ana.csv review/review-ben.csv
  $ hopscope review import mine export.json --reviewer ana
  $ hopscope review import mine review/review-dora.csv --round adjudication`,
		)
		.action(async (name: string, files: string[], options: ReviewImportOptions & CommonOptions) => {
			const { output } = context;
			const { read, added, problems } = await watch(context, options, (bench) =>
				bench.importReviews(name, files, options),
			);
			for (const problem of problems.slice(0, mostProblems)) output.say(problem);
			if (problems.length > mostProblems) output.say(`and ${problems.length - mostProblems} more`);
			if (read === 0) exit(exitCodes.failed);
			if (read === 0 && problems.length === 0)
				output.say("no row holds a decision yet: write retain, discard, edit or unsure in the column decision");
			if (options.json)
				return output.write(JSON.stringify({ benchmark: name, read, added, problems: problems.length }));
			output.write(`${counted(read, "decision")} read, ${added} new, ${problems.length} not understood`);
			sayNext(context, `review status ${name}`, options);
		});
}

function roundOf(text: string): Review["round"] {
	if (text === "adjudication") return text;
	const round = Number(text);
	if (Number.isInteger(round) && round >= 1 && round <= 1000) return round;
	throw new InvalidArgumentError("Give 1, 2, … or adjudication.");
}
