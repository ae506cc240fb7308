import { createHash } from "node:crypto";
import { type ChatMessage, completionMessages, type ImagePart, type ToolDeclaration } from "#models";

/** How one episode is shown to its client. */
export interface Shown {
	/** Parts in our own words, or messages and tools as chat completions have them. */
	form: "parts" | "chat";
	/** Pictures within the messages, or at an address of the episode's own. */
	images: "data" | "reference";
	/** Pictures shown by reference, by their content. */
	kept: Map<string, ImagePart>;
}

export function shownMessages(
	messages: ChatMessage[],
	{ episode, shown }: { episode: string; shown: Shown },
): object[] {
	const address = (image: ImagePart) => (shown.images === "data" ? dataUrl(image) : reference(image));
	function reference(image: ImagePart): string {
		const name = createHash("sha256").update(image.data).digest("hex").slice(0, 32);
		shown.kept.set(name, image);
		return `/v1/episodes/${encodeURIComponent(episode)}/images/${name}`;
	}
	if (shown.form === "chat") return completionMessages(messages, address);
	return messages.map(({ role, content, calls, callId }) => ({
		role,
		content: content.map((part) => (part.type === "text" ? part : { type: "image", url: address(part) })),
		...(calls ? { calls } : {}),
		...(callId === undefined ? {} : { callId }),
	}));
}

export const shownTools = (tools: readonly ToolDeclaration[], { form }: Shown): object[] =>
	form === "chat" ? tools.map((tool) => ({ type: "function", function: tool })) : [...tools];

const dataUrl = ({ data, mediaType }: ImagePart) => `data:${mediaType};base64,${data.toString("base64")}`;
