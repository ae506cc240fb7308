import { type Command, InvalidArgumentError } from "commander";
import { openBenchmark } from "#benchmarks";
import type { Review } from "#domain";
import { counted } from "#domain";
import { openReviewFolder, readReviewFile } from "#recipes";
import { openWorkspace } from "#store";
import { locate } from "#workbench";
import { type CommonOptions, type Context, next, withWorkspace } from "../context.ts";

interface ImportOptions extends CommonOptions {
	reviewer?: string;
	round: Review["round"];
	seen?: boolean;
}

const mostProblems = 10;

/** `hopscope review import BENCH FILE…`: decisions in. */
export function addReviewImport(review: Command, { output }: Context, exit: (code: number) => void): void {
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
		.action(async (name: string, files: string[], options: ImportOptions) => {
			const benchmark = await openBenchmark(await locate(openWorkspace(options.workspace), "benchmarks", name));
			const folder = openReviewFolder(benchmark.dir);
			const known = new Set([...benchmark.tasks, ...(await folder.traps())].map(({ id }) => id));
			const by = { reviewer: options.reviewer, round: options.round, blind: options.seen !== true };
			const taken: Review[] = [];
			const problems: string[] = [];
			for (const file of files) {
				const read = await readReviewFile(file, by);
				problems.push(...read.problems.map((problem) => `${file}: ${problem}`));
				for (const one of read.reviews)
					if (known.has(one.item)) taken.push(one);
					else problems.push(`${file}: the benchmark has no task ${one.item}`);
			}
			for (const problem of problems.slice(0, mostProblems)) output.say(problem);
			if (problems.length > mostProblems) output.say(`and ${problems.length - mostProblems} more`);
			const added = await folder.add(taken);
			if (taken.length === 0) exit(1);
			if (taken.length === 0 && problems.length === 0)
				output.say("no row holds a decision yet: write retain, discard, edit or unsure in the column decision");
			if (options.json)
				return output.write(JSON.stringify({ benchmark: name, read: taken.length, added, problems: problems.length }));
			output.write(
				`${counted(taken.length, "decision")} read, ${added} new, ${problems.length} not understood; see ${next(`review status ${name}`, options)}`,
			);
		});
}

function roundOf(text: string): Review["round"] {
	if (text === "adjudication") return text;
	const round = Number(text);
	if (Number.isInteger(round) && round >= 1 && round <= 1000) return round;
	throw new InvalidArgumentError("Give 1, 2, … or adjudication.");
}
