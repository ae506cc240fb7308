import { asker } from "./ask.ts";
import type { ConnectionOf, Environment, Fields } from "./connection.ts";
import { type Engine, vectorIndex } from "./engine.ts";
import { filtersOf } from "./filters.ts";
import { hitsOf, listIn } from "./hits.ts";
import { numberAt, textAt } from "./paths.ts";
import { openQueryEncoder } from "./query-vector.ts";

/** Qdrant by its REST API: points by the likeness of vectors, passages in their payloads. */
export async function openQdrant(connection: ConnectionOf<"qdrant">, environment: Environment): Promise<Engine> {
	const { collection, vector, encoder } = connection;
	const fields = {
		...{ text: "text", title: "title", document: "document", language: "language", section: "section" },
		...connection.fields,
	};
	const base = connection.address.replace(/\/+$/, "");
	const place = `${base}/collections/${encodeURIComponent(collection)}`;
	const ask = asker(connection, environment);
	const about = await ask(base, { method: "GET" });
	const counted = await ask(`${place}/points/count`, { body: { exact: true } });
	const passages = numberAt(counted, "result.count");
	const vectors = await openQueryEncoder(encoder);
	const version = textAt(about, "version") ?? "unknown";
	/** The id is the point's own, unless it is said to stand in the payload. */
	const mapped: Fields = Object.fromEntries(
		Object.entries(fields).map(([name, path]) => [name, [path ?? []].flat().map((one) => `payload.${one}`)]),
	);
	const inPoints = { ...mapped, id: mapped.id ?? ["id"], score: ["score"] };
	const [idField] = [connection.fields.id ?? []].flat();
	const points = async (path: string, body: object, { list, k }: { list: string; k: number }) =>
		hitsOf(listIn(await ask(`${place}/${path}`, { body }), list), { fields: inPoints, k, from: place });
	const anyOf = (filters: { field: string; values: (string | number)[] }[]) => ({
		must: filters.map(({ field, values }) => ({ key: field, match: { any: values } })),
	});

	return {
		said: { version, ...(passages === undefined ? {} : { documents: passages }) },
		passages,
		indexes: [vectorIndex(vectors.about)],
		async search({ text, k, filter }) {
			const filters = filtersOf(filter, fields, place);
			const body = {
				...{ query: await vectors.encode(text), limit: k, with_payload: true },
				...(vector === undefined ? {} : { using: vector }),
				...(filters.length > 0 ? { filter: anyOf(filters) } : {}),
			};
			return points("points/query", body, { list: "result.points", k });
		},
		async byIds(ids) {
			if (idField !== undefined) {
				const body = { filter: anyOf([{ field: idField, values: ids }]), limit: ids.length, with_payload: true };
				return points("points/scroll", body, { list: "result.points", k: ids.length });
			}
			// a point's own id is a number or a UUID, and it takes no others
			const own = ids.flatMap((id): (string | number)[] =>
				/^\d{1,15}$/.test(id) ? [Number(id)] : /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(id) ? [id] : [],
			);
			if (own.length === 0) return [];
			return points("points", { ids: own, with_payload: true }, { list: "result", k: own.length });
		},
		async ofDocument(name, most) {
			const [field] = [fields.document].flat();
			if (field === undefined) return [];
			const body = { filter: anyOf([{ field, values: [name] }]), limit: most, with_payload: true };
			return points("points/scroll", body, { list: "result.points", k: most });
		},
		close: () => vectors.close(),
	};
}
