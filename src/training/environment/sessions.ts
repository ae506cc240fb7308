import { type EpisodeTurn, type PolicyMove, ToolFailure } from "#agents";
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
	readonly over: boolean;
	trajectory: RewardedEpisode["trajectory"];
	reward: RewardedEpisode["reward"];
}

export interface SessionLimits {
	/**
	 * Episodes held at once, default 4,096. Where they are all taken, one that is over gives way to a new one, the
	 * longest unused first; where none is over, opening is refused.
	 */
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
		{ task: string; seed: number; used: number; session: Promise<EpisodeSession>; over(): boolean; end(): void }
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
	function endOneThatIsOver(): void {
		for (const [id, { over }] of open) if (over()) return void end(id);
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
			if (open.size >= most) endOneThatIsOver();
			if (open.size >= most)
				throw new HopscopeError(
					"too-many-sessions",
					`${most} episodes are open`,
					"End those that are done, or raise the limit.",
				);
			let episode: RewardedEpisode | undefined;
			let begunSession: EpisodeSession | undefined;
			let gone = false;
			const session = environment.open(task, { seed }).then((begun) => {
				episode = begun;
				if (gone) begun.abort();
				begunSession = createSession(id, { task, seed, episode: begun });
				return begunSession;
			});
			open.set(id, {
				task,
				seed,
				used: now(),
				session,
				over: () => begunSession?.over ?? false,
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
		let turn: EpisodeTurn;
		try {
			turn = await episode.take(move);
		} catch (error) {
			throw error instanceof ToolFailure ? toolFailed(error) : error;
		}
		moves += 1;
		last = { ...turn, moves, reward: null };
		return turn.over ? pay(last) : last;
	}
	async function pay(step: SessionStep): Promise<SessionStep> {
		last = { ...step, reward: await episode.reward() };
		return last;
	}
	function inTurn(work: () => Promise<SessionStep>): Promise<SessionStep> {
		const step = queue.then(work);
		queue = step.catch(() => undefined);
		return step;
	}
	async function again(before: Promise<SessionStep>): Promise<SessionStep> {
		return before.catch((error: unknown) => {
			if (last?.over && last.reward) return last;
			if (last?.over && error instanceof HopscopeError && error.code === "reward-failed") return pay(last);
			throw error;
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
			const before = request === undefined ? undefined : answered.get(request);
			if (before) {
				if (before.move === written) return again(before.step);
				throw new HopscopeError(
					"request-reused",
					`request ${JSON.stringify(request)} was another move`,
					"Give every move a request id of its own.",
				);
			}
			const step = inTurn(() => play(move));
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

const toolFailed = (cause: ToolFailure) =>
	new HopscopeError("tool-failed", "a tool broke, so the episode cannot go on", "End it and open another.", { cause });
