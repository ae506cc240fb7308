import type { ChatReply } from "#models";
import { markedAnswer } from "../tool-call-format/final-answer.ts";

/** What every one-reply prompt asks for at its end. */
export const answerLine = [
	"write the answer on a last line of its own: `Answer: ` and the shortest wording that is complete (a name, a number",
	"with its unit, a date, yes or no), in the language of the question.",
].join(" ");

/**
 * What stands after the last `Answer:`, or the reply's last line, and the reasoning before it. No answer for a reply that
 * was cut before it: its last line is then a piece of reasoning.
 */
export function answerIn({ text, finish }: Pick<ChatReply, "text" | "finish">): { answer?: string; thought: string } {
	const lines = text.split("\n").flatMap((line) => line.trim().slice(0, 2000) || []);
	const marked = markedAnswer(lines);
	if (finish === "length" && !marked?.answer) return { thought: lines.join("\n") };
	const { answer, place } = marked ?? { answer: bare(lines.at(-1) ?? ""), place: lines.length - 1 };
	return { answer, thought: lines.slice(0, Math.max(0, place)).join("\n") };
}

const bare = (line: string) => line.replace(/^[*_\s]+|[*_\s]+$/g, "");
