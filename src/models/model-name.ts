import { usageError } from "#domain";
import { isProvider, type ProviderName, providerNames } from "./provider-names.ts";

/** A model as a person names it, taken apart. */
export interface ModelName {
	/** Name and, unless it is the provider's own, server: what a run records. */
	id: string;
	provider: ProviderName;
	model: string;
	baseUrl: string;
	/** The provider's own server rather than a compatible one. */
	official: boolean;
	/** On this machine or a private network, where servers usually ask for no key. */
	local: boolean;
}

/** Takes `PROVIDER:NAME` or `PROVIDER:NAME@http://host/v1` apart; `baseUrl` is for names without a server. */
export function parseModelName(name: string, options: { baseUrl?: string | undefined } = {}): ModelName {
	const match = /^(?<provider>[a-z]+):(?<model>\S+?)(?:@(?<server>https?:\/\/\S+))?$/.exec(name);
	const { provider = "", model, server } = match?.groups ?? {};
	if (!isProvider(provider) || model === undefined || /@\w+:\/\//.test(model))
		throw usageError(
			"bad-model",
			`"${withoutCredentials(name)}" names no model`,
			'Write "openai:NAME", "anthropic:NAME" or "google:NAME", or "openai:NAME@http://host:port/v1" for any OpenAI-compatible server (the others likewise).',
		);
	const { server: bare, name: called } = withoutScheme.exec(model)?.groups ?? {};
	if (server === undefined && bare !== undefined)
		throw usageError(
			"bad-model",
			`"${withoutCredentials(name)}" names a server without http:// or https://`,
			`Write ${provider}:${called}@http://${withoutCredentials(bare)}${bare.includes("/") ? "" : "/v1"}.`,
		);
	const { url: officialUrl, keys } = providerNames[provider];
	const url = checkedUrl(server ?? options.baseUrl ?? officialUrl, keys[0]);
	const baseUrl = url.href.replace(/\/+$/, "");
	const official = baseUrl === officialUrl;
	return {
		id: official ? `${provider}:${model}` : `${provider}:${model}@${baseUrl}`,
		provider,
		model,
		baseUrl,
		official,
		local: isLocal(url.hostname),
	};
}

/** A host with a port or a path, a number or localhost behind an @; names of models may hold an @ otherwise. */
const withoutScheme =
	/^(?<name>[^@]+)@(?<server>(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\])(?::\d+)?(?:\/\S*)?|[a-z0-9.-]+(?::\d+(?:\/\S*)?|\/\S*)|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})$/i;

/** The id is recorded and shown: an address that carries a password or a key in its query may not become part of it. */
function checkedUrl(address: string, variable: string): URL {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (!url || !/^https?:$/.test(url.protocol))
		throw usageError(
			"bad-base-url",
			`"${withoutCredentials(address)}" is no web address of a model server`,
			"Write it like http://127.0.0.1:1234/v1.",
		);
	if (url.username || url.password || url.search || url.hash)
		throw usageError(
			"bad-base-url",
			`the address of the model server at ${url.host} holds a user name, a password or a query`,
			`Leave them out, and give the key through ${variable}.`,
		);
	return url;
}

const withoutCredentials = (text: string) =>
	text
		.replace(/\/\/[^/]*@/g, "//")
		.replace(/[?#].*$/s, "")
		.slice(0, 200);

function isLocal(hostname: string): boolean {
	return (
		/^(localhost|\[::1\]|\[f[cd][0-9a-f:]+\]|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+)$/i.test(
			hostname,
		) ||
		/\.(local|localhost|internal)$/i.test(hostname) ||
		/^[a-z0-9-]+$/i.test(hostname)
	);
}
