import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
	begin,
	copyOf,
	type EndedProcess,
	type Fault,
	leftovers,
	type Provider,
	recordLines,
	settledFiles,
	startProvider,
	toldBadly,
	towns,
} from "./world.ts";

/*
 * Commands that are killed (SIGKILL, which nothing can catch), once or again and again, and then given again until they
 * are done: the workspace must hold what it holds where nobody was killed, and a provider must have been asked no more than
 * what was under way. The built commands are killed, at a step of their writing or at a moment.
 */

/** What a command is given, and what is read of its outcome. */
export interface Actor {
	/** What a run is called where this makes one, and how many calls its agent makes of a task. */
	run?: { name: string; callsOfTask: number };
	args(world: string, provider: Provider): string[];
	/** How many calls it makes of a task where no run remains of it. */
	callsOfTask?: number;
	/** How many of the explorer's kills are its. */
	share: number;
	/** What it says where nothing was left to do: it was killed when it was done, before it could say so. */
	isDone?: RegExp;
}

const concurrency = 4;

const running =
	(name: string, agent: string, model: string, more: string[] = []) =>
	(_: string, provider: Provider) => [
		...["run", "-b", "towns", "-a", agent, "-m", `openai:${model}@${provider.url}`, "--name", name],
		...["--concurrency", String(concurrency), ...more],
	];

/** Add a worker, or a queue's server, as an actor of its own: whatever is a command of which a run remains. */
export const actors = {
	"run of one call": {
		run: { name: "one", callsOfTask: 1 },
		args: running("one", "closed-book", "one", ["--no-cache"]),
		share: 66,
	},
	"run of one call, cached": {
		run: { name: "cached", callsOfTask: 1 },
		args: running("cached", "closed-book", "one"),
		share: 40,
	},
	"run of several calls": {
		run: { name: "several", callsOfTask: 2 },
		args: running("several", "tagged", "several", ["--no-cache"]),
		share: 56,
	},
	score: { args: () => ["score", "done"], share: 12 },
	diagnose: { args: () => ["diagnose", "done"], share: 12 },
	report: { args: () => ["report", "done", "--format", "html"], share: 14 },
	judge: { args: () => ["judge", "done", "-m", "rule", "--rubric", "tracer"], share: 12 },
	"judge by a model": {
		callsOfTask: 1,
		args: (_, provider) => [
			...["judge", "done", "-m", `openai:referee@${provider.url}`, "--rubric", "vistahop", "--times", "1"],
			...["--concurrency", String(concurrency), "--no-cache"],
		],
		share: 20,
	},
	make: {
		args: (world) => ["make", "template", "--graph", join(world, "tables"), "--name", "made", "--set", "tasks=6"],
		share: 20,
		isDone: /a benchmark is called made already/,
	},
	index: { args: (world) => ["index", join(world, "documents"), "--name", "docs"], share: 15 },
} satisfies Record<string, Actor>;
export type ActorName = keyof typeof actors;

/** When a command is killed: at a step of its writing, or so many milliseconds after its start. */
export type Moment = { step: Step } | { after: number };

/** The `at`-th change (from 1) of a file whose path fits the pattern. */
export type Step = { path: string } & NonNullable<Fault["kill"]>;

/** What an undisturbed command leaves, how many steps it takes, and how long. */
export interface Undisturbed {
	files: Map<string, string>;
	steps: number;
	ms: number;
}

const inWorkspace = (args: readonly string[], world: string) => [...args, "--workspace", join(world, "workspace")];

/** The name of a run where a command says that it is there and how it goes on. */
const resumed = ({ err }: EndedProcess): string | undefined => /Resume it with --resume (\S+?),/.exec(err)?.[1];

/** Gives a command, or goes on with its run where it says so: what a person would do. */
async function give(args: string[], world: string, moment?: Moment): Promise<EndedProcess> {
	const once = async (given: string[]) => {
		const step = moment && "step" in moment ? moment.step : undefined;
		const { child, ended } = begin(inWorkspace(given, world), step ? { fault: { path: step.path, kill: step } } : {});
		if (moment && "after" in moment) {
			const done = new AbortController();
			void wait(moment.after, undefined, { signal: done.signal }).then(
				() => child.kill("SIGKILL"),
				() => {},
			);
			return ended.finally(() => done.abort());
		}
		return ended;
	};
	const first = await once(args);
	const run = resumed(first);
	if (run === undefined) return first;
	// what stands behind the name may be given again; all else is the run's own
	return once(["run", "--resume", run, ...args.slice(args.indexOf("--name") + 2)]);
}

export async function undisturbed(name: ActorName, base: string): Promise<Undisturbed> {
	const actor: Actor = actors[name];
	const world = copyOf(base);
	const provider = await startProvider();
	try {
		const count = join(world, "steps");
		const started = performance.now();
		const { ended } = begin(inWorkspace(actor.args(world, provider), world), { fault: { count } });
		const end = await ended;
		const ms = performance.now() - started;
		if (end.code !== 0) throw new Error(`${name}: exit ${end.code}: ${end.err}`);
		const steps = Number(readFileSync(count, "utf8"));
		return { files: settledFiles(join(world, "workspace")), steps, ms };
	} finally {
		await provider.close();
		rmSync(world, { recursive: true, force: true });
	}
}

/** Kills a command at each of the moments in turn, then gives it once more; tells what is not as it must be. */
export async function killed(
	name: ActorName,
	moments: readonly Moment[],
	{ base, reference }: { base: string; reference: Undisturbed },
): Promise<{ died: number; problems: string[] }> {
	const actor: Actor = actors[name];
	const world = copyOf(base);
	const workspace = join(world, "workspace");
	const provider = await startProvider();
	const run = actor.run && join(workspace, "runs", actor.run.name);
	const problems: string[] = [];
	let died = 0;
	let inFlight = 0;
	try {
		const args = actor.args(world, provider);
		const session = async (moment?: Moment) => {
			const finished = run ? recordLines(run) : [];
			const before = provider.calls();
			const end = await give(args, world, moment);
			if (end.signal === "SIGKILL" && moment) died += 1;
			else problems.push(...toldBadly(end));
			if (!run) return end;
			const asked = [...provider.calls()]
				.filter(([task, calls]) => calls > (before.get(task) ?? 0))
				.map(([task]) => task);
			const again = asked.filter((task) => finished.some((record) => record.task === task));
			if (again.length > 0) problems.push(`asked again, though recorded: ${again}`);
			const now = recordLines(run);
			const lost = finished.filter(({ line }) => !now.some((record) => record.line === line));
			if (lost.length > 0) problems.push(`records lost or changed: ${lost.map(({ task }) => task)}`);
			const open = asked.filter((task) => !now.some((record) => record.task === task)).length;
			if (open > concurrency) problems.push(`${open} tasks in flight at ${concurrency} at a time`);
			inFlight += open;
			return end;
		};
		for (const moment of moments) await session(moment);
		const end = await session();
		if (end.code !== 0 && !actor.isDone?.test(end.err))
			problems.push(`exit code ${end.code} in the end: ${end.err.slice(-800)}`);
		if (actor.run && run) {
			const records = recordLines(run);
			if (records.length !== towns || new Set(records.map(({ task }) => task)).size !== towns)
				problems.push(`${records.length} records of ${towns} tasks`);
			const failed = records.filter(({ stop }) => stop !== "answered");
			if (failed.length > 0) problems.push(`ended otherwise: ${failed.map(({ task, stop }) => `${task} ${stop}`)}`);
			const calls = [...provider.calls().values()].reduce((sum, n) => sum + n, 0);
			const most = (towns + inFlight) * actor.run.callsOfTask;
			if (calls > most) problems.push(`${calls} calls, at most ${most} are accounted for`);
		}
		if (actor.callsOfTask !== undefined) {
			const calls = [...provider.calls().values()].reduce((sum, n) => sum + n, 0);
			const most = (towns + died * concurrency) * actor.callsOfTask;
			if (calls > most) problems.push(`${calls} calls, at most ${most} are accounted for`);
		}
		problems.push(...differences(reference.files, settledFiles(workspace)));
		problems.push(...leftovers(workspace).map((file) => `left behind: ${file}`));
	} finally {
		await provider.close();
		rmSync(world, { recursive: true, force: true });
	}
	return { died, problems };
}

/** Files that one making has and another has not, or otherwise. */
export function differences(wanted: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>): string[] {
	return [
		...[...wanted.keys()].filter((name) => !found.has(name)).map((name) => `missing: ${name}`),
		...[...found.keys()].filter((name) => !wanted.has(name)).map((name) => `in excess: ${name}`),
		...[...wanted].flatMap(([name, text]) => {
			const other = found.get(name);
			if (other === undefined || other === text) return [];
			let at = 0;
			while (text[at] === other[at]) at += 1;
			const near = (whole: string) => whole.slice(Math.max(0, at - 60), at + 60);
			return [`otherwise: ${name}: ${near(text)} <> ${near(other)}`];
		}),
	];
}
