import type { Evidence, SecondReading } from "#domain";
import { type Asker, askAll } from "#scoring";
import { textsThatCameBack } from "../reading/came-back.ts";
import type { ReaderJob } from "./reader-jobs.ts";
import { type ReadOutcome, readerPrompt, readerQuestion, readingOf } from "./reader-question.ts";
import { readingsBy } from "./readings.ts";

export interface ReadHopsOptions {
	asker: Asker;
	find(id: string): Promise<Evidence | undefined>;
	/** The reader is the model that it reads. */
	sameModel?: boolean | undefined;
	/** Keeps a reading; only then does it count as given. */
	keep(reading: SecondReading): Promise<void>;
	concurrency?: number | undefined;
	/** Asked before each hop, with how many are under way: true begins no further one. */
	until?: ((running: number) => boolean) | undefined;
	signal?: AbortSignal | undefined;
}

/**
 * What is still to be asked: hops without a reading of what would be shown today. A provider's failure is tried again, a
 * reply that could not be used is not.
 */
export function outstandingReadings(
	jobs: readonly ReaderJob[],
	{ asker, known }: { asker: Pick<Asker, "id">; known: readonly SecondReading[] },
): ReaderJob[] {
	const readingOf = readingsBy(known, { model: asker.id, prompt: readerPrompt });
	return jobs.filter(({ record, of, hash }) => {
		const before = readingOf(record, of.hop.id);
		return before?.shown !== hash || before.outcome.is === "model";
	});
}

/**
 * Asks a second reader about one hop after another. Ends early, with the last failure as `refused`, where its model answers
 * nobody; only an abort is thrown.
 */
export function readHops(jobs: readonly ReaderJob[], options: ReadHopsOptions): Promise<{ refused?: string }> {
	const { asker, keep, signal, sameModel = false } = options;
	return askAll(jobs, {
		...options,
		async ask(job) {
			const { of, record, shown, hash } = job;
			const asked = await asker.ask(readerQuestion(shown, of.hop.answer), { signal });
			const { reply, served, usage, ms } = asked;
			await keep({
				version: 1,
				...{ task: record.task, repeat: record.repeat, attempt: record.attempt, hop: of.hop.id },
				reader: { model: asker.id, prompt: readerPrompt, ...(served === undefined ? {} : { served }) },
				...(sameModel ? { sameModel } : {}),
				shown: hash,
				outcome:
					asked.is === "unscored"
						? { is: asked.because, reason: asked.reason }
						: await placed(readingOf(asked.value, shown), job, options),
				...(reply === undefined ? {} : { reply }),
				...{ usage, ms, at: new Date().toISOString() },
			});
			const isFailed = asked.is === "unscored" && asked.because === "model";
			return isFailed ? { is: "failed", reason: asked.reason } : { is: "answered" };
		},
	});
}

/** A reading with whether its value stands in what had come back when it was written. */
async function placed(
	outcome: ReturnType<typeof readingOf>,
	{ of: { task, trajectory } }: ReaderJob,
	{ find }: Pick<ReadHopsOptions, "find">,
): Promise<SecondReading["outcome"]> {
	if (outcome.is !== "read") return outcome;
	const texts = await textsThatCameBack(trajectory, { question: task.question, find });
	const { is } = texts.standing(outcome.value, { until: lastBefore(outcome.written, trajectory.steps) });
	return { ...outcome, stands: is === "unknown" ? null : is === "stands" };
}

/** The place of the last step whose results were there when something was written; of the final answer there is no last. */
function lastBefore(
	{ quote, step: index }: ReadOutcome["written"],
	steps: ReaderJob["of"]["trajectory"]["steps"],
): number | undefined {
	const place = index === undefined ? -1 : steps.findIndex((step) => step.index === index);
	if (place === -1) return undefined;
	// a step's answer is written after its results, all else of it before
	return steps[place]?.subAnswer?.includes(quote) ? place : place - 1;
}
