import { HopscopeError, usageError } from "#domain";
import { askService } from "./ask-service.ts";
import { type SearchEngine, type SearchEngineName, searchEngines } from "./search-engines.ts";
import { type PageReader, type WebResult, type WebSearch, webResults } from "./web.ts";

export interface WebSearchOptions {
	engine: SearchEngineName;
	/** Of a service of one's own, or another address of a public one. */
	address?: string | undefined;
	apiKey?: string | undefined;
	/** So many of the best results are read, and what was read there stands in place of the engine's snippet. */
	readPages?: number | undefined;
	reader?: PageReader | undefined;
}

/** A search of the web by one of the services. */
export function createWebSearch(options: WebSearchOptions): WebSearch {
	const { engine: name, apiKey, readPages = 0, reader } = options;
	const engine: SearchEngine = searchEngines[name];
	const address = options.address ?? engine.address;
	if (address === undefined)
		throw misconfigured(`searching the web by ${name} needs its address`, "Give the address of your instance.");
	if (engine.key !== undefined && !apiKey)
		throw misconfigured(`searching the web by ${name} needs a key`, `Set ${engine.key} in the environment.`);
	return {
		async search(query, { k, signal }) {
			const request = engine.request(query.slice(0, engine.longestQuery), { k, address, apiKey: apiKey ?? "" });
			const reply = await askService(request, { service: name, schema: engine.reply, secret: apiKey, signal });
			const results = webResults(engine.found(reply), { k });
			if (!reader || readPages === 0) return results;
			const read = (result: WebResult, rank: number) =>
				rank < readPages ? readInstead(result, reader, query, signal) : result;
			return Promise.all(results.map(read));
		},
	};
}

const misconfigured = (message: string, remedy: string) => usageError("bad-web-configuration", message, remedy);

/** A page that cannot be read keeps what the engine says of it. */
async function readInstead(
	result: WebResult,
	reader: PageReader,
	question: string,
	signal: AbortSignal | undefined,
): Promise<WebResult> {
	try {
		const { text, usage } = await reader.read(result.address, { question, ...(signal ? { signal } : {}) });
		return { ...result, ...(text === "" ? {} : { text }), ...(usage ? { usage } : {}) };
	} catch (error) {
		if (error instanceof HopscopeError && error.code === "bad-call") return result;
		throw error;
	}
}
