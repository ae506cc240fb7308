import { z } from "zod";
import { HopId } from "./chain.ts";
import { EvidenceId } from "./evidence.ts";

/**
 * What became of a gold hop, as far as the record shows it. The last seven are broken; of several that fit, the first in
 * `brokenOrder` is given.
 */
export const HopVerdict = z.enum([
	/** What states it was retrieved, and its right value was seen afterwards; `seen` says by what. */
	"solved",
	/** Nothing retrieved states it, but its right value is used later: known, not found. */
	"skipped-known",
	/** Nothing that the agent wrote shows whether its evidence, which came back, was read rightly, or what it was asked with. */
	"unobserved",
	/** Its searches ended in errors of the tool: no fault of the agent's, and no retrieval miss. */
	"tool-failed",
	/** No step aligns with it and no query aimed at it. */
	"not-planned",
	/** The steps that aimed at it searched another modality. */
	"wrong-modality",
	/** Tried only before a hop that it needs was solved. */
	"out-of-order",
	/** A step aimed at it, its evidence did not come back. */
	"retrieval-miss",
	/** A value is used for it that is neither right nor in any evidence that came back. */
	"unsupported",
	/** Its evidence came back, the value that was read is another one. */
	"misread",
]);
export type HopVerdict = z.infer<typeof HopVerdict>;

/** Verdicts of a broken hop in the order of cause before effect: the first that fits is given. */
export const brokenOrder = [
	"tool-failed",
	"not-planned",
	"wrong-modality",
	"out-of-order",
	"retrieval-miss",
	"unsupported",
	"misread",
] as const satisfies readonly HopVerdict[];
export type BrokenVerdict = (typeof brokenOrder)[number];

/** Why an own query of the agent's could not be searched again, so that the gold sub-question alone tells. */
const notReplayed = z.string().optional();

/**
 * Why evidence did not come back, found by searching the agent's own queries and the gold sub-question again. `rank` is
 * the evidence's, from 1.
 */
export const MissCause = z.discriminatedUnion("is", [
	z.object({ is: z.literal("not-in-knowledge-base") }),
	/** The agent's own query finds it now, within as many results as it asked for: the tool failed then, or showed fewer. */
	z.object({ is: z.literal("tool-or-k"), rank: z.number().int().positive() }),
	/** The gold sub-question finds it at `rank`, within as many results as the agent asked for; its own queries do not. */
	z.object({ is: z.literal("bad-query"), rank: z.number().int().positive(), notReplayed }),
	/** Not even the gold sub-question does; `rank` where it stands further down, null where it was not seen. */
	z.object({ is: z.literal("weak-retriever"), rank: z.number().int().positive().nullable(), notReplayed }),
]);
export type MissCause = z.infer<typeof MissCause>;

const steps = z.array(z.number().int().min(0));

/** By what it was seen how a hop's evidence was read. */
export const SeenBy = z.enum([
	/** A stated sub-answer. */
	"sub-answer",
	/** A later query that carries the value on, or another one in its place. */
	"query",
	/** What the agent wrote between its steps. */
	"thought",
	/** The final answer. */
	"answer",
	/** A hop that needs it was solved, or the final answer is right: it must have been read. */
	"implied",
	/** Re-runs with the hops before it given (`hopscope intervene --settle`). */
	"settled",
	/** A judge model, by a quoted span. */
	"judge",
]);
export type SeenBy = z.infer<typeof SeenBy>;

/** One gold hop as it went. Steps are named by their `index`. */
export const HopDiagnosis = z.discriminatedUnion("is", [
	z.object({
		is: z.literal("judged"),
		hop: HopId,
		verdict: HopVerdict,
		/** The steps that aimed at it, ascending. */
		aimed: steps,
		/** The steps that brought its evidence, ascending, made for it or not. */
		brought: steps,
		/** Of its acceptable evidence, what came back. */
		evidence: z.array(EvidenceId),
		/** Evidence outside the gold set that came back and states its value: perhaps missing gold. */
		otherEvidence: z.array(EvidenceId).optional(),
		/** How its reading, right or wrong, was seen; absent where the verdict does not rest on it. */
		seen: z.object({ by: SeenBy, step: z.number().int().min(0).optional() }).optional(),
		/** The value that was read for it, where one is known. */
		used: z.string().optional(),
		/** The value that later queries carry on, where it is another than the one that was read. */
		carried: z.string().optional(),
		/** Of `misread`: evidence in which the wrong value stands. */
		cited: z.array(EvidenceId).optional(),
		/** Of `unobserved`: why nothing shows it. */
		why: z.string().optional(),
		miss: MissCause.optional(),
	}),
	z.object({ is: z.literal("not-judged"), hop: HopId, reason: z.string().min(1) }),
]);
export type HopDiagnosis = z.infer<typeof HopDiagnosis>;

/** The indexes of all steps that have to do with a hop, ascending: made for it, or bringing its evidence. */
export function stepsOfHop({ aimed, brought }: { aimed: readonly number[]; brought: readonly number[] }): number[] {
	return [...new Set([...aimed, ...brought])].sort((a, b) => a - b);
}

/** Verdicts that say that a hop is broken. */
const broken: ReadonlySet<HopVerdict> = new Set(brokenOrder);
export const isBroken = (verdict: HopVerdict): verdict is BrokenVerdict => broken.has(verdict);

/** What can be said of a trajectory: the broken hop verdicts, and what concerns no single gold hop. */
export const FindingKind = z.enum([
	...brokenOrder,
	/** It stopped of its own accord with the end of the chain not planned. */
	"premature-stop",
	/** A stated plan leaves gold hops out, or was neither followed nor revised. */
	"bad-plan",
	/** A hop was solved before one that it needs. */
	"order",
	/** Too few of its actions could be read: the agent missed the form that was asked for, which says nothing of planning. */
	"format-failure",
	/** Ended without an answer: it declined, or a limit came first. */
	"ended-without-answer",
	/** Repeated the same searches until a limit ended it. */
	"endless-repetition",
	/** Every retrieving hop was seen to be solved, the final answer is wrong. */
	"composition",
	/** The final answer is wrong, no hop is seen to be broken, and of some hops nothing shows how they were read. */
	"unobserved",
	/** Searched on after every hop was solved. */
	"over-extension",
	/** A search aligned with no hop. */
	"spurious-step",
	/** The same search as an earlier one. */
	"repeated-query",
	/** The answer is right, the chain broken. */
	"lucky",
	/** The final answer stands in no evidence that came back. */
	"unsupported-answer",
	/** Answered wrongly without any search. */
	"unsearched",
	/** Answered rightly without any search: known, not found. */
	"known",
	/** A call that could not be carried out. */
	"invalid-call",
	/** An error or the run's budget ended it: what is missing says nothing of the agent. */
	"broken-off",
]);
export type FindingKind = z.infer<typeof FindingKind>;

/** One claim, with all that it rests on, so that it can be looked up. */
export const Finding = z.object({
	is: FindingKind,
	hop: HopId.optional(),
	/** Indexes of the steps that show it. */
	steps,
	/** Ids of evidence that show it: what should have come back, or what did. */
	evidence: z.array(EvidenceId),
	/** The claim in one sentence for people. */
	says: z.string(),
});
export type Finding = z.infer<typeof Finding>;

/** How often an agent was right when it was asked again with the hops up to one given as solved. */
export const AskedAgain = z.object({
	/** The last hop given, in the order of dependency; null: nothing was changed. */
	upTo: HopId.nullable(),
	right: z.number().int().min(0),
	of: z.number().int().positive(),
});
export type AskedAgain = z.infer<typeof AskedAgain>;

export const Shows = z.enum(["stated", "thought", "bare"]);
export type Shows = z.infer<typeof Shows>;

/** What the diagnosis says of one record: a line of `findings.jsonl`. */
export const Diagnosis = z.object({
	version: z.literal(2),
	task: z.string(),
	repeat: z.number().int().min(0),
	attempt: z.number().int().min(0),
	/** Version of the rules. */
	diagnoser: z.string(),
	/** Whether the final answer is right; absent where nobody can say, or none is meant to be given. */
	right: z.boolean().optional(),
	/** What the agent shows of its steps: sub-answers, free text between them, or queries and results alone. */
	shows: Shows,
	/** In the order of dependency; empty without a gold chain. */
	hops: z.array(HopDiagnosis),
	findings: z.array(Finding),
	/** The first hop, in the order of dependency, that is seen to be broken. */
	firstBroken: HopId.nullable(),
	/**
	 * Hops that may be the one that broke first, though nothing shows it: with a broken hop those it needs, whose reading was
	 * not seen ("or before"); of a wrong answer without a broken hop all such. In the order of dependency.
	 */
	unobserved: z.array(HopId),
	/**
	 * What re-runs said of the unobserved hops (`hopscope intervene --settle`). `settled`: which of them broke, or that none
	 * did. `by-itself`: the agent was right when it was only asked again, so that nothing is settled. `open`: a tie, or
	 * re-runs that are not there.
	 */
	settling: z.object({ is: z.enum(["settled", "by-itself", "open"]), asked: z.array(AskedAgain) }).optional(),
	/** What one would name first: the verdict of the first broken hop, else the weightiest finding; null: nothing found. */
	primary: FindingKind.nullable(),
	/** Coverage of gold hops by the stated plan and how it was kept to, where one is recorded. */
	plan: z
		.object({
			items: z.number().int().min(0),
			/** Share of the gold hops that an item aims at. */
			coverage: z.number().min(0).max(1).nullable(),
			/** Items that aim at no hop. */
			spurious: z.number().int().min(0),
			/** Share of the items that a step carried out. */
			adherence: z.number().min(0).max(1).nullable(),
			/** Misses after which the agent searched again for the same hop otherwise; null without a miss. */
			revised: z.number().min(0).max(1).nullable(),
		})
		.optional(),
	/** What cannot be said of this record, and why: not found is not the same as not looked for. */
	notJudged: z.array(z.object({ what: z.array(FindingKind), reason: z.string().min(1) })),
});
export type Diagnosis = z.infer<typeof Diagnosis>;

/**
 * What is named first of a trajectory without a broken hop. With one it is that hop's verdict, but `premature-stop`
 * where it was not planned and the agent had stopped of its own accord. `broken-off`, `format-failure`, `known` and
 * `endless-repetition` go before all.
 */
export const primaryOrder = [
	"order",
	"ended-without-answer",
	"composition",
	"unsupported-answer",
	"unobserved",
	"unsearched",
	"over-extension",
	"repeated-query",
	"spurious-step",
	"bad-plan",
	"invalid-call",
] as const satisfies readonly FindingKind[];
