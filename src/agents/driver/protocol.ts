import type { FormatFault, TaskView } from "#domain";
import type { ChatMessage, ChatReply, ChatRequest, ToolDeclaration } from "#models";
import type { Outcome } from "../tools/outcome.ts";
import type { Call } from "../tools/tool-call.ts";
import type { NextReply } from "./grammar.ts";
import type { Session } from "./session.ts";
import type { Speech } from "./speech.ts";

/**
 * How far a conversation may go, and what counts. `observations`: turns that get one, invalid ones included. `replies`:
 * everything the model says. `calls`: every call it makes, invalid ones included.
 */
export interface Budget {
	counts: "observations" | "replies" | "calls";
	limit: number;
	/** When it is spent: one more reply, which may only answer. Otherwise there is no answer. */
	lastAnswer: boolean;
	/** Replies without a call, one after another, that end the task. */
	silence?: number;
}

/** Beyond this no conversation goes, whatever its protocol counts: a model that never answers must end. */
export const mostReplies = 200;

/** Most replies that a budget allows; a protocol that counts calls may be silent in between. */
export function mostRepliesOf({ counts, limit, lastAnswer, silence }: Budget): number {
	const counted = counts === "calls" ? limit * (silence ?? mostReplies) : limit;
	return Math.min(mostReplies, counted) + (lastAnswer ? 1 : 0);
}

/** What a model chose to do with one reply. */
export type Move =
	/** Carried out in order. At least one. */
	| { is: "calls"; calls: Call[] }
	| { is: "answer"; text: string; abstains?: boolean; cited?: string[] }
	/** Neither a call nor an answer, and the protocol has room for it: a plan, an analysis. */
	| { is: "silent" };

/** A reply as its protocol understands it. Whoever makes one never throws, whatever the reply. */
export interface Reading {
	move: Move;
	/** The assistant's turn as it enters the history: what stood behind the first action is cut off. */
	said: ChatMessage;
	thought?: string;
	subQuestion?: string;
	/** The answer to an earlier sub-question: belongs to the last step before this one. */
	subAnswer?: string;
	plan?: string;
	/** Characters that did not enter the history. */
	dropped?: number;
	/** Where the reply is not as the protocol writes it, although it could be carried out. */
	malformed?: FormatFault[];
}

/** What follows a reply that did not answer. */
export interface Turn {
	move: Exclude<Move, { is: "answer" }>;
	/** One for each call, in their order; none after a silent move. */
	outcomes: Outcome[];
	/** The next reply is the last and may only answer: the messages must say so. */
	last: boolean;
	/** Replies so far. */
	replies: number;
}

/** A protocol at work on one task. The history that it makes is only ever added to at its end. */
export interface Dialogue {
	opening: ChatMessage[];
	stop?: string[];
	/** Functions offered in the provider's own form: the same in every request. */
	tools?: ToolDeclaration[];
	budget: Budget;
	/** What holds the next reply to the protocol, where the setting asks for it. */
	grammar?(reply: NextReply): string;
	/** Whether the next reply must, may or must not call; by its number from 0. */
	toolChoice?(reply: number): NonNullable<ChatRequest["toolChoice"]>;
	read(reply: ChatReply): Reading;
	/** How a competent model would write its turns: for conversations that are to be learnt from. */
	speech?: Speech;
	/** Observations, feedback, the next prompt: at least one message. The same fixed words for every invalid call. */
	respond(turn: Turn): ChatMessage[] | Promise<ChatMessage[]>;
}

/** Begins the work of a protocol on a task; may search, e.g. for the captions of its images. */
export type Begin = (session: Session, view: TaskView) => Dialogue | Promise<Dialogue>;

export const textMessage = (role: ChatMessage["role"], text: string): ChatMessage => ({
	role,
	content: [{ type: "text", text }],
});

/** Stands in the history for a reply without any text, which servers refuse. */
export const emptyReply = "(an empty reply)";
