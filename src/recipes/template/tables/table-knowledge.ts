import { copyFile, mkdir } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import sharp from "sharp";
import { createCorpus } from "#corpus";
import { type Evidence, ownField, usageError } from "#domain";
import { buildGraph, type Claim, type GraphInput, type GraphManifest, graphFolder, writeGraph } from "#graph";
import { buildKnowledge } from "#knowledge";
import { fileInside, sha256, sha256File } from "#store";
import { isOpenForm, readDate } from "../cells/date-cell.ts";
import { readNumber } from "../cells/number-cell.ts";
import { folded } from "../giveaway.ts";
import { literalTypes, type Phrases, type RelationWords, type TablePhrases, valuesOf, wordsOf } from "../phrases.ts";
import { numberText, timeText } from "../written.ts";
import type { TypedTable } from "./type-tables.ts";

export interface TableKnowledgeOptions {
	name: string;
	licence?: string;
	onProgress?: (progress: { stage: string; done: number; total: number }) => void;
	signal?: AbortSignal;
}

/**
 * Makes a corpus, a knowledge base and its graph of tables: a row is a passage, a picture in a column an image, and every
 * cell a fact that cites its row. Ids follow from table and subject, so that rows keep theirs when others come and go.
 */
export async function tableKnowledge(
	tables: readonly TypedTable[],
	phrases: Phrases,
	places: { corpus: string; knowledge: string },
	options: TableKnowledgeOptions,
): Promise<{ graph: GraphManifest; rows: number; images: number }> {
	const { name, licence = "", onProgress, signal } = options;
	const sources = tables.map((table) => ({ name: table.name, licence, attribution: "" }));
	const corpus = await createCorpus(places.corpus, { name, licence, sources });
	const claims: Claim[] = [];
	const aliases: NonNullable<GraphInput["entities"]> = [];
	const counts = { rows: 0, images: 0 };
	for (const table of tables) {
		const { about } = table;
		const used = new Map<string, number>();
		for (const row of table.rows) {
			signal?.throwIfAborted();
			const subject = ownField(row, about.subject) ?? "";
			if (subject === "") continue;
			const made = await rowEvidence(row, {
				table,
				about,
				phrases,
				corpusDir: corpus.dir,
				id: idOf(table, subject, used),
			});
			for (const evidence of made.evidence) corpus.add(evidence);
			claims.push(...made.claims);
			const id = entityId(about.type, subject);
			for (const column of about.aliases)
				for (const alias of valuesOf(ownField(row, column) ?? "", about))
					aliases.push({ name: alias, type: about.type, id });
			counts.rows += 1;
			counts.images += made.evidence.length - 1;
		}
		onProgress?.({ stage: "tables", done: counts.rows, total: counts.rows });
	}
	const manifest = await corpus.finish();
	const pass = { signal, ...(onProgress ? { onProgress } : {}) };
	await buildKnowledge(places.corpus, places.knowledge, { name, ...pass });
	const built = buildGraph({ claims, entities: aliases });
	const graph = await writeGraph(join(places.knowledge, graphFolder), built, {
		name,
		corpus: manifest,
		origins: ["table"],
	});
	return { graph, ...counts };
}

interface Written {
	table: TypedTable;
	about: TablePhrases;
	phrases: Phrases;
	corpusDir: string;
	/** Of the passage. */
	id: string;
}

async function rowEvidence(
	row: Record<string, string>,
	{ table, about, phrases, corpusDir, id }: Written,
): Promise<{ evidence: Evidence[]; claims: Claim[] }> {
	const name = ownField(row, about.subject) ?? "";
	const { type, language } = about;
	const provenance = { source: table.name };
	const subject = { name, type, id: entityId(type, name) };
	const lines = [`${capital(type)}: ${name}`];
	const evidence: Evidence[] = [];
	const claims: Claim[] = [];
	for (const column of table.columns) {
		const values = valuesOf(ownField(row, column) ?? "", about);
		if (column === about.subject || values.length === 0) continue;
		const words = wordsOf(phrases, type, column);
		if (words.to === "image") {
			for (const [index, value] of values.entries()) {
				const image = await imageEvidence(value, { table, corpusDir, id: `${id}/${keyOf(column)}${index || ""}` });
				evidence.push({ ...image, document: id, title: `${capital(column)} of ${name}`, language, provenance });
				claims.push(claim(subject, column, { name: image.id, type: "image", id: image.id }, image.id));
			}
			continue;
		}
		lines.push(`${column}: ${values.map((value) => shown(value, words)).join("; ")}`);
		if (about.aliases.includes(column) || words.ask === false) continue;
		for (const value of values) claims.push(claim(subject, column, objectOf(value, words.to), id));
	}
	const text = lines.join("\n");
	evidence.unshift({
		kind: "passage",
		id,
		document: id,
		title: name,
		language,
		text,
		form: "table",
		sha256: sha256(text),
		provenance,
	});
	return { evidence, claims };
}

/** A value as the passage says it: with the unit that its column means, and with what it is where only the column says so. */
function shown(value: string, { to, unit, form, decimal = "." }: RelationWords): string {
	if (to === "time" && form?.some(isOpenForm)) {
		const own = form.find((one) => readDate(value, one) !== undefined);
		const iso = own && isOpenForm(own) ? readDate(value, own) : undefined;
		return iso === undefined ? value : `${value} (${timeText(iso, "en")})`;
	}
	if (to !== "number") return value;
	const read = readNumber(value, decimal);
	if (!read) return value;
	const whole = unit && read.unit === undefined ? `${value} ${unit}` : value;
	const plainly = readNumber(value, ".");
	return plainly?.value === read.value ? whole : `${whole} (${numberText(read.value, "en")})`;
}

function objectOf(value: string, to = "thing"): Claim["object"] {
	const literal = literalTypes.some((type) => type === to);
	return { name: value, type: to, id: literal ? `${to}:${value}` : entityId(to, value) };
}

const claim = (subject: Claim["subject"], relation: string, object: Claim["object"], evidence: string): Claim => ({
	subject,
	relation,
	object,
	directed: true,
	statement: { evidence, basis: "source", origin: "table" },
});

async function imageEvidence(
	value: string,
	{ table, corpusDir, id }: { table: Pick<TypedTable, "name" | "file">; corpusDir: string; id: string },
): Promise<Extract<Evidence, { kind: "image" }>> {
	const from = fileInside(dirname(table.file), value);
	const seen =
		from &&
		(await sharp(from)
			.metadata()
			.catch(() => undefined));
	if (!from || !seen)
		throw usageError(
			"bad-image",
			`${table.name} names the image ${value}, which is no readable image beside the table`,
			"Put the file there, empty the cell, or give the column another type in the phrases.",
		);
	const hash = await sha256File(from);
	const file = `images/${hash.slice(0, 32)}${extname(value).toLowerCase()}`;
	await mkdir(join(corpusDir, "images"), { recursive: true });
	await copyFile(from, join(corpusDir, file));
	const { width, height } = seen.autoOrient;
	return {
		kind: "image",
		id,
		document: id,
		title: "",
		caption: "",
		file,
		width,
		height,
		sha256: hash,
		language: "und",
		provenance: { source: table.name },
	};
}

/** A second row of one name gets a number, in the table's order. */
function idOf(table: Pick<TypedTable, "name">, subject: string, used: Map<string, number>): string {
	const key = `${table.name.slice(0, -extname(table.name).length)}/${keyOf(subject)}`;
	const times = (used.get(key) ?? 0) + 1;
	used.set(key, times);
	return times === 1 ? key : `${key}-${times}`;
}

const entityId = (type: string, name: string) => `${type}/${keyOf(name)}`;
const keyOf = (name: string) => folded(name).trim().replaceAll(" ", "-") || sha256(name).slice(0, 8);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
