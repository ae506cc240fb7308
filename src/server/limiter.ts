import { HttpError } from "./http-error.ts";

/**
 * At most `limit` searches at once, the others waiting. Requests take turns, so that a batch of thousands does not keep
 * single queries from being answered. There is room as long as fewer than `queue` searches wait: then a request is taken
 * whole, however many queries it has, and else refused at once.
 */
export interface Limiter {
	/** Throws the 503 where there is no room: also before a body is read. */
	mustHaveRoom(): void;
	/** Runs the searches of one request; outcomes in their order. An abort drops those that have not begun and rejects. */
	run<T>(searches: (() => Promise<T>)[], signal: AbortSignal): Promise<PromiseSettledResult<T>[]>;
	load(): Load;
	/** Whole seconds, at least 1, until what waits now will have begun, from how long searches took so far. */
	retryAfter(): number;
}

/** All counted in searches: a batch counts by its queries. */
export interface Load {
	running: number;
	waiting: number;
	limit: number;
	queue: number;
}

const longestWait = 60;

/** Searches of one request that have not begun. */
interface Turn {
	begin: (() => Promise<void>)[];
}

export function createLimiter({ limit, queue }: { limit: number; queue: number }): Limiter {
	const turns: Turn[] = [];
	let running = 0;
	let waiting = 0;
	/** Milliseconds of a search, later ones counting more. */
	let duration: number | undefined;

	function next(): void {
		while (running < limit) {
			const turn = turns.shift();
			const begin = turn?.begin.shift();
			if (!turn || !begin) return;
			if (turn.begin.length > 0) turns.push(turn);
			waiting -= 1;
			running += 1;
			const started = performance.now();
			void begin().then(() => {
				const took = performance.now() - started;
				duration = duration === undefined ? took : duration + (took - duration) / 16;
				running -= 1;
				next();
			});
		}
	}

	function drop(turn: Turn): void {
		waiting -= turn.begin.length;
		turn.begin.length = 0;
		const place = turns.indexOf(turn);
		if (place !== -1) turns.splice(place, 1);
	}

	function retryAfter(): number {
		const seconds = ((waiting + 1) * (duration ?? 1000)) / limit / 1000;
		return Math.min(Math.max(Math.ceil(seconds), 1), longestWait);
	}

	function mustHaveRoom(): void {
		if (running < limit || waiting < queue) return;
		throw overloaded(`${running} searches run and ${waiting} wait`, retryAfter());
	}

	return {
		mustHaveRoom,
		retryAfter,
		load: () => ({ running, waiting, limit, queue }),
		async run<T>(searches: (() => Promise<T>)[], signal: AbortSignal): Promise<PromiseSettledResult<T>[]> {
			signal.throwIfAborted();
			if (searches.length === 0) return [];
			mustHaveRoom();
			return new Promise((resolve, reject) => {
				const outcomes: PromiseSettledResult<T>[] = new Array(searches.length);
				let left = searches.length;
				const settle = async (search: () => Promise<T>, index: number) => {
					try {
						outcomes[index] = { status: "fulfilled", value: await search() };
					} catch (reason) {
						outcomes[index] = { status: "rejected", reason };
					}
					left -= 1;
					if (left > 0) return;
					signal.removeEventListener("abort", abort);
					resolve(outcomes);
				};
				const turn: Turn = { begin: searches.map((search, index) => () => settle(search, index)) };
				const abort = () => {
					drop(turn);
					reject(signal.reason);
				};
				signal.addEventListener("abort", abort, { once: true });
				turns.push(turn);
				waiting += searches.length;
				next();
			});
		},
	};
}

/** One piece of work under a limiter. What has begun goes on after an abort. */
export async function runOne<T>(limiter: Limiter, job: () => Promise<T>, signal: AbortSignal): Promise<T> {
	const [outcome] = await limiter.run([job], signal);
	if (outcome?.status === "fulfilled") return outcome.value;
	throw outcome?.reason;
}

/** 503, which the published clients try again; 429 they would take for good. */
export function overloaded(what: string, retryAfter: number): HttpError {
	return new HttpError(503, "overloaded", `the server is busy: ${what}`, `Try again in ${retryAfter} s.`, {
		headers: { "retry-after": String(retryAfter) },
	});
}
