import { httpProvider, type OpenProvider } from "../http-provider.ts";
import { readMessage } from "./reply.ts";
import { messagesBody } from "./request.ts";

/** `top_p` first: a model that takes either temperature or `top_p` names both. */
const optional = {
	top_p: "topP",
	temperature: "temperature",
	stop_sequences: "stop",
	output_config: "output",
};

/** The Messages API: Anthropic's own, and servers that speak it. */
export const openAnthropic: OpenProvider = (name, options) =>
	httpProvider(name, options, {
		address: `${name.baseUrl.replace(/\/v1$/, "")}/v1/messages`,
		// a later version takes no temperature from any model; with this one each model decides
		headers: { "x-api-key": options.apiKey, "anthropic-version": "2023-06-01" },
		optional,
		body: async (request) => messagesBody(request, { model: name.model }),
		read: ({ raw }, request) => readMessage(raw, { asked: name.model, request }),
		// the API names what it refuses only in its message: "temperature: Extra inputs …", "`top_p` is deprecated …"
		refused: ({ message }, sent) =>
			Object.keys(optional).find((one) => one in sent && new RegExp(`(^|\`)${one}\\b`).test(message)),
	});
