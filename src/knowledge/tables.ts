import type { Connection, Table } from "@lancedb/lancedb";
import { type Evidence, type EvidenceKind, usageError } from "#domain";
import { sha256 } from "#store";
import type { Cell, ColumnType } from "./columns.ts";
import { quoted } from "./engine.ts";
import type { Filter } from "./query.ts";

/**
 * The engine's tables. One a kind of evidence, with the evidence itself, its terms and its vector: kinds are apart so
 * that word frequencies, and thereby scores, are those of what is searched. Besides: `view`, the descriptors of each
 * image's views; `joint`, the image encoder's vectors; `late`, the many vectors of each page image; `patch`, what they
 * are found by.
 */
export type TableName = EvidenceKind | "view" | "joint" | "late" | "patch";

export const evidenceKinds = ["passage", "page", "image"] as const satisfies EvidenceKind[];

/** What every table can be filtered by; `mark` tells a changed evidence from an unchanged one. */
export const commonTypes = {
	id: "text",
	document: "text",
	language: "text",
	form: "text",
	mark: "long",
} as const satisfies Record<string, ColumnType>;

export function commonCells(
	evidence: Evidence,
	mark: bigint,
): Record<keyof typeof commonTypes, Cell> & { mark: bigint } {
	const { id, document, language } = evidence;
	return { id, document, language, form: "form" in evidence ? evidence.form : "", mark };
}

/** 64 bits of the hash of all that an evidence says. */
export const markOf = (json: string) => BigInt.asIntN(64, BigInt(`0x${sha256(json).slice(0, 16)}`));

/** A filter in the engine's language; undefined where it lets everything through. */
export function filterClause(filter: Filter | undefined): string | undefined {
	const clauses = (["document", "language", "form"] as const).flatMap((column) => {
		const wanted = filter?.[column];
		if (wanted === undefined) return [];
		return `${column} IN (${[wanted].flat().map(quoted).join(",") || "''"})`;
	});
	return clauses.length > 0 ? clauses.join(" AND ") : undefined;
}

/** Opens the tables that should be there; one that is absent or short means a damaged folder. */
export async function openTables(
	connection: Connection,
	place: string,
	rows: Partial<Record<TableName, number>>,
): Promise<Map<TableName, Table>> {
	const tables = new Map<TableName, Table>();
	try {
		for (const [name, count] of Object.entries(rows) as [TableName, number][]) {
			if (count === 0) continue;
			const table = await connection.openTable(name);
			tables.set(name, table);
			const held = await table.countRows();
			if (held !== count) throw new Error(`table ${name} holds ${held} of ${count} rows`);
		}
		return tables;
	} catch (error) {
		throw unusable("bad-knowledge", `the index in ${place} is damaged`, error);
	}
}

export const unusable = (code: string, message: string, cause?: unknown) =>
	usageError(code, message, "Build it anew with hopscope index.", { cause });
