import type { Connection, Table } from "@lancedb/lancedb";
import { type Cell, type ColumnType, createColumn } from "./columns.ts";
import { loadArrow } from "./engine.ts";

/** Rows handed to the engine at once, by whichever comes first: each hand-over makes a version and a file. */
const mostRows = 1 << 16;
const mostBytes = 32 << 20;

export interface Writer {
	table: Table;
	add(row: Record<string, Cell>): Promise<void>;
	/** Writes what is left; the table can then be indexed. */
	flush(): Promise<Table>;
}

/** What is being written through a connection. */
const unfinished = new WeakMap<Connection, Promise<unknown>>();

/** Waits for what a build that failed was still writing: its folder is removed next. */
export const settleWrites = async (connection: Connection): Promise<void> => void (await unfinished.get(connection));

/** A table of the given columns, created empty where there is none, and filled batch by batch. */
export async function openWriter(
	connection: Connection,
	name: string,
	types: Record<string, ColumnType>,
): Promise<Writer> {
	const { RecordBatch, Schema, Struct, Table: ArrowTable, makeData } = loadArrow();
	const columns = Object.entries(types).map(([column, type]) => createColumn(column, type));
	const names = Object.keys(types);
	const schema = new Schema(columns.map(({ field }) => field));
	const exists = (await connection.tableNames()).includes(name);
	const table = exists ? await connection.openTable(name) : await connection.createEmptyTable(name, schema);
	let rows = 0;
	let writing: Promise<unknown> = Promise.resolve();

	/** One batch is written while the next is made. */
	async function hand(): Promise<void> {
		if (rows === 0) return;
		const children = columns.map((column) => column.take());
		const type = new Struct(schema.fields);
		const batch = new RecordBatch(schema, makeData({ type, length: rows, nullCount: 0, children }));
		rows = 0;
		await writing;
		writing = table.add(new ArrowTable(schema, [batch]));
		// a failure is told by the next await
		const settled = Promise.allSettled([unfinished.get(connection), writing]);
		unfinished.set(
			connection,
			settled.then(() => undefined),
		);
	}

	return {
		table,
		async add(row) {
			for (const [at, column] of columns.entries()) column.append(row[names[at] ?? ""]);
			rows += 1;
			if (rows >= mostRows || columns.reduce((sum, { bytes }) => sum + bytes, 0) >= mostBytes) await hand();
		},
		async flush() {
			await hand();
			await writing;
			return table;
		},
	};
}
