import type { McpContent } from "#agents";
import type { ChatMessage } from "#models";
import type { SessionStep } from "#training";

/** A message's content as the tool protocols write it: pictures in base64. */
export const contentOf = ({ content }: ChatMessage): McpContent[] =>
	content.map((part) =>
		part.type === "text"
			? { type: "text", text: part.text }
			: { type: "image", data: part.data.toString("base64"), mimeType: part.mediaType },
	);

/** What a move led to, as the result of a tool: never empty, since many servers refuse a model such a result. */
export const resultOf = ({ over, observation }: Pick<SessionStep, "over" | "observation">): McpContent[] =>
	over ? [{ type: "text", text: "The task is over." }] : observation.flatMap(contentOf);
