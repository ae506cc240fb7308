import { ancestorsOf, type BrokenVerdict, brokenOrder, type Diagnosis, type HopDiagnosis, type Task } from "#domain";
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
 * Not planned: from the turn after those that brought what it needs, to the last. Searched elsewhere, too early or in
 * vain: from the first turn that aimed at it to the one after the last, in which nothing more was tried. Read wrongly: the
 * turn that first says the wrong value after its evidence came back, else the one in which it was seen, else the last.
 * Undefined where no hop is broken.
 */
export function breakSpan(task: Task, diagnosis: Diagnosis, turns: readonly Turn[]): BreakSpan | undefined {
	const { firstBroken } = diagnosis;
	if (firstBroken === null || !task.chain) return undefined;
	const judged = judgedHop(diagnosis, firstBroken);
	const verdict = brokenOrder.find((one) => one === judged?.verdict);
	if (!judged || verdict === undefined) return undefined;
	const last = turns.length - 1;
	const turnsWith = (steps: readonly number[]) =>
		[...turns.keys()].filter((at) => turns[at]?.steps.some(({ index }) => steps.includes(index)));
	/** The turn that first brought a hop's evidence; where nothing did, the first that aimed at it. */
	const firstOf = ({ brought, aimed }: Judged) => turnsWith(brought.length > 0 ? brought : aimed).slice(0, 1);
	const after = (at: number | undefined) => Math.min(last, (at ?? -1) + 1);
	const span = (from: number, until: number) => ({ hop: firstBroken, verdict, from, until });
	if (verdict === "not-planned") {
		const needed = ancestorsOf(task.chain).get(firstBroken) ?? new Set();
		const before = [...needed].flatMap((hop) => {
			const one = judgedHop(diagnosis, hop);
			return one ? firstOf(one) : [];
		});
		return span(after(before.length === 0 ? undefined : Math.max(...before)), last);
	}
	if (verdict === "unsupported" || verdict === "misread") {
		const { used, seen } = judged;
		const [first = 0] = firstOf(judged);
		const said = turns.findIndex(({ text }, at) => at > first && used !== undefined && mentionsAny([used], [text]));
		const [shown = last] = seen?.step === undefined ? [] : turnsWith([seen.step]);
		const at = said === -1 ? shown : said;
		return span(at, at);
	}
	const own = turnsWith(judged.aimed);
	return span(own[0] ?? 0, after(own.at(-1)));
}
