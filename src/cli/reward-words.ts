import { counted } from "#domain";
import type { CallCount, FilterMode } from "#scoring";
import type { DroppedGroups, FormatForm, GroupReport, Slope } from "#training";
import type { RunReward } from "#workbench";
import { figure, inPercent, number, textTable } from "./text-table.ts";

/** What a trainer would make of a run, for a terminal. */
export function rewardText(report: GroupReport, about: Omit<RunReward, "report" | "rows">): string {
	const { run, filter, calls, format, alpha, beta, gamma } = about;
	const { records, means, groups, invalid } = report;
	const without = Object.entries(records.without).map(([reason, count]) => `${count}: ${reason}`);
	return [
		`${run}: ${records.rewarded} of ${counted(records.expected, "record")} have a reward${without.length > 0 ? ` (without, ${without.join("; ")})` : ""}`,
		"",
		...textTable(
			[
				["reward", figure(means.reward), `${alpha} outcome + ${beta} format + ${gamma} outcome format calls`],
				["outcome", figure(means.outcome), "answers right"],
				["format", figure(means.format), formatWords[format]],
				["rewarded calls", figure(means.tool), callWords[calls]],
				["action", figure(means.action), "outcome × format × rewarded calls"],
				["valid calls", figure(means.calls), "a record"],
				[
					"useless calls",
					figure(means.useless),
					"valid ones that brought nothing new though the tool worked, a record",
				],
				["invalid calls", `${inPercent(invalid)} %`, `of ${counted(invalid.of, "call")}`],
			],
			{ left: [0, 1, 2] },
		),
		"",
		`${counted(groups.n, "group")}${groups.none > 0 ? `, ${groups.none} more without any reward` : ""}${groups.lacking > 0 ? `; ${groups.lacking} lack members` : ""}${groups.single > 0 ? `; ${groups.single} have a single one, which is compared with nothing` : ""}`,
		...textTable(
			[
				["kept by the filter", `${inPercent(groups.kept)} %`, filterWords[filter]],
				["all right", `${inPercent(groups.allRight)} %`, ""],
				["all wrong", `${inPercent(groups.allWrong)} %`, ""],
				["kept and flat", `${inPercent(groups.flat)} %`, "of those kept: one reward for all, so no advantage"],
			],
			{ left: [0, 1, 2] },
		),
		"",
		...dropped(
			"hops",
			report.byHops.map((row) => [row.hops === null ? "no chain" : String(row.hops), row]),
		),
		"",
		...dropped(
			"topology",
			report.byTopology.map((row) => [row.topology ?? "no chain", row]),
		),
		"",
		...useless(report),
	].join("\n");
}

const callWords: Record<CallCount, string> = {
	all: "every valid call, as published",
	capped: "valid calls up to the hops required",
	new: "valid calls that brought something new",
};
const formatWords: Record<FormatForm, string> = {
	strict: "records in which every thought and action stands in its tags, as published",
	lenient: "records in which every turn could be carried out as written",
};
const filterWords: Record<FilterMode, string> = {
	paper: "at least one right answer",
	dapo: "a right and a wrong answer",
};

function dropped(name: string, rows: (readonly [string, DroppedGroups])[]): string[] {
	return textTable([
		[name, "groups", "dropped, %", "all wrong", "all right", "reward"],
		...rows.map(([label, { groups, dropped: share, allWrong, allRight, reward }]) => [
			label,
			String(groups),
			inPercent(share),
			String(allWrong),
			String(allRight),
			figure(reward),
		]),
	]);
}

function useless({ useless: { records, slopes } }: GroupReport): string[] {
	const last = records.length - 1;
	const label = (at: number) => (at === last ? `${at} or more` : String(at));
	return [
		"mean reward by useless calls, and the slope within tasks (reward for one useless call more)",
		...textTable([
			["rewarded calls", ...records.map((_, at) => label(at)), "slope, right and well-formed", "slope, all records"],
			["(records)", ...records.map(String), "", ""],
			...slopes.map(({ calls, means, ofRight, ofAll }) => [
				calls,
				...means.map((mean) => number(mean)),
				slope(ofRight),
				slope(ofAll),
			]),
		]),
	];
}

const slope = (one: Slope) => (one.value === null ? "–" : figure({ ...one, value: one.value }));
