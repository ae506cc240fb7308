import { type Share, shareOf } from "#diagnosis";
import { grouped, retrievalHops, type Task, type Topology, tally, topologyOf } from "#domain";
import { clusterOf, type Interval, interval, mean } from "#scoring";
import type { RewardOptions } from "../reward/trajectory-reward.ts";
import type { RewardedGroup, RewardedRecord } from "./reward-records.ts";
import { type UselessCalls, uselessCalls, uselessIn } from "./useless-calls.ts";

/** What a filter does to the groups of one kind. */
export interface DroppedGroups {
	/** Groups with at least one reward. */
	groups: number;
	dropped: Share;
	allWrong: number;
	allRight: number;
	/** Mean reward over the groups. */
	reward: Interval;
}

/** A run seen as the groups of a group-relative trainer. */
export interface GroupReport {
	/** Records planned, those with a reward, and why the others have none. */
	records: { expected: number; rewarded: number; without: Record<string, number> };
	/** Means over the groups of the means of their members, with 95 % intervals; `useless` calls brought nothing new. */
	means: Record<Component, Interval>;
	/** Calls that could not be carried out as written, of all calls. */
	invalid: Share;
	groups: {
		/** With at least one reward; `none` have none at all. */
		n: number;
		none: number;
		/** With fewer rewards than were planned; of those, with a single one, which nothing is relative to. */
		lacking: number;
		single: number;
		kept: Share;
		allRight: Share;
		allWrong: Share;
		/** Kept, with the same reward for every member: they cost a place in the batch and move nothing. */
		flat: Share;
	};
	/** By gold hops that need retrieval, ascending; null: the tasks state no chain. */
	byHops: ({ hops: number | null } & DroppedGroups)[];
	byTopology: ({ topology: Topology | null } & DroppedGroups)[];
	useless: UselessCalls;
}

const components = {
	reward: ({ value }) => value,
	outcome: ({ outcome }) => outcome,
	format: ({ format }) => format,
	tool: ({ tool }) => tool,
	action: ({ action }) => action,
	calls: ({ validCalls }) => validCalls,
	useless: uselessIn,
} as const satisfies Record<string, (reward: NonNullable<RewardedRecord["reward"]>) => number>;
type Component = keyof typeof components;

/** Sums up groups: means and shares with intervals over tasks, and which groups the filter drops, by their chains. */
export function groupReport(groups: readonly RewardedGroup[], options: RewardOptions = {}): GroupReport {
	const members = groups.flatMap((group) => group.members);
	const filled = groups.filter(({ rewarded }) => rewarded > 0);
	const share = (is: (group: RewardedGroup) => boolean, of = filled) =>
		shareOf(of.map((group) => ({ task: group.task, is: is(group) })));
	const lacking = filled.filter((group) => group.rewarded < group.members.length);
	return {
		records: {
			expected: members.length,
			rewarded: members.filter(({ reward }) => reward !== null).length,
			without: tally(members.flatMap(({ reason }) => reason ?? [])),
		},
		means: Object.fromEntries(
			Object.entries(components).map(([name, read]) => [name, meanOver(filled, read)]),
		) as GroupReport["means"],
		invalid: shareOf(
			members.flatMap(({ task, reward }) =>
				reward
					? [
							...Array.from({ length: reward.invalidCalls }, () => ({ task, is: true })),
							...Array.from({ length: reward.validCalls }, () => ({ task, is: false })),
						]
					: [],
			),
		),
		groups: {
			n: filled.length,
			none: groups.length - filled.length,
			lacking: lacking.length,
			single: filled.filter(({ rewarded }) => rewarded === 1).length,
			kept: share(({ kept }) => kept === true),
			allRight: share(({ answers }) => answers === "all-right"),
			allWrong: share(({ answers }) => answers === "all-wrong"),
			flat: share(
				({ flat }) => flat,
				filled.filter(({ kept }) => kept === true),
			),
		},
		byHops: [...grouped(filled, ({ task }) => hopsOf(task))]
			.sort(([a], [b]) => (a ?? -1) - (b ?? -1))
			.map(([hops, of]) => ({ hops, ...droppedOf(of) })),
		byTopology: [...grouped(filled, ({ task }) => (task.chain ? topologyOf(task.chain) : null))]
			.sort(([a], [b]) => (a ?? "").localeCompare(b ?? ""))
			.map(([topology, of]) => ({ topology, ...droppedOf(of) })),
		useless: uselessCalls(groups, options),
	};
}

const hopsOf = ({ chain }: Task): number | null => (chain ? retrievalHops(chain).length : null);

function droppedOf(of: readonly RewardedGroup[]): DroppedGroups {
	return {
		groups: of.length,
		dropped: shareOf(of.map(({ task, kept }) => ({ task, is: kept === false }))),
		allWrong: of.filter(({ answers }) => answers === "all-wrong").length,
		allRight: of.filter(({ answers }) => answers === "all-right").length,
		reward: meanOver(of, components.reward),
	};
}

function meanOver(groups: readonly RewardedGroup[], read: (typeof components)[Component]): Interval {
	const means = groups.map(({ members }) => mean(members.flatMap(({ reward }) => (reward ? [read(reward)] : []))));
	const counts = read !== components.outcome && read !== components.format;
	return interval(means, {
		clusters: groups.map(({ task }) => clusterOf(task)),
		share: !counts,
	});
}
