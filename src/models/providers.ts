import { openAnthropic } from "./anthropic/provider.ts";
import { openGoogle } from "./google/provider.ts";
import type { OpenProvider } from "./http-provider.ts";
import { openOpenai } from "./openai/provider.ts";
import type { ProviderName } from "./provider-names.ts";

export const providers = {
	openai: openOpenai,
	anthropic: openAnthropic,
	google: openGoogle,
} satisfies Record<ProviderName, OpenProvider>;
