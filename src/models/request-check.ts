import { HopscopeError, usageError } from "#domain";
import type { ChatRequest } from "./chat-model.ts";

const bad = (what: string, remedy: string) => new HopscopeError("bad-request", what, remedy);

/** What no provider can be sent, before anything is. */
export function checkRequest({ messages, tools, toolChoice, continues }: ChatRequest): void {
	for (const { role, content, callId } of messages) {
		if (role === "tool" && callId === undefined)
			throw bad("a tool message answers no call", "Give the id of the call that it answers.");
		if ((role === "system" || role === "assistant") && content.some((part) => part.type === "image"))
			throw bad(`an image stands in a ${role} message`, "Put images in user or tool messages.");
	}
	if (continues && messages.at(-1)?.role !== "assistant")
		throw bad("there is no reply to continue", "The last message must be the assistant's.");
	if (toolChoice === "required" && !tools?.length)
		throw bad("a call is required, and no tool is declared", "Declare tools, or leave the choice out.");
}

export const cannotContinue = (id: string) =>
	new HopscopeError(
		"cannot-continue",
		`${id} cannot continue a reply that was begun`,
		"Use the agent's form with turns, or a model on vLLM or SGLang, or one of Anthropic's that takes a begun reply.",
	);

/** Nobody knows how this server is asked to hold a reply to a grammar. */
export const noGrammars = (id: string) =>
	usageError(
		"no-grammar",
		`the server of ${id} is none that is known to hold replies to a grammar`,
		"Leave out --constrain, or serve the model with llama.cpp, vLLM or SGLang.",
	);
