import type { Evidence, RunManifest, RunRecord, Task, Verdict } from "#domain";
import { askAll } from "./ask-all.ts";
import type { Judge, Rubric } from "./rubric.ts";
import { sameModelIn } from "./same-model.ts";
import { shownOf } from "./shown-of.ts";
import { drawnOrder } from "./shown-order.ts";
import { isJudged, keyOf, stampOf, verdictsOf } from "./verdicts-of.ts";

export interface JudgeOptions {
	judge: Judge;
	rubric: Rubric;
	/** Runs of the judge over each answer. */
	times: number;
	/** Orders the answers, what is shown of each, and seeds the judge. */
	seed: number;
	/** Verdicts given before: what they settle is not asked again. */
	known: Verdict[];
	/** The text of an evidence, where it is at hand. */
	evidence(id: string): Promise<Evidence | undefined>;
	/** Keeps a verdict; only then does it count as given. */
	keep(verdict: Verdict): Promise<void>;
	concurrency?: number;
	/** Lets a model judge its own answers; the verdicts say so. */
	allowSameModel?: boolean;
	/** Asked before each verdict: true begins no further one. */
	until?(running: number): boolean;
	signal?: AbortSignal | undefined;
}

/**
 * Lets a judge say by a rubric of every record of a run what it makes of it. Records that ended in an error, or in the
 * run's budget, have nothing to judge. Ends early, with the last failure as `refused`, when the judge's model answers
 * nobody.
 */
export async function judgeRecords(
	{ manifest, records, tasks }: { manifest: Pick<RunManifest, "model">; records: RunRecord[]; tasks: Task[] },
	options: JudgeOptions,
): Promise<{ refused?: string }> {
	const { judge, rubric, seed, evidence, keep, signal } = options;
	const same = sameModelIn({ manifest, records }, judge, options);
	const byId = new Map(tasks.map((task) => [task.id, task]));
	return askAll(outstandingVerdicts(records, options), {
		...options,
		async ask({ record, run }) {
			const task = byId.get(record.task);
			if (!task) return { is: "unasked" };
			const { shown, withoutText } = await shownOf({ task, record }, { rubric, seed, run, evidence });
			const { judgement, served, ...said } = await judge.judge(shown, { rubric, run, seed, signal });
			await keep({
				version: 2,
				...{ task: task.id, repeat: record.repeat, attempt: record.attempt, run },
				judge: { ...stampOf({ judge: judge.id, rubric, seed }), ...(served === undefined ? {} : { served }) },
				...(same === undefined ? {} : { sameModel: true as const }),
				shown: { first: shown.first, evidence: shown.evidence.map(({ id }) => id), withoutText },
				judgement,
				...said,
				at: new Date().toISOString(),
			});
			if (judgement.is === "unscored" && judgement.because === "model")
				return { is: "failed", reason: judgement.reason };
			return { is: said.usage.calls > 0 ? "answered" : "unasked" };
		},
	});
}

/** What is still to be judged, in an order that the seed chooses; a provider's failure is tried again. */
export function outstandingVerdicts(
	records: RunRecord[],
	{ judge, rubric, times, seed, known }: Pick<JudgeOptions, "judge" | "rubric" | "times" | "seed" | "known">,
): { record: RunRecord; run: number }[] {
	const stamp = stampOf({ judge: judge.id, rubric, seed });
	const done = new Set(verdictsOf(known, stamp).filter(isSettled).map(keyOf));
	const jobs = records
		.filter(isJudged)
		.flatMap((record) => Array.from({ length: times }, (_, run) => ({ record, run })))
		.filter(({ record, run }) => !done.has(keyOf({ ...record, run })));
	return drawnOrder(jobs, { parts: [seed], nameOf: ({ record, run }) => keyOf({ ...record, run }) });
}

const isSettled = ({ judgement }: Verdict) => judgement.is === "judged" || judgement.because !== "model";
