import type { Command } from "commander";
import { counted } from "#domain";
import type { ReviewSettleOptions } from "#workbench";
import { type CommonOptions, type Context, sayNext, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

/** `hopscope review settle BENCH --to NAME`: what reviewers kept, as a new benchmark. */
export function addReviewSettle(review: Command, context: Context): void {
	withWorkspace(review.command("settle"))
		.description(
			"Write what reviewers kept as a benchmark of its own: discarded tasks gone, edits carried out and checked again",
		)
		.argument("<benchmark>", "a benchmark: its name in the workspace or its folder")
		.requiredOption("--to <name>", "name of the reviewed benchmark")
		.option("--force", "replace the benchmark that has that name")
		.option("--leave-open", "proceed although items wait or are in conflict: they are left out")
		.addHelpText(
			"after",
			`
An edit makes the checks of its item void. Rules are run again at once; an item that one of them refuses, or that a model
had checked, is left out and told: make the benchmark anew with its recipe, or review it as it is.

Example:
  $ hopscope review settle mine --to mine-reviewed`,
		)
		.action(async (name: string, options: ReviewSettleOptions & CommonOptions) => {
			const { output } = context;
			const { to } = options;
			const { tasks, counts } = await watch(context, options, (bench) => bench.settleReview(name, options));
			if (options.json) return output.write(JSON.stringify({ benchmark: to, ...counts }));
			output.write(
				`${to}: ${counted(tasks, "task")}; ${counts["not given out"]} were not given out, ${counts.edited} edited, ${counts.discarded} discarded, ${counts.refused} edits refused by checks, ${counts.open} open`,
			);
			sayNext(context, `benchmark diff ${name} ${to}`, options);
		});
}
