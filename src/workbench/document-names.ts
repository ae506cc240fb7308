import { usageError } from "#domain";
import { namedRows } from "./named-rows.ts";

const code = "bad-documents-map";
const remedy =
	'Give {"name in the rows": "name in the knowledge base", …} as JSON or YAML, or CSV with a head and two columns.';

/** A table from the names of documents in rows made elsewhere to those in a knowledge base, the rows' name first. */
export async function readDocumentNames(file: string): Promise<Map<string, string>> {
	const names = new Map<string, string>();
	const bad = (what: string) => usageError(code, `${file}: ${what}`, remedy);
	for await (const row of namedRows(file, { code, remedy })) {
		if ("reason" in row) throw bad(`${row.where}: ${row.reason}`);
		const [cited, document, ...others] = row.values;
		if (
			typeof cited !== "string" ||
			typeof document !== "string" ||
			cited === "" ||
			document === "" ||
			others.length > 0
		)
			throw bad(`${row.where}: two names are wanted, the rows' and the knowledge base's`);
		const before = names.get(cited);
		const name = document.replace(/\/+$/, "");
		if (before !== undefined && before !== name) throw bad(`"${cited}" is both "${before}" and "${name}"`);
		names.set(cited, name);
	}
	if (names.size === 0) throw bad("it names no document");
	return names;
}
