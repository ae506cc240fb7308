import { parseJson } from "#domain";
/** The arguments of a call as an object, for providers that keep them so: what is none stands under one name. */
export function argumentsOf(text: string): Record<string, unknown> {
	const value = parseJson(text);
	if (value !== null && typeof value === "object" && !Array.isArray(value)) return { ...value };
	return text.trim() === "" ? {} : { arguments: text };
}
