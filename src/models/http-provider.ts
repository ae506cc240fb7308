import type { ChatRequest } from "./chat-model.ts";
import { createFault } from "./fault.ts";
import type { ModelName } from "./model-name.ts";
import { jsonPoster, type Said } from "./post-json.ts";
import type { Provider, Sent } from "./provider.ts";
import { createRefusals } from "./refusals.ts";
import { checkRequest, noGrammars } from "./request-check.ts";
import type { Failure } from "./retry.ts";

type Wire = Record<string, unknown>;
type Refusals = ReturnType<typeof createRefusals>;

/** How a provider is opened. */
export type OpenProvider = (
	name: ModelName,
	options: { apiKey: string | undefined; timeoutMs: number; account: string },
) => Provider;

/** What differs between the providers, all of which answer one POST of JSON. */
export interface Form extends Pick<Provider, "body" | "read"> {
	address: string;
	/** Beside the content's type; those that are undefined are left out. */
	headers: Record<string, string | undefined>;
	/** Parameters that a model may refuse: their names on the wire, and those of `ChatRequest`. */
	optional: Record<string, string>;
	/** The fields that hold a reply to a grammar; absent where no server of this form takes one. */
	grammar?(grammar: string): Promise<Wire>;
	/** The optional parameter that the sentence of a 400 names. */
	refused(said: Said, sent: Wire): string | undefined;
	/** The body without what is refused, where it is not simply left out; `parameters` are what it was left out of. */
	without?(body: Wire, refusals: Refusals): { body: Wire; parameters: Wire; ignored: string[] };
}

/** Bytes of a response: far above any completion, far below the memory. */
const maxReplyBytes = 4 * 1024 * 1024;

export function httpProvider(
	{ id }: ModelName,
	{ apiKey, timeoutMs, account }: Parameters<OpenProvider>[1],
	form: Form,
): Provider {
	const fault = createFault({ id, apiKey });
	const post = jsonPoster({ headers: form.headers, timeoutMs, maxBytes: maxReplyBytes, secret: apiKey, fault });
	const refusals = createRefusals(form.optional);

	function reduced(body: Wire) {
		if (form.without) return form.without(body, refusals);
		const { left, ignored } = refusals.without(body);
		return { body: left, parameters: left, ignored };
	}

	async function send(whole: Wire, signal: AbortSignal | undefined): Promise<Sent | Failure> {
		const { body, parameters, ignored } = reduced(whole);
		const posted = await post(form.address, body, signal);
		if ("raw" in posted) return { ...posted, ...(ignored.length > 0 && { ignored }) };
		const { said, ...failure } = posted;
		const refused = said && failure.error.status === 400 ? form.refused(said, parameters) : undefined;
		return refusals.learn(refused, parameters) ? await send(whole, signal) : failure;
	}

	return {
		id,
		account,
		version: "1",
		async body(request: ChatRequest) {
			checkRequest(request);
			const { grammar, extra } = request;
			if (grammar !== undefined && !form.grammar) throw noGrammars(id);
			const held = grammar === undefined ? {} : await form.grammar?.(grammar);
			return { ...(await form.body(request)), ...held, ...extra };
		},
		send: (body, { signal }) => send(body, signal),
		read: form.read,
		fault,
	};
}
