import type { Agent } from "./agent.ts";
import { askModel, promptHash } from "./ask-model.ts";
import { createRecorder } from "./recorder.ts";

/**
 * Question and images only, no retrieval: what a model knows by itself (F1 without retrieval, "w.o. RAG", the no-tool
 * setting). Without a model there is nothing that could know anything: it abstains, and its one message says so.
 */
export const closedBook: Agent = {
	name: "closed-book",
	version: "1",
	summary: "Asks the model with the question and images only; abstains when there is no model.",
	paper: "Double-Bench: w.o. RAG; VistaArena: no-tool",
	reference: "answers without searching",
	needs: { model: "optional", gold: false },
	promptHash,
	async answer(view, context) {
		context.signal.throwIfAborted();
		if (context.model) return askModel(view, context, { model: context.model, evidence: [] });
		const text = "There is no model to ask, and this agent searches nothing: it does not answer.";
		return createRecorder(context.tools, { signal: context.signal }).finish({
			answer: null,
			stop: "answered",
			abstained: true,
			messages: [{ role: "assistant", content: [{ type: "text", text }] }],
		});
	},
};
