import type { TrainingExample } from "../../conversations/example.ts";
import type { Scribe } from "../images.ts";
import { llamaFactoryCallMarks, llamaFactoryMarks, type Marks, wellFormedJson } from "../marks.ts";
import { callArguments, type Turn } from "../turns.ts";

/** A message of the sharegpt form, with the words that `dataset_info.json` names. */
export interface SharegptMessage {
	role: "user" | "observation" | "assistant" | "function_call";
	content: string;
}

/** How the columns and roles are called; LLaMA-Factory's own defaults differ, so each is stated. */
export const sharegptInfo = {
	formatting: "sharegpt",
	columns: { messages: "messages", images: "images", system: "system", tools: "tools" },
	tags: {
		role_tag: "role",
		content_tag: "content",
		user_tag: "user",
		assistant_tag: "assistant",
		observation_tag: "observation",
		function_tag: "function_call",
		system_tag: "system",
	},
};

/** A turn of several messages is one; a turn that calls keeps its thought before the calls. */
export async function sharegptTurn({ side, messages }: Turn, scribe: Scribe): Promise<SharegptMessage> {
	const calls = messages.flatMap((message) => message.calls ?? []);
	const marks = calls.length > 0 ? llamaFactoryCallMarks : llamaFactoryMarks;
	const texts: string[] = [];
	for (const message of messages) texts.push(await scribe.text(message.content, marks));
	const text = texts.join("\n");
	if (side === "shown") {
		const role = messages.some((message) => message.role === "tool") ? "observation" : "user";
		return { role, content: text };
	}
	if (calls.length === 0) return { role: "assistant", content: text };
	const list = calls.map((call) => ({ name: call.name, arguments: callArguments(call.arguments) }));
	const content = `${text}${text === "" ? "" : "\n"}<tool_call>${callsJson(list)}</tool_call>`;
	return { role: "function_call", content };
}

// marks are counted before calls are parsed: behind \u003c none is seen, and nothing is lost
const callsJson = (calls: object[]) => llamaFactoryMarks.escape(wellFormedJson(calls)).replaceAll("<", "\\u003c");

/** Tools as a JSON text, empty without any. */
export const toolsText = (tools: TrainingExample["tools"], marks: Marks = llamaFactoryMarks): string =>
	tools && tools.length > 0 ? marks.escape(wellFormedJson(tools)) : "";
