import type { z } from "zod";
import type { ImageRef, Reason } from "#domain";
import type { ChatPart } from "#models";
import type { Seeded } from "../seeded.ts";
import type { Prompt } from "./prompt.ts";

/** What a stage is to a recipe. `emit` is the engine's own: what stands between the last stage and the files. */
export type Kind = "source" | "extract" | "expand" | "compose" | "check" | "probe" | "rewrite" | "annotate" | "emit";

/** What flows from stage to stage: a passage, a seed question, an image, an item. */
export interface Piece {
	id: string;
}

/**
 * What a stage made of an input: something, or a judged drop. Trouble with a machine (a provider's error, a reply that
 * cannot be read after one repair) is thrown instead: it is no verdict, and the input waits to be tried again.
 */
export type Outcome<Out> =
	| { is: "piece"; piece: Out }
	| { is: "drop"; reason: Reason; detail?: string /** Of several inputs, the one dropped. */; id?: string };

/** What an input became. */
export const asPiece = <Out>(piece: Out): Outcome<Out> => ({ is: "piece", piece });

/** Why an input, or the one of that id, is judged away. */
export const asDrop = (reason: Reason, detail?: string, id?: string): Extract<Outcome<never>, { is: "drop" }> => ({
	is: "drop",
	reason,
	...(detail === undefined ? {} : { detail }),
	...(id === undefined ? {} : { id }),
});

/** A share that a paper states, to stand beside ours. */
export interface Published {
	/** 0 to 1. */
	rate: number;
	/** What it is a share of, in a few words. */
	of: string;
	/** What it is the share of those that: `out` (pass, the default) and `dropped` (of a check: fail) stand beside ours and guide plans. */
	share?: "out" | "dropped" | "other";
	/** Paper and place. */
	source: string;
}

/** Calls that one input is expected to cost. */
export interface Calls {
	role: string;
	/** Without a model for it the others are asked alone; a check is skipped where a role that is not optional is missing. */
	optional?: boolean;
	each: number;
	/**
	 * Hash of the prompt, so that what was asked otherwise is not taken for the same: an outcome for which another prompt
	 * was asked is not kept.
	 */
	prompt?: string;
}

/** What plans, funnels and cards show of a stage. */
export interface StageAbout {
	kind: Kind;
	/** Unique in its recipe. */
	name: string;
	/** Raised when the same input would give something else: kept outcomes of another version do not count. */
	version: number;
	/** Everything else that an outcome depends on, as JSON: thresholds, caps, hashes of what is searched. */
	params?: unknown;
	/**
	 * Models asked. A stage without them is free: it is done again on resume rather than kept, and so must give the same
	 * for the same input.
	 */
	calls?: readonly Calls[];
	/** Pieces that one input is expected to give, for plans; 1 when absent. */
	yields?: number;
	/** Pieces that a stage across all inputs gives at most of all of them. */
	total?: number;
	published?: Published | undefined;
}

/** One step of a recipe: from an input to pieces and drops. It never opens files by itself. */
export interface Stage<In, Out> extends StageAbout {
	/** What it gives, so that kept outcomes can be read again. */
	output: z.ZodType<Out>;
	run(input: In, context: StageContext): Promise<Outcome<Out>[]> | Outcome<Out>[];
}

/** A stage that has to see all inputs at once: duplicates, pairs, balance. It asks no model. */
export interface AcrossStage<In, Out> extends StageAbout {
	run(inputs: readonly In[], context: StageContext): Promise<Outcome<Out>[]> | Outcome<Out>[];
}

type Named = "kind" | "name" | "version";

/** A step by its kind, name and version. */
export const defineStage = <In, Out>(
	kind: Kind,
	name: string,
	version: number,
	about: Omit<Stage<In, Out>, Named>,
): Stage<In, Out> => ({ kind, name, version, ...about });

/** As `defineStage`, over all inputs at once. */
export const defineAcross = <In, Out>(
	kind: Kind,
	name: string,
	version: number,
	about: Omit<AcrossStage<In, Out>, Named>,
): AcrossStage<In, Out> => ({ kind, name, version, ...about });

/** What a stage may use beside its input. */
export interface StageContext {
	/** Asks the model of a role and reads its reply; throws a `StageFault` where it cannot be read. */
	ask<Value, Name extends string>(
		role: string,
		prompt: Prompt<Value, Name>,
		values: Readonly<Record<Name, string>>,
		options?: AskOptions,
	): Promise<Asked<Value>>;
	/** Whether a model is configured for the role. */
	has(role: string): boolean;
	/** Draws that follow from the recipe's seed, the stage and the parts alone. */
	random(...parts: (string | number)[]): Seeded;
	/** Keeps an encoded image, or the file of one, beside the items; what it gives goes into `Item.images`. */
	keepImage(
		image: Buffer | string,
		about: Pick<ImageRef, "id"> & Partial<Pick<ImageRef, "hides" | "alteration" | "licence">>,
	): Promise<ImageRef>;
	recipe: { name: string; version: string };
	signal: AbortSignal | undefined;
}

export interface AskOptions {
	images?: readonly Extract<ChatPart, { type: "image" }>[];
	/** Which of several independent samples of the same request. */
	sample?: number;
	temperature?: number;
	/** Asks for the log-probabilities of the reply's tokens, where the server gives them. */
	logprobs?: boolean;
}

export interface Asked<Value> {
	value: Value;
	/** Model id as configured, and hash of the prompt: what a check records. */
	model: string;
	prompt: string;
	/** Of the reply that was read, natural logarithms; only where asked for and given. */
	logprobs?: readonly { token: string; logprob: number }[];
}

/** Machine trouble: the input is quarantined and tried again by the next run, never judged. */
export class StageFault extends Error {
	override name = "StageFault";
}

/** The knowledge base does not hold evidence that is named, or cannot show it. */
export class MissingEvidence extends StageFault {}
