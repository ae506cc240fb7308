import type { Adam } from "../adam.ts";
import { type Evaluation, type Finished, summarise, testSeed } from "./evaluation.ts";
import { actions, forms } from "./moves.ts";
import type { Play, Plays } from "./plays.ts";
import { backward, createPass, forward, type Policy } from "./policy.ts";
import type { Decision } from "./rollout.ts";
import type { ToyTask } from "./toy-task.ts";

export interface DemonstratorOptions {
	/** Share of turns at which it does what is best; the rest are drawn evenly. */
	skill: number;
	/** Share of turns that it writes cleanly; of the others two in three have words behind the action. */
	care: number;
}

export const demonstrator: DemonstratorOptions = { skill: 0.55, care: 0.85 };

/** Episodes of somebody who knows the way and often does not take it: what a warm start imitates. */
export async function demonstrate(
	{ plays, tasks, random }: { plays: Plays; tasks: readonly ToyTask[]; random: () => number },
	{ skill, care }: DemonstratorOptions = demonstrator,
): Promise<Decision[]> {
	const decisions: Decision[] = [];
	for (const [at, task] of tasks.entries()) {
		const play = plays.begin(task);
		while (!play.place.end) {
			const action = random() < skill ? actions.indexOf(best(task, play)) : Math.floor(random() * actions.length);
			const form = random() < care ? 0 : random() < 2 / 3 ? 1 : 2;
			decisions.push({ features: play.place.features, action, form });
			await play.take({ action: actions[action] ?? "answer", form: forms[form] ?? "clean" }, at);
		}
	}
	return decisions;
}

function best(task: ToyTask, { place }: Play): (typeof actions)[number] {
	if (place.last || place.settled.size === task.hops.length) return "answer";
	const looks = task.hops.some(({ id, image }) => image !== undefined && !place.settled.has(id));
	return looks && place.looked < task.images ? "look" : "ask";
}

/** How far the best gets that the actions, T, the retriever and the reader allow: it knows the gold, no policy does. */
export async function bestPossible({
	plays,
	tasks,
	times,
}: {
	plays: Plays;
	tasks: readonly ToyTask[];
	times: number;
}): Promise<Evaluation> {
	const played: Finished[] = [];
	for (const task of tasks)
		for (let time = 0; time < times; time += 1) {
			const play = plays.begin(task);
			while (!play.place.end) await play.take({ action: best(task, play), form: "clean" }, testSeed(time));
			played.push({ task, place: play.place, end: play.place.end, entropy: 0 });
		}
	return summarise(played);
}

/** Behaviour cloning: mean cross-entropy of the choices, some passes over them in batches. Gives the loss of the last. */
export function imitate(
	policy: Policy,
	{ decisions, adam }: { decisions: readonly Decision[]; adam: Adam },
	{ passes = 8, batch = 256, rate = 0.01 }: { passes?: number; batch?: number; rate?: number } = {},
): number {
	const pass = createPass(policy);
	const gradient = new Float64Array(policy.parameters.length);
	let loss = 0;
	for (let round = 0; round < passes; round += 1) {
		loss = 0;
		for (let from = 0; from < decisions.length; from += batch) {
			const some = decisions.slice(from, from + batch);
			const slopes: [number, number] = [-1 / some.length, -1 / some.length];
			for (const { features, action, form } of some) {
				forward(policy, features, pass);
				loss -= ((pass.logs[action] as number) + (pass.logs[actions.length + form] as number)) / decisions.length;
				backward(policy, features, pass, { action, form, slopes, gradient });
			}
			adam.step(policy.parameters, gradient, rate);
		}
	}
	return loss;
}
