import { InvalidArgumentError, Option } from "commander";
import { faultKinds, injectedFaults } from "#agents";
import { exitCodes, HopscopeError, Observability, QueryStyle } from "#domain";
import { openWorkspace } from "#store";
import type { InjectBudgetOptions, InjectOptions as Injecting, Work, Workbench } from "#workbench";
import { type AddCommand, type CommonOptions, numberFrom, wholeNumber, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";
import { type ViewFormat, withTables, writeViews } from "../write-views.ts";

interface InjectOptions extends CommonOptions, Omit<Injecting & InjectBudgetOptions, "benchmark"> {
	benchmark?: string;
	score?: string;
	truth?: string;
	budget?: boolean;
	format: ViewFormat;
	out?: string;
}

export const addInject: AddCommand = (command, context, exit) =>
	withTables(withWorkspace(command))
		.option("-b, --benchmark <name>", "benchmark with gold chains: a name in the workspace or a folder")
		.option("-n, --knowledge <name>", "knowledge base (default: the benchmark's own)")
		.option("--faults <names>", "only these, separated by commas (default: all)", listed)
		.addOption(several("--shown <names>", "only agents that show so much of their work", Observability.options))
		.addOption(several("--queries <names>", "only agents that word their searches so", QueryStyle.options))
		.option("--records <n>", "records of each fault, showing and wording", wholeNumber(1, 1e5), 40)
		.option("--seed <n>", "another seed strikes other tasks", wholeNumber(0, 2 ** 31), 1)
		.option("--export <dir>", "write tasks, records and truth there: a benchmark of failure attribution (Atlas only)")
		.option(
			"--without-gold",
			"read the records as if they had no gold chains, beside the verdicts that the chains give",
		)
		.option("--score <file>", "score these predictions (JSON lines: task, repeat, hop, kind, unobserved) instead")
		.option("--truth <dir>", "where the exported truth is that --score goes by")
		.option("--budget", "the walker and its faults instead: where an error budget puts its failures, by interventions")
		.option("--share <x>", "with --budget: share of the tasks that each fault strikes", numberFrom(0, 1), 0.3)
		.option("--tasks <n>", "with --budget: only so many tasks, evenly spread", wholeNumber(1, 1e7))
		.option("-k, --k <n>", "with --budget: results that a search shows", wholeNumber(1, 100))
		.option("--concurrency <n>", "with --budget: tasks at the same time", wholeNumber(1, 1024), 8)
		.addHelpText("after", help)
		.action(async (options: InjectOptions) => {
			const { output, signal } = context;
			try {
				const { name, views, data } = await watch(context, options, verbFor(options));
				await writeViews(views, { data, name, workspace: openWorkspace(options.workspace), options, output });
			} catch (error) {
				if (!signal.aborted) throw error;
				output.say("interrupted; the same command resumes where it stopped, or begins again");
				exit(exitCodes.interrupted);
			}
		});

const lacking = (what: string, remedy: string) =>
	new HopscopeError("missing-option", what, remedy, { exitCode: exitCodes.usage });

function verbFor(options: InjectOptions): (bench: Workbench) => Work<Awaited<ReturnType<Workbench["inject"]>>> {
	const { score, truth, benchmark, budget } = options;
	if (score !== undefined) {
		if (truth === undefined) throw lacking("--score needs --truth DIR", "Name the folder that --export wrote.");
		return (bench) => bench.scoreInjected(score, truth);
	}
	if (benchmark === undefined) throw lacking("no benchmark is named", "Name one with --benchmark.");
	const asked = { ...options, benchmark };
	return (bench) => (budget ? bench.injectBudget(asked) : bench.inject(asked));
}

const listed = (text: string) => [...new Set(text.split(",").map((name) => name.trim()))];

function several<Name extends string>(flags: string, about: string, known: readonly Name[]): Option {
	return new Option(flags, `${about}: some of ${known.join(", ")}`)
		.argParser((text: string) => {
			const names = listed(text);
			const found = names.flatMap((name) => known.find((one) => one === name) ?? []);
			if (found.length < names.length) throw new InvalidArgumentError(`Give some of: ${known.join(", ")}.`);
			return found;
		})
		.default([...known], "all");
}

const described = (kinds: Record<string, { does: string }>) =>
	Object.entries(kinds)
		.map(([name, { does }]) => `  ${name}: ${does}`)
		.join("\n");

const help = `
How far can the diagnosis be trusted on this benchmark? An agent that knows the gold chain walks it with real searches in
its own words, and shows much or little of its work; one fault is injected into each walk, and what really happened in the
record is the truth that the diagnosis is held against:
${described(injectedFaults)}
With --budget the competent walker is struck instead, in a random share of its tasks, and an error budget is made:
${described(faultKinds)}
No model is asked. Records depend on the seed, the fault, the wording, what is shown, and the task alone, and are kept in the
workspace: the same command again shows the same.

Examples:
  $ hopscope inject -b atlas
  $ hopscope inject -b atlas --faults misread,none --shown bare --records 20
  $ hopscope inject -b atlas --records 8 --without-gold
  $ hopscope inject -b atlas --export attribution
  $ hopscope inject --score predictions.jsonl --truth attribution
  $ hopscope inject -b atlas --budget --format md --out budget.md`;
