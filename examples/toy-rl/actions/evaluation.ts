import type { Plays } from "./plays.ts";
import { createPass, type Policy } from "./policy.ts";
import { type Rollout, rollOut } from "./rollout.ts";
import type { ToyTask } from "./toy-task.ts";

/** How a policy does on tasks that it was not trained on; means over episodes. */
export interface Evaluation {
	/** Shares of right answers. */
	accuracy: number;
	byHops: { hops: number; accuracy: number; episodes: number }[];
	/** Valid calls; of them, those that searched the same again, and those that had nothing to do with the task. */
	calls: number;
	repeated: number;
	strays: number;
	/** Share of episodes whose every turn is well-formed. */
	format: number;
	/** Share of episodes that found all gold evidence. */
	complete: number;
	/** Nats a turn. */
	entropy: number;
	episodes: number;
}

/** An episode that was played to its end. */
export type Finished = Pick<Rollout, "task" | "place" | "end" | "entropy">;

/** The reader's luck on tasks to test on: other than in training, and the same for every policy. */
export const testSeed = (time: number) => 1_000_000 + time;

/** Plays each task `times` times, sampling as in training. */
export async function evaluate(
	policy: Policy,
	{ plays, tasks, times, random }: { plays: Plays; tasks: readonly ToyTask[]; times: number; random: () => number },
): Promise<Evaluation> {
	const pass = createPass(policy);
	const rollouts: Rollout[] = [];
	for (const task of tasks)
		for (let seed = 0; seed < times; seed += 1)
			rollouts.push(await rollOut(policy, { plays, task }, { pass, random, seed: testSeed(seed) }));
	return summarise(rollouts);
}

/** Means over episodes, whoever played them. */
export function summarise(rollouts: readonly Finished[]): Evaluation {
	const mean = (of: (rollout: Finished) => number, some: readonly Finished[] = rollouts) =>
		some.reduce((sum, one) => sum + of(one), 0) / Math.max(1, some.length);
	const right = ({ end }: Finished) => end.outcome;
	const depths = [...new Set(rollouts.map(({ task }) => task.hops.length))].sort((a, b) => a - b);
	return {
		accuracy: mean(right),
		byHops: depths.map((hops) => {
			const some = rollouts.filter(({ task }) => task.hops.length === hops);
			return { hops, accuracy: mean(right, some), episodes: some.length };
		}),
		calls: mean(({ end }) => end.validCalls),
		repeated: mean(({ place }) => place.repeated),
		strays: mean(({ place }) => place.strays),
		format: mean(({ end }) => end.format),
		complete: mean(({ place, task }) => (place.settled.size === task.hops.length ? 1 : 0)),
		entropy: mean(({ entropy }) => entropy),
		episodes: rollouts.length,
	};
}
