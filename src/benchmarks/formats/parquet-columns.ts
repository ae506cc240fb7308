import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { SchemaElement } from "hyparquet";

/** The type of a Parquet column: plain, a list of one type, or a group of named ones. */
export type ColumnType = "string" | "integer" | { list: ColumnType } | { group: Record<string, ColumnType> };

/** Writes rows as a Parquet file with columns of these types; a reader sees the old file or the whole new one. */
export async function writeParquet(
	file: string,
	columns: Readonly<Record<string, ColumnType>>,
	rows: readonly Record<string, unknown>[],
): Promise<void> {
	const { parquetWriteFile } = await import("hyparquet-writer");
	const names = Object.keys(columns);
	const schema: SchemaElement[] = [
		{ name: "root", num_children: names.length },
		...Object.entries(columns).flatMap(([name, type]) => elementsOf(name, type)),
	];
	const columnData = names.map((name) => ({ name, data: rows.map((row) => row[name] ?? null) }));
	await mkdir(dirname(file), { recursive: true });
	const temporary = `${file}.${process.pid}.part`;
	try {
		parquetWriteFile({ filename: temporary, columnData, schema });
		await rename(temporary, file);
	} catch (error) {
		await rm(temporary, { force: true });
		throw error;
	}
}

function elementsOf(name: string, type: ColumnType): SchemaElement[] {
	const optional = { name, repetition_type: "OPTIONAL" } as const;
	if (type === "string") return [{ ...optional, type: "BYTE_ARRAY", converted_type: "UTF8" }];
	if (type === "integer") return [{ ...optional, type: "INT32" }];
	if ("list" in type)
		return [
			{ ...optional, converted_type: "LIST", num_children: 1 },
			{ name: "list", repetition_type: "REPEATED", num_children: 1 },
			...elementsOf("element", type.list),
		];
	const fields = Object.entries(type.group);
	return [
		{ ...optional, num_children: fields.length },
		...fields.flatMap(([field, inner]) => elementsOf(field, inner)),
	];
}
