import { usageError } from "#domain";
import { type ModelName, parseModelName } from "./model-name.ts";
import { providerNames } from "./provider-names.ts";

/** What a process's environment holds for a model: its provider's key and, for OpenAI's form, another server. */
export function modelAccess(
	name: string,
	environment: Record<string, string | undefined>,
): { apiKey?: string; baseUrl?: string } {
	const { provider } = parseModelName(name);
	const apiKey = providerNames[provider].keys.map((variable) => environment[variable]?.trim()).find(Boolean);
	const baseUrl = provider === "openai" ? environment.OPENAI_BASE_URL?.trim() : undefined;
	return { ...(apiKey && { apiKey }), ...(baseUrl && { baseUrl }) };
}

/** The key as it is sent. Servers on this machine or a private network may need none. */
export function checkedKey(name: ModelName, given: string | undefined): string | undefined {
	const apiKey = given?.trim() || undefined;
	if (apiKey !== undefined || name.local) return apiKey;
	throw usageError(
		"missing-key",
		`${name.id} needs a key, and there is none`,
		`Set the environment variable ${providerNames[name.provider].keys.join(" or ")} to the provider's key.`,
	);
}
