import { type Command, Option } from "commander";
import { counted, plainLine } from "#domain";
import { type Failure, failureCauses } from "#recipes";
import type { FromRunOptions } from "#workbench";
import { type CommonOptions, type Context, numberFrom, sayNext, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

const mostTold = 10;

/** `hopscope benchmark from-run RUN --to NAME`: what a run failed on, for people to look at. */
export function addBenchmarkFromRun(benchmark: Command, context: Context): void {
	withWorkspace(benchmark.command("from-run"))
		.description("Make a benchmark of the tasks that a run failed on, tagged with how, for people to review")
		.argument("<run>", "a run: its name in the workspace, or its folder")
		.requiredOption("--to <name>", "name of the benchmark")
		.addOption(new Option("--cause <causes...>", "take only tasks that failed so").choices([...failureCauses]))
		.option(
			"--sure <mean>",
			"a judge whose verdicts on a passed answer have a lower mean is unsure",
			numberFrom(0.5, 1),
			0.8,
		)
		.option("--failures <file>", "write what went wrong with each task as JSON lines")
		.option("--force", "replace the benchmark that has that name")
		.addHelpText(
			"after",
			`
Causes: wrong-answer: counted wrong; broken-hop: the chain broke, whatever the answer; judge-doubt: taken as right by a
judge that is not sure, or against the rule. What an error or the budget ended is left out. Tags say cause, broken-hop,
broken-how, said, and in comment which evidence holds an answer that was counted wrong; reviewers are not shown them.

Examples:
  $ hopscope benchmark from-run atlas-extractive-20261121-143012-ab12 --to atlas-failed
  $ hopscope benchmark from-run RUN --to doubtful --cause judge-doubt --sure 0.9
  $ hopscope review queue atlas-failed --reviewers ana,ben --to review/`,
		)
		.action(async (name: string, options: FromRunOptions & CommonOptions) => {
			const { output } = context;
			const { to } = options;
			const made = await watch(context, options, (bench) => bench.benchmarkFromRun(name, options));
			const { run, failures, of, causes, stated } = made;
			if (options.json)
				return output.write(JSON.stringify({ benchmark: to, run, tasks: failures.length, of, causes, stated }));
			output.write(failureLines(failures, { to, of, causes, stated }).join("\n"));
			sayNext(context, `review queue ${to} --reviewers ana,ben --to review/`, options);
		});
}

function failureLines(
	failures: readonly Failure[],
	{ to, of, causes, stated }: { to: string; of: number; causes: Record<string, number>; stated: number },
): string[] {
	const hops = new Map<string, number>();
	for (const { brokenHop } of failures)
		if (brokenHop) hops.set(brokenHop.verdict, (hops.get(brokenHop.verdict) ?? 0) + 1);
	const list = (counts: Iterable<[string, number]>) =>
		[...counts].map(([what, count]) => `${what} ${count}`).join(", ");
	return [
		`${to}: ${failures.length} of ${counted(of, "task")} (${list(Object.entries(causes))})`,
		...(hops.size > 0 ? [`first broken hop: ${list([...hops].sort((a, b) => b[1] - a[1]))}`] : []),
		...(stated > 0
			? [
					`${counted(stated, "answer")} counted wrong and yet stated in evidence that was found: see whether the gold lacks them`,
				]
			: []),
		...failures
			.filter(({ statedIn }) => statedIn.length > 0)
			.slice(0, mostTold)
			.map(({ task, said, statedIn }) =>
				plainLine(`  ${task.id}: "${said}" (gold "${task.answer.value}") stands in ${statedIn[0]}`, 200),
			),
	];
}
