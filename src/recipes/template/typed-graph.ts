import { type Answer, type Entity, type Evidence, ownField, setField, type Triple } from "#domain";
import type { Graph } from "#graph";
import { type ColumnForm, fitsColumn } from "./cells/column.ts";
import { comparisonOf, englishPhrases, picturePhrases, spanishPhrases } from "./generated-phrases.ts";
import type { GraphEntity, GraphFact, GraphRelation, Statement, TypedGraph } from "./graph.ts";
import { literalAnswer, literalFormOf } from "./literal.ts";
import type { Phrases, RelationWords } from "./phrases.ts";

interface TypingOptions {
	phrases: Phrases;
	/** A relation is followed where the mean over its subjects of 1 / values is at least this. */
	determined?: number;
	evidence(id: string): Promise<Evidence | undefined>;
	/** Absolute path of an image. */
	file(evidence: Evidence): Promise<string | undefined>;
}

interface Kind {
	name: string;
	from: string;
	triples: Triple[];
	words: RelationWords;
}

const defaultDetermined = 0.9;

/**
 * Types the graph of a knowledge base: what each relation leads from and to, how it is asked for, and whether it has
 * one value for a subject, which is counted and never assumed. A fact without a statement that counts, or whose value
 * cannot be read as its relation's type, is known (so that nothing else is taken for the only value) but never told.
 */
export async function typedGraph(graph: Graph, options: TypingOptions): Promise<TypedGraph> {
	const { determined = defaultDetermined } = options;
	const entities = new Map<string, GraphEntity>();
	const facts: GraphFact[] = [];
	const relations: Record<string, GraphRelation> = {};
	const pictures: TypedGraph["pictures"] = {};
	const known = new Map<string, Promise<Evidence | undefined>>();
	const evidenceOf = (id: string) => {
		const found = known.get(id) ?? options.evidence(id);
		known.set(id, found);
		return found;
	};
	const entityOf = (id: string): GraphEntity => {
		const before = entities.get(id);
		if (before) return before;
		const made = entityFrom(graph.entities.get(id) ?? { id, name: id, aliases: [], types: [] });
		entities.set(id, made);
		return made;
	};
	for (const kind of kindsOf(graph, options.phrases)) {
		if (kind.words.ask === false) continue;
		const to = kind.words.to ?? guessed(kind, graph);
		const unworded = { name: kind.name, from: kind.from, to };
		if (to === "image") {
			setField(pictures, kind.name, picturePhrases(unworded, kind.words));
			for (const { subject, object } of kind.triples) {
				const image = await evidenceOf(nameOf(graph, object));
				const file = image && (await options.file(image));
				if (image?.kind !== "image" || !file) continue;
				const licence = image.provenance.licence;
				const what = { en: kind.name, es: kind.name };
				const depiction = { evidence: image.id, file, what, ...(licence === undefined ? {} : { licence }) };
				entityOf(subject).depictions.push(depiction);
			}
			continue;
		}
		const id = ownField(relations, kind.name) === undefined ? kind.name : `${kind.from}.${kind.name}`;
		const shares = determinationOf(kind.triples);
		const written = isLiteral(to) ? formOf(kind, { graph, to }) : {};
		const unit = to === "number" ? written.unit : to === "time" ? differenceUnit(kind, { graph, written }) : undefined;
		const comparison = comparisonOf(unworded, kind.words);
		setField(relations, id, {
			id,
			from: kind.from,
			to,
			single: shares.functionality >= determined,
			inverseSingle: shares.inverse >= determined && !isLiteral(to),
			phrases: { en: englishPhrases(unworded, kind.words), es: spanishPhrases(kind.words.es) },
			arithmetic: kind.words.arithmetic ?? ["difference", "mean"],
			...(unit === undefined ? {} : { unit }),
			...(comparison && { comparison }),
		});
		for (const triple of kind.triples) {
			const object = objectOf(triple, { graph, to, written, entityOf });
			entityOf(triple.subject);
			const counting = triple.statements.filter(({ basis }) => basis === "quote" || basis === "source");
			const statements = object.readable ? await placesOf(counting, evidenceOf) : [];
			facts.push({ subject: triple.subject, relation: id, object: object.is, statements });
		}
	}
	return { entities, facts, relations, pictures };
}

/** Phrases of every relation of a graph, generated where none are given, for a person to mend. */
export function phrasesOfGraph(graph: Graph, given: Phrases = { tables: {}, relations: {} }): Phrases {
	const relations: Phrases["relations"] = {};
	for (const kind of kindsOf(graph, given)) {
		const to = kind.words.to ?? guessed(kind, graph);
		const key = ownField(relations, kind.name) === undefined ? kind.name : `${kind.from}.${kind.name}`;
		const { noun, question, inverseNoun, inverseQuestion } = englishPhrases(
			{ name: kind.name, from: kind.from, to },
			kind.words,
		);
		const inverse = isLiteral(to) ? {} : { inverseNoun, inverseQuestion };
		setField(relations, key, { to, noun, question, ...inverse, ...kind.words });
	}
	return { tables: given.tables, relations };
}

/** The triples by relation and kind of subject, in order, each with the words that were given for it. */
function kindsOf(graph: Graph, { relations }: Phrases): Kind[] {
	const given = new Map(Object.entries(relations).map(([name, words]) => [name.toLowerCase(), words]));
	const kinds = new Map<string, Kind>();
	for (const triple of graph.triples) {
		if (!triple.directed) continue;
		const from = graph.entities.get(triple.subject)?.types[0] ?? "thing";
		const name = triple.relation;
		const key = `${from}.${name}`.toLowerCase();
		const words = given.get(key) ?? given.get(name.toLowerCase()) ?? {};
		const kind = kinds.get(key) ?? { name, from, triples: [], words };
		kind.triples.push(triple);
		kinds.set(key, kind);
	}
	return [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);
}

/** What the objects are: number or time where all can be read so, else the kind of thing that most are. */
function guessed({ triples, name }: Kind, graph: Graph): string {
	const ends = triples.flatMap(({ object }) => graph.entities.get(object) ?? []);
	const literal = literalFormOf(
		ends.map((end) => end.name),
		name,
	);
	if (literal) return literal.type;
	if (ends.every(({ kind }) => kind === "value")) return "string";
	const counts = new Map<string, number>();
	for (const type of ends.map(({ types }) => types[0] ?? "thing")) counts.set(type, (counts.get(type) ?? 0) + 1);
	return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0] ?? "thing";
}

/** How the values of a relation are written: as the phrases say, else as they tell together. */
function formOf({ triples, name, words }: Kind, { graph, to }: { graph: Graph; to: string }): Omit<ColumnForm, "type"> {
	const { unit, form, decimal } = words;
	const values = triples.map(({ object }) => nameOf(graph, object));
	if (to === "number") return literalFormOf(values, name, { type: "number", unit, decimal }) ?? { unit, decimal };
	return (to === "time" && literalFormOf(values, name, { type: "time", form })) || { form };
}

/** Days lie between days, years between years; months and years tell neither. */
function differenceUnit(
	{ triples }: Kind,
	{ graph, written }: { graph: Graph; written: Omit<ColumnForm, "type"> },
): "days" | "years" {
	const isDay = ({ object }: Triple) => {
		const answer = literalAnswer(nameOf(graph, object), "time", written);
		return answer?.type === "time" && answer.time.precision === "day";
	};
	return triples.some(isDay) ? "days" : "years";
}

function determinationOf(triples: readonly Triple[]): { functionality: number; inverse: number } {
	const mean = (from: "subject" | "object", to: "subject" | "object") => {
		const sides = new Map<string, Set<string>>();
		for (const triple of triples) sides.set(triple[from], (sides.get(triple[from]) ?? new Set()).add(triple[to]));
		return [...sides.values()].reduce((sum, targets) => sum + 1 / targets.size, 0) / sides.size;
	};
	return { functionality: mean("subject", "object"), inverse: mean("object", "subject") };
}

function objectOf(
	{ object }: Triple,
	options: { graph: Graph; to: string; written: Omit<ColumnForm, "type">; entityOf(id: string): GraphEntity },
): { is: GraphFact["object"]; readable: boolean } {
	const { graph, to, written, entityOf } = options;
	if (!isLiteral(to)) {
		entityOf(object);
		return { is: { entity: object }, readable: true };
	}
	const name = nameOf(graph, object);
	const fits = to !== "number" || fitsColumn(name, { type: "number", ...written });
	const answer: Answer | undefined = fits ? literalAnswer(name, to, written) : undefined;
	const unparseable: Answer = { type: "string", value: name, accepted: [name] };
	return { is: { answer: answer ?? unparseable }, readable: answer !== undefined };
}

async function placesOf(
	statements: Triple["statements"],
	evidenceOf: (id: string) => Promise<Evidence | undefined>,
): Promise<Statement[]> {
	const places = new Map<string, Statement>();
	for (const { evidence: id } of statements) {
		const evidence = await evidenceOf(id);
		if (!evidence) continue;
		const modality = evidence.kind === "passage" ? (evidence.form === "table" ? "table" : "text") : evidence.kind;
		places.set(id, { evidence: id, modality, language: evidence.language });
	}
	return [...places.values()];
}

function entityFrom({ id, name, aliases, types }: Pick<Entity, "id" | "name" | "aliases" | "types">): GraphEntity {
	const both = { en: name, es: name };
	return { id, type: types[0] ?? "thing", names: both, aliases: { en: aliases, es: [] }, depictions: [] };
}

const isLiteral = (to: string) => to === "number" || to === "time" || to === "string";
const nameOf = (graph: Graph, id: string) => graph.entities.get(id)?.name ?? "";
