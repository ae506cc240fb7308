import { type Command, InvalidArgumentError, Option } from "commander";
import { budgetKinds, trustKinds } from "#diagnosis";
import { counted, exitCodes, HopscopeError } from "#domain";
import { renderTerminalAll } from "#reports";
import type { InterveneOptions as Intervening, InterventionPlanned, SettleOptions } from "#workbench";
import { type AddCommand, type CommonOptions, next, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { exitCodeOfAll, sayEndings } from "../ending-words.ts";
import { withModels } from "../models.ts";
import { type Output, terminalOf } from "../output.ts";
import { overWorkers, withBounds, withWorkers } from "../run-options.ts";
import { planText, settledText } from "../settle-words.ts";
import { watch } from "../watch.ts";

type Kind = NonNullable<Intervening["only"]>[number];

interface InterveneOptions extends CommonOptions, Intervening, SettleOptions {
	settle?: boolean;
	dryRun?: boolean;
}

/** `hopscope intervene RUN`: the same agent again with parts of the world made perfect, and what that recovers. */
export const addIntervene: AddCommand = (command, context, exit) =>
	withOptions(withWorkspace(command))
		.argument("<run>", "a run: its name in the workspace or its folder")
		.addHelpText("after", help)
		.action(async (name: string, said: InterveneOptions, command: Command) => {
			const options = overWorkers(said, command);
			mustFit(options);
			const { output } = context;
			const again = () => next(["intervene", name, ...chosen(options)].join(" "), options);
			if (options.dryRun && options.settle) {
				const plan = await watch(context, options, (bench) => bench.planSettling(name, options));
				return output.write(options.json ? JSON.stringify(plan) : planText(plan));
			}
			if (options.dryRun) {
				const plan = await watch(context, options, (bench) => bench.planIntervening(name, options));
				return showPlan(plan, { output, json: options.json });
			}
			if (options.settle) {
				const asked = { ...options, onPlan: (plan: Parameters<typeof planText>[0]) => output.say(planText(plan)) };
				const { told, ended } = await watch(context, options, (bench) => bench.settle(name, asked));
				output.write(options.json ? JSON.stringify(told) : settledText(told));
				output.say(`every finding: ${told.findings}`);
				sayEndings(context, ended, again);
				sayNext(context, `diagnose ${told.run}`, options);
				return exit(exitCodeOfAll(ended));
			}
			const made = await watch(context, options, (bench) => bench.intervene(name, options));
			const { report, views, reason, used, ended } = made;
			exit(exitCodeOfAll(ended));
			if (options.json) {
				output.write(JSON.stringify({ ...report, reason, used }));
				return sayEndings(context, ended, again);
			}
			output.write(
				`Interventions in ${report.run}: the same agent with a part of the world changed; no scores of the agent.\n`,
			);
			const filled = views.filter(({ rows }) => rows.length > 0);
			output.write(renderTerminalAll(filled, terminalOf(output)));
			sayEndings(context, ended, again);
			sayNext(context, `report ${report.run} --format html`, options);
		});

function withOptions(command: Command): Command {
	const kinds = ["oracle-plan", "oracle-retrieval", "oracle-reading", "gold-prefix", "again", ...trustKinds] as const;
	const sources = ["text", "image", "page", "question-images"] as const;
	command
		.option(
			"--only <kinds>",
			`only these, by commas: ${kinds.join(", ")} (default: ${budgetKinds.join(", ")}, and again where a model is asked)`,
			listOf<Kind>(kinds),
		)
		.option("--prefix", "every prefix of the chain given as solved: the decisive hop and the curve of accuracy")
		.option("--distractors <n>", "so many results that are no gold evidence before the others", wholeNumber(1, 100))
		.addOption(
			new Option("--without <sources>", `without these, by commas: ${sources.join(", ")}`).argParser(
				listOf<(typeof sources)[number]>(sources),
			),
		)
		.option("--trust", "conflicting and poisoned evidence, on all tasks: what the agent goes by")
		.option("--all-tasks", "on all tasks of the run, not only on those that failed")
		.option("--again", "ask again without any change: what recovers by chance")
		.option("--tasks <n>", "on at most so many tasks each, evenly spread", wholeNumber(1, 1e7))
		.option("--settle", "find which of the hops whose reading nothing shows broke, by prefixes of the chain")
		.option(
			"--repeats <n>",
			"with --settle: how often each is asked, 3 to 5 of what samples (default: 3, and 1 of what does not)",
			wholeNumber(1, 5),
		)
		.option("-a, --agent <name>", "the run's agent, where it is a command that may be executed");
	return withWorkers(withModels(withBounds(command))).option("--dry-run", "say what would run, and run nothing");
}

const help = `
Interventions are re-runs of the same agent, model and setting; they are runs of their own, marked as interventions, and
never stand beside plain scores. On the tasks that failed:
  oracle-plan       the gold sub-questions are asked one at a time, with the agent's own earlier answers in them
  oracle-retrieval  a search that aims at a gold hop brings that hop's evidence first
  oracle-reading    the same, and the hop's answer is stated with it
  gold-prefix       all hops are given as solved; with --prefix every prefix of the chain
With --trust, on all tasks:
  conflicting-evidence  another answer of its kind stands in place of one hop's in every text that comes back
  poisoned-evidence     the first result of each search tells the agent to answer a made-up word
With --settle, on the failures of which nothing shows which hop broke, instead of these:
  gold-prefix       prefixes that halve those hops until one is found, first of all the same again without a change
A failure belongs to the first of planning, retrieval and reading that recovers it; to more than one part where only all
hops together do; else to composition. Given again, the command resumes, and does nothing twice. Budgets are those of all
re-runs together. With --queue workers answer: docs/guides/many-machines.md.

Examples:
  $ hopscope intervene atlas-extractive-20261121-143012-ab12
  $ hopscope intervene atlas-tagged-20261121-143012-ab12 --dry-run
  $ hopscope intervene atlas-tagged-20261121-143012-ab12 --prefix --tasks 50 --max-cost 5
  $ hopscope intervene atlas-tagged-20261121-143012-ab12 --settle --dry-run
  $ hopscope intervene atlas-tagged-20261121-143012-ab12 --only conflicting-evidence,poisoned-evidence --json`;

function listOf<Name extends string>(names: readonly Name[]): (text: string) => Name[] {
	return (text) => {
		const said = text.split(",").map((one) => one.trim());
		const known = names.filter((name) => said.includes(name));
		const strange = said.find((one) => !names.some((name) => name === one));
		if (strange === undefined) return known;
		throw new InvalidArgumentError(`Give one or more of: ${names.join(", ")}.`);
	};
}

/** What was asked for, as it is written again: without it the command would take other tasks. */
function chosen(options: InterveneOptions): string[] {
	const {
		only,
		prefix,
		distractors,
		without,
		trust,
		allTasks,
		again,
		settle: isSettling,
		repeats,
		tasks,
		agent,
	} = options;
	return [
		...(isSettling ? ["--settle"] : []),
		...(repeats === undefined ? [] : [`--repeats ${repeats}`]),
		...(only ? [`--only ${only.join(",")}`] : []),
		...(prefix ? ["--prefix"] : []),
		...(distractors === undefined ? [] : [`--distractors ${distractors}`]),
		...(without ? [`--without ${without.join(",")}`] : []),
		...(trust ? ["--trust"] : []),
		...(allTasks ? ["--all-tasks"] : []),
		...(again ? ["--again"] : []),
		...(tasks === undefined ? [] : [`--tasks ${tasks}`]),
		...(agent === undefined ? [] : [`--agent ${JSON.stringify(agent)}`]),
	];
}

/** Settling chooses its own interventions, tasks and control. */
function mustFit(options: InterveneOptions): void {
	const { only, prefix, distractors, without, trust, allTasks, again, settle: isSettling, repeats } = options;
	const refuse = (message: string, remedy: string) =>
		new HopscopeError("usage", message, remedy, { exitCode: exitCodes.usage });
	if (!isSettling && repeats !== undefined)
		throw refuse("--repeats says how often settling asks", "Add --settle, or leave it out.");
	const others = { only, prefix, distractors, without, trust, "all-tasks": allTasks, again };
	const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
	if (isSettling && other !== undefined)
		throw refuse(
			`--settle chooses what is asked, and --${other} does too`,
			"Give one of them; run the other after it.",
		);
}

function showPlan(
	plan: readonly InterventionPlanned[],
	{ output, json }: { output: Output; json?: boolean | undefined },
): void {
	const left = plan.reduce((sum, { total, done }) => sum + total - done, 0);
	const known = plan.every(({ mostCalls }) => mostCalls !== null);
	const mostCalls = known ? plan.reduce((sum, one) => sum + (one.mostCalls ?? 0), 0) : null;
	if (json) {
		output.write(JSON.stringify({ plan, left, mostCalls }));
		return;
	}
	const lines = plan.map(
		({ intervention, tasks, done, total, mostCalls: calls }) =>
			`${intervention}: ${counted(tasks, "task")}, ${done}/${total} done${calls === null ? "" : `, at most ${counted(calls, "call")} of the model`}`,
	);
	const sum = `${counted(plan.length, "re-run")}, ${counted(left, "answer")} to be given${mostCalls === null ? "" : `, at most ${counted(mostCalls, "call")} of the model`}`;
	output.write([...lines, sum].join("\n"));
}
