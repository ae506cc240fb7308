/** Runs as their diagnoses show them; the shares are those of `hopscope diagnose`. */
import { type DiagnosisSummary, isReadingComparable, type Share, summariseDiagnoses } from "#diagnosis";
import { notRankedText } from "../diagnosis/diagnosis-words.ts";
import type { Cell, ViewItem, ViewOptions, ViewRun } from "./view.ts";
import { intervalCell } from "./view-cells.ts";
import { type Group, groupsOf, type Member, membersOf, searchingRuns } from "./view-items.ts";

export interface DiagnosedMember extends Member {
	summary: DiagnosisSummary;
}

/** Several views are built over the same items, which are summarised once. */
const summarised = new WeakMap<readonly ViewItem[], DiagnosisSummary>();

function summaryOf({ items, run: { verdicts } }: Member): DiagnosisSummary {
	const summary = summarised.get(items) ?? summariseDiagnoses(items, { verdicts });
	summarised.set(items, summary);
	return summary;
}

/** The runs that were diagnosed, by group, and a note for each that was not. */
export function diagnosedGroups(
	runs: readonly ViewRun[],
	{ by, label }: ViewOptions,
): { by: string[]; groups: (Omit<Group, "members"> & { members: DiagnosedMember[] })[]; notes: string[] } {
	const { searching, notes } = searchingRuns(runs, { label });
	const diagnosed = searching.filter(({ diagnoses = [] }) => diagnoses.length > 0);
	const without = searching.filter((run) => !diagnosed.includes(run));
	const bys = by === undefined ? [] : [by];
	const groups = groupsOf(membersOf(diagnosed), bys).map(({ values, members }) => ({
		values,
		members: members.map((member) => ({ ...member, summary: summaryOf(member) })),
	}));
	return {
		by: bys,
		groups,
		notes: [...notes, ...without.map((run) => `${label(run)} was not diagnosed: hopscope diagnose RUN.`)],
	};
}

/** Whether runs may be ranked by how they read. */
export const areRanked = (members: readonly DiagnosedMember[]): boolean =>
	isReadingComparable(members.map(({ summary }) => summary.hops.reading.seen));

/** Why runs of one group are not ranked on reading, where they are not. */
export function readingNotes(
	groups: readonly { members: readonly DiagnosedMember[] }[],
	{ label }: Pick<ViewOptions, "label">,
): string[] {
	const [members] = groups.filter((group) => !areRanked(group.members)).map((group) => group.members);
	if (!members) return [];
	const coverages = members.map(({ run, summary }) => ({ name: label(run), seen: summary.hops.reading.seen }));
	return [notRankedText(coverages)];
}

/** A share of things counted; `expected` of which only so many could be judged. */
export function shareCell(
	{ of, ...share }: Share,
	{ expected = of, missing = {} }: { expected?: number; missing?: Record<string, number> } = {},
): Cell {
	return intervalCell({ ...share, n: of }, { expected, missing });
}
