import {
	type AsyncBuffer,
	asyncBufferFromFile,
	type FileMetaData,
	parquetMetadataAsync,
	parquetReadObjects,
	parquetSchema,
} from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { columnValue, pathOnDisk } from "#store";
import { addRecord } from "../add-record.ts";
import type { SourceFile } from "../find-files.ts";
import type { Part, ReadContext, SourceReader } from "../reader.ts";
import { addRowImages, isRowImage } from "./row-images.ts";

/** What rows of one part take unpacked: decoded strings and their evidence take several times as much memory. */
const partBytes = 24 * 1024 * 1024;
const mostPartRows = 100_000;

/**
 * A corpus of records in columns, e.g. as data sets are published: text rows as JSONL's records, columns of images as
 * image evidence. Row groups are read by ranges of rows, and only the columns that records are made of.
 */
export const parquet: SourceReader = {
	tool: "parquet-1",
	mostBytes: Number.POSITIVE_INFINITY,
	isolated: true,
	kept: false,
	async plan(file) {
		const { metadata, columns } = await opened(file);
		return { parts: partsOf(metadata, columns) };
	},
	async read(file, context, part) {
		const { buffer, metadata, columns } = await opened(file);
		const all = partsOf(metadata, columns);
		for (const { from, to } of part ? all.filter((one) => one.from >= part.from && one.to <= part.to) : all) {
			const rows = await readRows(buffer, metadata, columns, from, to);
			for (const [index, row] of rows.entries()) {
				context.signal?.throwIfAborted();
				await addRow(row, from + index + 1, file, context);
			}
		}
		return {};
	},
};

/** Columns that records and captions are made of; of others only those of images are read. */
const known = new Set(
	"id _id docid doc_id corpus-id corpus_id image_id wikipedia_id title wikipedia_title text contents caption captions alt_text description file_name".split(
		" ",
	),
);
const ids = ["_id", "id", "docid", "doc_id", "corpus-id", "corpus_id", "image_id"];
const mostColumns = 10_000;

async function opened(file: SourceFile): Promise<{ buffer: AsyncBuffer; metadata: FileMetaData; columns: string[] }> {
	const buffer = await asyncBufferFromFile(pathOnDisk(file.path) as string);
	const metadata = await parquetMetadataAsync(buffer).catch((error: Error) => {
		throw new Error(`is not a whole Parquet file (${error.message})`, { cause: error });
	});
	const { children } = parquetSchema(metadata);
	if (children.length > mostColumns) throw new Error(`has more than ${mostColumns} columns; not read`);
	const columns = children
		.filter((column) => known.has(column.element.name) || isRowImage(column))
		.map((column) => column.element.name);
	if (columns.length === 0)
		throw new Error(
			`has no column of text or images (it has ${children
				.slice(0, 8)
				.map((column) => column.element.name)
				.join(", ")}); rename one to text, contents or image`,
		);
	return { buffer, metadata, columns };
}

/** Ranges of rows within row groups, of about equal size when unpacked. */
function partsOf(metadata: FileMetaData, columns: string[]): Part[] {
	const parts: Part[] = [];
	let start = 0;
	for (const group of metadata.row_groups) {
		const rows = Number(group.num_rows);
		const bytes = group.columns
			.filter(({ meta_data }) => columns.includes(meta_data?.path_in_schema[0] ?? ""))
			.reduce((sum, { meta_data }) => sum + Number(meta_data?.total_uncompressed_size ?? 0), 0);
		const count = Math.max(1, Math.ceil(bytes / partBytes), Math.ceil(rows / mostPartRows));
		const step = Math.max(1, Math.ceil(rows / count));
		for (let from = 0; from < rows; from += step)
			parts.push({ from: start + from, to: start + Math.min(from + step, rows) });
		start += rows;
	}
	return parts;
}

async function readRows(
	file: AsyncBuffer,
	metadata: FileMetaData,
	columns: string[],
	rowStart: number,
	rowEnd: number,
) {
	try {
		// bytes that are not marked as text stay bytes: they may be an image
		const options = { file, metadata, columns, rowStart, rowEnd, compressors, utf8: false, useOffsetIndex: true };
		return await parquetReadObjects(options);
	} catch (error) {
		throw new Error(`rows ${rowStart + 1} to ${rowEnd} cannot be read (${(error as Error).message})`, { cause: error });
	}
}

async function addRow(
	row: Record<string, unknown>,
	number: number,
	file: SourceFile,
	context: ReadContext,
): Promise<void> {
	const record = Object.fromEntries(
		Object.entries(row).map(([name, value]) => [name, columnValue(value, { nulls: "dropped" })]),
	);
	const id = ids.map((name) => record[name]).find((value) => typeof value === "string" || typeof value === "number");
	const own = id === undefined || id === "" ? `${number}` : `${id}`;
	const told = { ...context, problem: (message: string) => context.problem(message, `:${number}`) };
	const images = await addRowImages(record, { own, number }, file, told);
	// beside an image a text alone is its caption
	if (images > 0 && (record.caption === undefined || record.text === undefined)) return;
	addRecord(id === undefined ? record : { ...record, _id: own }, number, file, context);
}
