import { usageError } from "#domain";
import { httpProvider, type OpenProvider } from "../http-provider.ts";
import { cannotContinue } from "../request-check.ts";
import { readGenerated } from "./reply.ts";
import { generateBody } from "./request.ts";

/** Optional parameters, and how the API's sentences name them. */
const optional = {
	responseLogprobs: { ours: "logprobs", named: /log\s?prob/i },
	seed: { ours: "seed", named: /\bseed\b/i },
	stopSequences: { ours: "stop", named: /stop[ _]?sequences?/i },
	responseJsonSchema: {
		ours: "output",
		named: /response[ _]?(json[ _]?)?schema|json mode|response[ _]?mime[ _]?type/i,
	},
	topP: { ours: "topP", named: /top_?p\b/i },
	thinkingConfig: { ours: "thought", named: /\bthink|\bthought/i },
	temperature: { ours: "temperature", named: /\btemperature\b/i },
};

/** Gemini over its REST API. */
export const openGoogle: OpenProvider = (name, options) => {
	const { id, model, baseUrl } = name;
	if (!/^[\w.-]+(\/[\w.-]+)*$/.test(model) || model.split("/").includes(".."))
		throw usageError("bad-model", `"${model}" is no name of a Gemini model`, "Write it like gemini-2.5-flash.");
	return httpProvider(name, options, {
		address: `${baseUrl}/${model.includes("/") ? model : `models/${model}`}:generateContent`,
		headers: { "x-goog-api-key": options.apiKey },
		optional: Object.fromEntries(Object.entries(optional).map(([one, { ours }]) => [one, ours])),
		async body(request) {
			if (request.continues) throw cannotContinue(id);
			return generateBody(request, { model });
		},
		read: ({ raw }) => readGenerated(raw, { asked: model }),
		refused: ({ message }, sent) =>
			Object.entries(optional).find(([one, { named }]) => one in sent && named.test(message))?.[0],
		without(body, refusals) {
			const config = body.generationConfig as Record<string, unknown> | undefined;
			const { left, ignored } = refusals.without(config ?? {});
			// A media type of JSON without its schema would be another request.
			if (!("responseJsonSchema" in left)) delete left.responseMimeType;
			return { body: config ? { ...body, generationConfig: left } : body, parameters: left, ignored };
		},
	});
};
