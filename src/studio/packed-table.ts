/** A table as JSON that a page opened from disk can read: columns as base64 of their bytes. */
import type { Table } from "./table.ts";

export interface PackedTable {
	rows: number;
	numbers: Record<string, string>;
	categories: Record<string, { dictionary: readonly string[]; codes: string; sets?: boolean }>;
}

/** `encode` writes bytes as base64. Bytes are in the order of the machine, which is the same on all that are supported. */
export function packTable({ rows, numbers, categories }: Table, encode: (bytes: Uint8Array) => string): PackedTable {
	const bytes = (values: Float64Array | Uint32Array) =>
		encode(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
	return {
		rows,
		numbers: Object.fromEntries([...numbers].map(([name, values]) => [name, bytes(values)])),
		categories: Object.fromEntries(
			[...categories].map(([name, { codes, ...column }]) => [name, { ...column, codes: bytes(codes) }]),
		),
	};
}

export function unpackTable({ rows, numbers, categories }: PackedTable, decode: (text: string) => ArrayBuffer): Table {
	return {
		rows,
		numbers: new Map(Object.entries(numbers).map(([name, text]) => [name, new Float64Array(decode(text))])),
		categories: new Map(
			Object.entries(categories).map(([name, column]) => [
				name,
				{ ...column, codes: new Uint32Array(decode(column.codes)) },
			]),
		),
	};
}
