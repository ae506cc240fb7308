import { documentName } from "#benchmarks";
import { type Passage, pageIdIn } from "#domain";
import { canonicalJson, sha256 } from "#store";

/** What another index brought back, as far as it is told. */
export interface ExternalDocument {
	/** As it is called there. */
	id?: string | undefined;
	title?: string | undefined;
	text?: string | undefined;
	/** Of a page of the web. */
	address?: string | undefined;
	/** The document's name, and a page of it from 0. */
	document?: string | undefined;
	page?: number | undefined;
}

/** Documents by the names that results have until they are matched. */
export type ExternalDocuments = ReadonlyMap<string, ExternalDocument>;

/** The text of one is read so far. */
export const longestText = 200_000;
/** Of all of a file: more is known by what else is told of it. */
const mostCharacters = 256 * 1024 * 1024;

/**
 * Names what comes back: by its id where all that is so called says the same, else with the hash of what it says behind `#`,
 * so that each name stands for one text. What has no id is named by its address, its document and page, or its title.
 */
export function externalDocuments(): {
	nameOf(document: ExternalDocument, form?: string): string;
	documents: ExternalDocuments;
	/** What had to be left out. */
	notes(): string[];
} {
	const documents = new Map<string, ExternalDocument>();
	const contents = new Map<string, string>();
	let characters = 0;
	const left = { cut: 0, texts: 0 };

	function bounded({ text, ...rest }: ExternalDocument): ExternalDocument {
		if (text === undefined || text.trim() === "") return rest;
		if (characters + Math.min(text.length, longestText) > mostCharacters) {
			left.texts += 1;
			return rest;
		}
		if (text.length > longestText) left.cut += 1;
		characters += Math.min(text.length, longestText);
		return { ...rest, text: text.slice(0, longestText) };
	}
	return {
		documents,
		nameOf(document, form = "external") {
			const { id, ...said } = document;
			const base = id ?? baseOf(said, form);
			if (id !== undefined && Object.values(said).every((value) => value === undefined)) return base;
			const content = sha256(canonicalJson(said));
			const name = (contents.get(base) ?? content) === content ? base : hashed(base, content);
			if (contents.has(name)) return name;
			contents.set(name, content);
			documents.set(name, bounded(document));
			return name;
		},
		notes: () => [
			...(left.cut > 0 ? [`${left.cut} texts of results are read up to ${longestText} characters`] : []),
			...(left.texts > 0
				? [`the texts of ${left.texts} results are left out: all together have more than ${mostCharacters} characters`]
				: []),
		],
	};
}

/** A name with a hash behind `#`, as excerpts of one page of the web have: they share the document before it. */
export const hashed = (name: string, hash: string): string => `${name.slice(0, 500)}#${hash.slice(0, 8)}`;

function baseOf({ title = "", text = "", address, document, page }: ExternalDocument, form: string): string {
	if (address === undefined && document !== undefined) return page === undefined ? document : pageIdIn(document, page);
	return documentName(form, { title, text, ...(address === undefined ? {} : { address }) });
}

/** What came back, as evidence of its run: under its name, with its terms unknown. */
export function asPassage(name: string, { title, text = "", address, document }: ExternalDocument): Passage {
	return {
		...{ kind: "passage", id: name, document: (document ?? address ?? title) || name, title: title ?? "" },
		...{ language: "und", form: "prose", sha256: sha256(text), text },
		provenance: { source: address ?? document ?? "made elsewhere" },
	};
}
