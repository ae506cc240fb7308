/** Published lists of error types over diagnosed runs: shares by rule, a judge's beside, and the change between two runs. */
import {
	type DiagnosisSummary,
	type ErrorViewName,
	errorAgreement,
	errorViews,
	judgedRightIn,
	restsOnReading,
	type Share,
	showsErrorType,
} from "#diagnosis";
import { present, scored, unscored } from "#domain";
import { compareRuns, holm, judgesIn, summariseVerdicts } from "#scoring";
import { typeName } from "../../diagnosis/diagnosis-words.ts";
import { asShare, short } from "../../summaries.ts";
import { sameBenchmark } from "../baselines.ts";
import { areRanked, type DiagnosedMember, diagnosedRuns, readingNotes, shareCell } from "../diagnosed.ts";
import { differenceOf } from "../differences.ts";
import {
	groupColumns,
	numberColumn,
	percentColumn,
	plotByRun,
	plotInSlices,
	type TableColumn,
	tableOf,
	textColumn,
} from "../table.ts";
import type { Cell, View, ViewBody, ViewBuilder, ViewItem, ViewOptions, ViewRun } from "../view.ts";
import { countCell, intervalCell, unscoredCell } from "../view-cells.ts";

interface TypeRow extends DiagnosedMember {
	type: string;
	share: Share | undefined;
	change: Cell | undefined;
}

/**
 * A row a type and run. With two runs of one benchmark, what changed from the first to the second, by paired tests with
 * Holm's correction over the types of a group.
 */
function typeTable(
	runs: readonly ViewRun[],
	{ view, options }: { view: ErrorViewName; options: ViewOptions },
): { by: string[] } & Pick<ViewBody, "columns" | "rows" | "notes"> {
	const { by, groups, notes } = diagnosedRuns(runs, options);
	const judges = new Map(runs.map((run) => [run.manifest.id, judgedShares(run, view)]));
	const judged = [...judges.values()].some((found) => found !== undefined);
	const paired = groups.some(isPair);
	const ranked = groups.every(areRanked);
	const rows = groups.flatMap((group) => {
		const [before, after] = group;
		const changes = before && after && isPair(group) ? changesOf({ before, after }, view) : undefined;
		return Object.keys(errorViews[view].types).flatMap((type) =>
			group.map((member): TypeRow => {
				const tested = member === after ? changes?.get(type) : undefined;
				const isAlike = !restsOnReading(view, type) || areRanked(group);
				return {
					...member,
					type,
					share: member.summary.types[view][type],
					change: tested && !isAlike ? unscoredCell("reading was not seen at as many hops of both runs") : tested,
				};
			}),
		);
	});
	const names = groupColumns(by);
	const counts = typeColumns(ranked);
	// the slice goes before the type, the run behind it
	const columns: TableColumn<TypeRow>[] =
		by.length > 0
			? [...names.slice(0, 1), ...counts.slice(0, 1), ...names.slice(1), ...counts.slice(1)]
			: [...counts.slice(0, 1), ...names, ...counts.slice(1)];
	if (judged && by.length === 0)
		columns.push(
			percentColumn("judge", "Judge's labels", ({ id, type }) => judges.get(id)?.shares.get(type)),
			numberColumn("kappa", "κ", ({ id, type }) => judges.get(id)?.kappas.get(type)),
		);
	if (paired)
		columns.push(percentColumn("change", "Change", ({ change }) => change, { signed: true, better: "lower" }));
	return {
		by,
		...tableOf(rows, columns, ({ id }) => ({ run: id })),
		notes: present([
			...notes,
			...readingNotes(groups),
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
		]),
	};
}

const notLooked = unscoredCell("no record could be looked at for it");

/**
 * How many show a type, and their share; a dash for both where no record could be looked at for it. Where runs are not
 * `ranked`, the best of shares is not told from the best hidden.
 */
const typeColumns = (ranked = false): TableColumn<{ type: string; share: Share | undefined }>[] => [
	textColumn("type", "Type", ({ type }) => typeName(type)),
	numberColumn(
		"records",
		"Records",
		({ share }) => share && (share.of === 0 ? notLooked : countCell(share.count, share.of)),
	),
	percentColumn(
		"share",
		"Share",
		({ share }) => share && (share.of === 0 ? notLooked : shareCell(share)),
		ranked ? { better: "lower" } : {},
	),
];

/** The lists of one run's diagnoses, those of which anything could be looked for. */
export const typeTablesOf = ({ types }: DiagnosisSummary): View[] =>
	(Object.keys(errorViews) as ErrorViewName[]).flatMap((view) => {
		const { title, source, gives } = errorViews[view];
		const rows = Object.entries(types[view]).map(([type, share]) => ({ type, share }));
		if (rows.every(({ share }) => share.of === 0)) return [];
		const of = gives === "all" ? "a record may have several" : "one for each answer that is not right";
		return [
			{
				name: view,
				title: `${title} (${source}; ${of})`,
				describe: "",
				source,
				over: "record",
				...tableOf(rows, typeColumns()),
				plots: [],
				notes: [],
			},
		];
	});

function typeBuilder(about: Omit<ViewBuilder, "build">, view: ErrorViewName, yTitle: string): ViewBuilder {
	return {
		...about,
		build(runs, options) {
			const { by, ...table } = typeTable(runs, { view, options });
			return {
				over: "record",
				...table,
				plots: [plotInSlices(by, plotByRun("rows", "type", "share", yTitle))],
			};
		},
	};
}

/** MC-Search's eight error types (Figure 5), and their change from one run to another (Figure 7). */
export const errorTypes = typeBuilder(
	{
		name: "error-types",
		title: "Error types",
		describe:
			"Share of diagnosed records that show each type; a record may show several, and right answers can show some. The low end of an interval counts what is shown, the high end adds the records that neither show nor rule it out. With two runs of one benchmark, the change from the first to the second, paired by task.",
		source: "MC-Search, Figures 5 and 7",
	},
	"mc-search",
	"records %",
);

/** The earliest dominant failure of each wrong answer, as VistaHop's Table 9 has it. */
export const firstFailure = typeBuilder(
	{
		name: "first-failure",
		title: "Earliest dominant failure",
		describe:
			"Of the answers that are not right, the one of five types that came first and decided. The rest shows none of the five: the tool failed, no answer was given, the form was missed, or nothing shows what went wrong. The low end of an interval counts what is certain, the high end adds the answers that neither show nor rule it out.",
		source: "VistaHop, Table 9",
	},
	"vistahop",
	"answers not right %",
);

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
	view: ErrorViewName,
): Map<string, Cell> {
	const types = Object.keys(errorViews[view].types);
	const [later, earlier] = [gradedItems(after), gradedItems(before)];
	const found = types.map((type) => ({
		type,
		comparison: compareRuns(later, earlier, {
			metric: type,
			share: true,
			tests: types.length,
			scoreOf: (item) => showsType(item, { view, type }),
		}),
	}));
	const tested = found.flatMap(({ type, comparison: { p } }) => (p === null ? [] : [{ type, p }]));
	const adjusted = new Map(holm(tested.map(({ p }) => p)).map((p, place) => [tested[place]?.type, p]));
	return new Map(
		found.map(({ type, comparison }): [string, Cell] => {
			const p = adjusted.get(type);
			const marks = p === undefined ? [] : [{ against: before.label, p, better: (comparison.value ?? 0) < 0 }];
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
