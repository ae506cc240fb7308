import { join } from "node:path";
import { mostRepliesOf } from "#agents";
import { retrievalHops, usageError } from "#domain";
import type { ChatMessage } from "#models";
import { sha256, writeWhole } from "#store";
import type { Environment } from "../environment/environment.ts";

/** A part of an opening message; `file` is relative to the folder of the export. */
export type RlPart = { type: "text"; text: string } | { type: "image"; file: string };
export interface RlMessage {
	role: "system" | "user" | "assistant" | "tool";
	content: RlPart[];
}

/** A task as a policy meets it: what its episode opens with, and nothing of its gold but how many hops it has. */
export interface RlTask {
	task: string;
	split: string;
	/** Place within the split. */
	index: number;
	question: string;
	/** Gold hops that need retrieval; null where the task states no chain. For a trainer's log, in no prompt. */
	hops: number | null;
	messages: RlMessage[];
	/** The protocol's own limit, of what it counts (T in the paper). */
	limit: number;
	/** Replies that the policy may make at most, one that may only answer among them. */
	replies: number;
}

/** The answers that count as right: only for those who reward by themselves. */
export type RlAnswers = ReadonlyMap<string, readonly string[]>;

/**
 * Opens the episode of a task and keeps its first messages as they are shown; images go into `dir` under the name of their
 * content, in the bytes that the policy is sent.
 */
export async function rlTask(
	environment: Environment,
	id: string,
	{ dir, split, index }: { dir: string; split: string; index: number },
): Promise<RlTask> {
	const episode = await environment.open(id);
	try {
		const { budget } = episode;
		const { question, chain } = environment.task(id);
		const messages: RlMessage[] = [];
		for (const message of episode.opening) messages.push(await storedMessage(message, dir));
		const hops = chain ? retrievalHops(chain).length : null;
		return { task: id, split, index, question, hops, messages, limit: budget.limit, replies: mostRepliesOf(budget) };
	} finally {
		episode.abort();
	}
}

async function storedMessage({ role, content }: ChatMessage, dir: string): Promise<RlMessage> {
	const parts: RlPart[] = [];
	for (const part of content) {
		if (part.type === "text") {
			parts.push(part);
			continue;
		}
		const file = `images/${sha256(part.data)}.${extensionOf(part.mediaType)}`;
		await writeWhole(join(dir, file), part.data);
		parts.push({ type: "image", file });
	}
	return { role, content: parts };
}

function extensionOf(mediaType: string): string {
	return mediaType === "image/png" ? "png" : "jpg";
}

export const imagesOf = ({ messages }: Pick<RlTask, "messages">): string[] =>
	messages.flatMap(({ content }) => content.flatMap((part) => (part.type === "image" ? [part.file] : [])));

/** Which tasks are written under which split; the splits asked for must be there. */
export function chosenSplits(environment: Environment, wanted?: readonly string[]): Map<string, readonly string[]> {
	const { splits } = environment;
	const missing = wanted?.filter((name) => !splits.has(name)) ?? [];
	if (missing.length > 0)
		throw usageError(
			"unknown-split",
			`${environment.name} has no split ${missing.join(", ")}`,
			`There is: ${[...splits.keys()].join(", ")}.`,
		);
	const odd = [...splits.keys()].find((name) => !/^[\w-]{1,60}$/.test(name));
	if (odd !== undefined)
		throw usageError("odd-split", `the split ${JSON.stringify(odd)} is no name of a file`, "Rename it.");
	return new Map([...splits].filter(([name]) => (wanted ? wanted.includes(name) : !heldOut.has(name))));
}

/** Not written unless asked for: training on them is the classic mistake. */
const heldOut: ReadonlySet<string> = new Set(["test"]);
