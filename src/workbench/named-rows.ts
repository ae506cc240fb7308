import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { parse } from "yaml";
import { readRows } from "#benchmarks";
import { usageError } from "#domain";

/** A row of a table from names to names as it stands there, with its place; or why it is none. */
export type NamedRow = { where: string; values: unknown[] } | { where: string; reason: string };

/**
 * The rows of a table from names to others: an object in JSON or YAML, each field a row, or rows of two fields (CSV or TSV
 * with a head, JSON lines, an array). A file that cannot be read is an error (exit 2) of the code given.
 */
export async function* namedRows(
	file: string,
	{ code, remedy }: { code: string; remedy: string },
): AsyncGenerator<NamedRow> {
	const whole = [".csv", ".tsv", ".jsonl", ".ndjson", ".parquet"].includes(extname(file).toLowerCase())
		? undefined
		: objectIn(
				await readFile(file, "utf8").catch(() => {
					throw usageError(code, `${file}: it cannot be read`, remedy);
				}),
			);
	if (whole) {
		for (const [name, other] of Object.entries(whole)) yield { where: name, values: [name, other] };
		return;
	}
	for await (const row of readRows([file]))
		if ("reason" in row) yield { where: `row ${row.row}`, reason: row.reason };
		else yield { where: `row ${row.row}`, values: Object.values(row.value ?? {}) };
}

function objectIn(text: string): Record<string, unknown> | undefined {
	try {
		const read: unknown = text.trimStart().startsWith("{") ? JSON.parse(text) : parse(text, { maxAliasCount: 100 });
		return typeof read === "object" && read !== null && !Array.isArray(read)
			? (read as Record<string, unknown>)
			: undefined;
	} catch {
		return undefined;
	}
}
