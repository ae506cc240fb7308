import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { HopscopeError } from "#domain";
import { createToyPlayer, type ToyCounts, type ToyJob, type ToyPlace, type ToyResult } from "./toy-job.ts";
import type { ToyFailure, ToyReply } from "./toy-worker.ts";

/** Node 20 runs no TypeScript: where this is the source, as in the tests, a thread runs what build.mjs made of it. */
const built = import.meta.url.endsWith(".ts") ? "./dist/toy-worker.js" : "./toy-worker.js";
const program = fileURLToPath(new URL(built, import.meta.url));

export interface RunToysOptions {
	/** Needed for the tier of actions. */
	place?: ToyPlace;
	/** Threads, default as many as there are cores; 1 runs in this one. */
	threads?: number;
	/** A run that ended, in the order of ending; the next of its thread waits for what this does. */
	onResult?(result: ToyResult, job: ToyJob): void | Promise<void>;
	signal?: AbortSignal;
}

/** Runs jobs on several threads. Results stand in the order of the jobs; what a job gives does not depend on the threads. */
export async function runToys(
	jobs: readonly ToyJob[],
	{ place, threads = availableParallelism(), onResult, signal }: RunToysOptions,
): Promise<{ results: ToyResult[]; counts: ToyCounts }> {
	const take = handOut(jobs);
	const results: ToyResult[] = [];
	const many = Math.min(threads, jobs.length);
	const makers = Array.from({ length: many }, () => (many > 1 ? createThread(place) : createHere(place, signal)));
	const end = () => Promise.all(makers.map(({ close }) => close()));
	const stop = () => void end();
	signal?.addEventListener("abort", stop, { once: true });
	try {
		const counted = await Promise.all(
			makers.map(async ({ run, counts }, maker) => {
				for (let next = take(maker); next; next = take(maker)) {
					signal?.throwIfAborted();
					const { at, job } = next;
					const result = await run(job);
					results[at] = result;
					await onResult?.(result, job);
				}
				return counts();
			}),
		);
		return { results, counts: counted.reduce(added, noCounts) };
	} finally {
		signal?.removeEventListener("abort", stop);
		await end();
	}
}

/**
 * Gives each maker its next job. Conditions of the tokens share their seed's start, so that a seed stays with the maker that
 * made it as long as there are others for the rest.
 */
function handOut(jobs: readonly ToyJob[]) {
	const queue = [...jobs.entries()].map(([at, job]) => ({ at, job }));
	const owners = new Map<number, number>();
	return (maker: number) => {
		const fits = ({ job }: { job: ToyJob }) => job.tier === "actions" || (owners.get(job.seed) ?? maker) === maker;
		const found = queue.findIndex(fits);
		const [next] = queue.splice(Math.max(0, found), 1);
		if (next?.job.tier === "tokens" && !owners.has(next.job.seed)) owners.set(next.job.seed, maker);
		return next;
	};
}

interface Maker {
	run(job: ToyJob): Promise<ToyResult>;
	counts(): ToyCounts;
	/** Ends what is going on, and waits until it has ended. */
	close(): Promise<void>;
}

const noCounts: ToyCounts = { episodes: 0, playedEpisodes: 0, searches: 0, realSearches: 0 };

const added = (a: ToyCounts, b: ToyCounts): ToyCounts => ({
	episodes: a.episodes + b.episodes,
	playedEpisodes: a.playedEpisodes + b.playedEpisodes,
	searches: a.searches + b.searches,
	realSearches: a.realSearches + b.realSearches,
});

function createHere(place: ToyPlace | undefined, signal: AbortSignal | undefined): Maker {
	const player = createToyPlayer(place);
	return { ...player, run: (job) => player.run(job, signal ? { signal } : {}) };
}

function createThread(place: ToyPlace | undefined): Maker {
	const worker = new Worker(program, { workerData: place, execArgv: [] });
	let waits: { done(reply: ToyReply): void; failed(error: Error): void } | undefined;
	let counts = noCounts;
	worker.on("message", (reply: ToyReply) => waits?.done(reply));
	worker.on("error", (error) => waits?.failed(error));
	const ended = new Promise<void>((done) => worker.once("exit", () => done()));
	ended.then(() => waits?.failed(new Error("the thread ended")));
	return {
		async run(job) {
			const reply = await new Promise<ToyReply>((done, failed) => {
				waits = { done, failed };
				worker.postMessage(job);
			});
			if ("failed" in reply) throw errorOf(reply.failed, job);
			counts = reply.counts;
			return reply.result;
		},
		counts: () => counts,
		// it ends by itself: ended from here, in the midst of a search, it takes the whole process with it
		close() {
			worker.postMessage("end");
			return ended;
		},
	};
}

function errorOf({ message, code, remedy, exitCode }: ToyFailure, { condition, seed }: ToyJob): Error {
	return code === undefined || remedy === undefined
		? new Error(`${condition}, seed ${seed}: ${message}`)
		: new HopscopeError(code, message, remedy, exitCode === undefined ? {} : { exitCode });
}
