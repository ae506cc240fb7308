import type { Preset } from "../agent.ts";

/**
 * The settings of a protocol for readers of text: question images as pictures, as captions for models without eyes, or
 * all of it as one text that the model goes on writing, as it was published.
 */
export function textSettings(base: Preset): Record<string, Preset> {
	return {
		default: { ...base, tools: ["text_search"] },
		captions: { ...base, images: "captions", tools: ["text_search", "image_search_by_image"] },
		completion: { ...base, form: "continued", tools: ["text_search"] },
	};
}
