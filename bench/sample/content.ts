/** What the Atlas is written with, as data: the articles' wordings, the relations' phrases, Spanish names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { freeRecord, packageFile } from "#domain";
import type { GraphRelation, Language, RelationPhrases } from "#recipes";

const contentFolder = packageFile("bench/sample/data");

const texts = z.array(z.string());
const Saying = z.strictObject({
	say: texts,
	opens: z.boolean().optional(),
	extra: z.boolean().optional(),
	with: freeRecord(z.string()).optional(),
});
export type Saying = z.infer<typeof Saying>;

/** A section of an article: one passage. Its title is empty where the article has but one. */
const Section = z.strictObject({
	id: z.string(),
	title: z.string(),
	needs: texts.optional(),
	statements: z.array(Saying),
});
export type Section = z.infer<typeof Section>;

const Words = z.strictObject({
	noun: texts,
	question: texts.optional(),
	inverseNoun: texts.optional(),
	comparison: z.tuple([z.string(), z.string()]).optional(),
});
const Wording = z.strictObject({
	from: z.string(),
	to: z.string(),
	unit: z.string().optional(),
	single: z.boolean().default(true),
	inverseSingle: z.boolean().default(false),
	impliesInverse: z.string().optional(),
	en: Words,
	es: Words,
});

const names = freeRecord(z.string());
const SpanishNames = z.strictObject({
	subregions: names,
	countries: names,
	cities: names,
	currencies: names,
	languages: names,
	elements: names,
});

/** A list of entities of one type on sheets of its own: one row each, in columns of these shares of the width. */
const Register = z.strictObject({
	id: z.string(),
	title: z.string(),
	label: z.string(),
	of: z.string(),
	columns: z.array(z.number()),
	head: z.string(),
	row: z.string(),
});
export type Register = z.infer<typeof Register>;
const Tables = z.strictObject({
	tables: freeRecord(z.strictObject({ section: z.string(), lines: texts })),
	sheet: texts,
	registers: z.array(Register),
});

const read = <T>(file: string, schema: z.ZodType<T>): T =>
	schema.parse(parse(readFileSync(join(contentFolder, file), "utf8")));

/** The sections of articles by the type of what they are about. */
export const readSections = (language: Language): Record<string, Section[]> =>
	read(`sections.${language}.yaml`, freeRecord(z.array(Section)));

/** The lines of tables and fact sheets. */
export const readTables = () => read("tables.yaml", Tables);

let spanish: z.infer<typeof SpanishNames> | undefined;

/** The Spanish name of a thing by its English name or its code; undefined where none is written down. */
export function inSpanish(kind: keyof z.infer<typeof SpanishNames>, key: string): string | undefined {
	spanish ??= read("spanish.yaml", SpanishNames);
	return spanish[kind][key];
}

/** A relation with the facts that follow from its own: who states one states the other. */
export interface AtlasRelation extends GraphRelation {
	/** Also stated, with subject and object exchanged ("Lima is Peru's capital" states that Lima is in Peru). */
	impliesInverse?: string | undefined;
}

/** Every kind of fact of the Atlas with its phrases in both languages. */
export function readRelations(): Record<string, AtlasRelation> {
	const wordings = read("relations.yaml", freeRecord(Wording));
	return Object.fromEntries(
		Object.entries(wordings).map(([id, { unit, en, es, ...about }]): [string, AtlasRelation] => [
			id,
			{
				id,
				...about,
				...(unit !== undefined && { unit }),
				phrases: { en: phrasesOf(en, "What is {}?"), es: phrasesOf(es, "¿Cuál es {}?") },
				...(en.comparison &&
					es.comparison && { comparison: { en: ordering(en.comparison), es: ordering(es.comparison) } }),
			},
		]),
	);
}

function phrasesOf({ noun, question, inverseNoun }: z.infer<typeof Words>, ask: string): RelationPhrases {
	const asked = (nouns: string[]) => nouns.map((one) => ask.replace("{}", () => one));
	return {
		noun,
		question: question ?? asked(noun),
		...(inverseNoun && { inverseNoun, inverseQuestion: asked(inverseNoun) }),
	};
}

const ordering = ([more, less]: [string, string]) => ({ more, less });
