import type { ChatReply } from "#models";

/** Longer answers are cut, in characters. */
const maxLength = 2000;

/** `Answer:` at the beginning of a line, in whatever bold type or heading models put it. */
const marker = /^[*_#>\s]*(?:final\s+)?answer[*_\s]*:/i;

/** What stands behind the last `Answer:`, on its line or else on those that follow, and on which line it is. */
export function markedAnswer(lines: string[]): { answer: string; place: number } | undefined {
	const place = lines.findLastIndex((line) => marker.test(line));
	if (place === -1) return undefined;
	const own = bare((lines[place] ?? "").replace(marker, ""));
	return { answer: own || bare(lines.slice(place + 1).join("\n")), place };
}

/** The answer in a reply that calls nothing: the marked one, or all of it. Empty for none. */
export const finalAnswer = (text: string): string => markedAnswer(text.split("\n"))?.answer ?? bare(text);

/** What a reply says before its marked answer: how it came to it. Empty where none is marked. */
export function saidBefore(text: string): string {
	const lines = text.split("\n");
	const { place = 0 } = markedAnswer(lines) ?? {};
	return lines.slice(0, place).join("\n").trim();
}

/** Without blanks and the marks of bold type around it. Cut first: the search at the end takes time with the square. */
const bare = (text: string): string =>
	text
		.replace(/^[*_\s]+/, "")
		.slice(0, maxLength)
		.replace(/[*_\s]+$/, "");

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
	const { answer, place } = marked ?? { answer: bareLine(lines.at(-1) ?? ""), place: lines.length - 1 };
	return { answer, thought: lines.slice(0, Math.max(0, place)).join("\n") };
}

const bareLine = (line: string) => line.replace(/^[*_\s]+|[*_\s]+$/g, "");
