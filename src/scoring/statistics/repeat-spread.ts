import { sampleVariance } from "./moments.ts";
import { studentQuantile } from "./student-t.ts";

/** How far the difference of two runs' means moves by answering the same tasks again, nothing else changed. */
export interface RepeatSpread {
	/** Half-width: 95 % of such differences lie within it of 0; null without repeats. */
	half: number | null;
	/** Tasks of which at least one run has several repeats, of all. */
	repeated: number;
	tasks: number;
	reason?: string;
}

/**
 * What repeats alone do to the difference of two runs over the same tasks, `a` and `b` the values of a task's repeats in
 * each. The variance of one answer to task i is pooled over its repeats within each run, never across runs:
 *
 *     s_i^2 = sum over runs of (m - 1) s^2 / sum over runs of (m - 1),   SE^2 = sum_i s_i^2 (1 / m_ai + 1 / m_bi) / T^2
 *
 * with m the number of repeats and T the number of tasks; `half` is t(0.975) SE on the sum of (m - 1) degrees of freedom.
 * A task with one answer in both runs takes the mean variance of the others. The tasks are taken as given: this is no
 * interval for other tasks. No task with repeats, or no spread seen: null with the reason.
 */
export function repeatSpread(tasks: readonly { a: readonly number[]; b: readonly number[] }[]): RepeatSpread {
	const counted = tasks.filter(({ a, b }) => a.length > 0 && b.length > 0);
	const parts = counted.map(({ a, b }) => {
		const within = [a, b].map((values) => ({ free: values.length - 1, variance: sampleVariance(values) ?? 0 }));
		const free = within.reduce((sum, one) => sum + one.free, 0);
		const squares = within.reduce((sum, one) => sum + one.free * one.variance, 0);
		return { free, variance: free > 0 ? squares / free : undefined, answers: 1 / a.length + 1 / b.length };
	});
	const known = parts.flatMap(({ variance }) => (variance === undefined ? [] : [variance]));
	const counts = { repeated: known.length, tasks: counted.length };
	if (known.length === 0) return { half: null, ...counts, reason: "each task was answered once" };
	const usual = known.reduce((sum, one) => sum + one, 0) / known.length;
	const whole = parts.reduce((sum, { variance = usual, answers }) => sum + variance * answers, 0);
	const free = parts.reduce((sum, part) => sum + part.free, 0);
	const error = Math.sqrt(whole) / counted.length;
	if (!(error > 0)) return { half: null, ...counts, reason: "repeats all went alike, so their spread is unknown" };
	return { half: studentQuantile(0.975, free) * error, ...counts };
}
