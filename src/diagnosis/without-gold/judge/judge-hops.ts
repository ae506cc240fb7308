import type { PseudoHopReading } from "#domain";
import { type Asker, askAll } from "#scoring";
import type { HopJob } from "./hop-jobs.ts";
import { hopJudgePrompt, hopQuestion, judgementOf } from "./hop-question.ts";
import { hopReadingsBy } from "./with-judged.ts";

export interface JudgeHopsOptions {
	asker: Asker;
	/** The judge is the model that it judges. */
	sameModel?: boolean | undefined;
	/** Keeps a reading; only then does it count as given. */
	keep(reading: PseudoHopReading): Promise<void>;
	concurrency?: number | undefined;
	/** Asked before each pseudo-hop, with how many are under way: true begins no further one. */
	until?: ((running: number) => boolean) | undefined;
	signal?: AbortSignal | undefined;
}

/**
 * What is still to be asked: pseudo-hops without a reading of what would be shown today. A provider's failure is tried again,
 * a reply that could not be used is not.
 */
export function outstandingHops(
	jobs: readonly HopJob[],
	{ asker, known }: { asker: Pick<Asker, "id">; known: readonly PseudoHopReading[] },
): HopJob[] {
	const readingOf = hopReadingsBy(known, { model: asker.id, prompt: hopJudgePrompt });
	return jobs.filter(({ place, hash }) => {
		const before = readingOf(place);
		return before?.shown !== hash || before.outcome.is === "model";
	});
}

/**
 * Asks a judge about one pseudo-hop after another. Ends early, with the last failure as `refused`, where its model answers
 * nobody; only an abort is thrown.
 */
export function judgeHops(jobs: readonly HopJob[], options: JudgeHopsOptions): Promise<{ refused?: string }> {
	const { asker, keep, signal, sameModel = false } = options;
	return askAll(jobs, {
		...options,
		async ask({ place, shown, hash }) {
			const asked = await asker.ask(hopQuestion(shown), { signal });
			const { reply, served, usage, ms } = asked;
			await keep({
				...{ version: 1, ...place },
				reader: { model: asker.id, prompt: hopJudgePrompt, ...(served === undefined ? {} : { served }) },
				...(sameModel ? { sameModel } : {}),
				shown: hash,
				outcome:
					asked.is === "unscored" ? { is: asked.because, reason: asked.reason } : judgementOf(asked.value, shown),
				...(reply === undefined ? {} : { reply }),
				...{ usage, ms, at: new Date().toISOString() },
			});
			const isFailed = asked.is === "unscored" && asked.because === "model";
			return isFailed ? { is: "failed", reason: asked.reason } : { is: "answered" };
		},
	});
}
