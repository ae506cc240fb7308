import type { TrainingExample, TrainingMessage } from "../conversations/example.ts";

/** What follows on one side without the other coming between: what the policy says, or what it is shown. */
export interface Turn {
	side: "shown" | "said";
	messages: TrainingMessage[];
}

/** A conversation in alternation, shown first and said last. */
export interface Alternation {
	system: string;
	turns: Turn[];
	/** Messages behind the last that the policy says: there is nothing to learn from them. */
	trailing: number;
}

/** The turns of a conversation, or why there is none to train on. */
export function alternation({ system, messages }: Pick<TrainingExample, "system" | "messages">): Alternation | string {
	const first = messages.findIndex(({ role }) => role !== "system");
	const opening = messages.slice(0, Math.max(0, first)).map(plainText);
	const rest = first === -1 ? [] : messages.slice(first);
	if (rest.some(({ role }) => role === "system")) return "a system message stands among the turns";
	const turns = turnsOf(rest);
	const trailing = turns.at(-1)?.side === "shown" ? (turns.pop()?.messages.length ?? 0) : 0;
	if (turns.length === 0) return "nothing is said by the policy";
	if (turns[0]?.side === "said") return "it begins with what the policy says";
	return { system: [system ?? "", ...opening].filter((text) => text !== "").join("\n\n"), turns, trailing };
}

/** Messages by turns. */
export function turnsOf(messages: readonly TrainingMessage[]): Turn[] {
	const turns: Turn[] = [];
	for (const message of messages) {
		const side = message.role === "assistant" ? "said" : "shown";
		const last = turns.at(-1);
		if (last?.side === side) last.messages.push(message);
		else turns.push({ side, messages: [message] });
	}
	return turns;
}

/** The words of a message, without its images. */
export const plainText = ({ content }: Pick<TrainingMessage, "content">): string =>
	content.map((part) => (part.type === "text" ? part.text : "")).join("");

/** Arguments as an object where they are one; else the text that the model wrote. */
export function callArguments(written: string): unknown {
	try {
		const value: unknown = JSON.parse(written);
		return typeof value === "object" && value !== null && !Array.isArray(value) ? value : written;
	} catch {
		return written;
	}
}
