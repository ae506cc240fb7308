import { z } from "zod";
import { Shows } from "./diagnosis.ts";
import { EvidenceId } from "./evidence.ts";
import { SecondReading } from "./second-reading.ts";

/**
 * What a record shows without a gold chain. None of them says that anything is wrong: a name can be right and known
 * without having been found.
 */
export const GoldFreeFlag = z.enum([
	/** What came back holds little of what the query asks for, by its words. */
	"low-relevance",
	/** It found nothing, and no error of the tool says why. */
	"nothing-came-back",
	/** Nothing that the agent wrote later takes up what came back. */
	"unused-results",
	/** A name or number stands in no earlier result and not in the question. */
	"unsupported-by-results",
	/** The same search as an earlier one. */
	"repeated-search",
	/** Its words have to do with neither the question nor anything that came back. */
	"aimless-search",
	/** A call could not be carried out, or ended in an error. */
	"tool-error",
	/** A judge model says that what came back does not answer what the search asks for. */
	"not-answered",
	/** A judge model says that the value carried on does not follow from what came back. */
	"does-not-follow",
]);
export type GoldFreeFlag = z.infer<typeof GoldFreeFlag>;

const index = z.number().int().min(0);

/** A name, number or date that the agent brings up and that the question has not, and where it first stood. */
export const BroughtUp = z.object({
	/** As written. */
	text: z.string(),
	is: z.enum(["name", "number"]),
	first: z.discriminatedUnion("is", [
		/** A result of an earlier step; without `id`, its parts stand in several. */
		z.object({ is: z.literal("result"), step: index, id: EvidenceId.optional() }),
		/** In no earlier result; `step`: where the agent itself wrote it first, in a thought or query. */
		z.object({ is: z.literal("unsupported"), step: index.optional() }),
		/** It could stand where no text tells, or be worked out. */
		z.object({ is: z.literal("unobserved"), reason: z.string() }),
	]),
});
export type BroughtUp = z.infer<typeof BroughtUp>;

/** What some words of the agent bring up; `unread`: why names in them could not be told from other words. */
const Brings = z.object({ entities: z.array(BroughtUp), unread: z.string().optional() });

/** Words of a result, found to stand there. */
const Quoted = z.object({ quote: z.string(), evidence: EvidenceId });

/**
 * What a judge model says of one pseudo-hop: whether its results answer it, and whether what was carried on follows from them.
 * Neither says that anything is true, nor which step is at fault. Null is what the judge cannot tell.
 */
const JudgedHop = z.object({
	answers: z.boolean().nullable(),
	/** Words of a result that answer it. */
	answer: Quoted.nullable(),
	/** The value that the agent carried on, with words of its own that show it and the step; without one the final answer. */
	carried: z
		.object({ value: z.string().min(1), written: z.object({ quote: z.string(), step: index.optional() }) })
		.nullable(),
	follows: z.boolean().nullable(),
	/** Words of a result that it follows from. */
	from: Quoted.nullable(),
	reason: z.string(),
});

/**
 * A pseudo-hop: a search, with all that were made in the same words or for the same sub-question. Steps are named by their
 * `index`.
 */
export const PseudoHop = z.object({
	steps: z.array(index).min(1),
	/** Its wordings, cut to 500 characters each, the first 20 of them. */
	queries: z.array(z.string()),
	subQuestion: z.string().optional(),
	/** Different results that came back. */
	results: index,
	/**
	 * The weighted share of the query's words that stand in the result that holds most of them; words of names and numbers
	 * weigh 4, others 1. 1: one result holds all.
	 */
	relevance: z.discriminatedUnion("is", [
		z.object({
			is: z.literal("measured"),
			value: z.number().min(0).max(1),
			best: EvidenceId,
			/** Words of the query that stand in no result of it, as they are compared: folded. */
			missing: z.array(z.string()),
		}),
		z.object({ is: z.literal("unobserved"), reason: z.string() }),
	]),
	/** What shows that its results were used: the first words that take something up which only they told so far. */
	use: z.discriminatedUnion("is", [
		/** `step` absent: in the final answer. */
		z.object({ is: z.literal("used"), by: z.string(), step: index.optional() }),
		z.object({ is: z.literal("unused") }),
		z.object({ is: z.literal("unobserved"), reason: z.string() }),
	]),
	brings: Brings,
	/** The searches among its steps that repeat an earlier one exactly. */
	repeated: z.array(index),
	/** Steps that ended in an error. */
	errors: z.array(index),
	/** What a judge said of it; absent where none was asked, or it gave no usable reply. */
	judged: JudgedHop.extend({ by: z.string() }).optional(),
	flags: z.array(GoldFreeFlag),
});
export type PseudoHop = z.infer<typeof PseudoHop>;

/** What can be read from a trajectory without a gold chain. */
export const GoldFreeReading = z.object({
	/** Version of the rules. */
	reader: z.string(),
	shows: Shows,
	/** In the order of their first searches. */
	hops: z.array(PseudoHop),
	/** What the final answer brings up; null without one. */
	answer: Brings.extend({ flags: z.array(GoldFreeFlag) }).nullable(),
	/** Actions of the agent (calls, and the answer), and those of them that could be read and carried out. */
	format: z.object({ actions: index, readable: index }),
	/** Steps whose call is no search and ended in an error. */
	otherErrors: z.array(index),
	/** Whether the trajectory is too long to have been read whole. */
	cut: z.boolean(),
});
export type GoldFreeReading = z.infer<typeof GoldFreeReading>;

const key = { task: z.string(), repeat: index, attempt: index };

/** The reading of one record: a line of `gold-free.jsonl`. */
export const GoldFreeLine = GoldFreeReading.extend({ version: z.literal(1), ...key });
export type GoldFreeLine = z.infer<typeof GoldFreeLine>;

/**
 * What a judge model replied about one pseudo-hop, named by its first step: a line of `gold-free-readings.jsonl`. The last
 * line of a (record, step, reader) counts.
 */
export const PseudoHopReading = SecondReading.omit({ hop: true, outcome: true }).extend({
	step: index,
	outcome: z.discriminatedUnion("is", [
		JudgedHop.extend({ is: z.literal("read") }),
		/** It replied in no usable form, or with words that stand nowhere, even after a repair turn. */
		z.object({ is: z.literal("unparsed"), reason: z.string().min(1) }),
		/** The provider failed, and is asked again on resuming. */
		z.object({ is: z.literal("model"), reason: z.string().min(1) }),
	]),
});
export type PseudoHopReading = z.infer<typeof PseudoHopReading>;

/** What somebody says of one pseudo-hop: whether a flag really holds of it. One JSON line. */
export const PseudoHopLabel = z.object({
	version: z.literal(1),
	task: z.string(),
	repeat: index.default(0),
	/** The first step of the pseudo-hop; null: the final answer. */
	step: index.nullable(),
	flag: GoldFreeFlag,
	/** Null until somebody has said it. */
	is: z.boolean().nullable(),
	rater: z.string().max(200).optional(),
	/** It settles what others disagree on, and was given with what they said in view. */
	round: z.literal("adjudication").optional(),
});
export type PseudoHopLabel = z.infer<typeof PseudoHopLabel>;

/** A pseudo-hop, or the final answer (`step` null), that was drawn to be labelled. One JSON line. */
export const DrawnPseudoHop = PseudoHopLabel.pick({ version: true, task: true, repeat: true, step: true }).extend({
	/** Of how many it stands: 1 over its chance of being drawn. */
	weight: z.number().min(1),
});
export type DrawnPseudoHop = z.infer<typeof DrawnPseudoHop>;
