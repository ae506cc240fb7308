import type { Passage } from "#domain";
import { sha256 } from "#store";

/** A passage for tests. */
export function passage(id: string, title: string, text: string, more: Partial<Passage> = {}): Passage {
	return {
		kind: "passage",
		id,
		document: id.split("#")[0] ?? id,
		title,
		language: "en",
		sha256: sha256(text),
		provenance: { source: "test" },
		text,
		form: "prose",
		...more,
	};
}

/** Items one by one, as a corpus gives its evidence. */
export async function* stream<T>(items: Iterable<T>): AsyncGenerator<T> {
	yield* items;
}
