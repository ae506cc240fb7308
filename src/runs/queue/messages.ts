import { z } from "zod";
import { freeRecord } from "#domain";

/*
 * What stands in the queue. Three streams serve all work that goes over it, of whatever kind (a run, an index, a judging):
 *
 * - runs: one announcement a piece of work, with all that a worker needs to do its jobs;
 * - jobs: one message a job, until a worker acknowledges it;
 * - marks: of each job the last thing that happened to it: who began it, for the how-manieth time, or its result.
 *
 * A mark is stored only where the job's last mark is the one that its writer knows. The sequence of a worker's own start
 * is so its fencing token: once another worker has begun the job, or answered it, the first one's result is refused.
 */

export const streams = {
	runs: { name: "HOPSCOPE_RUNS", subjects: ["hopscope.run.*"] },
	jobs: { name: "HOPSCOPE_JOBS", subjects: ["hopscope.job.*.*"] },
	marks: { name: "HOPSCOPE_MARKS", subjects: ["hopscope.mark.*.*", "hopscope.part.*.*.*.*"] },
} as const;
export const jobConsumer = "workers";

export const subjects = {
	run: (run: string) => `hopscope.run.${run}`,
	job: (run: string, job: string) => `hopscope.job.${run}.${job}`,
	mark: (run: string, job: string) => `hopscope.mark.${run}.${job}`,
	/** A job or a result that is longer than a message may be is stored in pieces first. */
	part: (run: string, job: string, nonce: string, index: number | "*") =>
		`hopscope.part.${run}.${job}.${nonce}.${index}`,
	/** Every worker says here, unstored, that it is there. */
	alive: "hopscope.alive",
	/** A worker that cannot do the jobs of a piece of work says why. */
	refusal: (run: string) => `hopscope.refusal.${run}`,
} as const;

/** How models are asked, as whoever began the work said. */
export const Manner = z.object({
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

/** Work as workers hear of it; its jobs come one by one. `content` is what the kind has it be. */
export const Announcement = z.object({ version: z.literal(2), kind: z.string().max(40), content: z.unknown() });
export type Announcement = z.infer<typeof Announcement>;

const nonce = z.string().regex(/^[0-9a-f]{16}$/);
const parts = z.number().int().min(1).max(4096);

/** A job, or in how many parts it is stored. */
export const JobMessage = z.union([z.object({ parts, nonce }), z.object({ job: z.unknown() })]);
export type JobMessage = z.infer<typeof JobMessage>;

export const Mark = z.discriminatedUnion("is", [
	/** A worker begins; `starts` counts those that were not handed back, this one too. */
	z.object({ is: z.literal("start"), worker: z.string(), starts: z.number().int().min(1), nonce }),
	/** A worker that stopped handed the job back. */
	z.object({ is: z.literal("released"), worker: z.string(), starts: z.number().int().min(0), nonce }),
	/** The result, in how many parts it is stored, or why there is none. */
	z.object({
		is: z.literal("result"),
		worker: z.string(),
		nonce,
		value: z.unknown().optional(),
		parts: parts.optional(),
		failed: z.string().max(2000).optional(),
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
