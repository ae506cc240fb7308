/** What a server that speaks chat completions is, told by the addresses that only it answers. */
import { z } from "zod";
import { boundedFetch } from "../bounded-fetch.ts";
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

const maxBytes = 1024 * 1024;
const patience = 5000;

/** What a server answers under an address beside its completions, where that is JSON of this shape. */
async function told<Shape>(
	url: string,
	shape: z.ZodType<Shape>,
	{ apiKey }: { apiKey: string | undefined },
): Promise<Shape | undefined> {
	try {
		const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
		const get = boundedFetch({ maxBytes, secret: apiKey });
		const response = await get(url, { headers, signal: AbortSignal.timeout(patience) });
		return response.ok ? shape.safeParse(await response.json()).data : undefined;
	} catch {
		// what is not answered is not known
		return undefined;
	}
}

const Props = z.object({ default_generation_settings: z.object({}) });
const ModelInfo = z.object({ model_path: z.string() });
const Version = z.object({ version: z.string() });

/** Which of the servers that take grammars this one is; undefined for others. */
export async function grammarServer(
	baseUrl: string,
	{ apiKey }: { apiKey: string | undefined },
): Promise<GrammarServer | undefined> {
	const root = baseUrl.replace(/\/v\d+$/, "");
	const [props, info, version] = await Promise.all([
		told(`${root}/props`, Props, { apiKey }),
		told(`${root}/get_model_info`, ModelInfo, { apiKey }),
		told(`${root}/version`, Version, { apiKey }),
	]);
	if (props) return "llama.cpp";
	if (info) return "sglang";
	const [, major = 0, minor = 0] = /^(\d+)\.(\d+)/.exec(version?.version ?? "")?.map(Number) ?? [];
	if (!version) return undefined;
	return major > 0 || minor >= 11 ? "vllm" : "vllm before 0.11";
}

/** Whether a model's server holds replies to grammars; asks it. */
export async function takesGrammars(
	{ provider, baseUrl, official }: ModelName,
	{ apiKey }: { apiKey?: string | undefined },
): Promise<boolean> {
	return provider === "openai" && !official && (await grammarServer(baseUrl, { apiKey })) !== undefined;
}

/** The fields of a request that hold its reply to a grammar; an error (exit 2) where the server takes none. */
export function grammarIn(grammar: string, server: GrammarServer | undefined, id: string): Record<string, unknown> {
	if (server === undefined) throw noGrammars(id);
	return grammarFields[server](grammar);
}
