import type { ChatPart } from "#models";
import type { Agent } from "../agent.ts";
import { createRecorder } from "../driver/recorder.ts";
import { questionParts, withSession } from "../driver/session.ts";
import { answerLine } from "../tool-call-format/final-answer.ts";
import { anyImage, numbered } from "../tools/images.ts";
import { askOnce, hashOfWords, onceAsked } from "./ask-once.ts";

const instructions = [
	"Answer the question from what you know and from the images, if there are any.",
	`Reason briefly, then ${answerLine} If you do not know, write \`Answer: unknown\`.`,
].join(" ");

const messagesOf = (question: string, images: ChatPart[]) =>
	onceAsked(instructions, [{ type: "text", text: `Question: ${question}` }, ...images]);

/**
 * Question and images only, no retrieval: what a model knows by itself (F1 without retrieval, "w.o. RAG", the no-tool
 * setting). Without a model there is nothing that could know anything: it abstains, and its one message says so.
 */
export const closedBook: Agent = {
	name: "closed-book",
	version: "2",
	summary: "Asks the model with the question and images only; abstains when there is no model.",
	paper: "Double-Bench: w.o. RAG; VistaArena: no-tool",
	reference: "answers without searching",
	needs: { model: "optional", gold: false },
	settings: { default: {} },
	card: {
		messages: "one request; the answer on the reply's last line",
		budget: "one reply, no search",
		reports: "F1 without retrieval",
		mostCalls: () => 1,
	},
	promptHash: hashOfWords(messagesOf("?", numbered([anyImage]))),
	async answer(view, context) {
		context.signal.throwIfAborted();
		if (context.model)
			return withSession(view, context, async (session) =>
				askOnce(session, { messages: messagesOf(view.question, await questionParts(session)) }),
			);
		const text = "There is no model to ask, and this agent searches nothing: it does not answer.";
		return createRecorder(context.tools, { signal: context.signal }).finish({
			answer: null,
			stop: "answered",
			abstained: true,
			messages: [{ role: "assistant", content: [{ type: "text", text }] }],
		});
	},
};
