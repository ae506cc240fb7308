import { ModelError } from "./model-error.ts";

/** Makes a `ModelError` of what a provider said: begins with the model's id and holds no key. */
export type Fault = (text: string, options?: ConstructorParameters<typeof ModelError>[1]) => ModelError;

export function createFault({ id, apiKey }: { id: string; apiKey: string | undefined }): Fault {
	return (text, options = {}) => new ModelError(`${id}: ${presentable(text, apiKey)}`, options);
}

/** One line of at most 400 characters in which no key is left, neither this one nor what looks like another. */
function presentable(text: string, apiKey: string | undefined): string {
	const safe = apiKey === undefined ? text : text.replaceAll(apiKey, "[key]");
	return safe
		.slice(0, 4000)
		.replace(/\bsk-[\w*-]{4,}/g, "[key]")
		.replace(/\bAIza[\w-]{10,}/g, "[key]")
		.replace(/\bBearer\s+\S+/gi, "Bearer [key]")
		.replace(/\s+/g, " ")
		.trim()
		.slice(0, 400);
}

/** What broke a connection, in a word or a sentence. */
export function causeOf(error: Error): Error {
	let innermost = error;
	for (let depth = 0; innermost.cause instanceof Error && depth < 10; depth += 1) innermost = innermost.cause;
	return innermost;
}
