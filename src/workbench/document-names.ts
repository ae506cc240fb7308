import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { parse } from "yaml";
import { readRows } from "#benchmarks";
import { usageError } from "#domain";

/**
 * A file from the names of documents in a benchmark's rows to those in a knowledge base: an object in JSON or YAML, or
 * rows of two fields (CSV or TSV with a head, JSON lines, an array), the rows' name first.
 */
export async function readDocumentNames(file: string): Promise<Map<string, string>> {
	const names = new Map<string, string>();
	for await (const [cited, document] of pairsOf(file)) {
		const before = names.get(cited);
		if (before !== undefined && before !== document)
			throw bad(file, `"${cited}" is both "${before}" and "${document}"`);
		names.set(cited, document);
	}
	if (names.size === 0) throw bad(file, "it names no document");
	return names;
}

async function* pairsOf(file: string): AsyncGenerator<[string, string]> {
	const whole = [".csv", ".tsv", ".jsonl", ".ndjson", ".parquet"].includes(extname(file).toLowerCase())
		? undefined
		: await objectIn(file);
	if (whole) {
		for (const [cited, document] of Object.entries(whole)) yield pairOf(file, cited, [cited, document]);
		return;
	}
	for await (const row of readRows([file])) {
		if ("reason" in row) throw bad(file, `row ${row.row}: ${row.reason}`);
		yield pairOf(file, `row ${row.row}`, Object.values(row.value ?? {}));
	}
}

function pairOf(file: string, where: string, values: unknown[]): [string, string] {
	const [cited, document, ...others] = values;
	if (typeof cited !== "string" || typeof document !== "string" || cited === "" || document === "" || others.length > 0)
		throw bad(file, `${where}: two names are wanted, the rows' and the knowledge base's`);
	return [cited, document.replace(/\/+$/, "")];
}

async function objectIn(file: string): Promise<Record<string, unknown> | undefined> {
	const text = await readFile(file, "utf8").catch(() => {
		throw bad(file, "it cannot be read");
	});
	try {
		const read: unknown = text.trimStart().startsWith("{") ? JSON.parse(text) : parse(text, { maxAliasCount: 100 });
		return typeof read === "object" && read !== null && !Array.isArray(read)
			? (read as Record<string, unknown>)
			: undefined;
	} catch {
		return undefined;
	}
}

const bad = (file: string, what: string) =>
	usageError(
		"bad-documents-map",
		`${file}: ${what}`,
		'Give {"name in the rows": "name in the knowledge base", …} as JSON or YAML, or CSV with a head and two columns.',
	);
