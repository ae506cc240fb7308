import type { Table } from "@lancedb/lancedb";

/** Rows written to the engine at once: each write makes a version of the table on disk. */
const batchRows = 4096;

/** Collects rows and writes them to the table in batches; `flush` writes what is left. */
export function batches(table: Table): {
	table: Table;
	add(row: Record<string, unknown>): Promise<void>;
	flush(): Promise<void>;
} {
	let rows: Record<string, unknown>[] = [];
	async function flush(): Promise<void> {
		if (rows.length > 0) await table.add(rows);
		rows = [];
	}
	return {
		table,
		async add(row) {
			rows.push(row);
			if (rows.length >= batchRows) await flush();
		},
		flush,
	};
}
