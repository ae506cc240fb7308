import type { z } from "zod";
import type { ImportedFrom, Message, Source, Step, StopReason, Trajectory, Usage } from "#domain";

/** A foreign record of one attempt, as its format reads it: what was asked, what was done, what was answered. */
export interface Transcript {
	question: string;
	/** Empty where the record states no right answer: the answer is then not scored. */
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
	/** Names the attempt in its source, e.g. a trace id; the task is called by it where that has no name of its own. */
	id?: string;
	/** Names the task in its source: attempts at the same question under one name are its repeats, in their order. */
	task?: string;
	/** When it began, ISO 8601 in UTC; absent: unknown, and the time of reading stands in its place. */
	at?: string;
	/** Of the whole attempt, in milliseconds; absent: 0. */
	ms?: number;
	usage?: Usage;
	error?: Trajectory["error"];
	/** The models that answered, by their own ids. */
	models?: string[];
	/** Who answered, where the record says so and the format does not. */
	agent?: string;
	/** It only searched, and was asked for no answer. */
	searchOnly?: boolean;
	/** What else was recorded and is no step. */
	others?: Trajectory["others"];
}

/** A step with the documents that came back, in their order. */
export interface TranscriptStep
	extends Pick<
		Step,
		"thought" | "call" | "error" | "subQuestion" | "subAnswer" | "usage" | "round" | "merges" | "role"
	> {
	documents: TranscriptDocument[];
	/** How long it took, in milliseconds; absent: 0. */
	ms?: number;
}

export interface TranscriptDocument {
	title: string;
	text: string;
	/** Of a page of the web; without it the title names the document. */
	address?: string;
	/** Its id where it was found; without it, it is named by what it says. */
	id?: string;
	/** As the search gave it; absent: 0. */
	score?: number;
	/** The file or document that it is a part of, and the page there, as the record says it. */
	source?: string;
	page?: string;
}

interface Form {
	name: string;
	source: Source;
	/** The agent that made them, where a transcript does not say. */
	agent: string;
	language: string;
	/** The terms of the documents that stand in them. */
	documents: { licence: string; attribution: string };
	/** What every reader of the scores must know. */
	cautions: string[];
	/** What its reading was tried on: real files, what real clients sent, or its documentation alone. */
	tried: string;
}

/** A form of transcripts that stand one a line, as JSON. */
export interface LineFormat extends Form {
	/** Whether an object looks like a line of this form, whole or broken. */
	recognises(row: Record<string, unknown>): boolean;
	read(json: unknown): Transcript | { problem: string };
}

/** A form of transcripts whose files are read whole: no text, or one transcript over many lines or files. */
export interface FileFormat extends Form {
	/** Whether a file looks like one, by its name and its first bytes (64 KiB, or all). */
	recognisesFile(file: { name: string; head: Buffer }): boolean;
	/** All transcripts of some files together. Never throws for what a file holds: that is refused with its place. */
	readFiles(files: readonly TranscriptFile[]): Promise<TranscriptsRead>;
}

export type TranscriptFormat = LineFormat | FileFormat;

export interface TranscriptFile {
	name: string;
	/** At most a gibibyte. */
	bytes: Buffer;
}

export interface TranscriptsRead {
	/** `place`: where it stands, for people, e.g. `line 3`, `trace 5b8efff7`. */
	transcripts: { place: string; transcript: Transcript }[];
	/** What is left out, and why. */
	refused: { place: string; reason: string }[];
	/** Conversion warnings on all of them. */
	losses: string[];
	/** What was counted in the files, for whoever checks them. */
	spans?: ImportedFrom["spans"];
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
