import { z } from "zod";
import { Compute, freeRecord, ownField } from "#domain";
import { dateForms } from "./cells/date-cell.ts";
import { decimalMarks } from "./cells/number-cell.ts";

const sentence = z.string().min(1).max(300);
const withPlace = sentence.regex(/\{\}/, 'needs "{}" where the known end of the fact stands');
const wordings = z.preprocess(
	(value) => (typeof value === "string" ? [value] : value),
	z.array(withPlace).min(1).max(20),
);

/** How a relation is said in one language; what is left out is made from its name. */
const Words = z.strictObject({
	/** "the captain of {}" */
	noun: wordings.optional(),
	/** "Who is the captain of {}?" */
	question: wordings.optional(),
	/** "the ship whose captain is {}" */
	inverseNoun: wordings.optional(),
	/** "Which ship has {} as its captain?" */
	inverseQuestion: wordings.optional(),
	/** Who has more of it, of two: "is longer", "has the later launch". */
	more: sentence.optional(),
	less: sentence.optional(),
});
export type Words = z.infer<typeof Words>;

/** What a relation leads to: a kind of thing by its name, or one of these. */
export const literalTypes = ["number", "time", "string", "image"] as const;

/** How the values of a column or relation are written, where they do not say so themselves. */
export const written = {
	unit: z.string().min(1).max(50).optional(),
	/** Of times: how day, month and year are written, one form or several. */
	form: z
		.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(z.enum(dateForms)).min(1))
		.optional(),
	/** Of numbers: the mark before decimals. */
	decimal: z.enum(decimalMarks).optional(),
};

const RelationPhrases = Words.extend({
	/** False: it is in the passages, but nothing asks for it. */
	ask: z.boolean().optional(),
	/** A kind of thing ("city"), or number, time, string, image; guessed from the values when left out. */
	to: z.string().min(1).max(100).optional(),
	...written,
	/** Calculations that make sense; difference and mean when left out, since not everything adds up. */
	arithmetic: z.array(Compute.shape.op).optional(),
	/** The same in Spanish; questions are asked in it only where it is given. */
	es: Words.optional(),
});
export type RelationWords = z.infer<typeof RelationPhrases>;

const TablePhrases = z.strictObject({
	/** The column that names what a row is about. */
	subject: z.string().min(1),
	/** What a row is about, in one word: "ship". */
	type: z.string().min(1).max(100),
	/** Columns of other names of it. */
	aliases: z.array(z.string()).default([]),
	/** Parts several values of one cell. */
	separator: z.string().min(1).max(10).default(";"),
	/** Language of the passages made of the rows. */
	language: z.string().default("en"),
});
export type TablePhrases = z.infer<typeof TablePhrases>;

/**
 * What a graph cannot say of itself: what the rows of tables are about, and how its relations are asked for. Relations
 * go by their name, or by `type.name` where several kinds of things have one of that name.
 */
export const Phrases = z.strictObject({
	tables: freeRecord(TablePhrases).default({}),
	relations: freeRecord(RelationPhrases).default({}),
});
export type Phrases = z.infer<typeof Phrases>;

/** The values of a cell, which the table's separator parts. */
export const valuesOf = (cell: string, { separator }: Pick<TablePhrases, "separator">): string[] =>
	cell
		.split(separator)
		.map((value) => value.trim())
		.filter((value) => value !== "");

/** What phrases say of a relation: by its kind of subject, or by its name alone. */
export const wordsOf = ({ relations }: Pick<Phrases, "relations">, type: string, relation: string): RelationWords =>
	ownField(relations, `${type}.${relation}`) ?? ownField(relations, relation) ?? {};
