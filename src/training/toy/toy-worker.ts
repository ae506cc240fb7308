/** A thread that runs toys: jobs in, results out, one at a time. */
import { parentPort, workerData } from "node:worker_threads";
import { createToyPlayer, type ToyCounts, type ToyJob, type ToyPlace, type ToyResult } from "./toy-job.ts";

/** What the thread sends back for a job. */
export type ToyReply = { result: ToyResult; counts: ToyCounts } | { failed: string };

const player = createToyPlayer(workerData as ToyPlace | undefined);
parentPort?.on("message", (job: ToyJob) => {
	player.run(job).then(
		(result) => parentPort?.postMessage({ result, counts: player.counts() } satisfies ToyReply),
		(error: unknown) => parentPort?.postMessage({ failed: `${(error as Error).message ?? error}` } satisfies ToyReply),
	);
});
