import { z } from "zod";
import { HopId } from "./chain.ts";

/** How much of its work an agent's record shows. */
export const Observability = z.enum([
	/** Queries, results and the final answer. */
	"bare",
	/** Free text between the searches besides. */
	"thought",
	/** A sub-question and a sub-answer with each step. */
	"stated",
]);
export type Observability = z.infer<typeof Observability>;

/** How an agent words its searches. */
export const QueryStyle = z.enum(["verbatim", "keyword", "paraphrased", "noisy", "combined"]);
export type QueryStyle = z.infer<typeof QueryStyle>;

/** What goes wrong in an injected record; in those from `known-answer` on nothing is broken. */
export const InjectedFault = z.enum([
	"misread",
	"hallucinated-entity",
	"bad-query",
	"broken-retriever",
	"tool-error",
	"wrong-modality",
	"wrong-image",
	"misread-chart",
	"skipped-hop",
	"stop-early",
	"reversed-order",
	"over-search",
	"endless-repetition",
	"no-answer",
	"wrong-composition",
	"format-failure",
	"two-faults",
	"known-answer",
	"other-path",
	"none",
]);
export type InjectedFault = z.infer<typeof InjectedFault>;

/** What really happened in one record: a line of `truth.jsonl`. */
export const TruthLine = z.object({
	version: z.literal(1),
	task: z.string(),
	/** Tells apart the records of one task: the number of the cell (fault, observability, style) among all. */
	repeat: z.number().int().min(0),
	observability: Observability,
	style: QueryStyle,
	language: z.string(),
	fault: InjectedFault,
	/** The first broken hop in the order of dependency; null where the fault concerns no single hop. */
	hop: HopId.nullable(),
	/** Names of findings that are right for it, any one; empty: nothing is broken. */
	expected: z.array(z.string()),
	/** The wrong value that was used for the hop. */
	value: z.string().nullable(),
	/** For people. */
	did: z.string(),
	/** The evidence of the hop did not come back though no fault kept it away: all that is wrong in a record of `none`. */
	natural: z.boolean(),
	/** Further faults at later hops. */
	also: z.array(z.object({ fault: InjectedFault, hop: HopId })),
});
export type TruthLine = z.infer<typeof TruthLine>;

/** Where somebody's method says that a record breaks: a line of a predictions file. */
export const Prediction = z.object({
	task: z.string(),
	repeat: z.number().int().min(0),
	/** Null: no hop is broken. */
	hop: HopId.nullable().default(null),
	/** The name of what is wrong there; null: nothing. */
	kind: z.string().nullable().default(null),
	/** Hops of which the record does not show whether they broke. */
	unobserved: z.array(HopId).default([]),
});
export type Prediction = z.infer<typeof Prediction>;
