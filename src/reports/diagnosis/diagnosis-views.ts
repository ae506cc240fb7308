/** A run's diagnosis as views: what the record shows hop by hop, what failures cost, and how far others agree with it. */
import { errorViews, leastAgreement, type ReaderReport, type Share } from "#diagnosis";
import { clip, plainLine } from "#domain";
import type { DiagnosedRun } from "../report-data.ts";
import { diagnosedTables } from "../views/builders/diagnosed-runs.ts";
import { typeTablesOf } from "../views/builders/error-types.ts";
import { column, numberColumn, type TableColumn, tableOf, textColumn } from "../views/table.ts";
import type { Cell, View, ViewRow } from "../views/view.ts";
import { intervalCell, textCell } from "../views/view-cells.ts";
import { plural } from "../wording.ts";
import type { DiagnosisReport } from "./diagnosis-report.ts";
import { typeName, verdictWords } from "./diagnosis-words.ts";

/** The tables of a diagnosis, in the order of reading; those with nothing to show say why in their notes. */
export function diagnosisViews(report: DiagnosisReport): View[] {
	const { summary, run, agent } = report;
	// without a chain an error type is hardly seen at all, and what the records show without gold stands in its place
	const ofHops = ["hop-verdicts", "first-broken", ...(summary.withChain === 0 ? Object.keys(errorViews) : [])];
	// of one run its name says nothing
	const views = [...diagnosedTables({ id: run, label: agent, values: [], summary }), ...typeTablesOf(summary)]
		.filter(({ name }) => summary.recorded > 0 && (summary.hops.judged > 0 || !ofHops.includes(name)))
		.map((view) => ({ ...view, columns: view.columns.filter(({ key }) => key !== "run"), intervals: "" }))
		.map((view) => (view.name === "hop-verdicts" ? placesAcross(view) : view));
	const { certain, orBefore, unnamed, failures } = summary.failures;
	const of = plural(failures, "wrong answer");
	const open =
		certain.count < failures
			? [
					`${certain.count} of ${of} have one cause that nothing overrules; ${orBefore} are named, but a hop that was not observed may have broken before; ${unnamed} have no name. So shares are intervals.`,
				]
			: [];
	return [
		...views.map((view) =>
			view.name === "failure-parts"
				? { ...view, title: `${view.title} (${of})`, notes: [...view.notes, ...open] }
				: view,
		),
		...agreementViews(report),
	];
}

/** The places of hops side by side, and a row for each verdict: chains are few hops long, and verdicts are many. */
function placesAcross(view: View): View {
	const [place, ...verdicts] = view.columns;
	const placeOf = ({ cells }: ViewRow) => cells[place?.key ?? ""];
	return {
		...view,
		columns: [
			column("verdict", "Verdict"),
			...view.rows.map((row, at) => {
				const name = placeOf(row);
				// how many were judged stands in a row of its own
				return column(`${at}`, name?.is === "text" ? name.text : "", "percent", { bounded: true });
			}),
		],
		rows: verdicts.map(({ key, title, group }) => ({
			cells: {
				verdict: textCell(group === undefined ? title : `of read: ${title}`),
				...Object.fromEntries(
					view.rows.flatMap(({ cells: { [key]: cell } }, at): [string, Cell][] => (cell ? [[`${at}`, cell]] : [])),
				),
			},
		})),
	};
}

interface Agreed {
	name: string;
	/** By the rules, and by the other. */
	rules: number;
	other: number;
	both: number;
	unseen?: number;
	kappa: Omit<Share, "count" | "of" | "groups" | "method"> & { n?: number };
}

function agreementView(
	{ name, title, other }: { name: string; title: string; other: string },
	rows: readonly Agreed[],
	all: { both: number | string; unseen?: number; kappa: Agreed["kappa"] },
): View {
	const kappaCell = ({ n = 0, ...found }: Agreed["kappa"]) =>
		intervalCell({ ...found, n, groups: n, method: found.low === null ? "none" : "delta" });
	const columns: TableColumn<Partial<Omit<Agreed, "both">> & Pick<Agreed, "kappa"> & { both: number | string }>[] = [
		textColumn("finding", "Finding", (row) => row.name ?? "all"),
		numberColumn("rules", "by rules", ({ rules }) => rules),
		numberColumn("other", other, (row) => row.other),
		numberColumn("both", "both", ({ both }) => (typeof both === "string" ? textCell(both) : both)),
		...(all.unseen === undefined
			? []
			: [numberColumn<{ unseen?: number }>("unseen", "not seen", ({ unseen }) => unseen)]),
		numberColumn("kappa", "kappa", ({ kappa }) => kappaCell(kappa)),
	];
	return {
		name,
		title,
		describe: "",
		source: "",
		over: "record",
		...tableOf([...rows, all], columns),
		plots: [],
		notes: [],
	};
}

/** How far the rules and each judge give records the same error types, and the rules and a second reader hops the same verdicts. */
export function agreementViews({ agreement, reader }: Pick<DiagnosedRun, "agreement" | "reader">): View[] {
	const judges = (Object.keys(agreement) as (keyof typeof errorViews)[]).flatMap((view) =>
		(agreement[view] ?? []).map(({ judge, records, same, overall, unseen, labels }) =>
			agreementView(
				{
					name: `agreement-${view}`,
					title: `${errorViews[view].title}: rules and ${plainLine(clip(judge, 40))} on ${plural(records, "record")}, ${same} labelled the same`,
					other: "by judge",
				},
				labels.map(({ label, judge: other, ...row }) => ({ ...row, name: typeName(label), other })),
				{ both: "", unseen, kappa: overall },
			),
		),
	);
	return [...judges, ...(reader ? readerViews(reader) : [])];
}

/** Who read the hops whose reading nothing shows, and whether that counts: sentences. */
export function readerNotes({ reader, agreement, unobserved, sameModel }: ReaderReport): string[] {
	const { doubt } = agreement;
	const { hops, asked, solved, misread, unsupported, cannotTell, unparsed, failed } = unobserved;
	const made = [
		`${solved} ${verdictWords.solved.name}`,
		`${misread} ${verdictWords.misread.name}`,
		`${unsupported} ${verdictWords.unsupported.name}`,
		`${cannotTell} left open`,
		...(unparsed > 0 ? [`${unparsed} unusable`] : []),
		...(failed > 0 ? [`${failed} not answered`] : []),
	];
	return [
		`The second reader ${plainLine(clip(reader, 60))} read ${asked} of ${plural(hops, "hop")} whose reading nothing shows: ${made.join(", ")}.`,
		doubt === undefined
			? `These verdicts count, since where the rules speak too it agrees with them (κ of at least ${leastAgreement.kappa} over ${leastAgreement.hops} hops or more).`
			: `None of these verdicts counts: ${doubt}. The hops stay unobserved.`,
		...(sameModel ? ["It is the model that it reads: this is no independent measure."] : []),
	];
}

function readerViews({ agreement }: ReaderReport): View[] {
	const { asked, read, cannotTell, unparsed, failed, same, kappa, verdicts } = agreement;
	if (asked === 0) return [];
	const others = Object.entries({ "left open": cannotTell, unusable: unparsed, "not answered": failed });
	const told = others.flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
	return [
		agreementView(
			{
				name: "second-reader",
				title: `Rules and second reader on ${plural(read, "hop")} that both judge, ${same} alike (asked about ${[asked, ...told].join(", ")})`,
				other: "by reader",
			},
			verdicts.map(({ verdict, reader, ...row }) => ({ ...row, name: verdictWords[verdict].name, other: reader })),
			{ both: same, kappa },
		),
	];
}
