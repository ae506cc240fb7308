import { advantage, groupFilter, policyObjective, type RewardOptions, reward } from "#scoring";
import type { Adam } from "../adam.ts";
import type { GroupChoice } from "./conditions.ts";
import { actions } from "./moves.ts";
import { backward, createPass, forward, type Pass, type Policy } from "./policy.ts";
import type { Rollout } from "./rollout.ts";

export interface UpdateOptions {
	reward: RewardOptions;
	filter: GroupChoice;
	epochs: number;
	rate: number;
}

/** What one update saw. Shares of clipped tokens and the largest ratio are of its last epoch. */
export interface Update {
	groups: number;
	/** Places of the groups that were trained on. */
	kept: number[];
	allRight: number;
	allWrong: number;
	/** Largest distance of a ratio from 1 at the first epoch: the policy is still the one that sampled. */
	firstOff: number;
	ratio: number;
	clippedHigh: number;
	clippedLow: number;
	meanReward: number;
}

/** What a rollout is paid under a condition: the same function that pays in the environment, on what that counted. */
export function paid({ end }: Pick<Rollout, "end">, options: RewardOptions): number {
	const { outcome, format, validCalls, newCalls, requiredHops } = end;
	const given = { correct: outcome === 1, formatValid: format === 1, validCalls, newCalls };
	return reward({ ...given, ...(requiredHops === null ? {} : { requiredHops }) }, options).value;
}

/** One step of training on groups of rollouts, each of one task: rewards, advantages, filter, clipped objective, Adam. */
export function update(
	policy: Policy,
	{ groups, adam }: { groups: readonly (readonly Rollout[])[]; adam: Adam },
	options: UpdateOptions,
): Update {
	const correct = groups.map((group) => group.map(({ end }) => end.outcome === 1));
	const { filter } = options;
	const filtered = groupFilter(correct, filter === "none" ? {} : { mode: filter });
	const kept = filter === "none" ? [...groups.keys()] : filtered.kept;
	const rewards = groups.map((group) => group.map((one) => paid(one, options.reward)));
	const samples = kept.flatMap((at) => {
		const advantages = advantage(rewards[at] ?? []);
		return (groups[at] ?? []).map((rollout, place) => ({ rollout, advantage: advantages[place] ?? 0 }));
	});
	const all = rewards.flat();
	const seen = { allRight: filtered.allRight, allWrong: filtered.allWrong, groups: groups.length, kept };
	const steps = samples.length === 0 ? [] : descend(policy, { samples, adam }, options);
	const last = steps.at(-1);
	return {
		...seen,
		firstOff: steps[0]?.ratio?.off ?? 0,
		ratio: last?.ratio?.off ?? 0,
		clippedHigh: last?.clippedHigh ?? 0,
		clippedLow: last?.clippedLow ?? 0,
		meanReward: all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length),
	};
}

function descend(
	policy: Policy,
	{ samples, adam }: { samples: { rollout: Rollout; advantage: number }[]; adam: Adam },
	{ epochs, rate }: UpdateOptions,
) {
	const pass = createPass(policy);
	const gradient = new Float64Array(policy.parameters.length);
	return Array.from({ length: epochs }, () => {
		const objective = policyObjective(
			samples.map(({ rollout, advantage }) => ({
				advantage,
				logProbabilities: logsNow(policy, rollout, pass),
				oldLogProbabilities: rollout.logProbabilities,
			})),
		);
		for (const [at, { rollout }] of samples.entries()) {
			const slopes = objective.gradient[at] as Float64Array;
			for (const [turn, { features, action, form }] of rollout.decisions.entries()) {
				const own: [number, number] = [slopes[2 * turn] as number, slopes[2 * turn + 1] as number];
				if (own[0] === 0 && own[1] === 0) continue;
				forward(policy, features, pass);
				backward(policy, features, pass, { action, form, slopes: own, gradient });
			}
		}
		adam.step(policy.parameters, gradient, rate);
		return objective;
	});
}

function logsNow(policy: Policy, { decisions }: Rollout, pass: Pass): Float64Array {
	const logs = new Float64Array(2 * decisions.length);
	for (const [turn, { features, action, form }] of decisions.entries()) {
		forward(policy, features, pass);
		logs[2 * turn] = pass.logs[action] as number;
		logs[2 * turn + 1] = pass.logs[actions.length + form] as number;
	}
	return logs;
}
