/** Runs as their diagnoses show them; the shares are those of `hopscope diagnose`. */
import { type DiagnosisSummary, isReadingComparable, type Share, shareOf, summariseDiagnoses } from "#diagnosis";
import { notRankedText } from "../diagnosis/diagnosis-words.ts";
import type { NamedRow } from "./table.ts";
import type { Cell, ViewItem, ViewOptions, ViewRun } from "./view.ts";
import { intervalCell } from "./view-cells.ts";
import { groupsOf, type Member, membersOf, searchingRuns } from "./view-items.ts";

/** What a run's diagnoses say together, within a group of its tasks. */
export interface Diagnosed extends NamedRow {
	/** Of the run. */
	id: string;
	summary: DiagnosisSummary;
	/** A share of none of its records, where they are at hand. */
	none?: Share;
}

export interface DiagnosedMember extends Diagnosed, Member {}

/** Diagnosed runs, group by group; a note for each run that is left out. */
export interface DiagnosedRuns<One extends Diagnosed = Diagnosed> {
	by: string[];
	groups: One[][];
	notes: string[];
}

/** Several views are built over the same items, which are summarised once. */
const summarised = new WeakMap<readonly ViewItem[], DiagnosisSummary>();

function summaryOf({ items, run: { verdicts } }: Member): DiagnosisSummary {
	const summary = summarised.get(items) ?? summariseDiagnoses(items, { verdicts });
	summarised.set(items, summary);
	return summary;
}

export function diagnosedRuns(
	runs: readonly ViewRun[],
	{ by, label }: Pick<ViewOptions, "by" | "label">,
): DiagnosedRuns<DiagnosedMember> {
	const { searching, notes } = searchingRuns(runs, { label });
	const diagnosed = searching.filter(({ diagnoses = [] }) => diagnoses.length > 0);
	const without = searching.filter((run) => !diagnosed.includes(run));
	const bys = by === undefined ? [] : [by];
	const groups = groupsOf(membersOf(diagnosed), bys).map(({ values, members }) =>
		members.map((member) => ({
			...member,
			values,
			id: member.run.manifest.id,
			label: label(member.run),
			summary: summaryOf(member),
			none: shareOf(member.items.flatMap(({ task, diagnosis }) => (diagnosis ? [{ task, is: false }] : []))),
		})),
	);
	return {
		by: bys,
		groups,
		notes: [...notes, ...without.map((run) => `${label(run)} was not diagnosed: hopscope diagnose RUN.`)],
	};
}

/** Whether runs may be ranked by how they read. */
export const areRanked = (members: readonly Diagnosed[]): boolean =>
	isReadingComparable(members.map(({ summary }) => summary.hops.reading.seen));

/** Why runs of one group are not ranked on reading, where they are not. */
export function readingNotes(groups: readonly (readonly Diagnosed[])[]): string[] {
	const members = groups.find((group) => !areRanked(group));
	if (!members) return [];
	return [notRankedText(members.map(({ label, summary }) => ({ name: label, seen: summary.hops.reading.seen })))];
}

/** A share of things counted; `expected` of which only so many could be judged. */
export function shareCell(
	{ of, ...share }: Share,
	{ expected = of, missing = {} }: { expected?: number; missing?: Record<string, number> } = {},
): Cell {
	return intervalCell({ ...share, n: of }, { expected, missing });
}
