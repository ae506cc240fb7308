import { join } from "node:path";
import { type Agent, beginningOf, createTools, type Episode, openEpisode, type PolicyMove, type Web } from "#agents";
import type { Benchmark } from "#benchmarks";
import { grouped, HopscopeError, type Setting, type Task, type Trajectory, usageError, viewOf } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { ToolDeclaration } from "#models";
import { type EpisodeReward, type RewardOptions, trajectoryReward } from "../reward/trajectory-reward.ts";
import { replayMoves } from "./replay.ts";
import { rememberSearches } from "./search-cache.ts";

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
	/** Of the trajectory as it stands; an error where it cannot be scored, `reward-failed` where nobody could judge it. */
	reward(): Promise<EpisodeReward>;
	/** Breaks off what is at work: nothing waits for it any more. */
	abort(): void;
}

/** A reward without what nobody knows: what the calls brought. */
export interface RepliesReward extends Omit<EpisodeReward, "newCalls" | "failedCalls"> {
	newCalls: null;
	failedCalls: null;
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
	/** Functions that every episode offers in the provider's form; none where calls are made in text. */
	tools(): Promise<ToolDeclaration[]>;
	/** The reward of a trajectory that was made elsewhere. */
	reward(id: string, trajectory: Trajectory): Promise<EpisodeReward>;
	/**
	 * The reward of moves that were made elsewhere, read by the protocol; nothing is searched again, so what the calls
	 * brought is unknown: `results-unknown` where the reward counts those that brought something new.
	 */
	rewardOfMoves(id: string, moves: PolicyMove[]): Promise<{ reward: RepliesReward; trajectory: Trajectory }>;
}

export function createEnvironment(options: EnvironmentOptions): Environment {
	const { benchmark, agent, setting, web } = options;
	const knowledge = rememberSearches(options.knowledge);
	const reward = withToldFailures({ scoring: benchmark.manifest.scoring, ...options.reward });
	beginningOf(agent);
	const tasks = new Map(benchmark.tasks.map((task) => [task.id, task]));
	const task = (id: string) => {
		const found = tasks.get(id);
		if (!found) throw unknownTask(id, benchmark.manifest.name);
		return found;
	};
	const imagePath = (file: string) => join(benchmark.dir, file);

	async function open(id: string, { seed = 0 }: { seed?: number } = {}): Promise<RewardedEpisode> {
		const own = task(id);
		const view = viewOf(own);
		const stop = new AbortController();
		const tools = createTools(knowledge, view, imagePath, { signal: stop.signal, ...(web ? { web } : {}) });
		const context = { tools, knowledge, setting, signal: stop.signal, repeat: seed, imagePath };
		const episode = await openEpisode(agent, view, context);
		return {
			...episode,
			reward: () => trajectoryReward(own, episode.trajectory(), reward),
			abort: () => stop.abort(ended()),
		};
	}

	let offered: Promise<ToolDeclaration[]> | undefined;
	/** Asked of the first task's episode, since they are the same for all. */
	async function toolsOffered(): Promise<ToolDeclaration[]> {
		const [first] = tasks.keys();
		if (first === undefined) return [];
		const episode = await open(first);
		episode.abort();
		return episode.tools;
	}

	return {
		name: benchmark.manifest.name,
		agent,
		setting,
		splits: splitsOf(benchmark.tasks),
		task,
		open,
		tools() {
			offered ??= toolsOffered().catch((error: unknown) => {
				offered = undefined;
				throw error;
			});
			return offered;
		},
		reward: (id, trajectory) => trajectoryReward(task(id), trajectory, reward),
		async rewardOfMoves(id, moves) {
			if (reward.calls === "new") throw resultsUnknown();
			const own = task(id);
			const trajectory = await replayMoves(own, moves, { ...options, knowledge, imagePath });
			const made = await trajectoryReward(own, trajectory, reward);
			return { reward: { ...made, newCalls: null, failedCalls: null }, trajectory };
		},
	};
}

/** What a judge throws, as the failure of a reward. */
function withToldFailures({ isRight, ...reward }: RewardOptions): RewardOptions {
	if (!isRight) return reward;
	return {
		...reward,
		async isRight(task, trajectory) {
			try {
				return await isRight(task, trajectory);
			} catch (error) {
				throw error instanceof HopscopeError && error.code === "unscored" ? error : rewardFailed(error);
			}
		},
	};
}

function splitsOf(tasks: readonly Task[]): Map<string, string[]> {
	const splits = grouped(tasks, ({ tags }) => tags.split ?? "train");
	return new Map([...splits].map(([split, members]) => [split, members.map(({ id }) => id)]));
}

const ended = () =>
	new HopscopeError("unknown-session", "the episode was ended while it was at work", "Open another one.");

const rewardFailed = (cause: unknown) =>
	new HopscopeError(
		"reward-failed",
		"the episode is over, and its answer could not be judged",
		"Send the same request again: only the reward is tried again.",
		{ cause },
	);

const resultsUnknown = () =>
	usageError(
		"results-unknown",
		"the reward counts calls that brought something new, and what these brought is not known",
		"Send the trajectory, play an episode here, or count all calls or those up to the hops required.",
	);

const unknownTask = (id: string, benchmark: string) =>
	usageError(
		"unknown-task",
		`${benchmark} has no task ${JSON.stringify(id.slice(0, 200))}`,
		"Ask for the tasks of a split.",
	);
