import { seededRandom } from "#scoring";
import { createAdam } from "../adam.ts";
import { pause } from "../pause.ts";
import type { ActionCondition } from "./conditions.ts";
import { bestPossible, demonstrate, imitate } from "./demonstrator.ts";
import { type Evaluation, evaluate } from "./evaluation.ts";
import { createPass, drawPolicy } from "./policy.ts";
import { type Rollout, rollOut } from "./rollout.ts";
import type { ToyTask } from "./toy-task.ts";
import { type Update, update } from "./update.ts";
import type { ActionWorld } from "./world.ts";

export interface ActionToyOptions {
	seed: number;
	condition: ActionCondition;
	/** Updates, default 60, of so many groups, default 32, of so many episodes, default 8. */
	updates?: number;
	groups?: number;
	size?: number;
	signal?: AbortSignal;
}

/** One run: what the policy could do before and after, and what its training looked like. */
export interface ActionToyResult {
	seed: number;
	condition: string;
	start: ActionCondition["start"];
	before: Evaluation;
	after: Evaluation;
	/** What somebody who knows the gold reaches with the same actions, T, retriever and reader. */
	best: Evaluation;
	training: {
		/** Shares of the groups of all updates. */
		kept: number;
		allRight: number;
		allWrong: number;
		/** Share of groups not trained on, by hops of their task. */
		dropped: { hops: number; share: number; groups: number }[];
		/**
		 * Largest over all updates: of |ratio - 1| at the first epoch, which must be about 0, and at the last. Null, like the
		 * shares of clipped tokens, where the filter left nothing to train on in any update.
		 */
		firstOff: number | null;
		ratio: number | null;
		/** Mean shares of tokens clipped, at the last epoch. */
		clippedHigh: number | null;
		clippedLow: number | null;
		/** Share of right answers, valid calls and reward at each update. */
		curve: { accuracy: number; calls: number; reward: number; entropy: number }[];
	};
	ms: number;
}

const epochs = 2;
const rate = 0.01;
/** Episodes of each task to test on. */
const times = 8;

/** Trains a policy under one condition, from one seed: the same two give the same result. */
export async function runActionToy(world: ActionWorld, options: ActionToyOptions): Promise<ActionToyResult> {
	const { seed, condition, updates = 60, groups = 32, size = 8, signal } = options;
	const began = performance.now();
	const random = seededRandom(seed);
	const plays = world.plays(condition.limit);
	const policy = drawPolicy(random);
	if (condition.start === "warm") {
		const decisions = await demonstrate({ plays, tasks: [...world.train, ...world.train, ...world.train], random });
		imitate(policy, { decisions, adam: createAdam(policy.parameters.length) });
	}
	const tested = () => evaluate(policy, { plays, tasks: world.test, times, random: seededRandom(seed + 1) });
	const before = await tested();
	const adam = createAdam(policy.parameters.length);
	const pass = createPass(policy);
	const steps: { update: Update; rollouts: Rollout[][] }[] = [];
	for (let step = 0; step < updates; step += 1) {
		const rollouts: Rollout[][] = [];
		for (const task of someOf(world.train, groups, random)) {
			await pause(signal);
			const group: Rollout[] = [];
			for (let at = 0; at < size; at += 1)
				group.push(await rollOut(policy, { plays, task }, { pass, random, seed: step * size + at }));
			rollouts.push(group);
		}
		const made = update(policy, { groups: rollouts, adam }, { ...condition, epochs, rate });
		steps.push({ update: made, rollouts });
	}
	return {
		seed,
		condition: condition.name,
		start: condition.start,
		before,
		after: await tested(),
		best: await bestPossible({ plays, tasks: world.test, times }),
		training: trainingOf(steps),
		ms: performance.now() - began,
	};
}

/** So many of the tasks, none twice before all were taken. */
function someOf(tasks: readonly ToyTask[], count: number, random: () => number): ToyTask[] {
	const left: ToyTask[] = [];
	return Array.from({ length: count }, () => {
		if (left.length === 0) left.push(...tasks);
		return left.splice(Math.floor(random() * left.length), 1)[0] as ToyTask;
	});
}

function trainingOf(steps: { update: Update; rollouts: Rollout[][] }[]): ActionToyResult["training"] {
	const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
	const of = (value: (update: Update) => number) => mean(steps.map((step) => value(step.update)));
	const most = (value: (update: Update) => number) => Math.max(0, ...steps.map((step) => value(step.update)));
	const groups = steps.flatMap(({ update: { kept }, rollouts }) =>
		rollouts.map((group, at) => ({ hops: group[0]?.task.hops.length ?? 0, dropped: kept.includes(at) ? 0 : 1 })),
	);
	const depths = [...new Set(groups.map(({ hops }) => hops))].sort((a, b) => a - b);
	return {
		kept: of(({ kept, groups: all }) => kept.length / all),
		allRight: of(({ allRight, groups: all }) => allRight / all),
		allWrong: of(({ allWrong, groups: all }) => allWrong / all),
		dropped: depths.map((hops) => {
			const some = groups.filter((group) => group.hops === hops);
			return { hops, share: mean(some.map(({ dropped }) => dropped)), groups: some.length };
		}),
		...(steps.every(({ update: { kept } }) => kept.length === 0)
			? { firstOff: null, ratio: null, clippedHigh: null, clippedLow: null }
			: {
					firstOff: most(({ firstOff }) => firstOff),
					ratio: most(({ ratio }) => ratio),
					clippedHigh: of(({ clippedHigh }) => clippedHigh),
					clippedLow: of(({ clippedLow }) => clippedLow),
				}),
		curve: steps.map(({ update: { meanReward }, rollouts }) => {
			const all = rollouts.flat();
			return {
				accuracy: mean(all.map(({ end }) => end.outcome)),
				calls: mean(all.map(({ end }) => end.validCalls)),
				reward: meanReward,
				entropy: mean(all.map(({ entropy }) => entropy)),
			};
		}),
	};
}
