import { type Agent, isSpec } from "#agents";
import { diagnoseRecords, type PlanChoices, planInterventions } from "#diagnosis";
import { type HopscopeError, interventionName, usageError } from "#domain";
import { buildViews, interventionsReport, type ReportRun, type View, type ViewRun, viewNamed } from "#reports";
import { mustBeOurs, openRun, scoreRecords } from "#runs";
import { recordedAgent } from "./agent-called.ts";
import { carryOut, itemsOf, type PlannedRerun, planReruns, type Reopened, type Session } from "./intervene-runs.ts";
import { locate } from "./locate.ts";
import { type ModelOptions, type Models, openModels } from "./models.ts";
import { openForRun, reportRun } from "./open.ts";
import { type BoundOptions, type Bounds, boundsFrom } from "./run-options.ts";
import { answeredBy, type JobQueueOptions } from "./run-queue.ts";
import { planSettle, type Settled, type SettleInput, type SettlePlan, settleRun } from "./settle-runs.ts";
import { usageLine } from "./usage-line.ts";
import { configuredWeb } from "./web.ts";
import type { Bench, RunEnded } from "./work.ts";

export interface InterveneOptions extends ModelOptions, BoundOptions, JobQueueOptions {
	only?: NonNullable<PlanChoices["only"]> | undefined;
	/** Every prefix of the chain given as solved. */
	prefix?: boolean | undefined;
	distractors?: number | undefined;
	without?: NonNullable<PlanChoices["without"]> | undefined;
	trust?: boolean | undefined;
	/** On all tasks, not only on those that failed. */
	allTasks?: boolean | undefined;
	/** Also again without any change; where a model is asked, unless `only` is given. */
	again?: boolean | undefined;
	/** On at most so many tasks each, evenly spread. */
	tasks?: number | undefined;
	/** The run's agent, where it is a command that may be executed. */
	agent?: string | Agent | undefined;
}

export interface SettleOptions extends ModelOptions, BoundOptions, JobQueueOptions {
	/** How often each question is asked, where the agent samples. */
	repeats?: number | undefined;
	tasks?: number | undefined;
	agent?: string | Agent | undefined;
}

/** A re-run that would be made; `mostCalls` is null where the agent does not say. */
export interface InterventionPlanned {
	run: string;
	begun: boolean;
	intervention: string | undefined;
	tasks: number;
	repeats: number;
	total: number;
	done: number;
	mostCalls: number | null;
}

/** What re-runs show of a run; no scores of the agent. */
export interface Intervened {
	report: ReturnType<typeof interventionsReport>;
	views: View[];
	ended: RunEnded[];
	reason: Session["reason"];
	used: Session["used"];
}

/** Says which re-runs would be made; nothing is run. */
export async function planIntervening(
	name: string,
	options: InterveneOptions,
	bench: Bench,
): Promise<InterventionPlanned[]> {
	return reopened(name, options, bench, async (opened) =>
		(await plannedReruns(opened, options, bench)).map(({ manifest, total, done, mostCalls }) => ({
			run: manifest.id,
			begun: done > 0,
			intervention: manifest.intervention && interventionName(manifest.intervention.what),
			tasks: manifest.tasks.length,
			repeats: manifest.repeats,
			total,
			done,
			mostCalls: mostCalls ?? null,
		})),
	);
}

export const shownViews = ["error-budget", "interventions", "decisive-hop", "prefix-curve", "trust"];

/** Runs a run's agent again with parts of the world changed, and says what that recovers. */
export async function intervene(name: string, options: InterveneOptions, bench: Bench): Promise<Intervened> {
	return reopened(name, options, bench, async (opened) => {
		const { shown, bounds, watching } = opened;
		const reruns = await plannedReruns(opened, options, bench);
		const { ended, reason, used, ...session } = await carryOut(reruns, { opened, bounds, watching }, bench);
		tellUsage(used, opened, bench);
		const runs = [shown, ...session.shown];
		const wanted = shownViews.filter((view) => options.prefix || (view !== "decisive-hop" && view !== "prefix-curve"));
		const views = await buildViews(runs, { builders: wanted.flatMap((view) => viewNamed(view) ?? []) });
		return { report: interventionsReport(shown, runs), views, ended, reason, used };
	});
}

/** What settling would take; nothing is run. */
export async function planSettling(name: string, options: SettleOptions, bench: Bench): Promise<SettlePlan> {
	return reopened(name, options, bench, async (opened) => planSettle(await settling(opened, options, bench)));
}

/** Finds which of the hops whose reading nothing shows broke, by re-runs with prefixes of the chain given as solved. */
export async function settle(
	name: string,
	options: SettleOptions & { onPlan?: ((plan: SettlePlan) => void) | undefined },
	bench: Bench,
): Promise<{ told: Settled; ended: RunEnded[] }> {
	return reopened(name, options, bench, async (opened) => {
		const input = await settling(opened, options, bench);
		options.onPlan?.(await planSettle(input));
		const { bounds, watching } = opened;
		const settled = await settleRun(input, { bounds, watching }, bench);
		tellUsage(settled.told.used, opened, bench);
		return settled;
	});
}

interface OpenedBase extends Reopened {
	shown: ReportRun;
	bounds: Bounds;
	watching: { pace: Models["pace"]; money: ReturnType<Models["money"]> };
}

/** Opens all that a run was made with, and closes it when `use` is done. */
async function reopened<Result>(
	name: string,
	options: SettleOptions,
	bench: Bench,
	use: (opened: OpenedBase) => Promise<Result>,
): Promise<Result> {
	const { workspace } = bench;
	const { configuration, models } = await openModels(bench, { ...options, elsewhere: options.queue !== undefined });
	const base = await openRun(await locate(workspace, "runs", name));
	for (const warning of base.warnings) bench.say(warning);
	mustBePlain(base.manifest);
	mustBeOurs(base.manifest);
	mustAnswer(base);
	const needsPrice = options.maxCost !== undefined;
	const { benchmark, knowledge } = await openForRun(workspace, base.manifest.benchmark.folder, {
		knowledge: base.manifest.knowledge.folder,
		recorded: true,
	});
	try {
		const agent = recordedAgent(base.manifest.agent.name, options.agent, boundsFrom(options));
		const { model: named } = base.manifest;
		const model = named ? models.open(named, { needsPrice }) : undefined;
		const upstream = named && isSpec(agent.name) ? models.upstream(named) : undefined;
		const web = await configuredWeb(configuration, { bench, models, replay: options.replay, needsPrice });
		const shown = reportRun(base, { rows: scoreRecords(base, benchmark), benchmark, knowledge });
		const { pace = models.pace, run: workers } = answeredBy(options, { bench, configuration });
		const bounds = { ...boundsFrom(options), ...workers };
		const watching = { pace, money: models.money(named) };
		return await use({ base, agent, model, upstream, web, benchmark, knowledge, shown, bounds, watching });
	} finally {
		await knowledge.close();
	}
}

async function plannedReruns(
	{ shown, bounds: _bounds, watching: _watching, ...opened }: OpenedBase,
	options: InterveneOptions,
	{ workspace }: Bench,
): Promise<PlannedRerun[]> {
	const plans = planInterventions(itemsOf(shown), choicesOf(options, { asksModel: opened.model !== undefined }));
	const reruns = await planReruns(plans, { ...opened, workspace });
	if (reruns.length === 0) throw nothingToDo(shown, options);
	return reruns;
}

async function settling(
	{ shown, bounds: _bounds, watching: _watching, ...opened }: OpenedBase,
	{ repeats, tasks: most }: SettleOptions,
	bench: Bench,
): Promise<SettleInput> {
	const { workspace, signal, say } = bench;
	const progress = bench.progress("diagnosing");
	const diagnosed = await diagnoseRecords(shown, { signal, say, onProgress: progress.update });
	progress.end();
	const diagnoses = diagnosed.map(({ diagnosis }) => diagnosis);
	return { opened, workspace, shown, diagnoses, repeats, most };
}

function tellUsage(used: Session["used"], { watching }: OpenedBase, bench: Bench): void {
	const line = usageLine(used, watching.money);
	if (line) bench.say(`all re-runs: ${line}`);
}

function choicesOf(options: InterveneOptions, { asksModel }: { asksModel: boolean }): PlanChoices {
	const { only, prefix, distractors, without, trust, allTasks, again, tasks } = options;
	const byChance = again ?? (only === undefined && asksModel);
	return { only, prefix, distractors, without, trust, allTasks, again: byChance, most: tasks };
}

function mustBePlain({ id, intervention }: ViewRun["manifest"]): void {
	if (intervention)
		throw usageError(
			"is-intervention",
			`${id} is itself an intervention: ${interventionName(intervention.what)} of ${intervention.of}`,
			`Intervene in that run: ${intervention.of}.`,
		);
}

export function mustAnswer({ manifest, records }: Pick<ViewRun, "manifest" | "records">): void {
	const { id, agent } = manifest;
	if (records.every(({ trajectory: { stop } }) => stop === "error" || stop === "budget"))
		throw usageError(
			"nothing-answered",
			records.length === 0 ? `${id} has no record yet` : `an error or a budget ended every record of ${id}`,
			`Finish it first: hopscope run --resume ${id}.`,
		);
	if (records.every(({ trajectory }) => trajectory.searchOnly))
		throw usageError(
			"answers-nothing",
			`the agent ${agent.name} answers nothing by design: none of its records can be recovered`,
			"Choose a run of an agent that answers.",
		);
}

function nothingToDo({ tasks, manifest }: ViewRun, { allTasks }: InterveneOptions): HopscopeError {
	const chained = new Set(tasks.flatMap(({ id, chain }) => (chain ? [id] : [])));
	const none = allTasks || !manifest.tasks.some((id) => chained.has(id));
	return usageError(
		"nothing-failed",
		none ? "no task of the run has a gold chain to intervene by" : "no task of the run failed that has a gold chain",
		none
			? "Choose --again, --distractors, --without or --only poisoned-evidence, which need none."
			: "Choose --all-tasks to intervene in all of them.",
	);
}
