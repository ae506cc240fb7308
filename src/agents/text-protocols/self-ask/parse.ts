import { either, grammarOf, literal, type NextReply } from "../../driver/grammar.ts";
import type { Intention } from "../../driver/speech.ts";
import type { InvalidCode } from "../../tools/tool-call.ts";
import { afterThinking, bareThought } from "../passages.ts";

/**
 * Reads a self-ask reply line by line: the first follow-up question or final answer counts, and whatever the model
 * writes behind it, intermediate answers of its own making above all, is cut. Nothing here throws.
 */
export type SelfAskAction = { is: "follow-up"; question: string } | { is: "final"; answer: string };

export interface ParsedSelfAsk {
	action: SelfAskAction | { is: "invalid"; code: InvalidCode; detail: string };
	thought?: string;
	/** The intermediate answer that the reply began with, where one was expected. */
	subAnswer?: string;
	text: string;
	dropped: number;
}

const maxLength = 100_000;
const maxLineLength = 2000;
const mark = "[ \\t>*_-]*";
/** Behind a label a dash belongs to the text: an answer may be negative. */
const space = "[ \\t*_]*";
// A line may hold other line ends than the one it was cut at, a carriage return above all.
const followUp = new RegExp(`^${mark}follow[ -]?up(?: question)?${space}:${space}(.*)$`, "is");
const final = new RegExp(
	`^${mark}(?:so,? the final answer is${space}:?|the final answer is${space}:)${space}(.*)$`,
	"is",
);
const intermediate = new RegExp(`^${mark}intermediate answer${space}:${space}(.*)$`, "is");

export function parseSelfAsk(
	reply: string,
	{
		finish,
		expects,
	}: {
		finish: "stop" | "length" | "other";
		/** What the reply was asked to begin with, where it need not be labelled. */
		expects?: "intermediate" | "final" | undefined;
	},
): ParsedSelfAsk {
	const whole = reply.slice(0, maxLength);
	const from = afterThinking(whole);
	const before: string[] = [];
	let at = from;
	let subAnswer: string | undefined;
	for (const line of whole.slice(from).split("\n")) {
		const end = at + line.length;
		const question = followUp.exec(line)?.[1]?.trim();
		const answer = final.exec(line)?.[1]?.trim();
		if (question !== undefined) return ended(question, (text) => ({ is: "follow-up", question: text }), end);
		if (answer !== undefined) return ended(answer, (text) => ({ is: "final", answer: text }), end);
		const read = intermediate.exec(line)?.[1]?.trim();
		// A reply that answers a question it has not asked makes it up: nothing behind it counts.
		if (read !== undefined && expects !== "intermediate") break;
		if (expects === "final" && line.trim() !== "" && finish !== "length")
			return ended(line.trim(), (text) => ({ is: "final", answer: text }), end);
		if (expects === "intermediate" && subAnswer === undefined && (read ?? line.trim()) !== "") {
			subAnswer = (read ?? line.trim()).slice(0, maxLineLength);
		} else before.push(line);
		at = end + 1;
	}
	return finish === "length" || reply.length > maxLength
		? invalid("truncated", "the reply was cut before a follow-up question or the answer", Math.min(at, whole.length))
		: invalid("no-action", "the reply holds neither a follow-up question nor the answer", Math.min(at, whole.length));

	function ended(text: string, action: (text: string) => SelfAskAction, end: number): ParsedSelfAsk {
		if (finish === "length" && end >= reply.trimEnd().length) return invalid("truncated", "the line was cut", end);
		const made = action(text.slice(0, maxLineLength));
		if (text === "")
			return made.is === "final"
				? invalid("empty-answer", "the answer is empty", end)
				: invalid("empty-query", "the follow-up question is empty", end);
		if (made.is === "follow-up" && text.length > maxLineLength)
			return invalid("query-too-long", `more than ${maxLineLength} characters`, end);
		return parsed(made, end);
	}
	function invalid(code: InvalidCode, detail: string, end: number): ParsedSelfAsk {
		return parsed({ is: "invalid", code, detail }, end);
	}
	function parsed(action: ParsedSelfAsk["action"], end: number): ParsedSelfAsk {
		const thought = bareThought([whole.slice(0, from), ...before].join("\n"));
		return {
			action,
			...(thought && { thought }),
			...(subAnswer === undefined ? {} : { subAnswer }),
			text: whole.slice(0, end).trimEnd(),
			dropped: reply.slice(end).trim().length,
		};
	}
}

/** What a turn is held to, as `saySelfAsk` writes it. `reads`: it begins with what was found. */
export function selfAskGrammar({ last }: NextReply, { reads }: { reads: boolean }): string {
	const read = reads ? [literal("Intermediate answer: "), "words", literal("\n")] : [];
	const ends = `${literal("So the final answer is: ")} words`;
	return grammarOf([...read, last ? ends : either(`${literal("Follow up: ")} words`, ends)].join(" "));
}

/**
 * A turn as a model should write it that reads what was found by itself: what the last search told, then one question or the
 * answer; undefined where it is no search of passages.
 */
export function saySelfAsk({ subAnswer, act }: Omit<Intention, "thought">): string | undefined {
	if (act.is === "search" && act.tool !== "text_search") return undefined;
	const read = subAnswer === undefined ? "" : `Intermediate answer: ${subAnswer}\n`;
	return `${read}${act.is === "answer" ? `So the final answer is: ${act.text}` : `Follow up: ${act.subQuestion ?? act.query}`}`;
}
