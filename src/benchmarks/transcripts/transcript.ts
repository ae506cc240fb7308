import type { z } from "zod";
import type { Message, Source, Step, StopReason } from "#domain";

/** A line of a file of transcripts as its format reads it: what was asked, what was done, what was answered. */
export interface Transcript {
	question: string;
	accepted: string[];
	tags: Record<string, string>;
	steps: TranscriptStep[];
	/** Null where none was given. */
	answer: string | null;
	stop: StopReason;
	messages: Message[];
	/** What a judge that came with the file said of the answer, in its own words. */
	judged?: { rater: string; said: string };
	/** Conversion warnings: what had to be assumed or left out. */
	losses: string[];
}

/** A step with the documents that came back, in their order. */
export interface TranscriptStep extends Pick<Step, "thought" | "call" | "error"> {
	documents: TranscriptDocument[];
}

export interface TranscriptDocument {
	title: string;
	text: string;
	/** Of a page of the web; without it the title names the document. */
	address?: string;
}

/** A published form of transcripts: one file each. */
export interface TranscriptFormat {
	name: string;
	source: Source;
	/** The agent that made them. */
	agent: string;
	language: string;
	/** The terms of the documents that stand in them. */
	documents: { licence: string; attribution: string };
	/** What every reader of the scores must know. */
	cautions: string[];
	/** Whether an object looks like a line of this form, whole or broken. */
	recognises(row: Record<string, unknown>): boolean;
	read(json: unknown): Transcript | { problem: string };
}

/** Bounds on one transcript, in characters and counts: beyond them it is none. */
export const most = { steps: 1000, documents: 1000, thought: 20_000, query: 10_000, answer: 100_000 } as const;

/** The first thing that does not fit a line's schema, and where. */
export const issueOf = ({ issues: [issue] }: z.ZodError): string => `at ${issue?.path.join(".")}: ${issue?.message}`;

/** The text where it is not empty, cut to a thought's length. */
export function thoughtOf(text: string): { thought?: string } {
	const thought = text.trim().slice(0, most.thought);
	return thought === "" ? {} : { thought };
}

export const textMessage = (role: Message["role"], text: string): Message => ({
	role,
	content: [{ type: "text", text }],
});

/** Where a file says nothing else: an answer ended it, or its protocol's limit did. */
export function stopOf(answer: string | null): Pick<Transcript, "stop" | "losses"> {
	if (answer !== null) return { stop: "answered", losses: [] };
	return { stop: "turn-limit", losses: ["ended without an answer: taken as stopped by the protocol's limit"] };
}
