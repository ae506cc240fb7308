import { grouped } from "#domain";
import { type CallCount, clusterOf, mean, type RatioInterval, ratioInterval, reward } from "#scoring";
import type { EpisodeReward, RewardOptions } from "../reward/trajectory-reward.ts";
import type { RewardedGroup } from "./reward-records.ts";

/** What one form of the tool reward gives for calls that brought nothing new. */
export interface UselessCallSlope {
	calls: CallCount;
	/** Mean reward of the records with 0, 1, 2, … useless calls, the last row of `most` or more; null where there are none. */
	means: (number | null)[];
	/** Reward for one useless call more, between the right and well-formed records of one task. */
	ofRight: Slope;
	/** The same between all records of one task. */
	ofAll: Slope;
}

export type Slope = Pick<RatioInterval, "value" | "low" | "high" | "groups" | "reason">;

export interface UselessCalls {
	/** Records by useless calls: 0, 1, 2, …, the last of them that many or more. */
	records: number[];
	slopes: UselessCallSlope[];
}

/** Valid calls of a record that brought nothing new although the tool worked. */
export const uselessIn = ({ validCalls, newCalls, failedCalls }: EpisodeReward): number =>
	validCalls - newCalls - failedCalls;

const forms: CallCount[] = ["all", "capped", "new"];
const most = 3;

/**
 * Reward against useless calls, the valid calls that brought nothing new with a tool that worked, for the three forms of the tool reward.
 *
 * The slope is the least-squares one within tasks: sum over records of (u - mean u)(R - mean R) / sum of (u - mean u)^2,
 * means being of the record's task, so that hard tasks, which take more calls, do not speak for the calls. Undefined where
 * no task has records that differ in useless calls. An observed slope: the records also differ in other ways.
 */
export function uselessCalls(groups: readonly RewardedGroup[], options: RewardOptions = {}): UselessCalls {
	const { alpha, beta, gamma } = options;
	const all = groups.flatMap(({ task, members }) =>
		members.flatMap(({ reward: made }) =>
			made ? [{ task, made, useless: uselessIn(made), ideal: made.outcome * made.format === 1 }] : [],
		),
	);
	const bin = (useless: number) => Math.min(useless, most);
	const bins = Array.from({ length: most + 1 }, (_, at) => at);
	return {
		records: bins.map((at) => all.filter(({ useless }) => bin(useless) === at).length),
		slopes: forms.map((calls) => {
			const paid = all.flatMap(({ task, made, useless, ideal }) => {
				const { outcome, format, validCalls, newCalls, requiredHops } = made;
				if (calls === "capped" && requiredHops === null) return [];
				const input = { correct: outcome === 1, formatValid: format === 1, validCalls, newCalls };
				const required = requiredHops === null ? {} : { requiredHops };
				const { value } = reward({ ...input, ...required }, { alpha, beta, gamma, calls });
				return [{ task, useless, ideal, value }];
			});
			return {
				calls,
				means: bins.map((at) => meanOf(paid.filter(({ useless }) => bin(useless) === at))),
				ofRight: slopeOf(paid.filter(({ ideal }) => ideal)),
				ofAll: slopeOf(paid),
			};
		}),
	};
}

interface Paid {
	task: RewardedGroup["task"];
	useless: number;
	value: number;
}

const meanOf = (paid: readonly Paid[]): number | null =>
	paid.length === 0 ? null : mean(paid.map(({ value }) => value));

function slopeOf(paid: readonly Paid[]): Slope {
	const parts = [...grouped(paid, ({ task }) => task)].map(([task, members]) => {
		const [u, r] = [mean(members.map(({ useless }) => useless)), mean(members.map(({ value }) => value))];
		const sum = (of: (one: Paid) => number) => members.reduce((total, one) => total + of(one), 0);
		return {
			numerator: sum(({ useless, value }) => (useless - u) * (value - r)),
			denominator: sum(({ useless }) => (useless - u) ** 2),
			cluster: clusterOf(task),
		};
	});
	const varying = parts.filter(({ denominator }) => denominator > 0);
	const { value, low, high, groups, reason } = ratioInterval(varying, { share: false });
	if (value === null) return { value, low, high, groups, reason: "no task has records that differ in useless calls" };
	return { value, low, high, groups, ...(reason === undefined ? {} : { reason }) };
}
