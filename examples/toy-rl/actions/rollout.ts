import type { EpisodeReward } from "#training";
import { actions, forms } from "./moves.ts";
import type { Place } from "./place.ts";
import type { Plays } from "./plays.ts";
import { choices, entropyOf, forward, type Pass, type Policy, sample } from "./policy.ts";
import type { ToyTask } from "./toy-task.ts";

/** What the policy chose at one turn, by index, and what it saw. */
export interface Decision {
	features: Float64Array;
	action: number;
	form: number;
}

/** One episode as the policy played it: two tokens a turn, the action and its form. */
export interface Rollout {
	task: ToyTask;
	decisions: Decision[];
	/** Log-probabilities of the tokens when they were sampled. */
	logProbabilities: Float64Array;
	/** Mean over the turns, in nats. */
	entropy: number;
	place: Place;
	end: EpisodeReward;
}

export interface RolloutOptions {
	pass: Pass;
	random: () => number;
	/** The reader's luck. */
	seed: number;
}

/** Lets the policy play one task to its end. */
export async function rollOut(
	policy: Policy,
	{ plays, task }: { plays: Plays; task: ToyTask },
	{ pass, random, seed }: RolloutOptions,
): Promise<Rollout> {
	const play = plays.begin(task);
	const decisions: Decision[] = [];
	const logs: number[] = [];
	let entropy = 0;
	for (;;) {
		const { features } = play.place;
		forward(policy, features, pass);
		const action = sample(pass.logs, 0, actions.length, random);
		const form = sample(pass.logs, actions.length, choices, random);
		decisions.push({ features, action, form });
		logs.push(pass.logs[action] as number, pass.logs[actions.length + form] as number);
		entropy += entropyOf(pass.logs);
		const chosen = { action: actions[action] ?? "answer", form: forms[form] ?? "clean" };
		const led = play.take(chosen, seed);
		const place = led instanceof Promise ? await led : led;
		if (!place.end) continue;
		const logProbabilities = Float64Array.from(logs);
		return { task, decisions, logProbabilities, entropy: entropy / decisions.length, place, end: place.end };
	}
}
