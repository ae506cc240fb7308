import type { Step, Trajectory } from "#domain";
import { givenValue } from "../reading/value.ts";
import { queryOf } from "./pseudo-hops.ts";

/** Something the agent wrote, in the order in which it wrote it. */
export interface OwnWords {
	what: "thought" | "query" | "sub-answer" | "answer";
	/** Place of its step; of the final answer, behind the last one. */
	place: number;
	/** The step's index; none of the final answer. */
	index?: number;
	text: string;
	/** An answer of a few words, whose first word may be the whole name. */
	short: boolean;
}

const longestThought = 5000;
const longestQuery = 2000;
const longestAnswer = 5000;
/** More of all thoughts together is not read. */
const mostThought = 2_000_000;
const mostShort = 8;

export function ownWordsOf(trajectory: Trajectory, steps: readonly Step[]): OwnWords[] {
	const { answer, abstained, searchOnly } = trajectory;
	let thoughts = 0;
	const own = steps.flatMap((step, place): OwnWords[] => {
		const { index, thought, subQuestion, subAnswer } = step;
		const at = { place, index };
		const parts: OwnWords[] = [];
		if (thought && thoughts < mostThought) {
			thoughts += Math.min(longestThought, thought.length);
			parts.push({ what: "thought", ...at, text: thought.slice(0, longestThought), short: false });
		}
		const query = [subQuestion, queryOf(step)].filter((one) => one !== undefined && one !== "").join("\n");
		if (query !== "") parts.push({ what: "query", ...at, text: query.slice(0, longestQuery), short: false });
		const read = givenValue(subAnswer);
		if (read !== undefined) parts.push({ what: "sub-answer", ...at, text: read, short: isShort(read) });
		return parts;
	});
	const last = abstained || searchOnly ? undefined : givenValue(answer)?.slice(0, longestAnswer);
	if (last !== undefined) own.push({ what: "answer", place: steps.length, text: last, short: isShort(last) });
	return own;
}

const isShort = (text: string) => text.split(/\s+/, mostShort + 1).length <= mostShort;

const longestPrompt = 50_000;

/** What stood before the agent's first word: instructions, the date of the day, documents that were handed to it. */
export function promptOf({ messages }: Trajectory): string {
	const first = messages.findIndex(({ role }) => role === "assistant" || role === "tool");
	return messages
		.slice(0, first < 0 ? messages.length : first)
		.filter(({ role }) => role === "system" || role === "user")
		.flatMap(({ content }) => content.flatMap((part) => (part.type === "text" ? [part.text] : [])))
		.join("\n")
		.slice(0, longestPrompt);
}
