import { z } from "zod";

/**
 * What kind of document a task is asked of, and what on its pages answers it: the words of the tags `documentType` and
 * `evidenceModality`, which importers and recipes write and tables ask for. Source: Double-Bench, Tables 7 and 14 to 18.
 */
export const DocumentType = z.enum(["pdf", "scanned", "slides", "html", "other"]);
export type DocumentType = z.infer<typeof DocumentType>;

export const EvidenceModality = z.enum(["text", "table", "figure"]);
export type EvidenceModality = z.infer<typeof EvidenceModality>;

/** Tags with values of a fixed vocabulary. */
export const tagVocabularies: Readonly<Record<string, readonly string[]>> = {
	documentType: DocumentType.options,
	evidenceModality: EvidenceModality.options,
};

/** Tags that may hold several values at once: a task is in the group of each. */
const multiple: ReadonlySet<string> = new Set(["evidenceModality"]);
const separator = ", ";

/** Several modalities as one tag, each once, in the vocabulary's order. Source: questions may rest on figure and text. */
export const modalityTag = (modalities: Iterable<EvidenceModality>): { evidenceModality?: string } => {
	const named = new Set(modalities);
	const sorted = EvidenceModality.options.filter((one) => named.has(one));
	return sorted.length > 0 ? { evidenceModality: sorted.join(separator) } : {};
};

/** The values of a task's tag: several where the tag may hold several, none where the task has not got it. */
export function tagValues(tags: Readonly<Record<string, string>>, name: string): string[] {
	const value = Object.hasOwn(tags, name) ? tags[name] : undefined;
	if (value === undefined) return [];
	return multiple.has(name) ? value.split(separator) : [value];
}
