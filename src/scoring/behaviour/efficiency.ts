import { z } from "zod";
import { defineMetric, type MetricResult, valuesByName } from "../metric.ts";
import { type Interval, interval } from "../statistics/interval.ts";
import { mean } from "../statistics/moments.ts";
import { ratioInterval } from "../statistics/ratio-interval.ts";

/** Amounts a question, by agent; one number for each question. */
export type ByAgent = Readonly<Record<string, readonly number[]>>;

/** One agent's time a question over the fastest one's. `low` and `high` are null where there is no interval. */
export interface RelativeTime {
	value: number;
	low: number | null;
	high: number | null;
	/** Its own time a question, in milliseconds. */
	ms: Interval;
}

/**
 * Normalised time: each agent's mean time a question over the smallest such mean. The fastest agent has 1.
 *
 * The interval redraws questions, for which both agents must have answered the same ones in the same order; where the
 * numbers of questions differ, or the fastest took no time at one, there is none. Every agent has a question at least.
 * Null when there is no agent, or when the fastest took no time at all. Source: Double-Bench, Figure 6.
 */
export function relativeTimes(ms: ByAgent): Map<string, RelativeTime> | null {
	const agents = Object.entries(ms);
	const means = agents.map(([, times]) => mean(times));
	const least = Math.min(...means);
	if (agents.length === 0 || least === 0) return null;
	const fastest = agents[means.indexOf(least)]?.[1] ?? [];
	return new Map(
		agents.map(([agent, times], index) => {
			const value = (means[index] ?? least) / least;
			return [agent, { value, ...bounds(times, fastest, value), ms: interval(times, { share: false }) }];
		}),
	);
}

function bounds(times: readonly number[], fastest: readonly number[], value: number) {
	// by definition, not by measurement
	if (value === 1) return { low: 1, high: 1 };
	if (times.length !== fastest.length || fastest.some((time) => time === 0)) return { low: null, high: null };
	const { low, high } = ratioInterval(
		times.map((time, index) => ({ numerator: time, denominator: fastest[index] ?? 1, cluster: String(index) })),
	);
	return { low: low === null ? null : Math.max(0, low), high };
}

const amounts = z.array(z.number().min(0).max(1e12)).min(1).max(1_000_000);
const byAgent = valuesByName(amounts, { most: 20 });

export const efficiencyMetric = defineMetric({
	name: "efficiency",
	group: "behaviour",
	describe: "Time a question over the fastest agent's.",
	formula: "mean of ms[agent] / smallest mean of ms",
	range: "1 and up",
	edges:
		"value is of `agent`, or of the slowest; agents holds them all, with tokens, calls and money a question where given. Intervals need the same questions in the same order. No agent, or a fastest time of 0: unscored.",
	source: "Double-Bench, Figure 6",
	example: { ms: { arena: [2000, 3000], retrieve: [900, 1100] }, tokens: { arena: [900, 1200], retrieve: [300, 350] } },
	input: z
		.strictObject({
			ms: byAgent,
			tokens: byAgent.optional(),
			calls: byAgent.optional(),
			money: byAgent.optional(),
			agent: z.string().max(200).optional(),
		})
		.refine(({ ms, agent }) => agent === undefined || Object.hasOwn(ms, agent), {
			message: "there is no such agent in ms",
			path: ["agent"],
		}),
	compute: ({ ms, tokens = {}, calls = {}, money = {}, agent }): MetricResult => {
		const times = relativeTimes(ms);
		if (times === null) return { value: null, reason: "there is no agent, or the fastest took no time" };
		const slowest = [...times].reduce((most, each) => (each[1].value > most[1].value ? each : most))[0];
		const chosen = agent ?? slowest;
		const found = times.get(chosen);
		const perQuestion = (name: string, from: ByAgent) =>
			Object.hasOwn(from, name) ? interval(from[name] ?? [], { share: false }) : undefined;
		const agents = Object.fromEntries(
			[...times].map(([name, time]) => {
				const beside = {
					tokens: perQuestion(name, tokens),
					calls: perQuestion(name, calls),
					money: perQuestion(name, money),
				};
				return [name, { ...time, ...Object.fromEntries(Object.entries(beside).filter(([, each]) => each)) }];
			}),
		);
		if (!found) return { value: null, reason: "the agent has no question", agents };
		return { value: found.value, low: found.low, high: found.high, agent: chosen, agents };
	},
});
