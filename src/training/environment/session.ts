import { type EpisodeTurn, type PolicyMove, ToolFailure } from "#agents";
import { HopscopeError } from "#domain";
import type { ChatMessage } from "#models";
import { sha256 } from "#store";
import type { EpisodeReward } from "../reward/trajectory-reward.ts";
import type { RewardedEpisode } from "./environment.ts";

/** Characters of one move, as JSON. */
const mostWritten = 2_000_000;

/** What one move led to, with the reward once the episode is over. */
export interface SessionStep extends EpisodeTurn {
	/** Of the whole episode, when it is over; null before. */
	reward: EpisodeReward | null;
	/** Moves taken so far, this one among them. */
	moves: number;
}

/** One episode that a client plays under a name of its own. */
export interface EpisodeSession {
	readonly id: string;
	readonly task: string;
	readonly seed: number;
	readonly opening: RewardedEpisode["opening"];
	readonly tools: RewardedEpisode["tools"];
	readonly stop: RewardedEpisode["stop"];
	readonly budget: RewardedEpisode["budget"];
	/**
	 * Takes one move. `request`: sent again, it gives the same step and plays nothing, also while the first is at work; a
	 * different move under it is an error. Moves are taken one after another, in the order of asking.
	 *
	 * Throws `tool-failed` where a tool breaks: the episode cannot go on. Throws `reward-failed` where the episode is over
	 * and nobody could judge its answer: the same request tries the reward again.
	 */
	act(move: PolicyMove, options?: { request?: string | undefined }): Promise<SessionStep>;
	/** The last step; undefined before the first. */
	readonly last: SessionStep | undefined;
	/** Whether it takes no more moves: it came to its end, or a tool broke. */
	readonly over: boolean;
	trajectory: RewardedEpisode["trajectory"];
	reward: RewardedEpisode["reward"];
}

export function createSession(
	id: string,
	{
		task,
		seed,
		episode,
		hold,
	}: { task: string; seed: number; episode: RewardedEpisode; hold(messages: readonly ChatMessage[]): void },
): EpisodeSession {
	const answered = new Map<string, { move: string; step: Promise<SessionStep> }>();
	let queue: Promise<unknown> = Promise.resolve();
	let moves = 0;
	let last: SessionStep | undefined;
	let broken: Error | undefined;

	async function play(move: PolicyMove): Promise<SessionStep> {
		let turn: EpisodeTurn;
		try {
			turn = await episode.take(move);
		} catch (error) {
			const told = error instanceof ToolFailure ? toolFailed(error) : error;
			if (told instanceof Error && !isOver(told)) broken = told;
			throw told;
		}
		moves += 1;
		hold(turn.observation);
		last = { ...turn, moves, reward: null };
		return turn.over ? rewarded(last) : last;
	}
	async function rewarded(step: SessionStep): Promise<SessionStep> {
		last = { ...step, reward: await episode.reward() };
		return last;
	}
	function inTurn(work: () => Promise<SessionStep>): Promise<SessionStep> {
		const step = queue.then(work);
		queue = step.catch(() => undefined);
		return step;
	}
	/** The same step, or, where only its reward failed, that tried again: it was the last. */
	async function again(before: Promise<SessionStep>): Promise<SessionStep> {
		return before.catch((error: unknown) => {
			if (!last || !hasCode(error, "reward-failed")) throw error;
			return last.reward ? last : rewarded(last);
		});
	}

	return {
		id,
		task,
		seed,
		opening: episode.opening,
		tools: episode.tools,
		stop: episode.stop,
		budget: episode.budget,
		act(move, { request } = {}) {
			const written = JSON.stringify(move);
			if (written.length > mostWritten) throw tooLong();
			const digest = sha256(written);
			const before = request === undefined ? undefined : answered.get(request);
			if (before) {
				if (before.move === digest) return again(before.step);
				throw new HopscopeError(
					"request-reused",
					`request ${JSON.stringify(request)} was another move`,
					"Give every move a request id of its own.",
				);
			}
			const step = inTurn(() => play(move));
			if (request === undefined) return step;
			answered.set(request, { move: digest, step });
			// refused again each time, and so not kept: behind the end requests could come for ever
			step.catch((error: unknown) => isOver(error) && answered.delete(request));
			return step;
		},
		get last() {
			return last;
		},
		get over() {
			return broken !== undefined || (last?.over ?? false);
		},
		trajectory: episode.trajectory,
		async reward() {
			if (broken) throw broken;
			return episode.reward();
		},
	};
}

const hasCode = (error: unknown, code: string) => error instanceof HopscopeError && error.code === code;
const isOver = (error: unknown) => hasCode(error, "episode-over");

const tooLong = () =>
	new HopscopeError("bad-action", `a move is longer than ${mostWritten} characters`, "Cut what the policy wrote.");

const toolFailed = (cause: ToolFailure) =>
	new HopscopeError("tool-failed", "a tool broke, so the episode cannot continue", "End it and open another.", {
		cause,
	});
