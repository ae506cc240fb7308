import { join } from "node:path";
import { type Agent, createTools, type Episode, openEpisode, playsEpisodes, type Web } from "#agents";
import type { Benchmark } from "#benchmarks";
import { exitCodes, HopscopeError, type Setting, type Task, viewOf } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { type EpisodeReward, type RewardOptions, trajectoryReward } from "../reward/trajectory-reward.ts";

/** Tasks, the tools over a knowledge base, a protocol, and what an episode is paid. */
export interface EnvironmentOptions {
	benchmark: Pick<Benchmark, "dir" | "manifest" | "tasks">;
	knowledge: KnowledgeBase;
	/** The protocol that policies speak: an agent that plays episodes. */
	agent: Agent;
	setting: Setting;
	reward?: RewardOptions;
	web?: Web;
}

/** An episode with its task and its reward. */
export interface RewardedEpisode extends Episode {
	/** Of the trajectory as it stands; an error where it cannot be scored. */
	reward(): Promise<EpisodeReward>;
	/** Breaks off what is at work: nothing waits for it any more. */
	abort(): void;
}

/** Episodes over a benchmark. The same task, seed and moves give the same episode, whatever else is being played. */
export interface Environment {
	readonly name: string;
	readonly agent: Agent;
	readonly setting: Setting;
	/** Ids of tasks by split, in benchmark order; all of them under `train` where none is declared. */
	readonly splits: ReadonlyMap<string, readonly string[]>;
	/** A task with its gold: never to be sent to a policy. Throws (exit 2) where there is none. */
	task(id: string): Task;
	open(id: string, options?: { seed?: number }): Promise<RewardedEpisode>;
	/** The reward of a trajectory that was made elsewhere. */
	reward(id: string, trajectory: Parameters<typeof trajectoryReward>[1]): Promise<EpisodeReward>;
}

export function createEnvironment(options: EnvironmentOptions): Environment {
	const { benchmark, knowledge, agent, setting, web, reward = {} } = options;
	if (!playsEpisodes(agent)) throw noEpisodes(agent);
	const tasks = new Map(benchmark.tasks.map((task) => [task.id, task]));
	const task = (id: string) => {
		const found = tasks.get(id);
		if (!found) throw unknownTask(id, benchmark.manifest.name);
		return found;
	};
	return {
		name: benchmark.manifest.name,
		agent,
		setting,
		splits: splitsOf(benchmark.tasks),
		task,
		async open(id, { seed = 0 } = {}) {
			const own = task(id);
			const view = viewOf(own);
			const stop = new AbortController();
			const imagePath = (file: string) => join(benchmark.dir, file);
			const tools = createTools(knowledge, view, imagePath, { signal: stop.signal, ...(web ? { web } : {}) });
			const context = { tools, knowledge, setting, signal: stop.signal, repeat: seed, imagePath };
			const episode = await openEpisode(agent, view, context);
			return {
				...episode,
				reward: () => trajectoryReward(own, episode.trajectory(), reward),
				abort: () => stop.abort(new Error("the episode was ended")),
			};
		},
		reward: (id, trajectory) => trajectoryReward(task(id), trajectory, reward),
	};
}

function splitsOf(tasks: readonly Task[]): Map<string, string[]> {
	const splits = new Map<string, string[]>();
	for (const { id, tags } of tasks) {
		const split = tags.split ?? "train";
		const members = splits.get(split) ?? [];
		splits.set(split, members);
		members.push(id);
	}
	return splits;
}

const noEpisodes = ({ name }: Agent) =>
	new HopscopeError(
		"no-episodes",
		`"${name}" is no protocol that a policy could speak`,
		"Choose an agent that is only a protocol, e.g. tagged, search-r1, stepwise or function-calling.",
		{ exitCode: exitCodes.usage },
	);

const unknownTask = (id: string, benchmark: string) =>
	new HopscopeError(
		"unknown-task",
		`${benchmark} has no task ${JSON.stringify(id.slice(0, 200))}`,
		"Ask for the tasks of a split.",
		{
			exitCode: exitCodes.usage,
		},
	);
