import { grouped, HopscopeError, type RunRecord, type Task } from "#domain";
import { type AdvantageMode, advantage, type FilterMode, groupFilter } from "#scoring";
import { type EpisodeReward, type RewardOptions, trajectoryReward } from "../reward/trajectory-reward.ts";

/** One expected record of a run with its reward, or why it has none. */
export interface RewardedRecord {
	task: Task;
	repeat: number;
	record: RunRecord | undefined;
	reward: EpisodeReward | null;
	/** Why there is no reward: there is then no place in the group either. */
	reason?: string;
	/** Within its group; null without a reward. */
	advantage: number | null;
}

/** All records of one task: what group-relative training calls a group. */
export interface RewardedGroup {
	task: Task;
	/** One for each repeat that was planned. */
	members: RewardedRecord[];
	/** Members with a reward. */
	rewarded: number;
	/** Whether the filter lets it into an update; null where no member has a reward. */
	kept: boolean | null;
	/** Of the members with a reward; `mixed` where they differ. */
	answers: "all-right" | "all-wrong" | "mixed" | null;
	/** Whether all its rewards are the same, so that every advantage is 0. */
	flat: boolean;
}

export interface GroupOptions extends RewardOptions {
	advantage?: AdvantageMode | undefined;
	filter?: FilterMode | undefined;
	signal?: AbortSignal | undefined;
}

/**
 * The groups of a run as group-relative training would see them: rewards by the published formula, advantages within the
 * group, and whether the filter keeps it. Tasks in the order given.
 *
 * A record that ended in an error or has no answer that can be scored is no member: it has no reward and takes no part in
 * the means of its group.
 */
export async function rewardedGroups(
	{ tasks, records, repeats }: { tasks: readonly Task[]; records: readonly RunRecord[]; repeats: number },
	options: GroupOptions = {},
): Promise<RewardedGroup[]> {
	const { advantage: mode, filter, signal, ...reward } = options;
	const byTask = grouped(records, ({ task }) => task);
	const groups: RewardedGroup[] = [];
	for (const task of tasks) {
		signal?.throwIfAborted();
		const byRepeat = new Map((byTask.get(task.id) ?? []).map((record) => [record.repeat, record]));
		const members: RewardedRecord[] = [];
		for (let repeat = 0; repeat < repeats; repeat++)
			members.push(await rewarded({ task, repeat, record: byRepeat.get(repeat) }, reward));
		groups.push(groupOf(task, members, { mode, filter }));
	}
	return groups;
}

type Member = Pick<RewardedRecord, "task" | "repeat" | "record">;

async function rewarded(member: Member, options: RewardOptions): Promise<RewardedRecord> {
	const without = (reason: string): RewardedRecord => ({ ...member, reward: null, reason, advantage: null });
	const { task, record } = member;
	if (!record) return without("not run");
	try {
		return { ...member, reward: await trajectoryReward(task, record.trajectory, options), advantage: null };
	} catch (error) {
		if (error instanceof HopscopeError && error.code === "unscored") return without(String(error.facts.because));
		throw error;
	}
}

function groupOf(
	task: Task,
	all: readonly RewardedRecord[],
	{ mode, filter }: { mode: AdvantageMode | undefined; filter: FilterMode | undefined },
): RewardedGroup {
	const rewards = all.flatMap(({ reward }) => reward ?? []);
	const values = rewards.map(({ value }) => value);
	const advantages = advantage(values, { mode }).values();
	const members = all.map((one) =>
		one.reward === null ? one : { ...one, advantage: advantages.next().value ?? null },
	);
	const right = rewards.map(({ outcome }) => outcome === 1);
	const { kept, allRight, allWrong } = groupFilter([right], { mode: filter });
	const none = rewards.length === 0;
	return {
		task,
		members,
		rewarded: rewards.length,
		kept: none ? null : kept.length === 1,
		answers: none ? null : allRight === 1 ? "all-right" : allWrong === 1 ? "all-wrong" : "mixed",
		flat: values.every((value) => value === values[0]),
	};
}
