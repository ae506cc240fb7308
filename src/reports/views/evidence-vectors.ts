/** How alike two evidences are by the vectors of a named embedder. */

/** What turns texts into vectors: a model that a person has named. */
export interface Embedder {
	/** As it was named, e.g. `onnx:intfloat/e5-base-v2`. */
	name: string;
	/** A unit vector for each text, in their order; zeros where a text has no words. */
	embed(texts: string[]): Promise<ArrayLike<number>[]>;
}

const longest = 20_000;

export interface EvidenceVectors {
	/** Reads and embeds the texts of those that are not known yet. */
	load(ids: Iterable<string>): Promise<void>;
	/** The cosine of two evidences' vectors, in [0, 1]; 0 where it is below, where one has no text or was not loaded. */
	alike(a: string, b: string): number;
}

/** `textOf` is asked once for each id. */
export function createEvidenceVectors(
	{ embed }: Embedder,
	textOf: (id: string) => Promise<string | undefined>,
): EvidenceVectors {
	const vectors = new Map<string, ArrayLike<number>>();
	const asked = new Set<string>();
	return {
		async load(ids) {
			const wanted = [...new Set(ids)].filter((id) => !asked.has(id));
			for (const id of wanted) asked.add(id);
			const read = await Promise.all(wanted.map(async (id) => ({ id, text: await textOf(id) })));
			const texts = read.flatMap(({ id, text }) => (text?.trim() ? [{ id, text: text.slice(0, longest) }] : []));
			if (texts.length === 0) return;
			const made = await embed(texts.map(({ text }) => text));
			for (const [at, { id }] of texts.entries()) vectors.set(id, made[at] ?? []);
		},
		alike(a, b) {
			if (a === b) return 1;
			const [one, other] = [vectors.get(a), vectors.get(b)];
			if (!one || !other) return 0;
			let product = 0;
			for (let at = 0; at < one.length; at += 1) product += (one[at] ?? 0) * (other[at] ?? 0);
			return Math.min(1, Math.max(0, product));
		},
	};
}
