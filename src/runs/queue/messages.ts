import { z } from "zod";
import { freeRecord, RunManifest } from "#domain";
import { canonicalJson, sha256 } from "#store";
import type { Job } from "../outstanding.ts";

/*
 * What stands in the queue. Three streams serve every run:
 *
 * - runs: one announcement a run, with all that a worker needs to answer its tasks;
 * - jobs: one message a task, repeat and attempt, until a worker acknowledges it;
 * - marks: of each job the last thing that happened to it: who began it, for the how-manieth time, or its answer.
 *
 * A mark is stored only where the job's last mark is the one that its writer knows. The sequence of a worker's own start
 * is so its fencing token: once another worker has begun the job, or answered it, the first one's answer is refused.
 */

export const streams = {
	runs: { name: "HOPSCOPE_RUNS", subjects: ["hopscope.run.*"] },
	jobs: { name: "HOPSCOPE_JOBS", subjects: ["hopscope.job.*.*"] },
	marks: { name: "HOPSCOPE_MARKS", subjects: ["hopscope.mark.*.*", "hopscope.part.*.*.*.*"] },
} as const;
export const jobConsumer = "workers";

/** A run by its manifest: the same for whoever resumes it, another for a run that only has its name. */
export function runToken({ id, at, agent, model, seed }: RunManifest): string {
	return sha256(canonicalJson([id, at, agent.name, model, seed])).slice(0, 32);
}
export const jobToken = ({ task, repeat, attempt }: Job): string =>
	sha256(JSON.stringify([task, repeat, attempt])).slice(0, 32);

export const subjects = {
	run: (run: string) => `hopscope.run.${run}`,
	job: (run: string, job: string) => `hopscope.job.${run}.${job}`,
	mark: (run: string, job: string) => `hopscope.mark.${run}.${job}`,
	/** An answer that is longer than a message may be is stored in pieces first. */
	part: (run: string, job: string, nonce: string, index: number | "*") =>
		`hopscope.part.${run}.${job}.${nonce}.${index}`,
	/** Every worker says here, unstored, that it is there. */
	alive: "hopscope.alive",
	/** A worker that cannot answer a run says why. */
	refusal: (run: string) => `hopscope.refusal.${run}`,
} as const;

/** How a run's answers are made where that does not stand in its manifest: as whoever began it said. */
const Manner = z.object({
	/** Milliseconds until a task is given up. */
	timeout: z.number().positive(),
	cache: z.boolean().optional(),
	replay: z.boolean().optional(),
	retryFor: z.number().positive().optional(),
	/** What providers allow by the minute, counted over all workers; each asks by the limits of the run. */
	limits: freeRecord(
		z.object({
			places: z.number().int().min(1).optional(),
			requestsPerMinute: z.number().int().positive().optional(),
			tokensPerMinute: z.number().int().positive().optional(),
		}),
	).optional(),
	/** Hash of how the live web is configured: a worker with another one answers nothing. */
	web: z.string().optional(),
	/** Money is bounded: a worker without the model's price answers nothing. */
	needsPrice: z.boolean().optional(),
});
export type Manner = z.infer<typeof Manner>;

/** A run as workers hear of it; its tasks come one by one. */
export const Announcement = z.object({ version: z.literal(1), manifest: RunManifest, manner: Manner });
export type Announcement = z.infer<typeof Announcement>;

export const JobMessage = z.object({
	task: z.string(),
	repeat: z.number().int().min(0),
	attempt: z.number().int().min(0),
});

const nonce = z.string().regex(/^[0-9a-f]{16}$/);
export const Mark = z.discriminatedUnion("is", [
	/** A worker begins; `starts` counts those that were not handed back, this one too. */
	z.object({ is: z.literal("start"), worker: z.string(), starts: z.number().int().min(1), nonce }),
	/** A worker that stopped handed the job back. */
	z.object({ is: z.literal("released"), worker: z.string(), starts: z.number().int().min(0), nonce }),
	/** The answer: a trajectory, or in how many parts and bytes it is stored. */
	z.object({
		is: z.literal("result"),
		worker: z.string(),
		nonce,
		trajectory: z.unknown().optional(),
		parts: z.number().int().min(1).max(4096).optional(),
	}),
]);
export type Mark = z.infer<typeof Mark>;

export const Alive = z.object({
	worker: z.string().max(200),
	places: z.number().int().min(0),
	running: z.number().int().min(0),
});
export type Alive = z.infer<typeof Alive>;
export const Refusal = z.object({ worker: z.string().max(200), message: z.string().max(2000) });

/** A message as its schema has it; none where it is not. */
export function parsed<Shape>(schema: z.ZodType<Shape>, data: Uint8Array): Shape | undefined {
	try {
		const result = schema.safeParse(JSON.parse(new TextDecoder().decode(data)));
		return result.success ? result.data : undefined;
	} catch {
		return undefined;
	}
}
