import { type Collector, type ImportOptions, pagesFrom, relationOf } from "./imported.ts";

/** The names that files give to what a triple needs; the first that a row has counts. */
const fields = {
	subject: ["subject", "head", "subj", "s", "from", "source_entity", "src", "entity1"],
	relation: ["relation", "predicate", "rel", "r", "p", "property", "relationship", "label"],
	object: ["object", "tail", "obj", "o", "to", "target_entity", "tgt", "target", "entity2", "value"],
	subjectId: ["subject_id", "head_id", "subject_qid"],
	objectId: ["object_id", "tail_id", "object_qid"],
	subjectType: ["subject_type", "head_type"],
	objectType: ["object_type", "tail_type"],
	evidence: ["evidence", "evidence_id", "source_id", "passage", "passage_id", "doc", "doc_id", "document", "source"],
	quote: ["quote", "sentence", "text"],
	page: ["page", "pages", "page_idx"],
	description: ["description"],
} as const;
type Field = keyof typeof fields;
const byName = new Map<string, Field>(
	Object.entries(fields).flatMap(([field, names]) => names.map((name): [string, Field] => [name, field as Field])),
);

/** Whether a row of cells names columns: it must name at least subject and object. */
export function isHeader(cells: string[]): boolean {
	const named = new Set(cells.map((cell) => byName.get(plain(cell))));
	return named.has("subject") && named.has("object");
}

const plain = (name: string) =>
	name
		.trim()
		.toLowerCase()
		.replace(/[\s-]+/g, "_");

/** Takes one row: an object by its fields' names, a list as subject, relation, object and, if it goes on, evidence. */
export function takeRow(
	row: unknown,
	{ into, options, origin }: { into: Collector; options: ImportOptions; origin: string },
): void {
	const said = Array.isArray(row)
		? listed(row)
		: row !== null && typeof row === "object"
			? fieldsOf(row as Record<string, unknown>)
			: undefined;
	if (!said) {
		into.refuse("neither an object nor a list", row);
		return;
	}
	const subject = endOf(said.subject, said.subjectId, said.subjectType);
	const object = endOf(said.object, said.objectId, said.objectType);
	const relation = textOf(said.relation);
	if (!subject || !object || !relation) {
		into.refuse(`has no ${!subject ? "subject" : !object ? "object" : "relation"}`, row);
		return;
	}
	if (said.page !== undefined && options.pageBase === undefined)
		into.lose("page numbers are left out: say whether the first page is 0 or 1");
	const pages = said.page !== undefined && options.pageBase !== undefined ? pagesFrom(said.page, options.pageBase) : [];
	const quote = textOf(said.quote);
	const description = textOf(said.description);
	const claim = { subject, relation: relationOf(relation), object, ...(description ? { description } : {}) };
	const sources = (Array.isArray(said.evidence) ? said.evidence : [said.evidence]).flatMap((one) => textOf(one) ?? []);
	for (const evidence of sources.slice(0, 1000))
		into.claim({
			...claim,
			statement: {
				evidence,
				basis: "source",
				origin,
				...(quote ? { quote } : {}),
				...(pages.length > 0 ? { pages } : {}),
			},
		});
	if (sources.length === 0) into.claim(claim);
}

function listed([subject, relation, object, evidence]: unknown[]): Partial<Record<Field, unknown>> {
	return { subject, relation, object, ...(evidence === undefined || evidence === "" ? {} : { evidence }) };
}

function fieldsOf(row: Record<string, unknown>): Partial<Record<Field, unknown>> {
	const said: Partial<Record<Field, unknown>> = {};
	const names = new Map(Object.keys(row).map((name) => [plain(name), name]));
	for (const [field, known] of Object.entries(fields) as [Field, readonly string[]][]) {
		const name = known
			.map((one) => names.get(one))
			.find((one) => one !== undefined && row[one] !== "" && row[one] !== null);
		if (name !== undefined) said[field] = row[name];
	}
	// `source` and `target` are ends where a file has no other name for them, as networkx writes its edges
	if (said.subject === undefined && typeof row.source === "string" && row.target !== undefined) {
		said.subject = row.source;
		if (said.evidence === row.source) delete said.evidence;
	}
	return said;
}

function endOf(said: unknown, id: unknown, type: unknown): { name: string; id?: string; type?: string } | undefined {
	const inner =
		said !== null && typeof said === "object" && !Array.isArray(said) ? (said as Record<string, unknown>) : undefined;
	const name = textOf(inner ? (inner.name ?? inner.label ?? inner.id) : said);
	if (!name) return undefined;
	const known = textOf(inner?.id ?? id);
	const kind = textOf(inner?.type ?? type);
	return { name, ...(known ? { id: known } : {}), ...(kind ? { type: kind } : {}) };
}

function textOf(value: unknown): string | undefined {
	const text =
		typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : "";
	return text.trim().replace(/\s+/g, " ") || undefined;
}
