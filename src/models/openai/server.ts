/** How a server that speaks chat completions is asked to hold a reply to a grammar. */
import { declaredEndpoint } from "../endpoint/declared.ts";
import type { ModelName } from "../model-name.ts";
import { noGrammars } from "../request-check.ts";

/** Servers that hold a reply to a grammar, and how they are asked to. */
const grammarFields = {
	"llama.cpp": (grammar: string) => ({ grammar }),
	vllm: (grammar: string) => ({ structured_outputs: { grammar } }),
	"vllm before 0.11": (grammar: string) => ({ guided_grammar: grammar }),
	sglang: (grammar: string) => ({ ebnf: grammar }),
} as const;

export type GrammarServer = keyof typeof grammarFields;

/** Which of the servers that take grammars this one is; undefined for others. */
export async function grammarServer(
	name: ModelName,
	options: { apiKey?: string | undefined },
): Promise<GrammarServer | undefined> {
	const { endpoint } = await declaredEndpoint(name, options);
	const { name: server, version = "" } = endpoint.server ?? {};
	if (server === "llama.cpp") return "llama.cpp";
	if (server === "SGLang") return "sglang";
	if (server !== "vLLM") return undefined;
	const [, major = 0, minor = 11] = /^(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
	return major > 0 || minor >= 11 ? "vllm" : "vllm before 0.11";
}

/** Whether a model's server holds replies to grammars; asks it. */
export async function takesGrammars(name: ModelName, options: { apiKey?: string | undefined }): Promise<boolean> {
	return name.provider === "openai" && !name.official && (await grammarServer(name, options)) !== undefined;
}

/** The fields of a request that hold its reply to a grammar; an error (exit 2) where the server takes none. */
export function grammarIn(grammar: string, server: GrammarServer | undefined, id: string): Record<string, unknown> {
	if (server === undefined) throw noGrammars(id);
	return grammarFields[server](grammar);
}
