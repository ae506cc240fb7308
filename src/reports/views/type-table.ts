/** Published lists of error types over diagnosed runs: shares by rule, a judge's beside, and the change between two runs. */
import {
	type ErrorViewName,
	errorAgreement,
	errorViews,
	judgedRightIn,
	restsOnReading,
	type Share,
	showsErrorType,
} from "#diagnosis";
import { scored, unscored } from "#domain";
import { compareRuns, holm, judgesIn, summariseVerdicts } from "#scoring";
import { typeName } from "../diagnosis/diagnosis-words.ts";
import { asShare, short } from "../summaries.ts";
import { sameBenchmark } from "./baselines.ts";
import { areRanked, type DiagnosedMember, diagnosedGroups, readingNotes, shareCell } from "./diagnosed.ts";
import { differenceOf } from "./differences.ts";
import type { Cell, Column, ViewItem, ViewOptions, ViewRow, ViewRun } from "./view.ts";
import { countCell, groupCells, groupColumns, intervalCell, textCell, unscoredCell } from "./view-cells.ts";

/**
 * A row a type and run. With two runs of one benchmark, what changed from the first to the second, by paired tests with
 * Holm's correction over the types of a group.
 */
export function typeTable(
	runs: readonly ViewRun[],
	{ view, options }: { view: ErrorViewName; options: ViewOptions },
): { by: string[]; columns: Column[]; rows: ViewRow[]; notes: string[] } {
	const { by, groups, notes } = diagnosedGroups(runs, options);
	const types = Object.keys(errorViews[view].types);
	const judges = new Map(runs.map((run) => [run.manifest.id, judgedShares(run, view)]));
	const judged = [...judges.values()].some((found) => found !== undefined);
	const paired = groups.some(({ members }) => isPair(members));
	const ranked = groups.every(({ members }) => areRanked(members));
	const rows = groups.flatMap((group) => {
		const [before, after] = group.members;
		const changes =
			paired && before && after && isPair(group.members)
				? changesOf({ before, after }, { view, label: options.label(before.run) })
				: undefined;
		return types.flatMap((type) =>
			group.members.map((member): ViewRow => {
				const { run, summary } = member;
				const share: Share | undefined = summary.types[view][type];
				const isAlike = !restsOnReading(view, type) || areRanked(group.members);
				const tested = member === after ? changes?.get(type) : undefined;
				const change = tested && !isAlike ? unscoredCell(unlike) : tested;
				const judge = by.length === 0 ? judges.get(run.manifest.id) : undefined;
				const [label, kappa] = [judge?.shares.get(type), judge?.kappas.get(type)];
				return {
					run: run.manifest.id,
					cells: {
						...groupCells(by, group, { run, options }),
						type: textCell(typeName(type)),
						...(share ? typeCells(share) : {}),
						...(label ? { judge: label } : {}),
						...(kappa ? { kappa } : {}),
						...(change ? { change } : {}),
					},
				};
			}),
		);
	});
	const [slice, ...rest] = groupColumns(by);
	const typeColumn: Column = { key: "type", title: "Type", unit: "text" };
	return {
		by,
		columns: [
			...(by.length > 0 && slice ? [slice, typeColumn, ...rest] : slice ? [typeColumn, slice] : []),
			{ key: "records", title: "Records", unit: "number" },
			// the best of shares is not told from the best hidden
			{ key: "share", title: "Share", unit: "percent", ...(ranked ? { better: "lower" as const } : {}) },
			...(judged && by.length === 0
				? [
						{ key: "judge", title: "Judge's labels", unit: "percent" } as const,
						{ key: "kappa", title: "κ", unit: "number" } as const,
					]
				: []),
			...(paired ? [{ key: "change", title: "Change", unit: "percent", signed: true, better: "lower" } as const] : []),
		],
		rows,
		notes: [
			...notes,
			...readingNotes(groups, options),
			...[...judges].flatMap(([id, found]) => {
				const run = runs.find(({ manifest }) => manifest.id === id);
				return found && run
					? [`${options.label(run)}: the judge is ${found.judge}; κ is its agreement with the rules, beyond chance.`]
					: [];
			}),
			...(paired && errorViews[view].gives === "first"
				? [
						"Shares are of the answers that are not right; the change is over all records, of which right answers show none.",
					]
				: []),
			...(judged ? [] : [`No judge has labelled these runs by ${errorViews[view].rubric}: shares are by rule alone.`]),
		],
	};
}

/** How many show a type, and their share; a dash for both where no record could be looked at for it. */
const typeCells = (share: Share): Record<string, Cell> =>
	share.of === 0
		? { records: unscoredCell(notLooked), share: unscoredCell(notLooked) }
		: { records: countCell(share.count, share.of), share: shareCell(share) };
const unlike = "reading was not seen at as many hops of both runs";
const notLooked = "no record could be looked at for it";

const isPair = (members: readonly DiagnosedMember[]): boolean => {
	const [a, b, more] = members;
	return a !== undefined && b !== undefined && more === undefined && sameBenchmark(a.run, b.run);
};

interface GradedItem extends ViewItem {
	judgedRight: boolean | undefined;
}

/** Records with what judges say of their answers. */
function gradedItems({ run, items }: DiagnosedMember): GradedItem[] {
	const judgedRight = judgedRightIn(run.verdicts ?? []);
	return items.map((item) => ({ ...item, judgedRight: item.diagnosis && judgedRight(item.diagnosis) }));
}

/** Whether a record shows a type, as a score; the list of the first failures is of answers that are not right. */
function showsType(
	{ task, row, diagnosis, judgedRight }: GradedItem,
	{ view, type }: { view: ErrorViewName; type: string },
) {
	if (!diagnosis) return unscored("no diagnosis");
	if (errorViews[view].gives === "first" && row?.outcome === "right") return scored(0);
	const shows = showsErrorType(diagnosis, { view, type, task, judgedRight });
	return shows === null ? unscored("could not be looked for") : scored(shows ? 1 : 0);
}

function changesOf(
	{ before, after }: { before: DiagnosedMember; after: DiagnosedMember },
	{ view, label }: { view: ErrorViewName; label: string },
): Map<string, Cell> {
	const types = Object.keys(errorViews[view].types);
	const [later, earlier] = [gradedItems(after), gradedItems(before)];
	const found = types.map((type) => ({
		type,
		comparison: compareRuns(later, earlier, {
			...{ metric: type, share: true, tests: types.length },
			scoreOf: (item) => showsType(item, { view, type }),
		}),
	}));
	const tested = found.flatMap(({ type, comparison: { p } }) => (p === null ? [] : [{ type, p }]));
	const adjusted = new Map(holm(tested.map(({ p }) => p)).map((p, place) => [tested[place]?.type, p]));
	return new Map(
		found.map(({ type, comparison }): [string, Cell] => {
			const p = adjusted.get(type);
			const marks = p === undefined ? [] : [{ against: label, p, better: (comparison.value ?? 0) < 0 }];
			return [type, { is: "measured", measured: differenceOf(comparison), marks }];
		}),
	);
}

/** The labels of the first judge that judged by the list's rubric, and how far it agrees with the rules on each. */
function judgedShares(
	run: ViewRun,
	view: ErrorViewName,
): { judge: string; shares: Map<string, Cell>; kappas: Map<string, Cell> } | undefined {
	const { verdicts = [], diagnoses = [], tasks } = run;
	const seen = judgesIn(verdicts).find(({ rubric }) => rubric.name === errorViews[view].rubric);
	if (!seen) return undefined;
	const told = summariseVerdicts(run, { verdicts, ...seen });
	const missing = { expected: told.expected, missing: told.unscored };
	const shares = Object.entries(told.labels).map(([name, { share }]): [string, Cell] => [
		name,
		intervalCell(asShare(share), missing),
	]);
	const { judges } = errorAgreement(diagnoses, verdicts, { view, tasks });
	const kappas = (judges[0]?.labels ?? []).map(({ label, kappa }): [string, Cell] => [
		label,
		intervalCell({ ...kappa, groups: kappa.n, method: kappa.low === null ? "none" : "delta" }),
	]);
	return { judge: short(seen.judge), shares: new Map(shares), kappas: new Map(kappas) };
}
