import type { Answer } from "#domain";
import { StageFault } from "../engine/stage.ts";

/** A thing that an encyclopedia knows. */
export interface Subject {
	/** A Wikidata id where there is one, else the source's own. */
	id: string;
	name: string;
	aliases: string[];
	description?: string;
	/** What it is an instance of, as labels. */
	types: string[];
	/** How well known it is, 0 to 1, by its links in a graph or by how many Wikipedias tell of it, where the source knows. */
	familiarity?: number;
}

/** A page as it stood at a revision. */
export interface EncyclopediaPage {
	title: string;
	subject?: string;
	language: string;
	sections: { title: string; text: string }[];
	links: string[];
	/** File names of its images. */
	images: string[];
	/** What tells this state of the page from any other. */
	revision: string;
	licence: string;
	url?: string;
	retrievedAt?: string;
}

/** A statement, as an edge from the subject that was asked about. */
export interface Edge {
	subject: string;
	/** The source's id of the property (`P36`), and its label in the source's own words. */
	property: string;
	label: string;
	/** The other end: a subject, or a value as text. */
	object: { id: string; name: string } | { value: string; answer: Answer };
	/** `in`: the subject asked about is the object of the statement. */
	direction: "out" | "in";
	rank?: "preferred" | "normal";
	/** Start and end, where qualifiers bound the statement in time. */
	during?: { from?: string; to?: string };
	/** How many other ends the property leads to from this subject, in this direction; 1 determines it. */
	values?: number;
	revision?: string;
	/** Evidence of the corpus that states it, where the source is one. */
	evidence?: string[];
	/** The statement in words, for a source outside the corpus. */
	statement?: string;
}

/** A picture with its terms. */
export interface EncyclopediaImage {
	data: Buffer;
	mediaType: string;
	sha256: string;
	licence: string;
	attribution?: string;
	url?: string;
}

/**
 * Knowledge from outside the corpus. Every answer names the revision that it was read from, so that an item can be
 * checked after the source has changed. What is not known is an empty list or undefined; a source that cannot be asked
 * is an `EncyclopediaError`, which a stage lets through as a fault.
 */
export interface Encyclopedia {
	/** Kind and state: `local`, `wikimedia`, `recorded`, with a hash or address. Goes into what outcomes are kept under. */
	id: string;
	/** Everything of that name, so that ambiguity can be seen. */
	resolve(name: string, options?: { language?: string; signal?: AbortSignal | undefined }): Promise<Subject[]>;
	page(
		title: string,
		options?: { language?: string; signal?: AbortSignal | undefined },
	): Promise<EncyclopediaPage | undefined>;
	neighbours(
		id: string,
		options?: { direction?: "out" | "in" | "both"; limit?: number; signal?: AbortSignal | undefined },
	): Promise<Edge[]>;
	/** How many subjects bear the name, among those of a class where one is given, disambiguation pages aside. */
	sameName(
		name: string,
		options?: { type?: string; language?: string; signal?: AbortSignal | undefined },
	): Promise<{ count: number; ids: string[] }>;
	image(
		file: string,
		options?: { width?: number; signal?: AbortSignal | undefined },
	): Promise<EncyclopediaImage | undefined>;
}

/** The source could not be asked, or said what cannot be read: no verdict on what was asked about. */
export class EncyclopediaError extends StageFault {
	override name = "EncyclopediaError";
}
