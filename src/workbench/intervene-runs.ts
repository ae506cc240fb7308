import type { Agent, Upstream, Web } from "#agents";
import type { Benchmark } from "#benchmarks";
import type { InterventionPlan, RerunItem } from "#diagnosis";
import {
	addUsage,
	type Intervention,
	interventionName,
	noUsage,
	type RunManifest,
	type Task,
	type Usage,
} from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { ChatModel } from "#models";
import type { ReportRun } from "#reports";
import { openRun, planRun, type Run, reachedEnd, runKey, scoringOf, timesAskedUnder } from "#runs";
import type { Workspace } from "#store";
import { rerunsOf } from "./locate.ts";
import { runAgent, type Watching } from "./run-agent.ts";
import { type Bounds, boundsLeft } from "./run-options.ts";
import type { Bench, RunEnded } from "./work.ts";

/** All that a run was made with, opened again to ask its agent under interventions. */
export interface Reopened {
	base: Run;
	agent: Agent;
	model: ChatModel | undefined;
	upstream: Upstream | undefined;
	web: Web | undefined;
	benchmark: Benchmark;
	knowledge: KnowledgeBase;
}

/** One re-run: new, or one that is resumed. */
export interface PlannedRerun {
	manifest: RunManifest;
	dir: string;
	/** What it has used in earlier sessions. */
	used: Usage;
	/** Answers expected, and of them finished. */
	total: number;
	done: number;
	/** Calls of a model that the answers still to be given can take at most, where the agent says. */
	mostCalls: number | undefined;
}

/**
 * The re-runs that plans come to. What is there of an earlier call, by the run that it is of, the intervention and all that
 * its numbers depend on, is taken up again; only tasks that none of these holds are planned anew. `repeats` where they are
 * others than the run's.
 */
export async function planReruns(
	plans: readonly InterventionPlan[],
	{ workspace, ...opened }: Reopened & { workspace: Workspace; repeats?: number },
): Promise<PlannedRerun[]> {
	const { base } = opened;
	const earlier = await earlierReruns(workspace, base.manifest.id);
	const reruns: PlannedRerun[] = [];
	for (const { what, tasks } of plans) {
		const fresh = (only: readonly string[]) => plannedRerun(what, only, opened);
		const same = earlier.filter(({ manifest }) => keyOf(manifest) === keyOf(fresh(tasks)));
		const wanted = new Set(tasks);
		for (const run of same) {
			const scoring = scoringOf(opened.base.manifest, opened.benchmark);
			const rerun = sized({ ...run.manifest, scoring }, { ...opened, run, dir: run.dir });
			const asked = run.manifest.tasks.filter((id) => wanted.delete(id)).length > 0;
			// what is whole costs nothing to show, and leaving it out would change what is said of the run
			if (asked || rerun.done === rerun.total) reruns.push(rerun);
		}
		if (wanted.size === 0) continue;
		const manifest = fresh([...wanted]);
		reruns.push(sized(manifest, { ...opened, dir: workspace.run(manifest.id) }));
	}
	return reruns;
}

/** Its numbers depend on all that the run's depend on; only asked again it is another sample. */
function plannedRerun(
	what: Intervention,
	only: readonly string[],
	{ base, ...opened }: Reopened & { repeats?: number },
): RunManifest {
	const { id: of, setting, seed, price, endpoint } = base.manifest;
	const { agent, model, benchmark, knowledge, web, repeats = base.manifest.repeats } = opened;
	return planRun({
		...{ agent, model, price, endpoint, setting, benchmark, knowledge, web, repeats, only },
		scoring: scoringOf(base.manifest, benchmark),
		seed: what.is === "again" ? seed + 1 : seed,
		intervention: { of, what },
	});
}

/** How they are scored follows the run that they are of. */
const keyOf = (manifest: RunManifest) => runKey({ ...manifest, tasks: [], scoring: undefined });

/** The re-runs of a run, oldest first. */
async function earlierReruns(workspace: Workspace, of: string): Promise<Run[]> {
	const found: Run[] = [];
	for (const id of await rerunsOf(workspace, of)) found.push(await openRun(workspace.run(id)));
	return found.sort((a, b) => (a.manifest.at < b.manifest.at ? -1 : 1));
}

function sized(
	manifest: RunManifest,
	{ agent, model, benchmark, run, dir }: Reopened & { run?: Run; dir: string },
): PlannedRerun {
	const finished = new Set(
		run?.records.flatMap(({ task, repeat, trajectory }) => (trajectory.stop === "error" ? [] : [`${repeat} ${task}`])),
	);
	const tasks = new Map<string, Task>(benchmark.tasks.map((task) => [task.id, task]));
	const { setting, repeats, intervention } = manifest;
	const calls = model ? agent.card?.mostCalls(setting) : undefined;
	const left = manifest.tasks.flatMap((id) => {
		const task = tasks.get(id);
		const open = Array.from({ length: repeats }, (_, repeat) => `${repeat} ${id}`).filter((key) => !finished.has(key));
		return task && intervention ? [open.length * timesAskedUnder(intervention.what, task)] : [];
	});
	return {
		...{ manifest, dir, used: run?.used ?? noUsage, done: finished.size, total: manifest.tasks.length * repeats },
		mostCalls: calls === undefined ? undefined : calls * left.reduce((sum, count) => sum + count, 0),
	};
}

/** Every expected record of a run, with its row and the record itself where there are any. */
export function itemsOf({
	manifest,
	tasks,
	rows,
	records,
}: Pick<ReportRun, "manifest" | "tasks" | "rows" | "records">): RerunItem[] {
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const keyed = <Line extends { task: string; repeat: number }>(lines: readonly Line[]) =>
		new Map(lines.map((line) => [`${line.repeat} ${line.task}`, line]));
	const [rowOf, recordOf] = [keyed(rows), keyed(records)];
	return Array.from({ length: manifest.repeats }, (_, repeat) =>
		manifest.tasks.flatMap((id) => {
			const task = byId.get(id);
			const key = `${repeat} ${id}`;
			return task ? [{ task, row: rowOf.get(key), record: recordOf.get(key) }] : [];
		}),
	).flat();
}

/** What became of the re-runs of one session. */
export interface Session {
	/** Every re-run that was begun, scored. */
	shown: ReportRun[];
	ended: RunEnded[];
	used: Usage;
	reason: RunEnded["reason"];
}

/** Carries the re-runs out one after another; budgets are those of all of them together. */
export async function carryOut(
	reruns: readonly PlannedRerun[],
	{ opened: { base: _base, ...opened }, bounds, watching }: { opened: Reopened; bounds: Bounds; watching: Watching },
	bench: Bench,
): Promise<Session> {
	const started = performance.now();
	const used = new Map(reruns.map((rerun) => [rerun, rerun.used]));
	const sumBut = (one?: PlannedRerun) =>
		[...used].reduce((sum, [rerun, usage]) => (rerun === one ? sum : addUsage(sum, usage)), noUsage);
	const session: Session = { shown: [], ended: [], used: noUsage, reason: "complete" };
	for (const [index, rerun] of reruns.entries()) {
		const { manifest, dir } = rerun;
		const { intervention } = manifest;
		if (intervention)
			bench.say(`${index + 1} of ${reruns.length}: ${interventionName(intervention.what)}, an intervention`);
		const left = boundsLeft(bounds, { elsewhere: sumBut(rerun), ms: performance.now() - started });
		const { ended, whole } = await runAgent({ dir, manifest, ...opened, ...left }, bench, watching);
		used.set(rerun, ended.used);
		session.shown.push(await whole());
		session.ended.push(ended);
		session.reason = ended.reason;
		if (!reachedEnd(ended)) break;
	}
	return { ...session, used: sumBut() };
}
