import { addUsage, noUsage, type Task, type Trajectory, type Usage, usageError } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { hashOf, type Judge, type Rubric, rubrics, shownOf } from "#scoring";
import { unscored } from "./trajectory-reward.ts";

export interface JudgedOutcomeOptions {
	judge: Judge;
	/** One that tells right from wrong; see `decidesRight`. */
	rubric: Rubric;
	/** The text of an evidence, for rubrics that look at it. */
	evidence: KnowledgeBase["evidence"];
	/** Asked before each question with how many are under way: true asks no further one. */
	until?(running: number, soFar: { used: Usage; done: number }): boolean;
	signal?: AbortSignal | undefined;
}

/** Verdicts that are remembered; each is a hash and a word. */
const mostRemembered = 50_000;

/** Whether a rubric grades an answer right or wrong: one that labels, or whose marks have no limit for right, does not. */
export const decidesRight = ({ scale }: Pick<Rubric, "scale">): boolean =>
	scale !== undefined && scale.of(scale.most).grade === "right";

/**
 * Whether an answer is right by a judge, in one run with seed 0, so that equal answers are shown alike and asked about once:
 * those under way are waited for, those given remembered. Partly right is not right.
 *
 * Throws `unscored` where the judge says nothing of this answer (a reply in no usable form, a rubric that does not apply, a
 * budget that is spent): asking again would not help. Throws a plain error where its model failed, which may pass.
 */
export function judgedOutcome(options: JudgedOutcomeOptions): (task: Task, trajectory: Trajectory) => Promise<boolean> {
	const { judge, rubric, evidence, until = () => false, signal } = options;
	if (!decidesRight(rubric)) throw cannotDecide(rubric);
	const given = new Map<string, Promise<boolean>>();
	let soFar = { used: noUsage, done: 0 };
	let running = 0;

	async function ask(task: Task, shown: Parameters<Judge["judge"]>[0]): Promise<boolean> {
		if (until(running, soFar)) throw unscored(task, "the judge's budget is spent");
		running += 1;
		try {
			const { judgement, usage } = await judge.judge(shown, { rubric, run: 0, seed: 0, signal });
			soFar = { used: addUsage(soFar.used, usage), done: soFar.done + 1 };
			if (judgement.is === "judged") return judgement.grade === "right";
			if (judgement.because === "model") throw new Error(`the judge ${judge.id} failed: ${judgement.reason}`);
			throw unscored(task, `the judge ${judge.id} gave no verdict: ${judgement.reason}`);
		} finally {
			running -= 1;
		}
	}

	return async (task, trajectory) => {
		const record = { trajectory, repeat: 0 };
		const { shown } = await shownOf({ task, record }, { rubric, seed: 0, run: 0, evidence });
		const key = hashOf([task.id, shown]);
		const known = given.get(key);
		if (known) return known;
		const verdict = ask(task, shown);
		given.set(key, verdict);
		verdict.catch(() => given.delete(key));
		for (const [oldest] of given) {
			if (given.size <= mostRemembered) break;
			given.delete(oldest);
		}
		return verdict;
	};
}

const cannotDecide = ({ name }: Rubric) =>
	usageError(
		"no-outcome",
		`by ${name} no answer is right or wrong, so it cannot decide an outcome`,
		`Take one of: ${Object.values(rubrics)
			.filter(decidesRight)
			.map((one) => one.name)
			.join(", ")}.`,
	);
