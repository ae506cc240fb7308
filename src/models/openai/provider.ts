import { httpProvider, type OpenProvider } from "../http-provider.ts";
import { cannotContinue, noGrammars } from "../request-check.ts";
import { readCompletion } from "./reply.ts";
import { completionBody } from "./request.ts";
import { type GrammarServer, grammarIn, grammarServer } from "./server.ts";

/** The token limit has an older and a newer name; OpenAI's own reasoning models take the newer alone. */
const limits = ["max_tokens", "max_completion_tokens"] as const;

const optional = {
	max_tokens: "maxTokens",
	max_completion_tokens: "maxTokens",
	stop: "stop",
	temperature: "temperature",
	top_p: "topP",
	seed: "seed",
	logprobs: "logprobs",
	response_format: "output",
};

/** Chat completions: OpenAI, vLLM, SGLang, llama.cpp, Ollama, OpenRouter, … */
export const openOpenai: OpenProvider = (name, options) => {
	const { id, model, official } = name;
	const [limit, other] = official ? [limits[1], limits[0]] : limits;
	let asked: Promise<GrammarServer | undefined> | undefined;
	return httpProvider(name, options, {
		address: `${name.baseUrl}/chat/completions`,
		headers: { authorization: options.apiKey === undefined ? undefined : `Bearer ${options.apiKey}` },
		optional,
		async body(request) {
			if (request.continues && official) throw cannotContinue(id);
			return completionBody(request, { model, limit });
		},
		async grammar(grammar) {
			if (official) throw noGrammars(id);
			asked ??= grammarServer(name, options);
			return grammarIn(grammar, await asked, id);
		},
		read: ({ raw }) => readCompletion(raw, { asked: model }),
		refused: ({ code, parameter }) => (/^unsupported_(?:parameter|value)$/.test(code ?? "") ? parameter : undefined),
		without(body, refusals) {
			const { [limit]: most, ...rest } = body;
			// under the name of the token limit that this model takes
			const renamed = most !== undefined && refusals.has(limit) && !refusals.has(other);
			const { left, ignored } = refusals.without(renamed ? { ...rest, [other]: most } : body);
			return { body: left, parameters: left, ignored };
		},
	});
};
