import { type Diagnosis, type FindingKind, type HopDiagnosis, primaryOrder, type Task } from "#domain";
import type { AlikeRecords } from "./alike-records.ts";
import { type BoundedShare, boundedShareIn, type Share, type Sight, sharesIn, totalIn } from "./shares.ts";

/** What a failure cost, by the record alone. */
export const failureParts = ["planning", "retrieval", "reading", "composition", "tool", "format", "unnamed"] as const;
export type FailurePart = (typeof failureParts)[number];

/**
 * The part that each cause belongs to; `null` for what is never named first of a failure. Looking in the wrong kind of source
 * is retrieval, as in the error budget. `format` is answers that were not given, or not in the form that was asked for.
 */
export const partOfCause = {
	"tool-failed": "tool",
	"not-planned": "planning",
	"wrong-modality": "retrieval",
	"out-of-order": "planning",
	"retrieval-miss": "retrieval",
	unsupported: "reading",
	misread: "reading",
	"premature-stop": "planning",
	"bad-plan": "planning",
	order: "planning",
	"format-failure": "format",
	"ended-without-answer": "format",
	"endless-repetition": "planning",
	composition: "composition",
	unobserved: null,
	"over-extension": "planning",
	"spurious-step": "planning",
	"repeated-query": "planning",
	lucky: null,
	"unsupported-answer": "reading",
	unsearched: "planning",
	known: null,
	"invalid-call": "format",
	"broken-off": null,
} as const satisfies Record<FindingKind, FailurePart | null>;

/** What may have caused a failure: the one that is named, and others that nothing rules out. */
export interface PossibleCauses {
	/** Null where nothing is named. */
	named: FindingKind | null;
	/** Beside the named one; empty where it is certain. */
	hidden: ReadonlySet<FindingKind>;
}

/** What goes before every hop: nothing that was not seen could be named instead. */
const beforeHops: ReadonlySet<FindingKind> = new Set([
	"broken-off",
	"format-failure",
	"known",
	"endless-repetition",
] satisfies FindingKind[]);

export const isBeforeHops = (kind: FindingKind): boolean => beforeHops.has(kind);

/** Verdicts that a hop may have though nothing shows it. */
export type HiddenVerdict = "misread" | "unsupported" | "not-planned";

/** What an unobserved hop may be: read wrongly; without a search of its own also not planned; one that computes neither. */
export function hiddenAt(hop: HopDiagnosis, task: Pick<Task, "chain">): HiddenVerdict[] {
	if (hop.is !== "judged" || hop.verdict !== "unobserved") return [];
	if (!retrieves(task, hop.hop)) return [];
	return ["misread", "unsupported", ...(hop.aimed.length === 0 ? (["not-planned"] as const) : [])];
}

/**
 * The causes that a record leaves possible. An unobserved hop may be the one that broke first, and is named "or before" of
 * a later one. `composition` is possible where hops were not observed, none is seen to be broken, and the answer is
 * computed or its hop was solved, or where nothing but the answer shows how its hop was read. A misread value may be an unsupported one where texts could not be looked up.
 */
export function possibleCauses(diagnosis: Diagnosis, task: Pick<Task, "chain">): PossibleCauses {
	const { primary, unobserved, hops, firstBroken } = diagnosis;
	const named = primary === "unobserved" ? null : primary;
	const hidden = new Set<FindingKind>();
	if (primary !== null && isBeforeHops(primary)) return { named, hidden };
	const open = new Set(unobserved);
	for (const hop of hops) if (open.has(hop.hop)) for (const kind of hiddenAt(hop, task)) hidden.add(kind);
	if (open.size > 0 && firstBroken === null && !outranks(primary, "composition")) {
		const sink = hops.find(({ hop }) => hop === task.chain?.sink);
		const solved = sink?.is === "judged" && (sink.verdict === "solved" || sink.verdict === "skipped-known");
		if (sink && (solved || !retrieves(task, sink.hop))) hidden.add("composition");
	}
	const blind = diagnosis.notJudged.some(({ what }) => what.includes("unsupported"));
	if (blind && (named === "misread" || hidden.has("misread"))) hidden.add("unsupported");
	// of a last hop that only the answer speaks of: it may have been read well, and another thing answered
	const last = hops.find(({ hop }) => hop === firstBroken);
	if (last?.is === "judged" && last.hop === task.chain?.sink && last.seen?.by === "answer") hidden.add("composition");
	if (named !== null) hidden.delete(named);
	return { named, hidden };
}

const retrieves = ({ chain }: Pick<Task, "chain">, id: string): boolean =>
	(chain?.hops.find((hop) => hop.id === id)?.evidence.length ?? 0) > 0;

/** Whether what is named goes before another kind, so that finding that one too would change nothing. */
function outranks(primary: FindingKind | null, other: (typeof primaryOrder)[number]): boolean {
	const place = (primaryOrder as readonly FindingKind[]).indexOf(primary ?? "unobserved");
	return place >= 0 && place < primaryOrder.indexOf(other);
}

/** Whether a cause is seen in a failure. */
export function sightOfCause({ named, hidden }: PossibleCauses, cause: FindingKind | null): Sight {
	if (named === cause && cause !== null) return hidden.size === 0 ? "shown" : "named";
	if (cause === null) return named === null && hidden.size === 0 ? "shown" : "absent";
	return hidden.has(cause) ? "hidden" : "absent";
}

/** Parts are narrower than causes: a hop that was misread or unsupported was read wrongly in either case. */
export function sightOfPart({ named, hidden }: PossibleCauses, part: FailurePart): Sight {
	const partOf = (kind: FindingKind | null) => (kind === null ? null : partOfCause[kind]) ?? "unnamed";
	const possible = new Set([...hidden].map(partOf));
	if (named !== null || hidden.size === 0) possible.add(partOf(named));
	if (!possible.has(part)) return "absent";
	if (possible.size === 1) return "shown";
	return named !== null && partOf(named) === part ? "named" : "hidden";
}

/** What failures cost by the record alone: no re-run, and as far as it shows. */
export interface FailureCauses {
	/** Wrong answers to tasks with a gold chain of which anything could be judged; all shares are of them. */
	failures: number;
	/** Wrong answers that are in no share: without a gold chain, and those of which no step is known. */
	left: { withoutChain: number; notJudged: number };
	/** Failures with one cause that nothing could overrule; named, but perhaps an earlier hop; and without a name. */
	certain: Share;
	orBefore: number;
	unnamed: number;
	/** Causes that are named or possible, the most frequent first; `nothing`: no finding at all. */
	causes: Partial<Record<FindingKind | "nothing", BoundedShare>>;
	parts: Record<FailurePart, BoundedShare>;
}

export function failureCauses({ kinds, counts }: AlikeRecords): FailureCauses {
	const wrong = kinds.map(({ diagnosis }) => diagnosis?.right === false);
	const chained = kinds.map(({ task }, kind) => wrong[kind] === true && task.chain !== undefined);
	/** By kind; null of what is no failure that was judged. */
	const failures = kinds.map(({ task, diagnosis }, kind) => {
		if (!chained[kind] || !diagnosis) return null;
		const { hops, primary } = diagnosis;
		const judged = primary !== null || hops.some(({ is }) => is === "judged");
		return judged ? possibleCauses(diagnosis, task) : null;
	});
	const named = new Set(
		failures.flatMap((possible) => [
			...(possible && (possible.named !== null || possible.hidden.size === 0)
				? [possible.named ?? ("nothing" as const)]
				: []),
			...(possible?.hidden ?? []),
		]),
	);
	const shareWhere = (sightIn: (possible: PossibleCauses) => Sight) =>
		boundedShareIn(
			counts,
			failures.map((possible) => (possible ? [sightIn(possible)] : [])),
		);
	const causes = [...named]
		.map((kind) => [kind, shareWhere((possible) => sightOfCause(possible, kind === "nothing" ? null : kind))] as const)
		.sort(([, a], [, b]) => b.count - a.count || b.most - a.most);
	const parts = failureParts.map((part) => [part, shareWhere((possible) => sightOfPart(possible, part))]);
	const where = (is: (possible: PossibleCauses) => boolean) => (kind: number) => {
		const possible = failures[kind];
		return possible && is(possible) ? 1 : 0;
	};
	const total = (of: readonly boolean[]) => totalIn(counts, (kind) => Number(of[kind]));
	const all = where(() => true);
	const judged = totalIn(counts, all);
	return {
		failures: judged,
		left: { withoutChain: total(wrong) - total(chained), notJudged: total(chained) - judged },
		certain: sharesIn(counts, all)(where(isCertain)),
		orBefore: totalIn(
			counts,
			where((possible) => possible.named !== null && possible.hidden.size > 0),
		),
		unnamed: totalIn(
			counts,
			where((possible) => possible.named === null),
		),
		causes: Object.fromEntries(causes),
		parts: Object.fromEntries(parts),
	};
}

const isCertain = ({ named, hidden }: PossibleCauses) => named !== null && hidden.size === 0;
