/** A run's expected records joined with all that is known of each, and groups of them over several runs. */
import { lastByKey, recordKey, retrievalSteps } from "#domain";
import { type JudgeSeen, judgedRows, judgesIn, noValue, sliceNames, slices } from "#scoring";
import type { SliceName } from "../report-data.ts";
import { expectedItems, short } from "../summaries.ts";
import { sliceValueName, sliceWords } from "../wording.ts";
import type { ViewItem, ViewOptions, ViewRun } from "./view.ts";

/** A run with some of its records. */
export interface Member {
	run: ViewRun;
	items: readonly ViewItem[];
}

/** Views are built one after another over the same runs, which are joined once. */
const joined = new WeakMap<ViewRun, ViewItem[]>();

/** Every planned task, once for each repeat, with its last record, row and diagnosis where there are any. */
export function viewItems(run: ViewRun): ViewItem[] {
	const known = joined.get(run);
	if (known) return known;
	const records = lastByKey(run.records);
	const diagnoses = lastByKey(run.diagnoses ?? []);
	const items = expectedItems(run).map((item) => {
		const key = recordKey({ task: item.task.id, repeat: item.repeat });
		const record = records.get(key);
		const diagnosis = diagnoses.get(key);
		// one of an earlier attempt says nothing of the record that counts
		const current = diagnosis?.attempt === record?.attempt ? diagnosis : undefined;
		return { ...item, record, diagnosis: current };
	});
	joined.set(run, items);
	return items;
}

/** Runs that were asked for answers: one that only searches has none to show. */
export const answers = ({ records }: ViewRun): boolean =>
	records.length === 0 || records.some(({ trajectory }) => !trajectory.searchOnly);

/** Whether a run searched, or could have: what an agent that is handed its evidence or asks only itself did not find says nothing. */
export const searches = ({ manifest, records }: ViewRun): boolean =>
	manifest.agent.reference === undefined || records.some(({ trajectory }) => retrievalSteps(trajectory).length > 0);

/** The runs that search, and a note on those that are left out. */
export function searchingRuns(
	runs: readonly ViewRun[],
	{ label }: Pick<ViewOptions, "label">,
): { searching: ViewRun[]; notes: string[] } {
	const without = runs.filter((run) => !searches(run)).map(label);
	return {
		searching: runs.filter(searches),
		notes: without.length > 0 ? [`Left out, since they search nothing by design: ${without.join(", ")}.`] : [],
	};
}

export const membersOf = (runs: readonly ViewRun[]): Member[] => runs.map((run) => ({ run, items: viewItems(run) }));

/** The first judge of a run whose rubric grades answers; undefined where there is none. */
export const gradingJudge = (run: ViewRun): JudgeSeen | undefined =>
	judgesIn(run.verdicts ?? []).find(({ judge, rubric, seed }) =>
		(run.verdicts ?? []).some(
			({ judge: stamp, judgement }) =>
				stamp.model === judge &&
				stamp.rubric === rubric.name &&
				stamp.seed === seed &&
				judgement.is === "judged" &&
				judgement.grade !== null,
		),
	);

/** A run's items with outcomes and the score `judged` as its first grading judge has them, and who that is. */
export function gradedItems(run: ViewRun): { items: ViewItem[]; judge: JudgeSeen | undefined } {
	const judge = gradingJudge(run);
	if (!judge) return { items: viewItems(run), judge };
	const rows = judgedRows(run.rows, run.verdicts ?? [], judge);
	return { items: viewItems({ ...run, rows }), judge };
}

/** Whose word a table takes for right or wrong, in a sentence; judges differ from run to run. */
export function graderNotes(runs: readonly ViewRun[]): string[] {
	const judges = runs.map(gradingJudge);
	const named = [...new Set(judges.map((seen) => seen && `${short(seen.judge)} by ${seen.rubric.name}`))];
	const [only] = named;
	if (named.length === 1 && only === undefined)
		return ["Right and wrong are by the typed metric, which knows no partly right: no judge has graded these answers."];
	if (named.length === 1) return [`Right, partly right and wrong are graded by ${only}.`];
	const all = named.map((name) => name ?? "the typed metric, where no judge has graded");
	return [`Right, partly right and wrong are graded by ${all.join("; ")}: rows by different graders do not compare.`];
}

export interface Group {
	/** A value for each property that was grouped by. */
	values: string[];
	members: Member[];
}

/** Groups by one property within another, in the order that scoring has them; runs without a record in a group are left out. */
export function groupsOf(members: readonly Member[], by: readonly string[]): Group[] {
	const [first, ...rest] = by;
	if (first === undefined) return [{ values: [], members: members.filter(({ items }) => items.length > 0) }];
	const split = members.map(({ run, items }) => ({
		run,
		groups: new Map(slices(items, first).map((slice) => [slice.name, slice.items])),
	}));
	const every = members.flatMap(({ items }) => items);
	return slices(every, first).flatMap(({ name }) => {
		const within = split.map(({ run, groups }) => ({ run, items: groups.get(name) ?? [] }));
		return groupsOf(within, rest).map(({ values, members: found }) => ({ values: [name, ...values], members: found }));
	});
}

/** Members group by group, with what names their rows; `by` is what they are asked to be grouped by, if anything. */
export function groupedRows<One extends Member>(
	members: readonly One[],
	{ by, label }: Pick<ViewOptions, "by" | "label">,
): { by: string[]; groups: (Member & { values: string[]; label: string })[][] } {
	const bys = by === undefined ? [] : [by];
	const groups = groupsOf(members, bys).map(({ values, members: within }) =>
		within.map((member) => ({ ...member, values, label: label(member.run) })),
	);
	return { by: bys, groups };
}

/** Whether any task has the tag. */
export const hasTag = (members: readonly Member[], tag: string): boolean =>
	members.some(({ items }) => items.some(({ task }) => Object.hasOwn(task.tags, tag)));

const isSliceName = (by: string): by is SliceName => (sliceNames as readonly string[]).includes(by);

/** What a property is called as the heading of a column. */
export const propertyName = (by: string): string =>
	isSliceName(by) ? sliceWords[by].heading : short(spelt(by.replace(/^tag:/, "")));

/** `questionType` as people write it. */
function spelt(tag: string): string {
	const words = tag
		.replace(/(?<=[a-z])(?=[A-Z])|[_-]+/g, " ")
		.trim()
		.toLowerCase();
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a property's value is called. */
export const valueName = (by: string, value: string): string =>
	short(isSliceName(by) ? sliceValueName(by, value) : value === noValue ? "(none)" : value);
