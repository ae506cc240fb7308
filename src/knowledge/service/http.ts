import { usageError } from "#domain";
import { asker } from "./ask.ts";
import type { ConnectionOf, Environment } from "./connection.ts";
import type { Engine } from "./engine.ts";
import { hitOf, hitsOf, listIn } from "./hits.ts";
import { filled } from "./paths.ts";

/** What Search-R1's server and its followers take. */
const usualRequest = { queries: ["{query}"], topk: "{k}", return_scores: true };

/** Any service that takes a question and gives passages, by the connection's mapping. */
export async function openHttp(connection: ConnectionOf<"http">, environment: Environment): Promise<Engine> {
	const { address, method, request = usualRequest, results, fields, lookup } = connection;
	const ask = asker(connection, environment);
	return {
		said: {},
		indexes: [],
		async search({ text, k, filter }) {
			if (filter !== undefined) throw noFilter(address);
			const said = filled(request, { query: text, k });
			const answer = await (method === "GET"
				? ask(withQuery(address, said), { method })
				: ask(address, { body: said }));
			return hitsOf(listIn(answer, results), { fields, k, from: address });
		},
		...(lookup === undefined
			? {}
			: {
					byIds: async (ids: string[]) => {
						const found = [];
						for (const id of ids) {
							const one = await ask(filled(lookup, { id: encodeURIComponent(id) }), { method: "GET", absent: 404 });
							if (one !== undefined) found.push({ ...hitOf(one, fields, lookup), id });
						}
						return found;
					},
				}),
	};
}

function withQuery(address: string, parameters: Readonly<Record<string, unknown>>): string {
	const url = new URL(address);
	for (const [name, value] of Object.entries(parameters))
		url.searchParams.set(name, typeof value === "string" ? value : JSON.stringify(value));
	return url.href;
}

export const noFilter = (from: string) =>
	usageError(
		"no-filter",
		`${from} is not known to search in chosen documents, languages or forms alone`,
		"Search without a filter, or name the fields in the connection, where its kind of engine can.",
	);
