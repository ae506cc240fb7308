import { messagesIn, messageText } from "./messages.ts";
import { firstField, isFields, opened, textIn } from "./values.ts";

const asking = ["question", "query", "user_query", "user_input", "input", "prompt", "search_query", "message"].concat([
	"query_str",
	"text",
	"task",
	"inputs",
	"chat_input",
	"content",
	"value",
]);
const answering = ["answer", "final_answer", "output", "response", "result", "text", "generation", "content"].concat([
	"completion",
	"outputs",
	"message",
	"output_text",
	"value",
]);

/** What is asked in what went into a span: a text, a field that names it, or the last message of the user. */
export const askedIn = (value: unknown): string | undefined => wordsIn(value, { names: asking, role: "user" });

/** What is answered in what came out of a span. */
export const answeredIn = (value: unknown): string | undefined =>
	wordsIn(value, { names: answering, role: "assistant" });

function wordsIn(
	value: unknown,
	{ names, role, levels = 5 }: { names: readonly string[]; role: "user" | "assistant"; levels?: number },
): string | undefined {
	const json = opened(value);
	if (typeof json === "string") return textIn(json)?.trim();
	if (typeof json !== "object" || json === null || levels === 0) return undefined;
	const messages = messagesIn(
		isFields(json) ? (firstField(json, ["messages", "generations", "choices"]) ?? json) : json,
	);
	const spoken = messages.filter((message) => message.role === role && messageText(message).trim() !== "");
	const last = spoken.at(-1);
	if (last) return messageText(last).trim();
	if (Array.isArray(json)) return json.length === 1 ? wordsIn(json[0], { names, role, levels: levels - 1 }) : undefined;
	for (const name of names) {
		const found = wordsIn(firstField(json, [name]), { names, role, levels: levels - 1 });
		if (found !== undefined) return found;
	}
	// `{anything: "the one text"}`
	const values = Object.values(json);
	return values.length === 1 ? textIn(values[0])?.trim() : undefined;
}

/** The words searched for in what a search was given: a text, or the field that holds them. */
export function queryIn(value: unknown): string | undefined {
	const json = opened(value);
	if (typeof json === "string") return textIn(json)?.trim();
	const found = firstField(
		json,
		["query", "q", "search_query", "query_text", "queries", "question", "input", "text"].concat([
			"keywords",
			"search_term",
			"search",
			"query_str",
			"topic",
		]),
	);
	if (Array.isArray(found)) return textIn(found.filter((one) => typeof one === "string").join("\n"))?.trim();
	return isFields(found)
		? queryIn(found)
		: (textIn(found)?.trim() ??
				textIn(Object.values(json ?? {}).length === 1 ? Object.values(json ?? {})[0] : undefined)?.trim());
}

/** Arguments of a call, whatever they were written as. */
export function argumentsIn(value: unknown): Record<string, unknown> {
	const json = opened(value);
	if (isFields(json)) return json;
	return json === undefined || json === null || json === "" ? {} : { input: json };
}
