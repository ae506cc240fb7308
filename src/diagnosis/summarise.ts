import {
	type Diagnosis,
	type FindingKind,
	HopVerdict,
	inDependencyOrder,
	type MissCause,
	type Task,
	tally,
	type Verdict,
} from "#domain";
import { judgedRightIn } from "./agreement.ts";
import { type ErrorViewName, errorViews, showsErrorType } from "./error-views.ts";
import { type Share, shareOf, sharesBy, sharesOfSets } from "./shares.ts";

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
	/** Shares are of those judged. */
	verdicts: Record<HopVerdict, Share>;
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
	/** Of the records with a judged hop: where the chain breaks first (`place` from 1); the rest has no broken hop. */
	firstBroken: { place: number; share: Share; verdicts: Partial<Record<HopVerdict, number>> }[];
	unbroken: Share;
	/** What is named first, of all records; `nothing`: no finding. */
	primary: Partial<Record<FindingKind | "nothing", Share>>;
	/** Records with at least one such finding. */
	findings: Partial<Record<FindingKind, Share>>;
	/**
	 * Published lists of error types; of `first` lists, of answers that are not right only. Records in which a type could not
	 * be looked for are not among those its share is of.
	 */
	types: Record<ErrorViewName, Record<string, Share>>;
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
		...breaks(chained, longest),
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
	verdict: HopVerdict | null;
	reason: string;
}

function placesOf({ task, diagnosis }: DiagnosedItem): Placed[] {
	if (!task.chain) return [];
	const judged = new Map(diagnosis?.hops.map((hop) => [hop.hop, hop]));
	return inDependencyOrder(task.chain).map(({ id }, at) => {
		const hop = judged.get(id);
		const verdict = hop?.is === "judged" ? hop.verdict : null;
		const reason = hop?.is === "not-judged" ? hop.reason : "no record";
		return { task, place: at + 1, verdict, reason };
	});
}

function hopsOf(placed: readonly Placed[]): HopsAt {
	const judged = placed.filter(({ verdict }) => verdict !== null);
	return {
		expected: placed.length,
		judged: judged.length,
		verdicts: sharesBy(
			judged.map(({ task, verdict }) => ({ task, kind: verdict })),
			HopVerdict.options,
		),
		notJudged: tally(placed.flatMap(({ verdict, reason }) => (verdict === null ? [reason] : []))),
	};
}

type Recorded = { task: Task; diagnosis: Diagnosis };

function breaks(chained: readonly Recorded[], longest: number): Pick<DiagnosisSummary, "firstBroken" | "unbroken"> {
	const broken = chained.map(({ task, diagnosis }) => {
		const at = diagnosis.hops.findIndex(({ hop }) => hop === diagnosis.firstBroken);
		const hop = diagnosis.hops[at];
		return { task, place: at + 1, verdict: hop?.is === "judged" ? hop.verdict : null };
	});
	const places = Array.from({ length: longest }, (_, at) => at + 1);
	const shares = sharesBy(
		broken.map(({ task, place }) => ({ task, kind: String(place) })),
		["0", ...places.map(String)],
	);
	return {
		firstBroken: places.flatMap((place) => {
			const share = shares[place];
			const here = broken.filter((one) => one.place === place);
			return share ? [{ place, share, verdicts: tally(here.flatMap(({ verdict }) => verdict ?? [])) }] : [];
		}),
		unbroken: shares["0"] ?? shareOf([]),
	};
}

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
): Record<string, Share> {
	const { gives, types } = errorViews[view];
	const counted = recorded
		.filter(({ diagnosis }) => gives === "all" || diagnosis.right === false)
		.map(({ task, diagnosis }) => ({ task, diagnosis, judged: judgedRight(diagnosis) }));
	return Object.fromEntries(
		Object.keys(types).map((type) => {
			const looked = counted.flatMap(({ task, diagnosis, judged }) => {
				const is = showsErrorType(diagnosis, { view, type, task, judgedRight: judged });
				return is === null ? [] : [{ task, is }];
			});
			return [type, shareOf(looked)];
		}),
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
