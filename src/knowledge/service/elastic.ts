import { usageError } from "#domain";
import { asker } from "./ask.ts";
import type { ConnectionOf, Environment, Fields } from "./connection.ts";
import { type Engine, vectorIndex, wordIndex } from "./engine.ts";
import { filtersOf } from "./filters.ts";
import { hitsOf, listIn } from "./hits.ts";
import { filled, numberAt, textAt } from "./paths.ts";
import { openQueryEncoder } from "./query-vector.ts";

/**
 * Elasticsearch and OpenSearch by their REST APIs: words by the engine's own BM25 in title and text (or by a query of its
 * language), vectors by its kNN where an encoder is named.
 */
export async function openElastic(
	connection: ConnectionOf<"elasticsearch" | "opensearch">,
	environment: Environment,
): Promise<Engine> {
	const { kind, index, query, vector, encoder } = connection;
	const fields = {
		...{ text: "text", title: "title", document: "document", language: "language", section: "section" },
		...connection.fields,
	};
	const base = connection.address.replace(/\/+$/, "");
	const ask = asker(connection, environment);
	const about = await ask(base, { method: "GET" });
	const settings = await ask(`${base}/${encodeURIComponent(index)}/_settings`, { method: "GET" });
	const counted = await ask(`${base}/${encodeURIComponent(index)}/_count`, { method: "GET" });
	const passages = numberAt(counted, "count");
	const uuids = Object.values((settings ?? {}) as object).flatMap((one) => textAt(one, "settings.index.uuid") ?? []);
	const version = textAt(about, "version.number") ?? "unknown";
	const vectors = encoder === undefined ? undefined : await openQueryEncoder(encoder);
	if (vectors && vector === undefined)
		throw usageError("bad-connection", "an encoder is named, and no vector", "Name the field of the vectors: vector.");
	const from = `${base}/${index}`;
	/** Within a hit, fields stand in `_source`, and its own id outside. */
	const mapped: Fields = Object.fromEntries(
		Object.entries(fields).map(([name, path]) => [name, [path ?? []].flat().map((one) => `_source.${one}`)]),
	);
	const [idField] = [connection.fields.id ?? "_id"].flat();
	const inHits = { ...mapped, ...(idField === "_id" ? { id: "_id" } : {}), score: ["_score"] } satisfies Fields;
	const names = (path: Fields["id"]) => [path ?? []].flat();

	const asked = async (body: object, k: number) =>
		hitsOf(listIn(await ask(`${base}/${encodeURIComponent(index)}/_search`, { body }), "hits.hits"), {
			...{ fields: inHits, k, from },
		});
	const withoutVectors = vector === undefined ? {} : { _source: { excludes: [vector] } };

	return {
		said: {
			version,
			...(uuids.length > 0 ? { index: uuids.sort().join(" ") } : {}),
			...(passages === undefined ? {} : { documents: passages }),
		},
		passages,
		indexes: [...[wordIndex(kind, version)], ...(vectors ? [vectorIndex(vectors.about)] : [])],
		async search({ text, k, mode, filter }) {
			const clauses = filtersOf(filter, fields, from).map(({ field, values }) => ({ terms: { [field]: values } }));
			if (mode === "dense" && vectors && vector !== undefined) {
				const queryVector = await vectors.encode(text);
				const bool = clauses.length > 0 ? { filter: { bool: { filter: clauses } } } : {};
				const knn =
					kind === "elasticsearch"
						? {
								knn: { field: vector, query_vector: queryVector, k, num_candidates: Math.min(10_000, k * 10), ...bool },
							}
						: { query: { knn: { [vector]: { vector: queryVector, k, ...bool } } } };
				return asked({ size: k, ...withoutVectors, ...knn }, k);
			}
			const words = query
				? filled(query, { query: text, k })
				: { multi_match: { query: text, fields: [...names(fields.title), ...names(fields.text)] } };
			const whole = clauses.length > 0 ? { bool: { must: [words], filter: clauses } } : words;
			return asked({ size: k, ...withoutVectors, query: whole }, k);
		},
		async byIds(ids) {
			const query =
				idField === undefined || idField === "_id" ? { ids: { values: ids } } : { terms: { [idField]: ids } };
			return asked({ size: ids.length, ...withoutVectors, query }, ids.length);
		},
		async ofDocument(name, most) {
			const [field] = names(fields.document);
			if (field === undefined) return [];
			return asked({ size: most, ...withoutVectors, query: { term: { [field]: name } } }, most);
		},
		close: () => vectors?.close(),
	};
}
