import type { EpisodeTurn, PolicyMove } from "#agents";
import { HopscopeError } from "#domain";
import type { EpisodeReward } from "../reward/trajectory-reward.ts";
import type { Environment, RewardedEpisode } from "./environment.ts";

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
	/**
	 * Takes one move. `request`: sent again, it gives the same step and plays nothing, also while the first is at work; a
	 * different move under it is an error. Moves are taken one after another, in the order of asking.
	 */
	act(move: PolicyMove, options?: { request?: string | undefined }): Promise<SessionStep>;
	/** The last step; undefined before the first. */
	readonly last: SessionStep | undefined;
	readonly over: boolean;
	trajectory: RewardedEpisode["trajectory"];
	reward: RewardedEpisode["reward"];
}

export interface SessionLimits {
	/** Episodes open at once, default 4,096; beyond them opening is refused. */
	most?: number;
	/** Milliseconds without a call after which an episode is ended, default 900,000. */
	idle?: number;
	/** For tests: milliseconds now. */
	now?: () => number;
}

/** The episodes being played, each by its name; none sees another. */
export interface Sessions {
	readonly environment: Environment;
	/** Opens an episode; the same name, task and seed again give the same one, others under that name an error. */
	open(id: string, of: { task: string; seed?: number }): Promise<EpisodeSession>;
	/** Throws `unknown-session` where none is open under this name; counts as a sign of life. */
	get(id: string): Promise<EpisodeSession>;
	/** Whether there was one. */
	close(id: string): boolean;
	readonly size: number;
	closeAll(): void;
}

export function createSessions(environment: Environment, limits: SessionLimits = {}): Sessions {
	const { most = 4096, idle = 900_000, now = Date.now } = limits;
	const open = new Map<
		string,
		{ task: string; seed: number; used: number; session: Promise<EpisodeSession>; end(): void }
	>();

	function end(id: string): boolean {
		const one = open.get(id);
		open.delete(id);
		one?.end();
		return one !== undefined;
	}
	function endIdle(): void {
		// by last use, the longest unused first
		for (const [id, { used }] of open) {
			if (now() - used < idle) return;
			end(id);
		}
	}
	function touch(id: string) {
		const one = open.get(id);
		if (!one) return undefined;
		one.used = now();
		open.delete(id);
		open.set(id, one);
		return one;
	}

	return {
		environment,
		async open(id, { task, seed = 0 }) {
			endIdle();
			const there = touch(id);
			if (there) {
				if (there.task === task && there.seed === seed) return there.session;
				throw new HopscopeError(
					"session-exists",
					`session ${JSON.stringify(id)} plays another task`,
					"End it first, or take another name.",
				);
			}
			// the name is checked before the place is taken
			environment.task(task);
			if (open.size >= most)
				throw new HopscopeError(
					"too-many-sessions",
					`${most} episodes are open`,
					"End those that are done, or raise the limit.",
				);
			let episode: RewardedEpisode | undefined;
			let gone = false;
			const session = environment.open(task, { seed }).then((begun) => {
				episode = begun;
				if (gone) begun.abort();
				return createSession(id, { task, seed, episode: begun });
			});
			open.set(id, {
				task,
				seed,
				used: now(),
				session,
				end() {
					gone = true;
					episode?.abort();
				},
			});
			session.catch(() => open.delete(id));
			return session;
		},
		async get(id) {
			endIdle();
			const one = touch(id);
			if (!one)
				throw new HopscopeError(
					"unknown-session",
					`no session ${JSON.stringify(id.slice(0, 200))} is open`,
					"Open one; idle ones are ended.",
				);
			return one.session;
		},
		close: end,
		get size() {
			return open.size;
		},
		closeAll() {
			for (const id of [...open.keys()]) end(id);
		},
	};
}

function createSession(
	id: string,
	{ task, seed, episode }: { task: string; seed: number; episode: RewardedEpisode },
): EpisodeSession {
	const answered = new Map<string, { move: string; step: Promise<SessionStep> }>();
	let queue: Promise<unknown> = Promise.resolve();
	let moves = 0;
	let last: SessionStep | undefined;

	async function play(move: PolicyMove): Promise<SessionStep> {
		const turn = await episode.take(move);
		moves += 1;
		const step = { ...turn, moves, reward: turn.over ? await episode.reward() : null };
		last = step;
		return step;
	}

	return {
		id,
		task,
		seed,
		opening: episode.opening,
		tools: episode.tools,
		stop: episode.stop,
		act(move, { request } = {}) {
			const written = JSON.stringify(move);
			const before = request === undefined ? undefined : answered.get(request);
			if (before) {
				if (before.move === written) return before.step;
				throw new HopscopeError(
					"request-reused",
					`request ${JSON.stringify(request)} was another move`,
					"Give every move a request id of its own.",
				);
			}
			const step = queue.then(() => play(move));
			queue = step.catch(() => undefined);
			if (request !== undefined) answered.set(request, { move: written, step });
			return step;
		},
		get last() {
			return last;
		},
		get over() {
			return last?.over ?? false;
		},
		trajectory: episode.trajectory,
		reward: episode.reward,
	};
}
