/** Tables as Parquet files, with a line about them that says what they hold. */
import { createCategory, type Table } from "./table.ts";

/** Which categories hold several values, beside what the writer says. */
const setsKey = "hopscope-sets";
const aboutKey = "hopscope";

export async function tableBytes(table: Table, about: unknown): Promise<Uint8Array> {
	const { parquetWriteBuffer } = await import("hyparquet-writer");
	const sets = [...table.categories].flatMap(([name, column]) => (column.sets ? [name] : []));
	const content = parquetWriteBuffer({
		columnData: [
			...[...table.numbers].map(([name, values]) => ({
				name,
				type: "DOUBLE" as const,
				data: Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
			})),
			...[...table.categories].map(([name, { dictionary, codes }]) => ({
				name,
				type: "STRING" as const,
				data: Array.from(codes, (code) => dictionary[code] ?? null),
			})),
		],
		kvMetadata: [
			{ key: aboutKey, value: JSON.stringify(about) },
			{ key: setsKey, value: JSON.stringify(sets) },
		],
	});
	return new Uint8Array(content);
}

/**
 * Reads a table whose line about it `fits` takes, or those of its columns that `wanted` names; undefined where it does not
 * fit. Throws where the bytes are none; of those that were changed the reader may make anything, or never end.
 */
export async function readTable(
	content: Uint8Array,
	fits: (about: unknown) => boolean | Promise<boolean>,
	wanted: (column: string) => boolean = () => true,
): Promise<Table | undefined> {
	const { parquetMetadata, parquetRead } = await import("hyparquet");
	const { compressors } = await import("hyparquet-compressors");
	const buffer = content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength) as ArrayBuffer;
	const metadata = parquetMetadata(buffer);
	const told = (key: string): unknown =>
		JSON.parse(metadata.key_value_metadata?.find((one) => one.key === key)?.value ?? "null");
	if (!(await fits(told(aboutKey)))) return undefined;
	const rows = Number(metadata.num_rows);
	const sets = new Set(told(setsKey) as string[]);
	const isNumber = new Set(metadata.schema.flatMap(({ name, type }) => (type === "DOUBLE" ? [name] : [])));
	const numbers = new Map<string, Float64Array>();
	const categories = new Map<string, ReturnType<typeof createCategory>>();
	const leaves = metadata.schema.flatMap(({ name, type }) => (type === undefined ? [] : [name]));
	await parquetRead({
		file: buffer,
		metadata,
		columns: leaves.filter(wanted),
		compressors,
		onChunk({ columnName, columnData, rowStart }) {
			if (isNumber.has(columnName)) {
				const column = numbers.get(columnName) ?? new Float64Array(rows).fill(Number.NaN);
				numbers.set(columnName, column);
				for (let at = 0; at < columnData.length; at++) {
					const value: unknown = columnData[at];
					if (typeof value === "number") column[rowStart + at] = value;
				}
				return;
			}
			const column = categories.get(columnName) ?? createCategory(rows, { sets: sets.has(columnName) });
			categories.set(columnName, column);
			for (let at = 0; at < columnData.length; at++) {
				const value: unknown = columnData[at];
				if (typeof value === "string") column.set(rowStart + at, value);
			}
		},
	});
	return { rows, numbers, categories: new Map([...categories].map(([name, column]) => [name, column.done()])) };
}
