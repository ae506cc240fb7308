import type { Message, Usage } from "#domain";
import type { TranscriptDocument } from "../transcript.ts";

/** One span of a trace, whoever recorded it: what it is by its own words, and what was read from them. */
export interface Span {
	trace: string;
	id: string;
	/** Undefined of a root. */
	parent?: string | undefined;
	name: string;
	/** Milliseconds since 1970; NaN where not told. */
	start: number;
	end: number;
	/** Of a span that ended in an error. */
	error?: string | undefined;
	/** As recorded, for those that become no step. */
	attributes: Attributes;
	reading: Reading;
}

/** By name, which others choose. Values are JSON's. */
export type Attributes = ReadonlyMap<string, unknown>;

export const spanKinds = [
	...(["agent", "chain", "model", "retrieval", "tool", "reranker"] as const),
	...(["embedding", "guardrail", "evaluator", "prompt", "unknown"] as const),
];
export type SpanKind = (typeof spanKinds)[number];

/** What a span says in its dialect, in our words. */
export interface Reading {
	kind: SpanKind;
	/** What went in and came out, as far as it can be said in a text. */
	input?: string | undefined;
	output?: string | undefined;
	/** Whether both were plain texts rather than read out of objects. */
	plain?: boolean;
	query?: string | undefined;
	documents?: TranscriptDocument[] | undefined;
	tool?: ToolUse | undefined;
	/** Of a call to a model: the conversation it was given and its reply. */
	given?: Message[];
	said?: Message[];
	usage?: Usage | undefined;
	model?: string | undefined;
	agent?: string | undefined;
	session?: string | undefined;
}

export interface ToolUse {
	name: string;
	callId?: string | undefined;
	arguments: Record<string, unknown>;
	result?: unknown;
}

/** Bounds beyond which a file, or a trace, is not read. */
export const mostSpans = { file: 2_000_000, trace: 20_000, depth: 500 } as const;
