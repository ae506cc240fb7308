import { z } from "zod";
import { Judgement, noUsage, Usage, usageError } from "#domain";
import { type JobKind, jobKind, Manner, type QueuedWork, type Workers } from "#runs";
import { type Judge, type JudgedReply, type Rubric, rubrics, type Shown } from "#scoring";
import { canonicalJson, sha256 } from "#store";
import { openJudge, rubricCalled } from "./judge-chosen.ts";
import { openModels } from "./models.ts";
import type { Bench } from "./work.ts";

/*
 * Judging as jobs of a queue: what the judge is shown of an answer, once, is a job. A worker needs neither the run nor its
 * benchmark, only the judge's model.
 */

const kind = "judge";

const AnnouncedJudging = z.object({
	/** The judge as it is named on the command line, its id, and what it is asked by. */
	model: z.string(),
	id: z.string(),
	rubric: z.string(),
	prompt: z.string(),
	manner: Manner,
});
type AnnouncedJudging = z.infer<typeof AnnouncedJudging>;

const ShownStep = z.object({
	...{ question: z.string(), search: z.string(), answer: z.string() },
	found: z.array(z.string()),
});
const JudgingJob = z.object({
	shown: z.object({
		question: z.string(),
		reference: z.array(z.string()),
		submitted: z.string().nullable(),
		first: z.enum(["reference", "submitted"]),
		evidence: z.array(z.object({ id: z.string(), title: z.string(), text: z.string() })),
		goldSteps: z.array(ShownStep).optional(),
		steps: z.array(ShownStep).optional(),
		searchOnly: z.literal(true).optional(),
		typedRight: z.boolean().optional(),
	}),
	run: z.number().int().min(0),
	seed: z.number().int().min(0),
	/** Of questions that are alike in all of that, which. */
	again: z.number().int().min(0),
});
type JudgingJob = z.infer<typeof JudgingJob>;

const Reply = z.object({
	judgement: Judgement,
	reply: z.string().optional(),
	served: z.string().optional(),
	usage: Usage,
	ms: z.number().min(0),
});

const tokenOf = (parts: unknown) => sha256(canonicalJson(parts)).slice(0, 32);

/** A judge whose model is asked by the workers of a queue, and who closes them. */
export async function judgeElsewhere(
	judge: Judge,
	{
		workers,
		of,
		signal,
		...about
	}: {
		workers: Workers;
		/** What is judged, as far as it makes this another judging: results that wait for one are none for another. */
		of: unknown;
		signal: AbortSignal;
		model: string;
		rubric: Rubric;
		manner: Manner;
	},
): Promise<{ judge: Judge; close(ending: { complete: boolean }): Promise<void> }> {
	const { model, rubric, manner } = about;
	const content: AnnouncedJudging = { model, id: judge.id, rubric: rubric.name, prompt: judge.prompt(rubric), manner };
	const work: QueuedWork<JudgingJob, z.infer<typeof Reply>> = {
		kind,
		token: tokenOf([kind, of, judge.id, rubric.name, content.prompt]),
		content,
		jobToken: tokenOf,
		result: Reply,
		failed: (reason) => ({
			judgement: { is: "unscored", because: "model", reason: reason.slice(0, 500) },
			...{ usage: noUsage, ms: 0 },
		}),
	};
	const { ask, close } = await workers.open(work, { signal });
	const asked = new Map<string, number>();
	return {
		close,
		judge: {
			...judge,
			async judge(shown, options) {
				// what follows without asking anyone needs no worker
				if (rubric.inapplicable?.(shown) !== undefined || rubric.settled?.(shown)) return judge.judge(shown, options);
				const question = { shown, run: options.run, seed: options.seed };
				const token = tokenOf(question);
				const again = asked.get(token) ?? 0;
				asked.set(token, again + 1);
				const reply = await ask({ ...question, again });
				if (reply) return reply as JudgedReply;
				signal.throwIfAborted();
				throw new DOMException("The judging was interrupted", "AbortError");
			},
		},
	};
}

/** Judging, for workers. */
export function judgingKind(bench: Bench): JobKind {
	return jobKind({
		kind,
		content: AnnouncedJudging,
		job: JudgingJob,
		async open({ model, id, rubric: name, prompt, manner }, limits) {
			const rubric = rubricCalled(name, rubrics);
			const { needsPrice = false } = manner;
			const { models } = await openModels(bench, { ...manner, shared: { of: manner.limits ?? {}, by: limits } });
			const { judge } = openJudge(model, { rubric, models, needsPrice, signal: bench.signal });
			if (judge.id !== id || judge.prompt(rubric) !== prompt)
				throw usageError(
					"worker-lacks",
					`${id} by ${name} is ${judge.id} by other words here`,
					"Give this worker the version of Hopscope that judges, and the same address of its model.",
				);
			bench.say(`judging by ${name}`);
			return {
				answer: ({ shown, run, seed }, signal) => judge.judge(shown as Shown, { rubric, run, seed, signal }),
				close: async () => {},
			};
		},
	});
}
