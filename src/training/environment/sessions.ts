import { HopscopeError } from "#domain";
import type { Environment, RewardedEpisode } from "./environment.ts";
import { createHeldPictures } from "./held-pictures.ts";
import { createSession, type EpisodeSession } from "./session.ts";

export interface SessionLimits {
	/**
	 * Episodes held at once, default 4,096. Where they are all taken, one that is over gives way to a new one, the
	 * longest unused first; where none is over, opening is refused.
	 */
	most?: number;
	/** Bytes of pictures that the episodes hold together, default 2 GB; beyond them it is as if all places were taken. */
	pictures?: number;
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
	const { most = 4096, pictures = 2e9, idle = 900_000, now = Date.now } = limits;
	const held = createHeldPictures();
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
	const isFull = () => open.size >= most || held.bytes() >= pictures;
	function makeRoom(): void {
		for (const [id, { over }] of open) {
			if (!isFull()) return;
			if (over()) end(id);
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
			makeRoom();
			if (isFull())
				throw new HopscopeError(
					"too-many-sessions",
					`${open.size} episodes are open, which is as many as are held`,
					"End those that are done, or raise the limit.",
				);
			let episode: RewardedEpisode | undefined;
			let begunSession: EpisodeSession | undefined;
			let gone = false;
			const holding = held.holder();
			const session = environment.open(task, { seed }).then((begun) => {
				episode = begun;
				if (gone) begun.abort();
				holding.hold(begun.opening);
				begunSession = createSession(id, { task, seed, episode: begun, hold: holding.hold });
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
					holding.release();
					episode?.abort();
				},
			});
			session.catch(() => {
				// another may have been opened under the name meanwhile
				if (open.get(id)?.session === session) end(id);
			});
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
