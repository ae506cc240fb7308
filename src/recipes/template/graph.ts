import type { Answer, Hop } from "#domain";

/** A computation that a hop can make. */
export type Operation = NonNullable<Hop["compute"]>["op"];

/** A language that the recipe can phrase questions in. */
export type Language = "en" | "es";

/** A stored image that shows an entity. */
export interface Depiction {
	/** Evidence id of the stored image. */
	evidence: string;
	/** Absolute path of the stored image. */
	file: string;
	/** What it shows of the entity, in words ("flag", "outline map"). `what.en` keys `TypedGraph.pictures`. */
	what: Record<Language, string>;
	/** Terms of the stored image; carried over to images made from it. */
	licence?: string;
}

/** A thing that facts are about. */
export interface GraphEntity {
	id: string;
	type: string;
	names: Record<Language, string>;
	aliases: Record<Language, string[]>;
	/** The name as it stands inside a sentence, where it differs: "the Netherlands", "los Países Bajos". */
	mentions?: Partial<Record<Language, string>>;
	depictions: Depiction[];
}

/** One place in the corpus where a fact is stated. */
export interface Statement {
	evidence: string;
	modality: "text" | "table" | "page" | "image";
	language: string;
}

/** A fact with every statement of it in the corpus. */
export interface GraphFact {
	subject: string;
	relation: string;
	object: { entity: string } | { answer: Answer };
	statements: Statement[];
}

/** How a relation is said; "{}" stands for the known end of the fact. */
export interface RelationPhrases {
	/** "the capital of {}" */
	noun: string[];
	/** "What is the capital of {}?" */
	question: string[];
	/** "the country whose capital is {}" */
	inverseNoun?: string[];
	/** "Which country has {} as its capital?" */
	inverseQuestion?: string[];
}

/** Verb phrases that order subjects by a relation's number or time: "has the larger area", "tiene menos habitantes". */
export interface ComparisonPhrases {
	more: string;
	less: string;
}

/** A kind of fact, from an entity type to an entity type or to a literal. */
export interface GraphRelation {
	id: string;
	from: string;
	/** An entity type, or "number", "time", "string". */
	to: string;
	/** Of numbers; of times "days" or "years", in which their differences are asked. */
	unit?: string;
	/** One object for each subject. */
	single: boolean;
	/** One subject for each object. */
	inverseSingle: boolean;
	phrases: Record<Language, RelationPhrases>;
	/** Without it the relation orders nothing. For times, "more" means later. */
	comparison?: Record<Language, ComparisonPhrases>;
	/** Arithmetic that makes sense on its numbers; all of add, difference, mean and divide when absent. */
	arithmetic?: Operation[];
}

/** A typed graph of facts: what the template recipe composes chains from. */
export interface TypedGraph {
	entities: Map<string, GraphEntity>;
	facts: GraphFact[];
	relations: Record<string, GraphRelation>;
	/**
	 * How an entity is named by an image, by `Depiction.what.en`; "{}" stands for "the image" or "the second image":
	 * noun "the country whose flag is shown in {}", question "Which country's flag is shown in {}?".
	 */
	pictures: Record<string, Record<Language, { noun: string[]; question: string[] }>>;
}
