import { playsEpisodes } from "#agents";
import type { Environment, RewardedEpisode } from "#training";
import { askedBy, nextQuestion } from "./asker.ts";
import { type Action, type Form, written } from "./moves.ts";
import { moved, opening, type Place } from "./place.ts";
import { drawn, type ToyTask } from "./toy-task.ts";

/** One choice of the policy. */
export interface Choice {
	action: Action;
	form: Form;
}

/** Episodes of an environment, each sequence of moves played once. */
export interface Plays {
	readonly limit: number;
	begin(task: ToyTask): Play;
	/** Episodes begun, episodes that were played, and moves asked for and played. */
	readonly counts: { episodes: number; playedEpisodes: number; moves: number; playedMoves: number };
}

/** One episode. */
export interface Play {
	readonly place: Place;
	/** Takes a choice; `seed` is the reader's luck. Waits only where these moves were never made before. */
	take(choice: Choice, seed: number): Place | Promise<Place>;
}

/**
 * Plays over an environment. An environment gives the same for the same task and moves, so a sequence of moves that was
 * played before is not played again: what it led to is kept.
 */
export function createPlays(environment: Environment): Plays {
	if (!playsEpisodes(environment.agent)) throw new RangeError("the environment's agent plays no episodes");
	const limit = environment.setting.limit ?? 4;
	const roots = new Map<string, Place>();
	const counts = { episodes: 0, playedEpisodes: 0, moves: 0, playedMoves: 0 };

	return {
		limit,
		counts,
		begin(task) {
			counts.episodes += 1;
			const place = roots.get(task.id) ?? opening(task, { limit });
			roots.set(task.id, place);
			return createPlay(environment, { task, place, limit, counts });
		},
	};
}

function createPlay(
	environment: Environment,
	{ task, place: root, limit, counts }: { task: ToyTask; place: Place; limit: number; counts: Plays["counts"] },
): Play {
	const moves: ReturnType<typeof written>[] = [];
	let place = root;
	let live: { episode: RewardedEpisode; taken: number } | undefined;

	/** Plays the last move for real, after those before it where the episode was not followed so far. */
	async function play({ action, form }: Choice, key: string): Promise<Place> {
		if (!live) counts.playedEpisodes += 1;
		live ??= { episode: await environment.open(task.id), taken: 0 };
		const { episode } = live;
		for (const move of moves.slice(live.taken, -1)) await episode.take(move);
		const before = episode.trajectory().steps.length;
		const turn = await episode.take(moves[moves.length - 1] as (typeof moves)[number]);
		counts.playedMoves += moves.length - live.taken;
		live.taken = moves.length;
		const results = episode
			.trajectory()
			.steps.slice(before)
			.flatMap((step) => step.results.map(({ id }) => id));
		const asked = askedBy(action, task, place);
		const propose = (at: Pick<Place, "settled">) => nextQuestion(task, at);
		const carriedOut = turn.valid && form !== "broken";
		const led = moved(task, place, { action, asked, carriedOut, results, last: turn.last }, { limit, propose });
		if (turn.over) led.end = await episode.reward();
		place.next.set(key, led);
		place = led;
		return led;
	}

	return {
		get place() {
			return place;
		},
		take(choice, seed) {
			counts.moves += 1;
			const { action, form } = choice;
			const right = action === "answer" && drawn("read", task.id, seed) < readsRight(task, place);
			const key = `${action} ${form}${right ? " right" : ""}`;
			moves.push(written(askedBy(action, task, place), form, right ? task.right : task.wrong));
			const known = place.next.get(key);
			if (!known) return play(choice, key);
			place = known;
			return known;
		},
	};
}

/**
 * How likely the frozen reader gives the right answer, by what was found of the gold evidence: 0.85 with all of it, else
 * 0.05 and up to 0.15 more by the share found.
 */
export function readsRight(task: ToyTask, { settled }: Pick<Place, "settled">): number {
	const { length } = task.hops;
	return settled.size === length ? 0.85 : 0.05 + (0.15 * settled.size) / length;
}
