import type { Evidence, Passage } from "#domain";
import { sha256 } from "#store";
import { citedBy } from "../cited-by.ts";
import { passageName } from "../passage-name.ts";
import type { Written } from "./format.ts";

/** What the passages of a set have in common. */
export interface PassageTerms {
	/** Begins the ids: the format's name. */
	prefix: string;
	source: string;
	licence: string;
	/** For a passage of this title. */
	attribution(title: string): string;
	language: string;
}

/** Named by title and text, so that the same paragraph has the same id whatever tasks it came with. */
export function passageOf(
	{ title, text, document = title }: { title: string; text: string; document?: string },
	{ prefix, source, licence, attribution, language }: PassageTerms,
): Passage {
	return {
		kind: "passage",
		id: passageName(prefix, { title, text }),
		document: document === "" ? "untitled" : document,
		title,
		language,
		sha256: sha256(text),
		provenance: { source, licence, attribution: attribution(title) },
		text,
		form: "prose",
	};
}

export const wikipedia = (prefix: string, source: string): PassageTerms => ({
	prefix,
	source,
	licence: "CC-BY-SA-4.0",
	attribution: (title) => `Wikipedia, "${title}"`,
	language: "en",
});

/** What can be read of an evidence without eyes. */
export const textOf = (evidence: Evidence): string => (evidence.kind === "image" ? evidence.caption : evidence.text);

/** The evidence to be written: the whole corpus where it is at hand, else what tasks cite or were handed, by id. */
export async function* evidenceToWrite(
	{ tasks, evidence, corpus }: Written,
	{ warn, cited = "" }: { warn(what: string): void /** Told where only what tasks cite is at hand. */; cited?: string },
): AsyncGenerator<Evidence> {
	if (corpus) return yield* corpus();
	if (cited !== "") warn(cited);
	for (const id of [...new Set(tasks.flatMap((task) => [...citedBy(task), ...(task.context ?? [])]))].sort()) {
		const one = await evidence(id);
		if (one) yield one;
		else warn(`${id}: not at hand`);
	}
}
