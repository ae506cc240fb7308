import type { Answer, Hop, Task } from "#domain";
import { sha256 } from "#store";
import type { BenchmarkCheck } from "./check.ts";
import type { FoundProblems } from "./finding.ts";

/**
 * Answers that pass without being the gold: the number or year that is one more or less, and what an earlier hop answers.
 * Where the source itself states an interval for a measure, what lies within it is right and no finding. Scoring reads as a
 * grader does, some tenths of a millisecond a task, so of large benchmarks a part is drawn.
 */
export const exactnessCheck: BenchmarkCheck = {
	name: "exactness",
	about:
		"a number or year that is one off, and the answer of an earlier hop, count as wrong by the benchmark's scoring",
	async run({ tasks, manifest: { scoring = "hopscope", tasks: all }, isRight, limits }) {
		if (!isRight) return { skipped: "needs the rules that answers are scored by" };
		const findings: FoundProblems = [];
		const count = { numbers: 0, oneOff: 0, chains: 0, before: 0 };
		const isDrawn = drawn(limits.exactMost / all);
		let looked = 0;
		for await (const task of tasks) {
			if (!isDrawn(task)) continue;
			looked += 1;
			const near = neighbours(task.answer);
			if (near.length > 0) count.numbers += 1;
			const passing = near.filter((text) => isRight(text, task));
			if (passing.length > 0) {
				count.oneOff += 1;
				findings.push({
					...{ code: "one-off-passes", severity: "warning", task: task.id },
					message: `task ${task.id}: its answer is ${written(task.answer)}, and ${passing.join(" and ")} would pass as right (${scoring})`,
				});
			}
			const earlier = earlierHops(task);
			if (earlier.length > 0) count.chains += 1;
			const hop = earlier.find(({ answer }) => isRight(answer.value, task));
			if (!hop) continue;
			count.before += 1;
			findings.push({
				...{ code: "earlier-answer-passes", severity: "warning", task: task.id, hop: hop.id },
				message: `task ${task.id}: its answer is ${written(task.answer)}, and "${hop.answer.value}", which only answers hop ${hop.id}, would pass as right (${scoring})`,
			});
		}
		const figures = [
			{ name: "numbers and years that one more or less would pass for", value: count.oneOff, of: count.numbers },
			{ name: "chains whose end an earlier hop's answer would pass for", value: count.before, of: count.chains },
		];
		const part = looked < all ? [`${looked} of ${all} tasks, drawn by their ids`] : [];
		return { looked, findings, figures, notes: [`scored by ${scoring}`, ...part] };
	},
};

/** Whether a task is one of about so many: by its id, since every so-manyth would meet the same templates again and again. */
function drawn(share: number): (task: Task) => boolean {
	if (share >= 1) return () => true;
	return ({ id }) => Number.parseInt(sha256(id).slice(0, 12), 16) < share * 16 ** 12;
}

/** Kinds that the source may give an interval for. */
const tolerant: readonly unknown[] = ["measure", "share", "money"];

/** A whole number, or a year, one less and one more; none of other answers. */
function neighbours(answer: Answer): string[] {
	if (answer.type === "time") {
		const { iso, precision } = answer.time;
		const year = Number.parseInt(iso, 10);
		return precision === "year" && year > 1 ? [`${year - 1}`, `${year + 1}`] : [];
	}
	if (answer.type !== "number") return [];
	const { value, kind, range, tolerance = 0 } = answer.number;
	const stated = tolerance > 0 || (range !== undefined && range[0] < range[1]);
	if (!Number.isSafeInteger(value) || (stated && tolerant.includes(kind))) return [];
	return [`${value - 1}`, `${value + 1}`];
}

/** The hops before the last one, but for those that answer the same as the task does. */
function earlierHops({ chain, answer }: Task): Hop[] {
	const same = (other: Answer) =>
		answer.accepted.includes(other.value) ||
		(answer.type === "number" && other.type === "number" && other.number.value === answer.number.value) ||
		(answer.type === "time" && other.type === "time" && other.time.iso === answer.time.iso);
	return chain?.hops.filter((hop) => hop.id !== chain.sink && !same(hop.answer)) ?? [];
}

const written = (answer: Answer) =>
	answer.type === "number" && answer.number.kind ? `${answer.value} (${answer.number.kind})` : answer.value;
