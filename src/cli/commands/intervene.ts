import { type Command, InvalidArgumentError, Option } from "commander";
import { isSpec } from "#agents";
import { budgetKinds, diagnoseRecords, type PlanChoices, planInterventions, trustKinds } from "#diagnosis";
import { exitCodes, HopscopeError, interventionName } from "#domain";
import { buildViews, interventionsReport, type ReportRun, renderTerminalAll, type ViewRun, viewNamed } from "#reports";
import { mustBeOurs, openRun, scoreRecords } from "#runs";
import { openWorkspace, type Workspace } from "#store";
import { agentCalled, checkedAgent } from "../agent-called.ts";
import { readConfiguration } from "../configuration.ts";
import {
	type AddCommand,
	type CommonOptions,
	type Context,
	counted,
	locate,
	next,
	wholeNumber,
	withWorkspace,
} from "../context.ts";
import { carryOut, itemsOf, type PlannedRerun, planReruns, type Reopened } from "../intervene-runs.ts";
import { createModels, type ModelOptions, type Models, withModels } from "../models.ts";
import { openForRun, reportRun } from "../open.ts";
import type { Output } from "../output.ts";
import { createProgress } from "../progress.ts";
import { usageLine } from "../run-agent.ts";
import { type BoundOptions, boundsFrom, withBounds } from "../run-options.ts";
import { planSettle, planText, settledText, settleRun } from "../settle-runs.ts";
import { configuredWeb } from "../web.ts";

type Kind = NonNullable<PlanChoices["only"]>[number];

interface InterveneOptions extends CommonOptions, ModelOptions, BoundOptions {
	only?: Kind[];
	prefix?: boolean;
	distractors?: number;
	without?: NonNullable<PlanChoices["without"]>;
	trust?: boolean;
	allTasks?: boolean;
	again?: boolean;
	tasks?: number;
	agent?: string;
	settle?: boolean;
	repeats?: number;
	dryRun?: boolean;
}

/** `hopscope intervene RUN`: the same agent again with parts of the world made perfect, and what that recovers. */
export const addIntervene: AddCommand = (command, context, exit) =>
	withOptions(withWorkspace(command))
		.argument("<run>", "a run: its name in the workspace or its folder")
		.addHelpText("after", help)
		.action(async (name: string, options: InterveneOptions) => {
			mustFit(options);
			const workspace = openWorkspace(options.workspace);
			const configuration = await readConfiguration(workspace);
			const models = createModels(workspace, { configuration, options, say: context.output.say });
			const base = await openRun(await locate(workspace, "runs", name));
			for (const warning of base.warnings) context.output.say(warning);
			mustBePlain(base.manifest);
			mustBeOurs(base.manifest);
			mustAnswer(base);
			const { replay, maxCost } = options;
			const needsPrice = maxCost !== undefined;
			const { benchmark, knowledge } = await openForRun(workspace, base.manifest.benchmark.folder, {
				knowledge: base.manifest.knowledge.folder,
			});
			try {
				const bounds = boundsFrom(options);
				const agent = agentCalled(checkedAgent(base.manifest.agent.name, options.agent), bounds);
				const { model: named } = base.manifest;
				const model = named ? models.open(named, { needsPrice }) : undefined;
				const upstream = named && isSpec(agent.name) ? models.upstream(named) : undefined;
				const web = await configuredWeb(configuration, { models, file: workspace.configuration, replay, needsPrice });
				const opened: Reopened = { base, agent, model, upstream, web, benchmark, knowledge };
				const rows = scoreRecords(base, benchmark);
				const shown = reportRun(base, { rows, benchmark, knowledge });
				if (options.settle) return exit(await settle(shown, { opened, workspace, bounds, options, models, context }));
				const plans = planInterventions(itemsOf(shown), choicesOf(options, { asksModel: model !== undefined }));
				const reruns = await planReruns(plans, { ...opened, workspace });
				if (reruns.length === 0) throw nothingToDo(shown, options);
				if (options.dryRun) return showPlan(reruns, { output: context.output, json: options.json });
				exit(await intervened(reruns, { shown, opened, bounds, options, models, context }));
			} finally {
				knowledge.close();
			}
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
	return withModels(withBounds(command)).option("--dry-run", "say what would run, and run nothing");
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
hops together do; else to composition. Given again, the command goes on, and does nothing twice. Budgets are those of all
re-runs together.

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

function choicesOf(options: InterveneOptions, { asksModel }: { asksModel: boolean }): PlanChoices {
	const { only, prefix, distractors, without, trust, allTasks, again, tasks } = options;
	const byChance = again ?? (only === undefined && asksModel);
	return { only, prefix, distractors, without, trust, allTasks, again: byChance, most: tasks };
}

/** What was asked for, as it is written again: without it the command would go on with other tasks. */
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

function mustBePlain({ id, intervention }: ViewRun["manifest"]): void {
	if (intervention)
		throw new HopscopeError(
			"is-intervention",
			`${id} is itself an intervention: ${interventionName(intervention.what)} of ${intervention.of}`,
			`Intervene in that run: ${intervention.of}.`,
			{ exitCode: exitCodes.usage },
		);
}

function mustAnswer({ manifest, records }: Pick<ViewRun, "manifest" | "records">): void {
	const { id, agent } = manifest;
	if (records.every(({ trajectory: { stop } }) => stop === "error" || stop === "budget"))
		throw new HopscopeError(
			"nothing-answered",
			records.length === 0 ? `${id} has no record yet` : `an error or a budget ended every record of ${id}`,
			`Finish it first: hopscope run --resume ${id}.`,
			{ exitCode: exitCodes.usage },
		);
	if (records.every(({ trajectory }) => trajectory.searchOnly))
		throw new HopscopeError(
			"answers-nothing",
			`the agent ${agent.name} answers nothing by design: none of its records can be recovered`,
			"Choose a run of an agent that answers.",
			{ exitCode: exitCodes.usage },
		);
}

function nothingToDo({ tasks, manifest }: ViewRun, { allTasks }: InterveneOptions): HopscopeError {
	const chained = new Set(tasks.flatMap(({ id, chain }) => (chain ? [id] : [])));
	const none = allTasks || !manifest.tasks.some((id) => chained.has(id));
	return new HopscopeError(
		"nothing-failed",
		none ? "no task of the run has a gold chain to intervene by" : "no task of the run failed that has a gold chain",
		none
			? "Choose --again, --distractors, --without or --only poisoned-evidence, which need none."
			: "Choose --all-tasks to intervene in all of them.",
		{ exitCode: exitCodes.usage },
	);
}

function showPlan(
	reruns: readonly PlannedRerun[],
	{ output, json }: { output: Output; json?: boolean | undefined },
): void {
	const plan = reruns.map(({ manifest: { id, intervention, tasks, repeats }, total, done, mostCalls }) => ({
		...{ run: id, begun: done > 0, intervention: intervention && interventionName(intervention.what) },
		...{ tasks: tasks.length, repeats, total, done, mostCalls: mostCalls ?? null },
	}));
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
	const sum = `${counted(reruns.length, "re-run")}, ${counted(left, "answer")} to be given${mostCalls === null ? "" : `, at most ${counted(mostCalls, "call")} of the model`}`;
	output.write([...lines, sum].join("\n"));
}

interface Sought {
	shown: ViewRun;
	opened: Reopened;
	bounds: ReturnType<typeof boundsFrom>;
	options: InterveneOptions;
	models: Models;
	context: Context;
}

/** Says what settling takes, settles, and says what it came to. Returns the exit code. */
async function settle(
	shown: ReportRun,
	{ opened, workspace, bounds, options, models, context }: Omit<Sought, "shown"> & { workspace: Workspace },
): Promise<number> {
	const { output, signal } = context;
	const progress = createProgress(output, "diagnosing");
	const diagnosed = await diagnoseRecords(shown, { signal, say: output.say, onProgress: progress.update });
	progress.end();
	const diagnoses = diagnosed.map(({ diagnosis }) => diagnosis);
	const input = { opened, workspace, shown, diagnoses, repeats: options.repeats, most: options.tasks };
	const plan = await planSettle(input);
	if (options.dryRun) {
		output.write(options.json ? JSON.stringify(plan) : planText(plan));
		return exitCodes.done;
	}
	output.say(planText(plan));
	const money = models.money(shown.manifest.model);
	const again = next(["intervene", shown.manifest.id, ...chosen(options)].join(" "), options);
	const { told, code } = await settleRun(input, { bounds, context, watching: { pace: models.pace, money }, again });
	const used = usageLine(told.used, money);
	if (used) output.say(`all re-runs: ${used}`);
	output.write(options.json ? JSON.stringify(told) : settledText(told));
	output.say(`every finding: ${told.findings}`);
	return code;
}

const shownViews = ["error-budget", "interventions", "decisive-hop", "prefix-curve", "trust"];

/** Carries the re-runs out and says what they show. Returns the exit code. */
async function intervened(
	reruns: readonly PlannedRerun[],
	{ shown, opened, bounds, options, models, context }: Sought,
): Promise<number> {
	const { output } = context;
	const { id, model } = shown.manifest;
	const money = models.money(model);
	const again = next(["intervene", id, ...chosen(options)].join(" "), options);
	const sitting = await carryOut(reruns, { opened, bounds, context, watching: { pace: models.pace, money }, again });
	const used = usageLine(sitting.used, money);
	if (used) output.say(`all re-runs: ${used}`);
	const runs = [shown, ...sitting.shown];
	const report = interventionsReport(shown, runs);
	if (options.json) {
		output.write(JSON.stringify({ ...report, reason: sitting.reason, used: sitting.used }));
		return sitting.code;
	}
	const wanted = shownViews.filter((name) => options.prefix || (name !== "decisive-hop" && name !== "prefix-curve"));
	const views = await buildViews(runs, { builders: wanted.flatMap((name) => viewNamed(name) ?? []) });
	output.write(`Interventions in ${id}: the same agent with a part of the world changed; no scores of the agent.\n`);
	output.write(
		renderTerminalAll(
			views.filter(({ rows }) => rows.length > 0),
			{ colour: output.colour === true },
		),
	);
	return sitting.code;
}
