import type { Table } from "@lancedb/lancedb";
import { Evidence } from "#domain";
import { quoted } from "./engine.ts";
import type { ListForm, Ranked } from "./ranked.ts";

/** Rows found by what they are called or where they stand. */

interface EvidenceRow {
	id: string;
	json: string;
	_rowid?: bigint;
}

const evidenceIn = (json: string) => Evidence.parse(JSON.parse(json));

/** The evidence of ranked items, by what the list calls them; what was fetched with them is not fetched again. */
export async function evidenceOf(table: Table, hits: Ranked[], form: ListForm): Promise<Map<string, Evidence>> {
	const told = hits.flatMap(({ id, json }): [string, Evidence][] => (json ? [[id, evidenceIn(json)]] : []));
	const ids = hits.filter(({ json }) => json === undefined).map(({ id }) => id);
	if (ids.length === 0) return new Map(told);
	if (form !== "rows") return new Map([...told, ...(await evidenceById(table, ids))]);
	const taken = table.takeRowIds(ids.map(BigInt)).select(["json"]).withRowId();
	const rows: EvidenceRow[] = await taken.toArray();
	return new Map(rows.map(({ json, _rowid }) => [String(_rowid), evidenceIn(json)]));
}

/** The evidence of the given ids, as far as the table holds them. */
export async function evidenceById(table: Table, ids: string[]): Promise<Map<string, Evidence>> {
	if (ids.length === 0) return new Map();
	const rows: EvidenceRow[] = await table.query().where(idClause(ids)).select(["id", "json"]).toArray();
	return new Map(rows.map(({ id, json }) => [id, evidenceIn(json)]));
}

/** What a table holds of a document, at most so many rows. */
export async function evidenceOfDocument(table: Table, document: string, most: number): Promise<Evidence[]> {
	const query = table
		.query()
		.where(`document = ${quoted(document)}`)
		.select(["json"])
		.limit(most);
	const rows: EvidenceRow[] = await query.toArray();
	return rows.map(({ json }) => evidenceIn(json));
}

/** Ids of one engine query: enough that thousands take few, few enough that a filter stays short. */
const mostIds = 2000;

/** Which of the given ids the table holds, in rows that fit. */
export async function idsHeld(table: Table, ids: string[], where?: string): Promise<string[]> {
	const held: string[] = [];
	for (let at = 0; at < ids.length; at += mostIds) {
		const rows: { id: string }[] = await table
			.query()
			.where([idClause(ids.slice(at, at + mostIds)), ...(where === undefined ? [] : [where])].join(" AND "))
			.select(["id"])
			.toArray();
		for (const { id } of rows) held.push(id);
	}
	return held;
}

export const idClause = (ids: string[]) => `id IN (${ids.map(quoted).join(",")})`;
