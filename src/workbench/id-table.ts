import { usageError } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { namedRows } from "./named-rows.ts";

export interface IdTable {
	/** From ids of another index to ours, each in the order of the file. */
	ids: Map<string, string[]>;
	/** Rows that are left out, with the reason. */
	refused: { place: string; reason: string }[];
}

const code = "bad-id-table";
const remedy =
	'Give {"their id": "our id" or ["our id", …], …} as JSON, or CSV, TSV or JSON lines of two fields, theirs first: several rows of an id add up.';
const longest = 512;
/** Of one id. */
const mostIds = 1000;

/**
 * A table from the ids of another index to those of the knowledge base. A row that is none, and one that names what is not
 * held, is left out and told. Throws (exit 2) where the file cannot be read or no row is left.
 */
export async function readIdTable(
	file: string,
	{ knowledge, gold }: { knowledge: Pick<KnowledgeBase, "missing"> | undefined; gold: ReadonlySet<string> },
): Promise<IdTable> {
	const read: { place: string; theirs: string; ours: string[] }[] = [];
	const refused: IdTable["refused"] = [];
	for await (const row of namedRows(file, { code, remedy })) {
		const place = `${file}, ${row.where}`;
		const pair = "reason" in row ? row : pairOf(row.values);
		if ("reason" in pair) refused.push({ place, reason: pair.reason });
		else read.push({ place, ...pair });
	}
	const named = new Set(read.flatMap(({ ours }) => ours));
	const missing = new Set(knowledge ? await knowledge.missing(named) : named);
	const ids = new Map<string, string[]>();
	for (const { place, theirs, ours } of read) {
		const held = ours.filter((id) => !missing.has(id) || gold.has(id));
		const [absent] = ours.filter((id) => !held.includes(id));
		if (absent !== undefined) refused.push({ place, reason: `"${absent}" is not in the knowledge base` });
		const all = [...new Set([...(ids.get(theirs) ?? []), ...held])].slice(0, mostIds);
		if (all.length > 0) ids.set(theirs, all);
	}
	if (ids.size > 0) return { ids, refused };
	const [first] = refused;
	throw usageError(
		code,
		`${file}: no row names evidence that is held${first ? ` (${first.place}: ${first.reason})` : ""}`,
		remedy,
		{
			facts: { file, refused: refused.slice(0, 100) },
		},
	);
}

function pairOf([theirs, ours, ...others]: unknown[]): { theirs: string; ours: string[] } | { reason: string } {
	const [from] = idsIn(theirs);
	const to = idsIn(ours);
	if (from === undefined || Array.isArray(theirs) || to.length === 0 || others.length > 0)
		return { reason: "two fields are wanted: their id, and ours or a list of ours" };
	return { theirs: from, ours: to };
}

/** Ids are texts or numbers; a list in which something is neither is none. */
function idsIn(value: unknown): string[] {
	const all = (Array.isArray(value) ? value : [value]).map((one: unknown) =>
		typeof one === "number" ? String(one) : one,
	);
	return all.every((one): one is string => typeof one === "string" && one !== "" && one.length <= longest) ? all : [];
}
