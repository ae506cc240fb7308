import {
	ancestorsOf,
	type BrokenVerdict,
	brokenOrder,
	type Diagnosis,
	type HopDiagnosis,
	stepsOfHop,
	type Task,
} from "#domain";
import { mentionsAny } from "#scoring";
import type { Turn } from "./turns.ts";

/** The turns in which a trajectory breaks a hop: the earliest and the latest in which it could have been saved. */
export interface BreakSpan {
	hop: string;
	verdict: BrokenVerdict;
	from: number;
	until: number;
}

type Judged = Extract<HopDiagnosis, { is: "judged" }>;

export function judgedHop({ hops }: Diagnosis, hop: string): Judged | undefined {
	return hops.find((one): one is Judged => one.is === "judged" && one.hop === hop);
}

/**
 * Where the first broken hop was broken, in turns of the policy.
 *
 * Not planned: from the turn after those that worked on what it needs, to the last. Searched elsewhere, too early or in
 * vain: from the first turn that worked on it to the one after the last, in which nothing more was tried. Read wrongly:
 * the turn that first says the wrong value after the hop was worked on, else the last. Undefined where no hop is broken.
 */
export function breakSpan(task: Task, diagnosis: Diagnosis, turns: readonly Turn[]): BreakSpan | undefined {
	const { firstBroken } = diagnosis;
	if (firstBroken === null || !task.chain) return undefined;
	const judged = judgedHop(diagnosis, firstBroken);
	const verdict = brokenOrder.find((one) => one === judged?.verdict);
	if (!judged || verdict === undefined) return undefined;
	const last = turns.length - 1;
	const placesOf = (one: Judged) => {
		const steps = stepsOfHop(one);
		return [...turns.keys()].filter((at) => turns[at]?.steps.some(({ index }) => steps.includes(index)));
	};
	const own = placesOf(judged);
	const [first = 0] = own;
	const after = (at: number | undefined) => Math.min(last, (at ?? -1) + 1);
	const span = (from: number, until: number) => ({ hop: firstBroken, verdict, from, until });
	if (verdict === "not-planned") {
		const needed = ancestorsOf(task.chain).get(firstBroken) ?? new Set();
		const before = [...needed].flatMap((hop) => {
			const one = judgedHop(diagnosis, hop);
			return one ? placesOf(one).slice(0, 1) : [];
		});
		return span(after(before.length === 0 ? undefined : Math.max(...before)), last);
	}
	if (verdict === "unsupported" || verdict === "misread") {
		const said = turns.findIndex(
			({ text }, at) => at > first && judged.used !== undefined && mentionsAny([judged.used], [text]),
		);
		return span(said === -1 ? last : said, said === -1 ? last : said);
	}
	return span(first, after(own.at(-1)));
}
