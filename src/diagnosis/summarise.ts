import {
	countName,
	type Diagnosis,
	type FindingKind,
	type HopDiagnosis,
	HopVerdict,
	inDependencyOrder,
	type MissCause,
	type Task,
	type Verdict,
} from "#domain";
import { judgedRightIn } from "./agreement.ts";
import { type AlikeRecords, alikeRecords, type DiagnosedItem, type RecordKind } from "./alike-records.ts";
import { breakIn, breaksIn } from "./breaks.ts";
import { type FailureCauses, failureCauses, hiddenAt } from "./causes.ts";
import { type ErrorViewName, errorTypeShareIn, errorViews } from "./error-views.ts";
import { type ReadingSeen, readingSeenIn } from "./reading-coverage.ts";
import {
	type BoundedShare,
	boundedShareIn,
	type KindCounts,
	type Share,
	type Sight,
	sharesIn,
	totalIn,
} from "./shares.ts";

/** Counts by reason. */
export type Reasons = Record<string, number>;

/** Verdicts on the hops of one place in the order of dependency, from 1. */
export interface HopsAt {
	/** Hops expected there: one for each expected record whose chain is so long. */
	expected: number;
	judged: number;
	/** Shares are of those judged; what was not observed is between the ends of the verdicts that it could be. */
	verdicts: Record<HopVerdict, BoundedShare>;
	/** Rates of reading, of the hops at which it was seen, with how many these are. */
	reading: ReadingSeen;
	notJudged: Reasons;
}

export interface DiagnosisSummary {
	/** Records expected, recorded, and those of tasks with a gold chain. */
	expected: number;
	recorded: number;
	withChain: number;
	/** Over all places, and by place. */
	hops: HopsAt;
	byPlace: (HopsAt & { place: number })[];
	/**
	 * Of the records with a judged hop: where the chain is first seen to break (`place` from 1); the rest has no hop that is
	 * seen to be broken. A hop that was not observed may be the one that broke first ("or before").
	 */
	firstBroken: { place: number; share: BoundedShare; verdicts: Partial<Record<HopVerdict, number>> }[];
	unbroken: BoundedShare;
	/** What wrong answers cost by the record alone. */
	failures: FailureCauses;
	/** What is named first, of all records; `nothing`: no finding. */
	primary: Partial<Record<FindingKind | "nothing", Share>>;
	/** Records with at least one such finding. */
	findings: Partial<Record<FindingKind, Share>>;
	/**
	 * Published lists of error types; of `first` lists, of answers that are not right only. Records in which a type was not
	 * looked for are not among those its share is of; where it was and nothing shows it, it is between the share's ends.
	 */
	types: Record<ErrorViewName, Record<string, BoundedShare>>;
	/** Of the records that state a plan. */
	plan: { stated: number; coverage: Mean; spurious: Mean; adherence: Mean; revised: Mean } | null;
	/** Why evidence did not come back, of the missed hops. */
	misses: { missed: number; lookedInto: number; causes: Record<MissCause["is"], Share> };
	/** What could not be judged of how many records, and why. */
	notJudged: { what: FindingKind[]; reason: string; records: number }[];
}

/** A mean over the records that have the value. */
export interface Mean {
	value: number | null;
	n: number;
}

export const missCauses = ["not-in-knowledge-base", "tool-or-k", "bad-query", "weak-retriever"] as const;

/**
 * What the diagnoses of a run say together. Every expected record and every gold hop of it is in a count. `verdicts`, of
 * judges, tell where a judge takes an answer that the typed metric does not.
 */
export function summariseDiagnoses(
	items: readonly DiagnosedItem[],
	options: { verdicts?: readonly Verdict[] | undefined } = {},
): DiagnosisSummary {
	const records = alikeRecords(items, judgedRightIn(options.verdicts ?? []));
	const { kinds, counts } = records;
	const places = kinds.map(placesOf);
	const longest = places.reduce((most, hops) => Math.max(most, hops.length), 0);
	return {
		expected: items.length,
		recorded: totalIn(counts, (kind) => Number(kinds[kind]?.diagnosis !== undefined)),
		withChain: totalIn(counts, (kind) => Number(kinds[kind]?.task.chain !== undefined)),
		hops: hopsOf(counts, places),
		byPlace: Array.from({ length: longest }, (_, at) => ({
			place: at + 1,
			...hopsOf(
				counts,
				places.map((hops) => hops.slice(at, at + 1)),
			),
		})),
		...breaksIn(counts, kinds.map(breakOf), longest),
		failures: failureCauses(records),
		primary: kindsOf(records, ({ primary }) => [primary ?? "nothing"]),
		findings: kindsOf(records, ({ findings }) => findings.map(({ is }) => is)),
		types: Object.fromEntries(
			(Object.keys(errorViews) as ErrorViewName[]).map((view) => [view, typesOf(records, view)]),
		) as DiagnosisSummary["types"],
		plan: plansOf(records),
		misses: missesOf(records),
		notJudged: notJudgedOf(records),
	};
}

/** Of what was not looked at it is not known whether it is broken. */
const breakOf = ({ task, diagnosis }: RecordKind) =>
	diagnosis?.hops.some(({ is }) => is === "judged") ? breakIn({ task, diagnosis }) : null;

interface Placed {
	task: Task;
	hop: HopDiagnosis;
	/** Whether no one could say if a misread value stands somewhere. */
	blind: boolean;
}

/** The hops of a chain in the order of dependency. */
function placesOf({ task, diagnosis }: RecordKind): Placed[] {
	if (!task.chain) return [];
	const judged = new Map(diagnosis?.hops.map((hop) => [hop.hop, hop]));
	const blind = diagnosis?.notJudged.some(({ what }) => what.includes("unsupported")) ?? false;
	return inDependencyOrder(task.chain).map(({ id }) => {
		const hop = judged.get(id) ?? ({ is: "not-judged", hop: id, reason: "no record" } as const);
		return { task, hop, blind };
	});
}

/** Of the hops of which a record of each kind has some: `placed[kind]`. */
function hopsOf(counts: KindCounts, placed: readonly (readonly Placed[])[]): HopsAt {
	const seen = placed.map((hops) => hops.flatMap((one) => (one.hop.is === "judged" ? [sightsOf(one)] : [])));
	const verdicts = HopVerdict.options.map((verdict) => [
		verdict,
		boundedShareIn(
			counts,
			seen.map((hops) => hops.map((sights) => sights.get(verdict) ?? "absent")),
		),
	]);
	const notJudged: Reasons = {};
	for (const [kind, hops] of placed.entries())
		for (const { hop } of hops) if (hop.is !== "judged") countName(notJudged, hop.reason, counts.totals[kind]);
	return {
		expected: totalIn(counts, (kind) => placed[kind]?.length ?? 0),
		judged: totalIn(counts, (kind) => seen[kind]?.length ?? 0),
		verdicts: Object.fromEntries(verdicts),
		reading: readingSeenIn(counts, placed),
		notJudged,
	};
}

/** The verdicts that a hop may have: its own, and where that says that nothing was seen, those that it could be. */
function sightsOf({ task, hop, blind }: Placed): Map<HopVerdict, Sight> {
	if (hop.is !== "judged") return new Map();
	const { verdict } = hop;
	if (verdict === "misread" && blind)
		return new Map<HopVerdict, Sight>([
			["misread", "named"],
			["unsupported", "hidden"],
		]);
	const hidden: HopVerdict[] = verdict === "unobserved" ? [...hiddenAt(hop, task), "solved"] : [];
	return new Map([[verdict, "shown" as Sight], ...hidden.map((one) => [one, "hidden"] as const)]);
}

/** Shares of the findings that occur, the most frequent first. */
function kindsOf<Kind extends FindingKind | "nothing">(
	{ kinds, counts }: AlikeRecords,
	kindsIn: (diagnosis: Diagnosis) => Kind[],
): Partial<Record<Kind, Share>> {
	const found = kinds.map(({ diagnosis }) => diagnosis && new Set(kindsIn(diagnosis)));
	const occurring = new Set(found.flatMap((own) => [...(own ?? [])]));
	const shareWhere = sharesIn(counts, (kind) => (found[kind] ? 1 : 0));
	const shares = [...occurring].map((one) => [one, shareWhere((kind) => (found[kind]?.has(one) ? 1 : 0))] as const);
	return Object.fromEntries(shares.sort(([, a], [, b]) => b.count - a.count)) as Partial<Record<Kind, Share>>;
}

function typesOf(records: AlikeRecords, view: ErrorViewName): Record<string, BoundedShare> {
	const types = Object.keys(errorViews[view].types);
	return Object.fromEntries(types.map((type) => [type, errorTypeShareIn(records, { view, types: [type] })]));
}

function plansOf({ kinds, counts }: AlikeRecords): DiagnosisSummary["plan"] {
	const stated = totalIn(counts, (kind) => (kinds[kind]?.diagnosis?.plan ? 1 : 0));
	if (stated === 0) return null;
	const mean = (of: "coverage" | "spurious" | "adherence" | "revised"): Mean => {
		const valueIn = (kind: number) => kinds[kind]?.diagnosis?.plan?.[of] ?? null;
		const n = totalIn(counts, (kind) => (valueIn(kind) === null ? 0 : 1));
		return { value: n === 0 ? null : totalIn(counts, (kind) => valueIn(kind) ?? 0) / n, n };
	};
	return {
		stated,
		coverage: mean("coverage"),
		spurious: mean("spurious"),
		adherence: mean("adherence"),
		revised: mean("revised"),
	};
}

function missesOf({ kinds, counts }: AlikeRecords): DiagnosisSummary["misses"] {
	const missed = kinds.map(({ diagnosis }) =>
		(diagnosis?.hops ?? []).flatMap((hop) =>
			hop.is === "judged" && hop.verdict === "retrieval-miss" ? [hop.miss?.is ?? null] : [],
		),
	);
	const among = (is: (cause: MissCause["is"] | null) => boolean) => (kind: number) =>
		(missed[kind] ?? []).filter(is).length;
	const lookedInto = among((cause) => cause !== null);
	const shareWhere = sharesIn(counts, lookedInto);
	const causes = missCauses.map((cause) => [cause, shareWhere(among((one) => one === cause))]);
	return {
		missed: totalIn(
			counts,
			among(() => true),
		),
		lookedInto: totalIn(counts, lookedInto),
		causes: Object.fromEntries(causes),
	};
}

function notJudgedOf({ kinds, counts }: AlikeRecords): DiagnosisSummary["notJudged"] {
	const found = new Map<string, DiagnosisSummary["notJudged"][number]>();
	for (const [kind, { diagnosis }] of kinds.entries())
		for (const { what, reason } of diagnosis?.notJudged ?? []) {
			const key = JSON.stringify([what, reason]);
			const known = found.get(key) ?? { what, reason, records: 0 };
			known.records += counts.totals[kind] ?? 0;
			found.set(key, known);
		}
	return [...found.values()].sort((a, b) => b.records - a.records);
}
