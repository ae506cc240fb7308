/** What diagnoses say of runs: hop by hop, record by record, and of what failures cost. */
import { type BoundedShare, missCauses as causes, failureParts as parts } from "#diagnosis";
import { brokenOrder, FindingKind, HopVerdict } from "#domain";
import {
	boundsNote,
	causeWords,
	failuresNote,
	partWords,
	primaryName,
	verdictWords,
} from "../../diagnosis/diagnosis-words.ts";
import { type Diagnosed, type DiagnosedRuns, diagnosedRuns, readingNotes, shareCell } from "../diagnosed.ts";
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
import type { View, ViewBody, ViewBuilder } from "../view.ts";
import { countCell } from "../view-cells.ts";

/** A view of diagnosed runs, which can also be made of one run's summary alone. */
interface DiagnosedBuilder extends ViewBuilder {
	table(runs: DiagnosedRuns): ViewBody;
}

function diagnosedBuilder(
	about: Pick<View, "name" | "title" | "describe">,
	table: DiagnosedBuilder["table"],
): DiagnosedBuilder {
	return { ...about, source: "Hopscope", table, build: (runs, options) => table(diagnosedRuns(runs, options)) };
}

/** Table after table of one run. */
export const diagnosedTables = (run: Diagnosed): View[] =>
	[hopVerdicts, firstBroken, failureParts, findings, missCauses].map(({ name, title, describe, source, table }) => ({
		...{ name, title, describe, source },
		...table({ by: [], groups: [[run]], notes: [] }),
	}));

const aboutRun = ({ id }: Diagnosed) => ({ run: id });

export const hopVerdicts = diagnosedBuilder(
	{
		name: "hop-verdicts",
		title: "Verdicts by place of the hop",
		describe:
			"Of the gold hops that stand first, second, … in the order of dependency: how they went. Shares are of the hops judged; a hop that was not observed leaves those open that it could be, between the ends of their intervals. Beside them, of the hops whose evidence came back, how many show how they were read, and the rates of reading of these. Later places exist in longer chains only.",
	},
	({ by, groups, notes }) => {
		const places = groups
			.flat()
			.flatMap((run) => [
				{ ...run, place: "all hops", hops: run.summary.hops },
				...run.summary.byPlace.map((hops) => ({ ...run, place: `hop ${hops.place}`, hops })),
			]);
		type Row = (typeof places)[number];
		const seen = HopVerdict.options.filter((verdict) => places.some(({ hops }) => hops.verdicts[verdict].most > 0));
		const read = { group: "Of hops read" };
		const columns: TableColumn<Row>[] = [
			...groupColumns(by),
			textColumn("place", "Place", ({ place }) => place),
			numberColumn("hops", "Hops judged", ({ hops }) => countCell(hops.judged, hops.expected)),
			...seen.map((verdict) =>
				percentColumn<Row>(verdict, verdictWords[verdict].name, ({ hops }) =>
					shareCell(hops.verdicts[verdict], { expected: hops.expected, missing: hops.notJudged }),
				),
			),
			percentColumn("coverage", "reading seen", ({ hops: { reading } }) => shareCell(reading.seen), read),
			percentColumn("read-right", "read rightly", ({ hops: { reading } }) => shareCell(reading.right), read),
			percentColumn(
				"read-wrong",
				verdictWords.misread.name,
				({ hops: { reading } }) => shareCell(reading.misread),
				read,
			),
			percentColumn(
				"made-up",
				verdictWords.unsupported.name,
				({ hops: { reading } }) => shareCell(reading.unsupported),
				read,
			),
		];
		return {
			over: "hop",
			...tableOf(places, columns, aboutRun),
			plots: seen.includes("solved") ? [plotInSlices(by, plotByRun("bars", "place", "solved", "solved %"))] : [],
			notes: [...notes, ...readingNotes(groups)],
		};
	},
);

export const firstBroken = diagnosedBuilder(
	{
		name: "first-broken",
		title: "Where the chain is first seen to break",
		describe:
			"The first gold hop, in the order of dependency, that is seen to be broken: of all records of tasks with a chain that were diagnosed. An earlier hop that was not observed may have broken before: the low end of a share leaves out records with such a hop, the high end of that hop's place counts them. What broke there stands beside.",
	},
	({ by, groups, notes }) => {
		const rows = groups.flat().flatMap((run) => [
			...run.summary.firstBroken.map(({ place, share, verdicts }) => ({
				...run,
				place: `hop ${place}`,
				share,
				verdicts,
			})),
			{ ...run, place: "no hop", share: run.summary.unbroken, verdicts: undefined },
		]);
		type Row = (typeof rows)[number];
		const seen = brokenOrder.filter((verdict) => rows.some(({ verdicts }) => verdicts?.[verdict] !== undefined));
		const columns: TableColumn<Row>[] = [
			...groupColumns(by),
			textColumn("place", "Breaks first at", ({ place }) => place),
			numberColumn("records", "Records", ({ share }) => countCell(share.count, share.of)),
			percentColumn("share", "Share", ({ share, summary: { withChain, unbroken } }) =>
				shareCell(share, { expected: withChain, missing: { "no record": withChain - unbroken.of } }),
			),
			...seen.map((verdict) =>
				numberColumn<Row>(verdict, verdictWords[verdict].name, ({ verdicts }) => verdicts && (verdicts[verdict] ?? 0), {
					group: "Broken by",
				}),
			),
		];
		return {
			over: "record",
			...tableOf(rows, columns, aboutRun),
			plots: [plotInSlices(by, plotByRun("bars", "place", "share", "records %", "breaks first at"))],
			notes,
		};
	},
);

export const failureParts = diagnosedBuilder(
	{
		name: "failure-parts",
		title: "What failures cost, by the record alone",
		describe: `Of the wrong answers to tasks with a gold chain: the part that was lost first, then the causes within. ${boundsNote} Whether mending a part would have helped, only re-runs tell (error-budget).`,
	},
	({ by, groups, notes }) => {
		const rows = groups.flat().flatMap((run) => {
			const { failures } = run.summary;
			if (failures.failures === 0) return [];
			const seen = parts.filter((part) => failures.parts[part].most > 0);
			return [
				...seen.map((part) => ({ ...run, part: partWords[part].name, share: failures.parts[part] })),
				...Object.entries(failures.causes).map(([kind, share]: [string, BoundedShare]) => ({
					...run,
					part: `cause: ${primaryName(kind as FindingKind | "nothing")}`,
					share,
				})),
			];
		});
		const columns: TableColumn<(typeof rows)[number]>[] = [
			...groupColumns(by),
			textColumn("part", "Lost to", ({ part }) => part),
			percentColumn("share", "Failures", ({ share }) => shareCell(share)),
			// the counts that it lies between
			numberColumn("named", "Named", ({ share }) => countCell(share.count, share.of)),
			numberColumn("most", "Up to", ({ share }) => countCell(share.most, share.of)),
		];
		return {
			over: "failure",
			...tableOf(rows, columns, aboutRun),
			plots: [plotInSlices(by, plotByRun("rows", "part", "share", "failures %"))],
			notes: [
				...notes,
				...groups
					.flat()
					.flatMap(({ label, summary }) => failuresNote(summary.failures.left).map((note) => `${label}: ${note}`)),
				...readingNotes(groups),
			],
		};
	},
);

export const findings = diagnosedBuilder(
	{
		name: "findings",
		title: "Findings",
		describe:
			"Records with at least one such finding (a record may have several), and records in which it is the one to name first: the first broken hop's verdict, else the weightiest finding. The latter sum to one; what is named there as not observed could be a misread, an unsupported value or a slip in composing: failure-parts bounds these.",
	},
	({ by, groups, notes }) => {
		const kinds = [...FindingKind.options, "nothing" as const];
		const rows = groups.flatMap((group) =>
			kinds.flatMap((kind) => {
				const found = group.map((run) => {
					const { primary, findings: any } = run.summary;
					return { ...run, kind, first: primary[kind], any: kind === "nothing" ? primary[kind] : any[kind] };
				});
				return found.some(({ first, any }) => first || any) ? found : [];
			}),
		);
		type Row = (typeof rows)[number];
		const missing = ({ summary: { expected, recorded } }: Row) => ({
			expected,
			missing: { "no record": expected - recorded },
		});
		const names = groupColumns(by);
		const columns: TableColumn<Row>[] = [
			...names.slice(0, by.length > 0 ? 1 : 0),
			textColumn("finding", "Finding", ({ kind }) => primaryName(kind)),
			...names.slice(by.length > 0 ? 1 : 0),
			numberColumn("records", "Records", ({ any, none }) => {
				const share = any ?? none;
				return share && countCell(share.count, share.of);
			}),
			percentColumn("share", "Any", ({ any, ...row }) => cellOf(any ?? row.none, row)),
			percentColumn("first", "Named first", ({ first, ...row }) => cellOf(first ?? row.none, row)),
		];
		const cellOf = (share: Row["first"], row: Pick<Row, "summary">) => share && shareCell(share, missing(row as Row));
		return {
			over: "record",
			...tableOf(rows, columns, aboutRun),
			plots: [plotInSlices(by, plotByRun("rows", "finding", "first", "named first, records %"))],
			notes,
		};
	},
);

export const missCauses = diagnosedBuilder(
	{
		name: "miss-causes",
		title: "Why evidence did not come back",
		describe:
			"Of the hops with a retrieval miss whose cause was looked into, by searching the agent's own query and the gold sub-question again: the evidence is not in the knowledge base, the tool failed or showed too few results (the own query finds it now), the query was bad (only the gold sub-question finds it), or the retriever is weak (neither does).",
	},
	({ by, groups, notes }) => {
		const all = groups.flat();
		const rows = all.flatMap((run) =>
			run.summary.misses.lookedInto === 0 ? [] : causes.map((cause) => ({ ...run, ...run.summary.misses, cause })),
		);
		const columns: TableColumn<(typeof rows)[number]>[] = [
			...groupColumns(by),
			textColumn("cause", "Cause", ({ cause }) => causeWords[cause].name),
			numberColumn("hops", "Hops", (row) => countCell(row.causes[row.cause].count, row.lookedInto)),
			percentColumn("share", "Share", ({ missed, lookedInto, ...row }) =>
				shareCell(row.causes[row.cause], {
					expected: missed,
					missing: { "not looked into": missed - lookedInto },
				}),
			),
		];
		const unknown = all.filter(({ summary: { misses } }) => misses.missed > 0 && misses.lookedInto === 0);
		const whole = all.filter(({ summary: { misses } }) => misses.missed === 0);
		const named = (some: typeof all) => [...new Set(some.map(({ label }) => label))];
		return {
			over: "hop",
			...tableOf(rows, columns, aboutRun),
			plots: [plotInSlices(by, plotByRun("rows", "cause", "share", "missed hops %"))],
			notes: [
				...notes,
				...named(unknown).map((name) => `${name}: no cause was looked into: hopscope diagnose RUN --misses N.`),
				...named(whole).map((name) => `${name}: no hop has a retrieval miss.`),
			],
		};
	},
);
