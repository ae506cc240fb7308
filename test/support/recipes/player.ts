import type { z } from "zod";
import { type ChatModel, type ChatRequest, scriptedModel } from "#models";

/** What a prompt's request holds: the settings' text, the material by variable, and how many images. */
export interface Played {
	instructions: string;
	material: Readonly<Record<string, string>>;
	images: number;
	request: ChatRequest;
}

/**
 * A scripted model that plays every part of a recipe: a function for each prompt, by the prompt's name, gives the reply
 * as a value (sent as JSON) or as the very text. A prompt without a part is an error, so that no test passes by chance.
 */
export function player(
	parts: Readonly<Record<string, (played: Played, n: number) => z.core.util.JSONType | object>>,
	{ id = "scripted" }: { id?: string } = {},
): ChatModel & { asked: Record<string, number> } {
	const asked: Record<string, number> = {};
	const model = scriptedModel((request) => {
		const name = request.output?.name ?? "";
		const part = parts[name];
		if (!part) throw new RangeError(`nobody plays the prompt "${name}"`);
		const n = asked[name] ?? 0;
		asked[name] = n + 1;
		const said = part(readRequest(request), n);
		return typeof said === "string" ? said : JSON.stringify(said);
	});
	return { ...model, id, asked };
}

function readRequest(request: ChatRequest): Played {
	const parts = request.messages.slice(0, 2).flatMap(({ content }) => content);
	const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
	const [instructions = "", ...rest] = texts;
	const marked = rest.join("\n").matchAll(/<(\w+)-([0-9a-f]{8})>\n([\s\S]*?)\n<\/\1-\2>/g);
	const material = Object.fromEntries([...marked].map(([, name = "", , value = ""]) => [name, value]));
	return { instructions, material, images: parts.filter(({ type }) => type === "image").length, request };
}
