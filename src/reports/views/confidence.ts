/** What records hold that can order answers by how sure one may be of them. */
import { grouped, type HopDiagnosis, type Verdict } from "#domain";
import { clusterOf, type JudgeSeen, judgesIn, type RankedAnswer, repeatAgreement, stampOf, verdictsOf } from "#scoring";
import { short } from "../summaries.ts";
import { gradeOf, hasAnswer } from "./grade-measures.ts";
import type { ViewItem, ViewRun } from "./view.ts";
import { gradedItems, searches } from "./view-items.ts";

export interface Ordering {
	/** What the confidence is. */
	name: string;
	/** Whether it is known only with the gold chain or answer: no agent could go by it. */
	gold: boolean;
	/** The answers that have it: partly right is not right. */
	answers: RankedAnswer[];
}

/**
 * Every ordering of a run's answers that its records allow, and how many answers there are. Abstentions are no answers, and
 * neither are records that ended without one; the judge by whom right and wrong are told is no confidence.
 */
export function orderingsOf(run: ViewRun): { answered: number; orderings: Ordering[] } {
	const { items, judge: grader } = gradedItems(run);
	const answered = items.flatMap((item) => {
		const grade = gradeOf(item);
		const loss = grade === "right" ? 0 : 1;
		return grade === undefined || !hasAnswer(item) ? [] : [{ item, loss, cluster: clusterOf(item.task) }];
	});
	const order = (name: string, gold: boolean, confidenceOf: (item: ViewItem) => number | undefined): Ordering[] => {
		const answers = answered.flatMap(({ item, ...answer }) => {
			const confidence = confidenceOf(item);
			return confidence === undefined ? [] : [{ ...answer, confidence }];
		});
		return answers.length > 0 ? [{ name, gold, answers }] : [];
	};
	const agreement = run.manifest.repeats > 1 ? agreementOf(items) : undefined;
	const judged = judgesIn(run.verdicts ?? []).flatMap((seen) => {
		const said = saidBy(run.verdicts ?? [], seen);
		const name = `${short(seen.judge)}, ${seen.rubric.name}`;
		const isGrader = grader && JSON.stringify(stampOf(grader)) === JSON.stringify(stampOf(seen));
		return [
			...order(`support by the evidence shown (${name})`, false, (item) => said.get(keyOf(item))?.support),
			...(isGrader ? [] : order(`judge's value (${name})`, true, (item) => said.get(keyOf(item))?.value)),
		];
	});
	return {
		answered: answered.length,
		orderings: [
			...(agreement ? order("agreement of repeats", false, (item) => agreement.get(keyOf(item))) : []),
			...judged,
			...order("evidence of every hop found", true, ({ row }) => {
				if (!searches(run)) return undefined;
				const hit = row?.scores.hit;
				return hit?.is === "scored" ? hit.value : undefined;
			}),
			...order("share of hops solved", true, ({ diagnosis }) => solvedShare(diagnosis?.hops ?? [])),
		],
	};
}

const keyOf = ({ task, repeat }: ViewItem): string => JSON.stringify([task.id, repeat]);

/** By record, the share of its task's repeats with the same answer. */
function agreementOf(items: readonly ViewItem[]): Map<string, number> {
	const graded = items.filter((item) => gradeOf(item) !== undefined);
	const byTask = grouped(graded, ({ task }) => task.id);
	return new Map(
		[...byTask.values()].flatMap((repeats) => {
			const given = repeats.map(({ record }) => record?.trajectory.answer ?? null);
			const shares = repeatAgreement(given, { language: repeats[0]?.task.tags.language });
			return repeats.map((item, place): [string, number] => [keyOf(item), shares[place] ?? 0]);
		}),
	);
}

function solvedShare(hops: readonly HopDiagnosis[]): number | undefined {
	const judged = hops.flatMap((hop) => (hop.is === "judged" ? [hop.verdict] : []));
	return judged.length === 0 ? undefined : judged.filter((verdict) => verdict === "solved").length / judged.length;
}

const supports = { full: 1, part: 0.5, none: 0 } as const;

/** By record, what a judge says of it, the mean over its runs. */
function saidBy(verdicts: readonly Verdict[], seen: JudgeSeen): Map<string, { value?: number; support?: number }> {
	const given = new Map<string, { values: number[]; supports: number[] }>();
	for (const { task, repeat, judgement } of verdictsOf(verdicts, stampOf(seen))) {
		if (judgement.is !== "judged") continue;
		const key = JSON.stringify([task, repeat]);
		const known = given.get(key) ?? { values: [], supports: [] };
		if (judgement.value !== null) known.values.push(judgement.value);
		if (judgement.support) known.supports.push(supports[judgement.support]);
		given.set(key, known);
	}
	const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	return new Map(
		[...given].map(([key, { values, supports: found }]) => [
			key,
			{
				...(values.length > 0 ? { value: mean(values) } : {}),
				...(found.length > 0 ? { support: mean(found) } : {}),
			},
		]),
	);
}
