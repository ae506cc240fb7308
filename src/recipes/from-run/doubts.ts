import type { Verdict } from "#domain";

/** Why a judge's pass is not to be relied on. */
export interface Doubt {
	/**
	 * split: one judge, or two, let it pass and not; low: a judge's mean is near the line; against-rule: the typed rule
	 * finds it wrong.
	 */
	is: "split" | "low" | "against-rule";
	/** Mean of the least sure judge's verdicts, 0 to 1. */
	mean: number;
	verdicts: number;
}

/** What counts as passed. */
const passed = 0.5;

/**
 * Whether judges let one record pass without being sure. Verdicts of different judges are compared, never averaged.
 * Undefined where none graded it, none let it pass, or all are sure.
 */
export function doubtOf(
	verdicts: readonly Verdict[],
	{ right, sure }: { right: boolean | undefined; sure: number },
): Doubt | undefined {
	// of a judge's run over the same answer the last verdict counts
	const judges = new Map<string, Map<number, number>>();
	for (const { judge, run, judgement } of verdicts) {
		const { model, rubric, prompt, seed } = judge;
		const key = JSON.stringify([model, rubric, prompt, seed]);
		const values = judges.get(key) ?? new Map<number, number>();
		judges.set(key, values);
		if (judgement.is === "judged" && judgement.grade !== null && judgement.value !== null)
			values.set(run, judgement.value);
		else values.delete(run);
	}
	const seen = [...judges.values()].map((values) => [...values.values()]).filter((values) => values.length > 0);
	const means = seen.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
	if (!means.some((mean) => mean >= passed)) return undefined;
	const mean = Math.min(...means);
	const about = { mean, verdicts: seen.flat().length };
	const lets = new Set(seen.flat().map((value) => value >= passed));
	if (lets.size > 1) return { is: "split", ...about };
	if (mean < sure) return { is: "low", ...about };
	return right === false ? { is: "against-rule", ...about } : undefined;
}
