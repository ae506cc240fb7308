import { join } from "node:path";
import { type Command, Option } from "commander";
import { counted } from "#domain";
import { reviewForms, settlePolicies } from "#recipes";
import type { QueueOptions } from "#workbench";
import { type CommonOptions, type Context, numberFrom, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

/** `hopscope review queue BENCH`: a file for each reviewer, without anything that models said. */
export function addReviewQueue(review: Command, context: Context): void {
	withWorkspace(review.command("queue"))
		.description(
			"Give out the tasks of a benchmark for review: a file for each person, for a spreadsheet or Label Studio",
		)
		.argument("<benchmark>", "a benchmark: its name in the workspace or its folder")
		.requiredOption("-t, --to <dir>", "folder for the files")
		.option("--reviewers <names>", "who reviews, separated by commas", names)
		.option(
			"--per-item <n>",
			"reviewers an item (default: as its recipe publishes, else two or all)",
			wholeNumber(1, 20),
		)
		.addOption(
			new Option(
				"--policy <name>",
				"how decisions settle an item (default: as its recipe publishes, else majority)",
			).choices([...settlePolicies]),
		)
		.option("--traps <share>", "spoilt items among the others, as a share of them", numberFrom(0, 0.5), 0)
		.option("--sample <n>", "draw so many tasks instead of giving out all", wholeNumber(1, 1_000_000))
		.option("--seed <n>", "chooses and orders them", wholeNumber(0, 2 ** 31), 0)
		.addOption(new Option("--form <name>", "form of the files").choices([...reviewForms]).default("csv"))
		.option("--image-prefix <address>", "Label Studio: what image files are prefixed with to be found")
		.option("--adjudication <reviewer>", "give out what reviewers differ on, to another person or a meeting")
		.option("--force", "give out anew although there is a queue: its assignment is lost, decisions stay")
		.addHelpText(
			"after",
			`
Nothing that a model said is shown. Copy decisions back with hopscope review import; hopscope review status shows how far
reviewers agree. Decisions: retain, discard, edit (with the new wording or answers), unsure.

Policies: majority (a tie is a conflict), adjudicated (every split is), unanimous (so is what somebody is unsure of), fail-any
(one who discards is enough). --adjudication gives out every item on which those who looked differ, under any of them.

Examples:
  $ hopscope review queue mine --reviewers ana,ben,cho --per-item 2 --traps 0.05 --to review/
  $ hopscope review queue mine --reviewers ana,ben --form label-studio --to review/
  $ hopscope review queue mine --adjudication dora --to review/`,
		)
		.action(async (name: string, options: QueueOptions & CommonOptions) => {
			const { output } = context;
			const queued = await watch(context, options, (bench) => bench.queueReview(name, options));
			if (options.json) return output.write(JSON.stringify(queued));
			const { items, reviewers, files } = queued;
			output.write(
				`${counted(items, "item")} for ${counted(reviewers, "reviewer")}: ${[...new Set(files)].join(", ")}`,
			);
			sayNext(context, `review import ${name} ${join(options.to, "FILE…")}`, options);
		});
}

const names = (text: string): string[] => text.split(",").flatMap((one) => one.trim() || []);
