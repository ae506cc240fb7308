import {
	type Diagnosis,
	type FindingKind,
	type HopDiagnosis,
	HopVerdict,
	inDependencyOrder,
	type MissCause,
	type Task,
	tally,
	type Verdict,
} from "#domain";
import { judgedRightIn } from "./agreement.ts";
import { breakIn, breaksOf } from "./breaks.ts";
import { type FailureCauses, failureCauses, hiddenAt } from "./causes.ts";
import { type ErrorViewName, errorTypeShare, errorViews } from "./error-views.ts";
import { type ReadingSeen, readingSeen } from "./reading-coverage.ts";
import { type BoundedShare, boundedShare, type Share, type Sight, sharesBy, sharesOfSets } from "./shares.ts";

/** One expected record: a task, once for each repeat, with what was found of it; without a diagnosis it has no record. */
export interface DiagnosedItem {
	task: Task;
	diagnosis?: Diagnosis | undefined;
}

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
	const judgedRight = judgedRightIn(options.verdicts ?? []);
	const places = items.flatMap(placesOf);
	const longest = places.reduce((most, { place }) => Math.max(most, place), 0);
	const recorded = items.flatMap(({ task, diagnosis }) => (diagnosis ? [{ task, diagnosis }] : []));
	// of what was not looked at it is not known whether it is broken
	const chained = recorded.filter(({ diagnosis }) => diagnosis.hops.some(({ is }) => is === "judged"));
	return {
		expected: items.length,
		recorded: recorded.length,
		withChain: items.filter(({ task }) => task.chain !== undefined).length,
		hops: hopsOf(places),
		byPlace: Array.from({ length: longest }, (_, at) => ({
			place: at + 1,
			...hopsOf(places.filter(({ place }) => place === at + 1)),
		})),
		...breaksOf(chained.map(breakIn), longest),
		failures: failureCauses(recorded),
		primary: kindsOf(recorded, ({ primary }) => [primary ?? "nothing"]),
		findings: kindsOf(recorded, ({ findings }) => findings.map(({ is }) => is)),
		types: Object.fromEntries(
			(Object.keys(errorViews) as ErrorViewName[]).map((view) => [view, typesOf(recorded, { view, judgedRight })]),
		) as DiagnosisSummary["types"],
		plan: plansOf(recorded),
		misses: missesOf(recorded),
		notJudged: notJudgedOf(recorded),
	};
}

interface Placed {
	task: Task;
	place: number;
	hop: HopDiagnosis;
	/** Whether no one could say if a misread value stands somewhere. */
	blind: boolean;
}

function placesOf({ task, diagnosis }: DiagnosedItem): Placed[] {
	if (!task.chain) return [];
	const judged = new Map(diagnosis?.hops.map((hop) => [hop.hop, hop]));
	const blind = diagnosis?.notJudged.some(({ what }) => what.includes("unsupported")) ?? false;
	return inDependencyOrder(task.chain).map(({ id }, at) => {
		const hop = judged.get(id) ?? ({ is: "not-judged", hop: id, reason: "no record" } as const);
		return { task, place: at + 1, hop, blind };
	});
}

function hopsOf(placed: readonly Placed[]): HopsAt {
	const judged = placed.filter(({ hop }) => hop.is === "judged");
	const seen = judged.map((one) => ({ task: one.task, sights: sightsOf(one) }));
	const verdicts = HopVerdict.options.map((verdict) => [
		verdict,
		boundedShare(seen.map(({ task, sights }) => ({ task, sight: sights.get(verdict) ?? "absent" }))),
	]);
	return {
		expected: placed.length,
		judged: judged.length,
		verdicts: Object.fromEntries(verdicts),
		reading: readingSeen(judged),
		notJudged: tally(placed.flatMap(({ hop }) => (hop.is === "judged" ? [] : [hop.reason]))),
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

type Recorded = { task: Task; diagnosis: Diagnosis };

/** Shares of the kinds that occur, the most frequent first. */
function kindsOf<Kind extends FindingKind | "nothing">(
	recorded: readonly Recorded[],
	kindsIn: (diagnosis: Diagnosis) => Kind[],
): Partial<Record<Kind, Share>> {
	const found = recorded.map(({ task, diagnosis }) => ({ task, kinds: kindsIn(diagnosis) }));
	const occurring = new Set(found.flatMap(({ kinds }) => kinds));
	const shares = Object.entries(sharesOfSets(found, [...occurring])) as [Kind, Share][];
	return Object.fromEntries(shares.sort(([, a], [, b]) => b.count - a.count)) as Partial<Record<Kind, Share>>;
}

function typesOf(
	recorded: readonly Recorded[],
	{ view, judgedRight }: { view: ErrorViewName; judgedRight: ReturnType<typeof judgedRightIn> },
): Record<string, BoundedShare> {
	const types = Object.keys(errorViews[view].types);
	return Object.fromEntries(
		types.map((type) => [type, errorTypeShare(recorded, { view, types: [type], judgedRight })]),
	);
}

function plansOf(recorded: readonly Recorded[]): DiagnosisSummary["plan"] {
	const plans = recorded.flatMap(({ diagnosis }) => diagnosis.plan ?? []);
	if (plans.length === 0) return null;
	const mean = (of: (plan: (typeof plans)[number]) => number | null): Mean => {
		const values = plans.flatMap((plan) => of(plan) ?? []);
		return {
			value: values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0) / values.length,
			n: values.length,
		};
	};
	return {
		stated: plans.length,
		coverage: mean(({ coverage }) => coverage),
		spurious: mean(({ spurious }) => spurious),
		adherence: mean(({ adherence }) => adherence),
		revised: mean(({ revised }) => revised),
	};
}

function missesOf(recorded: readonly Recorded[]): DiagnosisSummary["misses"] {
	const missed = recorded.flatMap(({ task, diagnosis }) =>
		diagnosis.hops.flatMap((hop) =>
			hop.is === "judged" && hop.verdict === "retrieval-miss" ? [{ task, kind: hop.miss?.is ?? null }] : [],
		),
	);
	const lookedInto = missed.filter(({ kind }) => kind !== null);
	return { missed: missed.length, lookedInto: lookedInto.length, causes: sharesBy(lookedInto, missCauses) };
}

function notJudgedOf(recorded: readonly Recorded[]): DiagnosisSummary["notJudged"] {
	const found = new Map<string, DiagnosisSummary["notJudged"][number]>();
	for (const { diagnosis } of recorded)
		for (const { what, reason } of diagnosis.notJudged) {
			const key = JSON.stringify([what, reason]);
			const known = found.get(key) ?? { what, reason, records: 0 };
			known.records += 1;
			found.set(key, known);
		}
	return [...found.values()].sort((a, b) => b.records - a.records);
}
