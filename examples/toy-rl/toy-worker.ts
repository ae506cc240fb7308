/** A thread that runs toys: jobs in, results out, one at a time, until it is told to end. */
import { parentPort, workerData } from "node:worker_threads";
import { HopscopeError } from "#domain";
import { createToyPlayer, type ToyCounts, type ToyJob, type ToyPlace, type ToyResult } from "./toy-job.ts";

/** What the thread sends back for a job. */
export type ToyReply = { result: ToyResult; counts: ToyCounts } | { failed: ToyFailure };

/** An error as it passes between threads; with a code where a person can act on it. */
export type ToyFailure = Pick<Error, "message"> & Partial<Pick<HopscopeError, "code" | "remedy" | "exitCode">>;

const player = createToyPlayer(workerData as ToyPlace | undefined);
const stop = new AbortController();
let running: Promise<void> = Promise.resolve();
parentPort?.on("message", (job: ToyJob | "end") => {
	if (job !== "end") running = run(job);
	else {
		stop.abort();
		running.finally(() => player.close()).finally(() => parentPort?.close());
	}
});

async function run(job: ToyJob): Promise<void> {
	const reply = await player.run(job, { signal: stop.signal }).then(
		(result): ToyReply => ({ result, counts: player.counts() }),
		(error: unknown): ToyReply => ({ failed: failureOf(error) }),
	);
	parentPort?.postMessage(reply);
}

function failureOf(error: unknown): ToyFailure {
	if (!(error instanceof HopscopeError)) return { message: error instanceof Error ? error.message : String(error) };
	const { message, code, remedy, exitCode } = error;
	return { message, code, remedy, exitCode };
}
