import { counted, type Item } from "#domain";
import { type Interval, interval } from "#scoring";
import { type ReviewAgreement, reviewAgreement } from "./agreement.ts";
import type { ReviewFolder } from "./review-folder.ts";
import { type Consensus, policyInWords, type Settled, type SettlePolicy, settle } from "./settle.ts";

/** Where the review of a benchmark stands, over the items that were given out. */
export interface ReviewStanding {
	perItem: number;
	policy: SettlePolicy;
	states: Record<Settled["state"], number>;
	/** Items on which those who looked differ, and those of them that no adjudication has settled. */
	splits: { all: number; open: number };
	/** What another person or a meeting settled, by item. */
	consensus: ({ item: string; state: Settled["state"] } & Consensus)[];
	agreement: ReviewAgreement;
	/** How the checks of the build stand up to people. */
	checks: CheckPrecision[];
	/** Lines of decisions that cannot be read. */
	damaged: number;
}

export async function reviewStanding(folder: ReviewFolder, items: readonly Item[]): Promise<ReviewStanding> {
	const { perItem = 1, policy = "majority", queues } = (await folder.plan()) ?? {};
	const { reviews, damaged } = await folder.reviews();
	const traps = new Set((await folder.traps()).map(({ id }) => id));
	const given = queues ? new Set(Object.values(queues).flat()) : undefined;
	const ids = items.map(({ id }) => id).filter((id) => given?.has(id) ?? true);
	const settled = settle(ids, reviews, { perItem, policy });
	const states = { retain: 0, edit: 0, discard: 0, conflict: 0, waiting: 0 };
	for (const { state } of settled) states[state] += 1;
	const split = settled.filter((one) => one.split);
	return {
		perItem,
		policy,
		states,
		splits: { all: split.length, open: split.filter(({ consensus }) => !consensus).length },
		consensus: settled.flatMap(({ item, state, consensus }) => (consensus ? [{ item, state, ...consensus }] : [])),
		damaged,
		agreement: reviewAgreement(reviews, { settled, traps }),
		checks: checkPrecision(items, settled),
	};
}

/** The standing for a data card, a line each, without the names of reviewers; none where nobody reviewed. */
export function reviewInWords(standing: ReviewStanding): string[] {
	const { perItem, policy, states, splits, consensus, agreement, checks } = standing;
	const { items, reviews, decision, reviewers } = agreement;
	if (reviews === 0) return [];
	const { value: alpha, low, high } = decision.alpha;
	const people = counted(reviewers.filter((one) => one.reviews > 0).length, "person").replace("persons", "people");
	return [
		`${counted(reviews, "review")} of ${counted(items, "task")} by ${people}, ${perItem} a task, settled ${policyInWords[policy]}: ${states.retain} retained, ${states.edit} edited, ${states.discard} discarded, ${states.conflict} in conflict, ${states.waiting} waiting.`,
		...(splits.all + consensus.length > 0
			? [
					`Reviewers differed on ${counted(splits.all, "task")}; ${consensus.length} settled by another person or a meeting (${consensus.filter(({ state }) => state !== "discard").length} kept), ${splits.open} not. Agreement is that of the votes before.`,
				]
			: []),
		`Keep or discard: ${share(decision.percent)} of pairs agree; Krippendorff's alpha ${alpha === null ? `undefined (${decision.alpha.reason ?? "too little to tell"})` : `${alpha.toFixed(3)}${low === null || high === null ? "" : ` [${low.toFixed(3)}, ${high.toFixed(3)}]`}`}.`,
		...checks
			.filter(({ passedKept, failedDiscarded }) => passedKept.n + failedDiscarded.n > 0)
			.map(
				({ check, passedKept, failedDiscarded }) =>
					`Check \`${check}\`: of ${passedKept.n} that passed people keep ${share(passedKept)}${failedDiscarded.n > 0 ? `; of ${failedDiscarded.n} that failed they discard ${share(failedDiscarded)}` : ""}.`,
			),
	];
}

function share({ value, low, high }: Interval): string {
	if (value === null) return "an unknown share";
	const percent = (part: number) => (100 * part).toFixed(1);
	return `${percent(value)} %${low === null || high === null ? "" : ` [${percent(low)}, ${percent(high)}]`}`;
}

/** How an automatic check stands up to what people settled. */
interface CheckPrecision {
	check: string;
	/** Of items that it passed, the share that people keep. */
	passedKept: Interval;
	/** Of items that it failed and that went on all the same, the share that people discard. */
	failedDiscarded: Interval;
}

/** Precision of every check on the items, by the last verdict of each; items that are not settled are left out. */
export function checkPrecision(items: readonly Item[], settled: readonly Settled[]): CheckPrecision[] {
	const states = new Map(settled.map(({ item, state }) => [item, state]));
	const seen = new Map<string, { passed: number[]; failed: number[] }>();
	for (const item of items) {
		const state = states.get(item.id);
		if (state === undefined || state === "waiting" || state === "conflict") continue;
		const last = new Map(item.checks.map((record) => [record.check, record.verdict]));
		for (const [check, verdict] of last) {
			const counts = seen.get(check) ?? { passed: [], failed: [] };
			seen.set(check, counts);
			if (verdict === "pass") counts.passed.push(Number(state !== "discard"));
			if (verdict === "fail") counts.failed.push(Number(state === "discard"));
		}
	}
	return [...seen]
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([check, { passed, failed }]) => ({
			check,
			passedKept: interval(passed),
			failedDiscarded: interval(failed),
		}));
}
