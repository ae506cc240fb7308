import type { ChatMessage, ChatPart, ChatReply } from "#models";
import { invalidCall, written } from "../tools/tool-call.ts";
import { type Move, type Reading, textMessage } from "./protocol.ts";
import { isUnknown } from "./recorder.ts";
import { questionParts, type Session } from "./session.ts";
import type { Intention, Speech } from "./speech.ts";

/** What the protocols share whose turns are written in text. */

/** The question after its images. */
export const questionMessage = (question: string, images: ChatPart[]): ChatMessage => ({
	role: "user",
	content: [...images, { type: "text", text: `Question: ${question}` }],
});

export const openingOf = async (
	session: Session,
	systemPrompt: string,
	question = session.view.question,
): Promise<ChatMessage[]> => [
	textMessage("system", systemPrompt),
	questionMessage(question, await questionParts(session)),
];

/** How a reply ended, as parsers of text tell it apart. */
export const textFinish = ({ finish }: Pick<ChatReply, "finish">) => (finish === "calls" ? "stop" : finish);

export const answerMove = (text: string): Move => ({ is: "answer", text, abstains: isUnknown(text) });

export const searchMove = (query: string, k: number): Move => ({
	is: "calls",
	calls: [{ is: "call", tool: "text_search", arguments: { query, k } }],
});

/** A turn whose action cannot be carried out; `text` is how it was written. */
export const invalidMove = (
	{ code, detail, tool = "none" }: { code: Parameters<typeof invalidCall>[0]; detail: string; tool?: string },
	text: string,
): Move => ({ is: "calls", calls: [invalidCall(code, detail, { tool, written: written(text) })] });

/** A reply as it was read: `text` enters the history, and only what there is of the rest is told. */
export function textReading(
	move: Move,
	{
		text,
		dropped,
		...told
	}: { text: string; dropped: number } & {
		[Name in "thought" | "subQuestion" | "subAnswer"]?: string | undefined;
	},
): Reading {
	const said: ChatMessage = { role: "assistant", content: text === "" ? [] : [{ type: "text", text }] };
	const fields = Object.entries(told).filter(([, value]) => value !== undefined);
	return { move, said, ...Object.fromEntries(fields), dropped };
}

/** How a protocol says what it means; undefined where it has no such action. */
export const textSpeech = (subQuestions: boolean, say: (intention: Intention) => string | undefined): Speech => ({
	subQuestions,
	say(intention) {
		const text = say(intention);
		return text === undefined ? undefined : { is: "says", text };
	},
});
