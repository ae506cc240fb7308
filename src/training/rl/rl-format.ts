import type { ToolDeclaration } from "#models";
import type { RlAnswers, RlTask } from "./rl-task.ts";

/** What all files of one export have in common. */
export interface RlSetting {
	/** The benchmark's name. */
	benchmark: string;
	agent: string;
	setting: string;
	/** Where observations are joined to the policy's own text instead of standing in turns of their own. */
	continued: boolean;
	/** Functions offered in the provider's form, the same for every task; none where calls are made in text. */
	tools: readonly ToolDeclaration[];
	/** Results that a search brings at most. */
	k: number;
	/** The most that any task has. */
	limit: number;
	replies: number;
	/** Base address of the server that plays the episodes. */
	server: string;
	/** Where the folder will stand on the machine that trains, absolute. */
	root: string;
	/** Accepted answers by task, only where they were asked for. */
	answers?: RlAnswers;
}

/** What a checker found in a file that was written. */
export interface RlReread {
	file: string;
	rows: number;
	problems: string[];
}

/** One trainer's way of taking tasks. */
export interface RlFormat {
	name: string;
	title: string;
	/** Whether the policy speaks the protocol's words, or calls functions that the trainer declares. */
	speaks: "text" | "calls";
	/** Files of `shims/` that go with it. */
	shims: readonly string[];
	/** Writes the rows of each split and what else the trainer needs; returns file names. */
	write(splits: ReadonlyMap<string, readonly RlTask[]>, dir: string, setting: RlSetting): Promise<string[]>;
	/** Reads the rows again and says what the trainer would stumble over. */
	reread(dir: string, files: readonly string[]): Promise<RlReread[]>;
}
